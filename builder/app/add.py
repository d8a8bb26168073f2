"""builder add: one case by hand."""

from builder.app.checking import checked, corpus_of
from builder.app.chunks import find_chunk
from builder.app.people import reviewer_name
from builder.errors import InputError
from builder.model.case import Case, Evidence, QuestionType, ReviewState, Source
from builder.model.record import Record
from builder.review.desk import Item
from builder.review.editor import edit
from builder.review.form import form, read
from builder.review.form_fields import Blank
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.text.ids import manual_case_id
from builder.text.passages import slice_parts
from builder.text.quotes import find_quote
from builder.words import Words

_ASKED = ("question", "ground_truth")
"""What the form of a new case asks for."""


class NewCase(Record):
    """A case as a person gives it."""

    question: str
    """What is asked."""
    ground_truth: str = ""
    """The reference answer."""
    answerable: bool = True
    """False: the documents do not hold the answer."""
    chunk_ids: tuple[str, ...] = ()
    """Chunks of the source; all of them are needed."""
    quote: str = ""
    """The words in the first chunk that hold the answer; empty: the whole chunk."""


def add(workspace: Workspace, new: NewCase, *, dataset: str | None = None, who: str | None = None) -> Case:
    """Store a case by hand: unreviewed where it is complete, else needs_answer.

    Raises:
        InputError: no question, an unknown chunk, or a quote that does not stand in its chunk.
    """
    if not new.question.strip():
        raise InputError("add_no_question")
    name = reviewer_name(workspace, who)
    with open_store(workspace.store_url) as store:
        complete = bool(new.ground_truth.strip()) or not new.answerable
        case = Case(
            case_id=manual_case_id(),
            dataset=dataset or workspace.settings.dataset,
            question=new.question.strip(),
            ground_truth=new.ground_truth.strip(),
            answerable=new.answerable,
            evidence_groups=tuple((evidence_in(store, chunk_id, new.quote),) for chunk_id in new.chunk_ids),
            source=Source.MANUAL,
            question_type=QuestionType.SINGLE_FACT if new.answerable else QuestionType.UNANSWERABLE,
            review_state=ReviewState.UNREVIEWED if complete else ReviewState.NEEDS_ANSWER,
        )
        return store.cases.add([checked(store, case, corpus_of(workspace, store))], name)[0]


def evidence_in(store: Store, chunk_id: str, quote: str = "") -> Evidence:
    """Evidence in one chunk: the quote, or the whole chunk where none is given.

    Raises:
        InputError: an unknown chunk, or a quote that does not stand in it.
    """
    chunk = find_chunk(store, chunk_id)
    if not quote:
        return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text, parts=chunk.parts)
    match = find_quote(quote, chunk.text)
    if match is None or match.how == "fuzzy":
        raise InputError("quote_not_in_chunk", chunk=chunk_id)
    return Evidence(
        doc_id=chunk.doc_id,
        reading_id=chunk.reading_id,
        quote=chunk.text[match.start : match.end],
        parts=slice_parts(chunk.parts, match.start, match.end),
    )


def fill_form(new: NewCase, say: Words) -> NewCase:
    """Let the user fill in question and answer in the editor.

    Raises:
        InputError: the editor failed, or no question was written.
    """
    case = Case(case_id="m", question="", source=Source.MANUAL, review_state=ReviewState.NEEDS_ANSWER)
    blank = Blank(item=Item(case=case))
    before = form(blank, say, only=_ASKED)
    after = edit(before)
    if after is None:
        raise InputError("editor_failed")
    changes = read(before, after, blank, say).changes
    if not changes.get("question"):
        raise InputError("add_no_question")
    return new.replace(**{name: changes[name] for name in _ASKED if name in changes})
