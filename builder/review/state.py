"""What the reviewer knows at one moment, and what it may ask the session to do. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from builder.model.case import RejectReason
from builder.model.decision import Decision
from builder.review.desk import Item, Passage


class Mode(StrEnum):
    """Which keys hold."""

    VIEW = "view"
    REJECT = "reject"
    """A reason is being chosen."""
    HELP = "help"


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


class Question(StrEnum):
    """What is asked on the bottom line. The words are below `review.ask.`."""

    JUMP = "jump"
    SEARCH = "search"
    OTHER = "other"
    """Why it is rejected, in words."""


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
    draft: str = ""
    """An edit form that could not be saved."""
    done: tuple[Done, ...] = ()
    """Acts of this session, oldest first, without those taken back."""
    undone: tuple[Done, ...] = ()
    """Acts taken back, the last one last."""
    skipped: tuple[str, ...] = ()
    """Skipped and not decided since."""
    over: bool = False
    """The session ends."""

    @property
    def verdicts(self) -> dict[str, Doing]:
        """Cases that this session has decided; an edit after a decision asks for a new one."""
        last = {done.case_id: done.doing for done in self.done}
        return {case_id: doing for case_id, doing in last.items() if doing in (Doing.APPROVE, Doing.REJECT)}


@dataclass(frozen=True, slots=True)
class Open:
    """Load the case at this place of the queue."""

    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Write decisions about the item at hand as one act."""

    decisions: tuple[Decision, ...]
    done: Done
    said: Message
    """Said when it is written."""
    draft: str = ""
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


Effect = Open | Commit | Undo | Redo | Ask | Find | Write
Step = tuple[State, Effect | None]
