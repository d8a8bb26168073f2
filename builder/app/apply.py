"""builder apply: what experts filled, row by row, each one act by the person who filled it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from builder.app.cases import reason_of
from builder.app.checking import checked
from builder.app.claim_checks import checks_of
from builder.app.people import reviewer_name
from builder.app.searching import Passages
from builder.curate.states import decide
from builder.errors import BuilderError, Conflict
from builder.model.case import Case, Evidence, Revision
from builder.model.decision import Action, Decision
from builder.model.record import Record
from builder.progress import Progress, Silent
from builder.review.sheet.columns import FILLED, head
from builder.review.sheet.reading import ReadRow, ReadSheet, read_sheet
from builder.review.sheet.ruling import Ruling, Unfit, brief, rule
from builder.review.sheet.seal import broken, untouched
from builder.review.sheet.writing import Returned, write_rest
from builder.settings import Workspace
from builder.sheets import normal
from builder.store import Store, open_store
from builder.store.cases import Change, PlannedAct
from builder.text.ids import digest
from builder.words import Words, words

_ACT_LENGTH = 16
_SILENT = Silent()
_REST = re.compile(r"\.rest(-\d+)?$")


class RefusedRow(Record):
    """A row that goes back."""

    row: int
    """Its row in the file, from 1."""
    number: str
    """What people call it by."""
    case_id: str
    """The case, as far as the row names one."""
    code: str
    """Why: a key of the word lists below `sheet.refused.`, else one below `error.`."""
    detail: str
    """Why, in the language of the sheet."""


class ApplyReport(Record):
    """What became of a sheet."""

    file: str
    """The file."""
    applied: dict[str, int] = Field(default_factory=dict)
    """Rows taken, by verdict."""
    case_ids: tuple[str, ...] = ()
    """Their cases, in the order of the file."""
    blank: int = 0
    """Rows in which nothing was filled."""
    again: int = 0
    """Rows that were taken before."""
    refused: tuple[RefusedRow, ...] = ()
    """Rows that go back."""
    rest: str | None = None
    """The file with the refused rows."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """Personal data that was taken out of the texts, by kind."""
    dry_run: bool = False
    """Nothing was written."""
    stopped: bool = False
    """Rows were refused, and all or nothing was asked for: nothing was written to the store."""


@dataclass(frozen=True, slots=True)
class _Good:
    row: ReadRow
    ruling: Ruling
    act: PlannedAct


@dataclass(frozen=True, slots=True)
class _Sorted:
    """The rows of a sheet by what becomes of them."""

    good: tuple[_Good, ...] = ()
    refused: tuple[tuple[ReadRow, BuilderError], ...] = ()
    blank: int = 0
    again: int = 0


def apply_sheet(
    workspace: Workspace,
    path: Path,
    *,
    who: str | None = None,
    strict: bool = False,
    dry_run: bool = False,
    progress: Progress = _SILENT,
) -> ApplyReport:
    """Take every good row of a filled sheet; the others go back in FILE.rest.xlsx, each with its reason.

    Args:
        workspace: the workspace.
        path: the sheet.
        who: who decided, else the person whom the row names, else as everywhere.
        strict: all rows or none.
        dry_run: nothing is written.
        progress: told of each row.

    Raises:
        UsageError: neither .xlsx nor .csv.
        InputError: it cannot be read, is no sheet, or nobody is named.
    """
    sheet = read_sheet(path)
    say = words(sheet.language)
    with open_store(workspace.store_url) as store:
        found = _Clerk(workspace, store, say, who).sort(sheet.rows, progress)
        if not dry_run:
            found = _write_all(store, found, say) if strict else _write_each(store, found, say)
    stopped = strict and bool(found.refused)
    rest = _rest(path, sheet, found.refused, say) if found.refused and not dry_run else None
    taken = () if stopped else found.good
    redacted: Counter[str] = Counter()
    for good in taken:
        redacted.update(good.ruling.redacted)
    return ApplyReport(
        file=str(path),
        applied=dict(Counter(good.ruling.verdict.value for good in taken)),
        case_ids=tuple(good.row.cells["id"].strip() for good in taken),
        blank=found.blank,
        again=found.again,
        refused=tuple(_refused(row, error, say) for row, error in found.refused),
        rest=str(rest) if rest else None,
        redacted=dict(redacted),
        dry_run=dry_run,
        stopped=stopped,
    )


class _Clerk:
    """Looks at each row with the case that it speaks of."""

    def __init__(self, workspace: Workspace, store: Store, say: Words, who: str | None) -> None:
        self._store = store
        self._say = say
        self._passages = Passages(workspace, store)
        self._workspace = workspace
        self._asked = who

    def sort(self, rows: Sequence[ReadRow], progress: Progress) -> _Sorted:
        """Good rows as acts that are not yet written, refused ones with the reason."""
        cases = self._store.cases.get_many({row.cells["id"].strip() for row in rows})
        named = all(row.cells.get("reviewer", "").strip() for row in rows)
        person = self._asked if named else reviewer_name(self._workspace, self._asked)
        filled = Counter(row.cells["id"].strip() for row in rows if not untouched(row.cells))
        good: list[_Good] = []
        refused: list[tuple[ReadRow, BuilderError]] = []
        blank = again = 0
        progress.begin("apply", len(rows))
        for row in rows:
            try:
                case = self._case(row, cases)
                if untouched(row.cells) and not row.merged:
                    blank += 1
                elif (act := self._new_act(row, case, filled, rows)) is None:
                    again += 1
                else:
                    good.append(self._good(row, case, act, self._asked or row.cells.get("reviewer") or person))
            except BuilderError as error:
                refused.append((row, error))
            progress.advance()
        progress.end()
        return _Sorted(tuple(good), tuple(refused), blank, again)

    def _case(self, row: ReadRow, cases: Mapping[str, Case]) -> Case | None:
        """The case, where the row still is what was sent out; none where it is gone and nothing was filled."""
        case_id = row.cells["id"].strip()
        if not case_id:
            raise Unfit("no_id")
        if (column := broken(row.cells)) is not None:
            raise Unfit("edited", column=head(column, self._say))
        if case_id not in cases and not untouched(row.cells):
            raise Unfit("gone")
        return cases.get(case_id)

    def _new_act(self, row: ReadRow, case: Case | None, filled: Counter[str], rows: Sequence[ReadRow]) -> str | None:
        """The id of the row's act; none where it was written before."""
        if row.merged:
            raise Unfit("merged")
        case_id, seen = row.cells["id"].strip(), int(row.cells["revision"])
        if filled[case_id] > 1:
            places = (str(one.place) for one in rows if one.cells["id"].strip() == case_id)
            raise Unfit("twice", rows=", ".join(places))
        texts = (normal(row.cells[column]) for column in FILLED)
        act = digest("sheet", case_id, str(seen), *texts, length=_ACT_LENGTH)
        if case is None or case.revision == seen:
            return act
        standing = _standing(act, self._store.cases.history(case_id))
        if standing is None:
            raise _moved("stale", self._store, case, seen, self._say)
        if not standing:
            raise _moved("taken_back", self._store, case, seen, self._say)
        return None

    def _good(self, row: ReadRow, case: Case | None, act: str, person: str | None) -> _Good:
        if case is None:
            raise Unfit("gone")
        ruling = rule(row.cells, case, self._evidence, self._say, checks_of)
        changes = self._changes(case, ruling.decisions)
        return _Good(row, ruling, PlannedAct(act, (person or "").strip(), changes))

    def _changes(self, case: Case, decisions: Sequence[Decision]) -> list[Change]:
        changes: list[Change] = []
        for decision in decisions:
            after = decide(case, decision)
            after = checked(self._store, after, self._passages.corpus) if decision.action is Action.EDIT else after
            changes.append(Change(case, after, decision.action, reason_of(decision)))
            case = after
        return changes

    def _evidence(self, chunk_id: str) -> Evidence | None:
        chunk = self._passages.index.get(chunk_id)
        return self._passages.of_chunk(chunk).evidence if chunk else None


