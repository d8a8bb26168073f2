"""One generate run put together: workspace, store, writer, material."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from builder import shipped
from builder.app.formats import StoreFormats
from builder.app.generate_records import Asked
from builder.checks.corpus import Corpus
from builder.errors import InputError
from builder.generate.examples import approved_examples, rejected_lessons
from builder.generate.material import Material
from builder.generate.prompt import Prompts, load_prompts
from builder.generate.sending import Sending, sendable
from builder.generate.writer import Writer, WriterOptions, open_writer
from builder.llm.endpoint import endpoint
from builder.llm.limiter import Limiter
from builder.model.case import QuestionType
from builder.model.chunk import Chunk
from builder.search import chunk_set_hash, open_search
from builder.settings import Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest


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

    @property
    def concurrency(self) -> int:
        """Calls at a time."""
        return self.asked.concurrency or self.workspace.settings.generate.concurrency

    @cached_property
    def prompts(self) -> dict[str, Prompts]:
        """The templates by language."""
        return read_prompts(self.workspace)

    def material(self) -> Material:
        """What the tasks are made of, with the dataset as it is now."""
        return gather(
            self.workspace, self.store, self.dataset, self.corpus, allowed=self.sending.allowed, prompts=self.prompts
        )

    @cached_property
    def fingerprint(self) -> dict[str, str]:
        """What the cases of this run rest on."""
        settings = self.workspace.settings.generate
        shaping = {
            "per_chunk": self.asked.per_chunk,
            "window": self.asked.window,
            "mode": self.asked.mode,
            "audiences": canonical(self.workspace.settings.model_dump(mode="json")["audience"]),
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


def gather(
    workspace: Workspace,
    store: Store,
    dataset: str,
    corpus: Corpus,
    *,
    allowed: tuple[Chunk, ...] = (),
    prompts: Mapping[str, Prompts] | None = None,
) -> Material:
    """What tasks are made of, with the dataset as it is now."""
    settings = workspace.settings
    cases = store.cases.list(dataset)
    return Material(
        corpus=corpus,
        allowed=allowed,
        prompts=prompts or read_prompts(workspace),
        settings=settings.generate,
        cases={case.case_id: case for case in cases},
        risks=settings.risk,
        audiences=settings.audience,
        departments=settings.departments,
        examples=approved_examples(cases, corpus, allowed),
        avoid=rejected_lessons(cases, corpus, allowed),
    )


def read_prompts(workspace: Workspace) -> dict[str, Prompts]:
    """The templates by language; the workspace's own go before the shipped ones.

    Raises:
        InputError: a file cannot be read.
    """
    own = workspace.prompts if workspace.prompts.is_dir() else None
    return {language: load_prompts(language, shipped.folder("prompts"), own) for language in ("zh", "en")}


def open_corpus(workspace: Workspace, store: Store) -> Corpus:
    """All chunks, searchable.

    Raises:
        InputError: there are none.
    """
    chunks = store.documents.chunks()
    if not chunks:
        raise InputError("no_chunks")
    return Corpus(chunks, open_search(workspace.search_folder, [(chunk.chunk_id, chunk.text) for chunk in chunks]))


def open_job(workspace: Workspace, store: Store, wanted: Asked) -> Job:
    """The job of a run.

    Raises:
        InputError: no writer, one that cannot write what is asked for, or no chunks.
    """
    name, options = _writer(workspace, store, wanted)
    if name == "extractive" and (wanted.styles or set(wanted.types) - {QuestionType.SINGLE_FACT}):
        raise InputError("needs_model")
    host = options.endpoint.host if options.endpoint else None
    corpus = open_corpus(workspace, store)
    return Job(
        workspace=workspace,
        store=store,
        asked=wanted,
        writer=open_writer(name, options),
        options=options,
        sending=sendable(_wanted(corpus.chunks, wanted), host, workspace.settings.send),
        corpus=corpus,
    )


def _writer(workspace: Workspace, store: Store, wanted: Asked) -> tuple[str, WriterOptions]:
    settings = workspace.settings.generate
    model = wanted.model or settings.model
    name = wanted.writer or settings.writer or _writer_of(model)
    if name is None:
        raise InputError("no_writer_chosen")
    limiter = Limiter(
        concurrency=wanted.concurrency or settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
    )
    return name, WriterOptions(
        endpoint=endpoint(os.environ, model, settings.timeout) if name == "openai" else None,
        model=model or "",
        timeout=float(settings.timeout),
        limiter=limiter,
        response_format=settings.response_format,
        formats=StoreFormats(store),
    )


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
