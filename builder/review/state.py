"""What the reviewer knows at one moment, and what it may ask the session to do. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from builder.model.case import Case, RejectReason
from builder.model.decision import Decision
from builder.review.desk import Deed, Item, Passage


class Mode(StrEnum):
    """Which keys hold."""

    VIEW = "view"
    REJECT = "reject"
    """A reason is being chosen."""
    HELP = "help"
    BATCH = "batch"
    """What shall be done with all cases of the filter is being chosen."""
    BATCH_REASON = "batch_reason"
    """Why all cases of the filter are rejected is being chosen."""
    CLASH = "clash"
    """What somebody else decided meanwhile stands against what was about to be decided."""
    ALTERNATIVE = "alternative"
    """An offer is being chosen that is as good as the evidence in focus."""
    MARK = "mark"
    """A passage that looks right and is not is being chosen."""
    NEGATIVE = "negative"
    """The reason why it is wrong is being chosen."""
    DIFFERENCE = "difference"
    """What was first written stands against what is there now."""


class Pane(StrEnum):
    """What the scroll keys move."""

    SOURCE = "source"
    FIELDS = "fields"


class Tone(StrEnum):
    """How a message is drawn; the names are styles of the view."""

    CALM = "calm"
    WARN = "warn"


class Doing(StrEnum):
    """What an act was, for counting."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    FILL = "fill"
    """An edit that wrote the missing answer."""
    PIN = "pin"
    UNANSWERABLE = "unanswerable"
    ANSWERABLE = "answerable"
    NOTE = "note"
    ALTERNATIVE = "alternative"
    """Evidence joined to a group, or taken out of one."""
    NEGATIVE = "negative"
    """A passage marked as looking right and being wrong, or no longer."""


class Question(StrEnum):
    """What is asked on the bottom line. The words are below `review.ask.`."""

    JUMP = "jump"
    FILTER = "filter"
    BATCH_OTHER = "batch_other"
    """Why all cases of the filter are rejected, in words."""
    BATCH_COUNT = "batch_count"
    """How many cases there are: proof that they were looked at."""
    SEARCH = "search"
    OTHER = "other"
    """Why it is rejected, in words."""
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Word:
    """A value of a message that is itself a key of the word lists."""

    key: str