def _standing(act: str, history: Sequence[Revision]) -> bool | None:
    """Whether an act of a case holds: false where it was taken back, none where it was never written."""
    undone: dict[str, str] = {}
    holds: bool | None = None
    for revision in history:
        if revision.act == act:
            holds = True
        elif revision.undoes == act:
            holds, undone[revision.act] = False, act
        elif revision.undoes in undone:
            holds = True
    return holds


def _write_each(store: Store, found: _Sorted, say: Words) -> _Sorted:
    """Each row is an act of its own; one that somebody decided about at this very moment is refused."""
    good: list[_Good] = []
    refused = list(found.refused)
    for one in found.good:
        try:
            store.cases.apply_all([one.act])
            good.append(one)
        except Conflict:
            refused.append((one.row, _late(store, one.row, say)))
    return replace(found, good=tuple(good), refused=_by_place(refused))


def _write_all(store: Store, found: _Sorted, say: Words) -> _Sorted:
    """All rows in one transaction, unless one was refused; each stays a step of its own for undo."""
    if found.refused:
        return found
    try:
        store.cases.apply_all([one.act for one in found.good])
    except Conflict as error:
        late = next(one for one in found.good if one.row.cells["id"].strip() == error.values["case"])
        return replace(found, refused=((late.row, _late(store, late.row, say)),))
    return found


def _moved(key: str, store: Store, case: Case, seen: int, say: Words) -> Unfit:
    """The row spoke of version `seen`: what the case is now, and who made it so."""
    last = store.cases.history(case.case_id)[-1]
    state, answer = say(f"review.state.{case.review_state}"), brief(case.ground_truth) or "-"
    return Unfit(key, seen=seen, now=case.revision, who=last.who, state=state, answer=answer)


def _late(store: Store, row: ReadRow, say: Words) -> Unfit:
    """Somebody decided between our look and our act."""
    case = store.cases.get(row.cells["id"].strip())
    return _moved("stale", store, case, int(row.cells["revision"]), say)


def _by_place(refused: list[tuple[ReadRow, BuilderError]]) -> tuple[tuple[ReadRow, BuilderError], ...]:
    return tuple(sorted(refused, key=lambda one: one[0].place))


def _refused(row: ReadRow, error: BuilderError, say: Words) -> RefusedRow:
    case_id = row.cells["id"].strip()
    return RefusedRow(row=row.place, number=row.number, case_id=case_id, code=error.key, detail=error.line(say))


def _rest(path: Path, sheet: ReadSheet, refused: Sequence[tuple[ReadRow, BuilderError]], say: Words) -> Path:
    """FILE.rest.xlsx, or FILE.rest-2.xlsx, … where that is there: it may have been worked on."""
    stem = _REST.sub("", path.stem)
    number = 1
    while (target := path.with_name(f"{stem}.rest{f'-{number}' if number > 1 else ''}.xlsx")).exists():
        number += 1
    rows = [Returned(cells=row.cells, reason=error.line(say)) for row, error in refused]
    write_rest(target, rows, sheet.columns, sheet.long, say)
    return target
