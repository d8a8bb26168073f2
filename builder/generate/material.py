"""What tasks are made of: chunks, prompts, settings, and what the dataset knows already."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.checks.corpus import Corpus
from builder.generate.prompt import Prompts
from builder.model.access import Access, UserContext, may_read
from builder.model.case import Case, QuestionType
from builder.model.chunk import Chunk
from builder.settings import Audience, GenerateSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What the tasks of one run are made of. Nothing in it changes while the run lasts."""

    corpus: Corpus
    """All chunks of the workspace, searchable: what an answer is checked against."""
    allowed: tuple[Chunk, ...]
    """Chunks that may be asked about and may be sent."""
    prompts: Mapping[str, Prompts]
    """By language."""
    settings: GenerateSettings = field(default_factory=GenerateSettings)
    """How cases are written."""
    cases: Mapping[str, Case] = field(default_factory=dict)
    """Cases of the dataset by id, for styles and verification."""
    risks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words that propose a risk, by risk."""
    audiences: Mapping[str, Audience] = field(default_factory=dict)
    """Who asks, by name."""
    examples: Mapping[QuestionType, tuple[Case, ...]] = field(default_factory=dict)
    """Approved cases that may be shown as examples; never of the test split."""
    avoid: tuple[Case, ...] = ()
    """Rejected cases, whose reasons are told as what to avoid."""
    departments: Mapping[str, str] = field(default_factory=dict)
    """The department above each department."""

    def may_read(self, user: UserContext, access: Access) -> bool:
        """Whether `user` may read a document with `access`, by the departments of this workspace."""
        return may_read(user, access, self.departments)

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk with that id.

        Raises:
            LookupError: it is gone.
        """
        found = self.corpus.index.get(chunk_id)
        if found is None:
            raise LookupError(f"no chunk {chunk_id}")
        return found