@dataclass(frozen=True, slots=True)
class Message:
    """A line below `review.said.`, with what fills its places."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)
    tone: Tone = Tone.CALM


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """One act of this session."""

    case_id: str
    """The case."""
    doing: Doing
    """What it was."""
    reason: RejectReason | None = None
    """Reject: why."""
    seconds: float = 0.0
    """From the first sight of the item, idle time and editor not counted."""
    length: int = 0
    """Characters that were to be read."""
    others: tuple[str, ...] = ()
    """A batch: its other cases."""
    waits: bool = True
    """Edits: the case waits for a verdict now, whatever was decided before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A form that could not be saved."""

    text: str
    """What was written."""
    revision: int
    """Of the case that it was written for: for another one it is only shown."""
    passages: tuple[Passage, ...] = ()
    """Those that its numbers mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One decision about many cases, while it is asked for and when it is done."""

    case_ids: tuple[str, ...]
    """The cases, in the order of the queue."""
    skip: bool = False
    """Skip them; else reject."""
    reason: RejectReason | None = None
    """Reject: why."""
    text: str = ""
    """Reject for another reason: which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Two versions of a decision about one case."""

    theirs: tuple[Deed, ...]
    """What others did since the case was shown, oldest first."""
    mine: "Commit"
    """What was about to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Seconds of the session's clock."""

    begun: float
    """Start of the session."""
    at: float
    """The last key."""
    shown: float
    """The item at hand came on the screen."""
    spent: float = 0.0
    """Time with the item at hand."""
    editor: float = 0.0
    """Time in the editor, in all."""
    pressed: str = ""
    """The last key that decides."""
    pressed_at: float = float("-inf")
    """When it was pressed, or repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything that the view needs."""

    reviewer: str
    """Who decides."""
    order: tuple[str, ...]
    """Case ids of the queue."""
    times: Times
    """Clock readings."""
    guard: float
    """Seconds after a new item in which keys that decide are dropped."""
    index: int = 0
    """Place in the queue."""
    item: Item | None = None
    """The case at hand; none where nothing is left."""
    mode: Mode = Mode.VIEW
    """Which keys hold."""
    pane: Pane = Pane.SOURCE
    """What the scroll keys move."""
    offers: tuple[Passage, ...] = ()
    """Numbered passages to choose evidence from: proposals, or what a search found."""
    query: str = ""
    """What was searched."""
    offering: bool = False
    """The offers are shown, not the evidence."""
    focus: int = 0
    """The piece of evidence that the source opens at."""
    source_top: int | None = None
    """First line of the source; none: where the evidence in focus is."""
    fields_top: int = 0
    """First line of question and answer."""
    page: int = 10
    """Lines of a page, as last painted."""
    message: Message | None = None
    """What was said last."""
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    """Edit forms that could not be saved, by case."""
    picked: Passage | None = None
    """The passage that a reason is being chosen for."""
    original: Case | None = None
    """The case at hand as it was first written, while it is compared."""
    top: int = 0
    """First line of what stands in place of the case: the comparison."""
    done: tuple[Done, ...] = ()
    """Acts of this session, oldest first, without those taken back."""
    undone: tuple[Done, ...] = ()
    """Acts taken back, the last one last."""
    skipped: tuple[str, ...] = ()
    """Skipped and not decided since."""
    expression: str = ""
    """The filter of the queue, as it was typed."""
    blind: bool = False
    """Verdicts of models and notes of others are hidden until the decision."""
    revealed: bool = False
    """Blind: they are shown for the item at hand."""
    more: bool = False
    """What stands in place of the case goes on below, as last painted."""
    held: tuple[str, ...] = ()
    """Cases of the queue that others look at right now."""
    batch: Batch | None = None
    """What is being asked about many cases."""
    clash: Clash | None = None
    """Two versions of a decision, while they are shown."""
    over: bool = False
    """The session ends."""

    @property
    def verdicts(self) -> dict[str, Doing]:
        """Cases that this session has decided; an edit that takes a decision back asks for a new one."""
        found: dict[str, Doing] = {}
        for done in self.done:
            if done.doing in (Doing.APPROVE, Doing.REJECT):
                found |= dict.fromkeys((done.case_id, *done.others), done.doing)
            elif done.waits:
                found.pop(done.case_id, None)
        return found


@dataclass(frozen=True, slots=True)
class Open:
    """Load the case at this place of the queue."""

    index: int
    by: int = 0
    """Where somebody else looks at it: 1 the next one, -1 the one before; 0: it is wanted all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Write decisions about the item at hand as one act."""

    decisions: tuple[Decision, ...]
    done: Done
    said: Message
    """Said when it is written."""
    draft: Draft | None = None
    """The form that it came from, kept if it cannot be written."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last act."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do again what was taken back last."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for one line of text."""

    question: Question


@dataclass(frozen=True, slots=True)
class Find:
    """Search all documents."""

    query: str


@dataclass(frozen=True, slots=True)
class Write:
    """Let the user edit the form of the item at hand."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Fetch the item at hand as it was first written."""


@dataclass(frozen=True, slots=True)
class Seek:
    """Load the case of this id, in the queue or not."""

    case_id: str


@dataclass(frozen=True, slots=True)
class Narrow:
    """Fetch the queue of a filter."""

    expression: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """Reject many cases as one act."""

    batch: Batch


@dataclass(frozen=True, slots=True)
class Look:
    """Show the page of the evidence in focus as a picture."""


Effect = Open | Commit | Undo | Redo | Ask | Find | Write | Compare | Seek | Narrow | Sweep | Look
Step = tuple[State, Effect | None]
