"""All metrics of a run."""

import re
from collections.abc import Sequence

from builder.model.run import RunRecord
from builder.score.metrics import citations, claims, context, engineering, groups, permission, ranking, refusal, text
from builder.score.metrics.metric import Metric

KS = (1, 3, 5, 10, 20)
"""How many candidates are looked at where nobody asks for other numbers."""
_AT = re.compile(r"[a-z_]+@([1-9][0-9]{0,3})")


def registry(ks: Sequence[int] = KS, records: Sequence[RunRecord] = ()) -> dict[str, Metric]:
    """The metrics by name, the headline first. The records tell which stages there are of time, tokens and cost."""
    wanted = tuple(sorted(set(ks)))
    found = (
        *groups.metrics(wanted),
        *ranking.metrics(wanted),
        *context.metrics(),
        *text.metrics(),
        *claims.metrics(),
        *refusal.metrics(),
        *citations.metrics(),
        *permission.metrics(),
        *engineering.metrics(records),
    )
    return {metric.name: metric for metric in found}


def metric_named(name: str, records: Sequence[RunRecord] = ()) -> Metric | None:
    """The metric of a name, at any k; none where there is no such metric."""
    at = _AT.fullmatch(name)
    return registry((int(at[1]),) if at else KS, records).get(name)
