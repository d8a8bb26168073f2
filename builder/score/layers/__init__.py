"""The layers, one a file: each looks at one answer and says whether it is fine, broken, or not told."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from builder.score.layers import (
    citation,
    context,
    engineering,
    generation,
    golden,
    ingestion,
    permission,
    ranking,
    refusal,
    retrieval,
)
from builder.score.layers.finding import Finding, Layer
from builder.score.layers.looked import Looked

Look = Callable[[Looked], Finding]

LAYERS: Mapping[Layer, Look] = MappingProxyType(
    {
        Layer.GOLDEN: golden.look,
        Layer.ENGINEERING: engineering.look,
        Layer.INGESTION: ingestion.look,
        Layer.RETRIEVAL: retrieval.look,
        Layer.RANKING: ranking.look,
        Layer.CONTEXT: context.look,
        Layer.PERMISSION: permission.look,
        Layer.GENERATION: generation.look,
        Layer.REFUSAL: refusal.look,
        Layer.CITATION: citation.look,
    }
)
"""In the order in which blame is looked for: the earliest that is proven wrong has it."""
