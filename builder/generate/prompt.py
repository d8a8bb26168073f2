"""Prompts: jinja2 templates per language, the workspace's own before the shipped ones.

The document text stands between two marks that hold a nonce. The nonce is derived from the text (the same request has
the same hash) and never stands in it, so a text cannot close its own fence. Line breaks within a sentence are shown as
spaces: every line begins with a mark of ours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from builder.errors import InputError
from builder.generate.outline import outlined
from builder.generate.writer import Message, NumberedPassage
from builder.model.attempt import Task
from builder.model.chunk import Chunk
from builder.text.ids import digest
from builder.text.sentences import sentences

if TYPE_CHECKING:
    import jinja2

_UNUSED: Mapping[str, object] = {"outline": False, "audience": None, "examples": (), "avoid": ()}
"""What only some tasks have: values that leave the prompt as it is without them."""
_HEADING = 120
_NONCE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The templates of one language, read once."""

    language: str
    """zh or en."""
    sources: Mapping[str, str]
    """Template text by file name."""
    files: Mapping[str, Path]
    """Where each came from."""

    def hash_of(self, names: Sequence[str]) -> str:
        """Hash of the named templates."""
        return digest(self.language, *(self.sources[name] for name in names), length=16)

    def messages(self, names: tuple[str, str], values: Mapping[str, object]) -> tuple[Message, ...]:
        """The messages of one request: the system template and the user template, filled with `values`.

        Raises:
            InputError: a broken template; names file, line and fault.
        """
        filled = {**_UNUSED, **values, "nonce": _nonce(values)}
        return tuple(
            Message(role=role, content=self._rendered(name, filled))
            for role, name in zip(("system", "user"), names, strict=True)
        )

    def _rendered(self, name: str, values: Mapping[str, object]) -> str:
        import jinja2

        try:
            return _compiled(self.sources[name]).render(values).strip()
        except jinja2.TemplateSyntaxError as error:
            raise self._broken(name, error.lineno, error) from error
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise self._broken(name, _line_of(error), error) from error

    def _broken(self, name: str, line: int, error: Exception) -> InputError:
        return InputError("template", file=self.files[name], line=line, detail=" ".join(str(error).split()))


def load_prompts(language: str, shipped: Path, own: Path | None = None) -> Prompts:
    """The templates of `language`; a file in the workspace's `own` folder goes before the one in `shipped`.

    Raises:
        InputError: a file cannot be read.
    """
    folders = [folder / language for folder in (shipped, own) if folder is not None]
    files = {path.relative_to(folder).as_posix(): path for folder in folders for path in sorted(folder.rglob("*.j2"))}
    return Prompts(language=language, sources={name: _read(path) for name, path in files.items()}, files=files)


def passage_values(passages: Sequence[NumberedPassage], task: Task) -> dict[str, object]:
    """What the templates of a task see. Texts stand on one line each; of an outline the facts in place of the text."""
    return {
        **({"outline": True} if task.outline else {}),
        "asked": task.asked,
        "passages": [_shown(passage, outlined if task.outline else on_one_line) for passage in passages],
        "earlier": [on_one_line(question) for question in task.earlier],
        "facts": {name: on_one_line(fact) for name, fact in task.facts.items()},
    }


def numbered(chunks: Sequence[Chunk]) -> tuple[NumberedPassage, ...]:
    """The chunks as numbered passages, from 1."""
    return tuple(
        NumberedPassage(
            number=number,
            chunk_id=chunk.chunk_id,
            text=chunk.text,
            sentences=tuple(sentences(chunk.text)),
            heading=_heading(chunk),
            kind=chunk.kind,
            language=chunk.language,
        )
        for number, chunk in enumerate(chunks, 1)
    )


def _heading(chunk: Chunk) -> str:
    title = chunk.metadata.title
    return " › ".join(on_one_line(part) for part in ((title, *chunk.section) if title else chunk.section))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("template", file=path, line=1, detail=" ".join(str(error).split())) from error


@cache
def _compiled(source: str) -> "jinja2.Template":
    """The template of a text; compiling takes longer than all else that is done for a call."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(source)


def _line_of(error: BaseException) -> int:
    """The template line in which rendering failed: jinja2 maps its frames back to it."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _shown(passage: NumberedPassage, said: Callable[[str], str]) -> dict[str, object]:
    """What a template sees of a passage; of a sentence what `said` makes of it."""
    return {
        "number": passage.number,
        "heading": passage.heading[-_HEADING:],
        "kind": passage.kind.value,
        "sentences": [said(passage.text[start:end]) for start, end in passage.sentences],
    }


def on_one_line(text: str) -> str:
    """The text without line breaks, as templates show it."""
    return " ".join(text.split())


def _nonce(values: Mapping[str, object]) -> str:
    """A short hex word that stands nowhere in `values`."""
    text = repr(values)
    for turn in range(1000):
        found = digest(text, str(turn), length=_NONCE)
        if found not in text.casefold():
            return found
    raise AssertionError("a text cannot hold a thousand hashes of itself")
