"""One generate run put together: workspace, store, writer, material."""

import os
from dataclasses import dataclass
from functools import cached_property

from builder import shipped
from builder.app.generate_records import Asked
from builder.checks.corpus import Corpus
from builder.errors import InputError
from builder.generate.material import Material
from builder.generate.prompt import Prompts, load_prompts
from builder.generate.sending import Sending, sendable
from builder.generate.writer import Writer, WriterOptions, open_writer
from builder.llm.endpoint import endpoint
from builder.model.case import Case, QuestionType, ReviewState, Source, Split
from builder.model.chunk import Chunk
from builder.search import chunk_set_hash, open_search
from builder.settings import Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest

_EXAMPLES = 3
"""Approved cases of a type that are kept as examples."""
_AVOID = 5
"""Rejected cases whose reasons are told."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """Everything that one run works with."""

    workspace: Workspace
    store: Store
    asked: Asked
    writer: Writer
    options: WriterOptions
    sending: Sending
    """Chunks that may be sent, and those held back."""
    corpus: Corpus
    """All chunks."""

    @property
    def dataset(self) -> str:
        """The dataset that the cases go to."""
        return self.asked.dataset or self.workspace.settings.dataset

    @cached_property
    def prompts(self) -> dict[str, Prompts]:
        """The templates by language."""
        own = self.workspace.prompts if self.workspace.prompts.is_dir() else None
        return {language: load_prompts(language, shipped.folder("prompts"), own) for language in ("zh", "en")}

    def material(self) -> Material:
        """What the tasks are made of, with the dataset as it is now."""
        settings = self.workspace.settings
        cases = self.store.cases.list(self.dataset)
        return Material(
            corpus=self.corpus,
            allowed=self.sending.allowed,
            prompts=self.prompts,
            settings=settings.generate,
            cases={case.case_id: case for case in cases},
            risks=settings.risk,
            audiences=settings.audience,
            examples=_examples(cases),
            avoid=_avoid(cases),
        )

    @cached_property
    def fingerprint(self) -> dict[str, str]:
        """What the cases of this run rest on."""
        settings = self.workspace.settings.generate
        shaping = {
            "per_chunk": self.asked.per_chunk,
            "window": self.asked.window,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
        }
        return {
            "corpus": chunk_set_hash([(chunk.chunk_id, chunk.text) for chunk in self.sending.allowed]),
            "prompts": digest(*(p.hash_of(sorted(p.sources)) for _, p in sorted(self.prompts.items())), length=16),
            "writer": self.writer.name,
            "model": self.writer.model,
            "settings": canonical(shaping),
        }


def open_job(workspace: Workspace, store: Store, wanted: Asked) -> Job:
    """The job of a run.

    Raises:
        InputError: no writer, or no chunks.
    """
    name, options = _writer(workspace, wanted)
    chunks = store.documents.chunks()
    if not chunks:
        raise InputError("no_chunks")
    host = options.endpoint.host if options.endpoint else None
    search = open_search(workspace.search_folder, [(chunk.chunk_id, chunk.text) for chunk in chunks])
    return Job(
        workspace=workspace,
        store=store,
        asked=wanted,
        writer=open_writer(name, options),
        options=options,
        sending=sendable(_wanted(chunks, wanted), host, workspace.settings.send),
        corpus=Corpus(chunks, search),
    )


def _writer(workspace: Workspace, wanted: Asked) -> tuple[str, WriterOptions]:
    settings = workspace.settings.generate
    model = wanted.model or settings.model
    name = wanted.writer or settings.writer or _writer_of(model)
    if name is None:
        raise InputError("no_writer_chosen")
    where = endpoint(os.environ, model, settings.timeout) if name == "openai" else None
    return name, WriterOptions(endpoint=where, model=model or "", timeout=float(settings.timeout))


def _writer_of(model: str | None) -> str | None:
    """A .gguf file is read here; any other model name needs an endpoint. There is no silent default."""
    if model and model.endswith(".gguf"):
        return "local"
    known = os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_KEY")
    return "openai" if model and known else None


def _wanted(chunks: tuple[Chunk, ...], wanted: Asked) -> tuple[Chunk, ...]:
    found = tuple(chunk for chunk in chunks if not wanted.docs or chunk.doc_id.startswith(wanted.docs))
    if not found:
        raise InputError("no_such_docs", docs=", ".join(wanted.docs))
    return found


def _examples(cases: tuple[Case, ...]) -> dict[QuestionType, tuple[Case, ...]]:
    """Approved cases by type, a few each; never of the test split."""
    found: dict[QuestionType, tuple[Case, ...]] = {}
    for case in cases:
        mine = found.get(case.question_type, ())
        if case.review_state is ReviewState.APPROVED and case.split is not Split.TEST and len(mine) < _EXAMPLES:
            found[case.question_type] = (*mine, case)
    return found


def _avoid(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Rejected generated cases, by id."""
    rejected = (c for c in cases if c.source is Source.GENERATED and c.review_state is ReviewState.REJECTED)
    return tuple(rejected)[:_AVOID]
