"""Answers laid over the snapshot: which evidence stands at which place of each stage.

The short form of a stage is made for every answer, its places only when somebody looks at them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter

from builder.model.case import Case
from builder.model.run import RetrievedItem, RunRecord
from builder.model.verdict import AnswerVerdict
from builder.score.citing import cited_of
from builder.score.gold import Gold, Level, access_told, gold_of
from builder.score.holding import Holdings
from builder.score.judged import claims_of, verdict_of
from builder.score.map_file import Map
from builder.score.markers import markers
from builder.score.passages import Corpus, Library, Passage, version_name
from builder.score.refusals import status_of
from builder.score.view import Mark, Place, Ranking, Stage, Target, View

_SAMPLE = 2000
"""Answers that are looked at to see whether a system numbers versions as the snapshot does."""
_NOTHING: frozenset[Target] = frozenset()
_PLAIN: frozenset[str] = frozenset()
_STAGES = tuple(Stage)
_TOLD = (*(stage.value for stage in Stage), "context_text", "answer", "status", "citations", "tool_calls")
_told_of = attrgetter(*_TOLD)
_items_of = attrgetter(*(stage.value for stage in Stage))
Items = tuple[RetrievedItem, ...]


class Stages(Mapping[Stage, tuple[Place, ...]]):
    """The stages of one answer; places are made when they are asked for."""

    __slots__ = ("_given", "_made", "_make")

    def __init__(self, given: Mapping[Stage, Items], make: Callable[[Items], tuple[Place, ...]]) -> None:
        self._given = given
        self._make = make
        self._made: dict[Stage, tuple[Place, ...]] = {}

    def __getitem__(self, stage: Stage) -> tuple[Place, ...]:
        found = self._made.get(stage)
        if found is None:
            found = self._made[stage] = self._make(self._given[stage])
        return found

    def __contains__(self, stage: object) -> bool:
        return stage in self._given

    def __iter__(self) -> Iterator[Stage]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


class Matcher:
    """Lays the answers of one run over one snapshot."""

    def __init__(
        self,
        corpus: Corpus,
        records: Sequence[RunRecord] = (),
        *,
        level: Level = "passage",
        entries: Map | None = None,
        departments: Mapping[str, str] | None = None,
        today: date | None = None,
    ) -> None:
        self.library = Library(corpus, entries or {}, departments or {})
        self.level: Level = level
        self._today = today
        self.holdings = Holdings(self.library, level, _same_versions(self.library, records[:_SAMPLE]))
        self.told = told_by(records)

    def gold(self, case: Case) -> Gold:
        """What is to be found for a case."""
        return gold_of(case, self.library, self.level, self._today)

    def view(
        self,
        case: Case,
        gold: Gold,
        record: RunRecord | None,
        repeat: int = 1,
        verdicts: Sequence[AnswerVerdict] = (),
    ) -> View:
        """One answer as metrics see it."""
        if record is None:
            return _missing(case, gold, repeat, self.told, access_told(case, self.library))
        record = _with_status(record)
        given = {stage: items for stage, items in zip(_STAGES, _items_of(record), strict=True) if items is not None}
        flags = _flags(record)
        rankings: dict[Stage, Ranking] = {}
        duplicates = unmapped = 0
        for stage, items in given.items():
            rankings[stage], repeated, strange, vague = self._short(items, gold)
            duplicates += repeated
            unmapped += strange
            if vague:
                flags.append("passage_unknown")
        if duplicates:
            flags.append("duplicate_ids")
        if unmapped:
            flags.append("unknown_ids")
        stages = Stages(given, lambda items: self._places(case, gold, items))
        return View(
            case=case,
            repeat=repeat,
            record=record,
            stages=stages,
            groups=gold.groups,
            citations=cited_of(self.holdings, case, gold, record, stages) if _may_cite(record, self.told) else None,
            claims=claims_of(case, record, verdicts),
            duplicates=duplicates,
            unmapped=unmapped,
            rankings=rankings,
            units=gold.units,
            gains=gold.gains,
            excluded=gold.excluded,
            status=record.status,
            told=self.told,
            access_told=access_told(case, self.library),
            verdict=verdict_of(verdicts),
            flags=frozenset(flags) if flags else _PLAIN,
        )

    # Stages

    def _short(self, items: Items, gold: Gold) -> tuple[Ranking, int, int, bool]:
        """A stage in short, how many ids were repeated, how many are unknown, whether some only name a document."""
        if self.level == "document":
            _, passages, repeated = self._kept(items)
            return self._ranked(list(enumerate(passages, 1)), gold, len(passages), repeated)
        ids = [item.id for item in items]
        distinct = set(ids)
        kept: Sequence[RetrievedItem] = items
        if len(distinct) != len(ids) or "" in distinct:
            kept = _once(items)
            ids = [item.id for item in kept]
        near, look = self.library.near(distinct, gold.pieces), self.library.passage
        found = [(rank, look(kept[rank - 1])) for rank, name in enumerate(ids, 1) if name in near] if near else []
        return self._ranked(found, gold, len(ids), len(items) - len(ids))

    def _kept(self, items: Items) -> tuple[Sequence[RetrievedItem], list[Passage], int]:
        """The items that count as places, and how many ids were repeated."""
        kept = _once(items)
        passages = list(map(self.library.passage, kept))
        repeated = len(items) - len(kept)
        if self.level == "document":
            first: dict[object, tuple[RetrievedItem, Passage]] = {}
            for item, passage in zip(kept, passages, strict=True):
                first.setdefault(passage.doc_id or id(item), (item, passage))
            return [item for item, _ in first.values()], [passage for _, passage in first.values()], repeated
        return kept, passages, repeated

    def _ranked(
        self, near: Sequence[tuple[int, Passage]], gold: Gold, length: int, repeated: int
    ) -> tuple[Ranking, int, int, bool]:
        """The marks of the passages that may hold something; a text that holds evidence is not unknown."""
        marks: list[Mark] = []
        strange = 0
        vague = False
        for rank, passage in near:
            held = None
            if passage.doc_id in gold.pieces or passage.loose:
                held = self.holdings.held(passage, gold)
                vague = vague or (held is None and not passage.exact and self.level == "passage")
            if held is not None:
                marks.append(Mark(rank, held.hits, held.units, held.negative))
            elif not passage.known:
                strange += 1
        return Ranking(length, tuple(marks)), repeated, strange, vague

    def _places(self, case: Case, gold: Gold, items: Items) -> tuple[Place, ...]:
        kept, passages, _ = self._kept(items)
        return tuple(
            self._place(case, gold, rank, item, passage)
            for rank, (item, passage) in enumerate(zip(kept, passages, strict=True), 1)
        )

    def _place(self, case: Case, gold: Gold, rank: int, item: RetrievedItem, passage: Passage) -> Place:
        held = self.holdings.held(passage, gold)
        names = self.holdings.documents(passage, gold, held)
        return Place(
            rank=rank,
            item=item,
            known=passage.known or bool(held),
            doc_id=names[0] if len(names) == 1 else None,
            hits=held.hits if held else _NOTHING,
            grade=max((gold.gains[unit] for unit in held.units), default=0) if held else 0,
            judged=held is not None,
            negative=held.negative if held else None,
            wrong_version=self.holdings.wrong_version(passage, gold, held),
            may_read=self.library.may_read(case.user_context, names) if names else None,
        )


def _once(items: Sequence[RetrievedItem]) -> Sequence[RetrievedItem]:
    """The items without those whose id (or text, where they have none) stood before."""
    first: dict[str | None, RetrievedItem] = {}
    for item in items:
        first.setdefault(item.id or item.text, item)
    return items if len(first) == len(items) else tuple(first.values())


# Runs


def told_by(records: Sequence[RunRecord]) -> frozenset[str]:
    """The fields that some answer of a run tells.

    The text that was read is told too where all passages have theirs, citations where an answer has marks of them.
    """
    found: set[str] = set()
    for record in records:
        found.update(name for name, value in zip(_TOLD, _told_of(record), strict=True) if value is not None)
        if len(found) == len(_TOLD):
            break
    if "context_text" not in found and any(record.context and _all_texts(record.context) for record in records):
        found.add("context_text")
    if "citations" not in found and any(record.answer and markers(record.answer) for record in records):
        found.add("citations")
    return frozenset(found)


def _all_texts(items: Items) -> bool:
    return all(item.text for item in items)


def _same_versions(library: Library, records: Iterable[RunRecord]) -> bool:
    """True where some item names its document's version as the snapshot does; else names of versions tell nothing."""
    for record in records:
        for stage in Stage:
            for item in getattr(record, stage) or ():
                if item.doc_version is None:
                    continue
                passage = library.passage(item)
                if passage.doc_id and version_name(item.doc_version) in library.versions(passage.doc_id):
                    return True
    return any(
        entry.doc_version and version_name(entry.doc_version) in library.versions(library.document(entry.doc_id) or "")
        for some in library.entries.values()
        for entry in some
    )


def _with_status(record: RunRecord) -> RunRecord:
    """The record with what its words sound like where it does not tell its status, labelled so."""
    if record.status is not None or record.error is not None or record.answer is None:
        return record
    status = status_of(record.answer)
    return record if status is None else record.model_copy(update={"status": status, "status_derived": True})


def _may_cite(record: RunRecord, told: frozenset[str]) -> bool:
    return record.citations is not None or ("citations" in told and record.error is None)


def _flags(record: RunRecord) -> list[str]:
    found = []
    if record.error is not None:
        found.append("error")
    elif record.answer is not None and not record.answer.strip():
        found.append("empty")
    if record.status_derived:
        found.append("status_derived")
    return found


def _missing(case: Case, gold: Gold, repeat: int, told: frozenset[str], access: bool) -> View:
    return View(
        case=case,
        repeat=repeat,
        groups=gold.groups,
        units=gold.units,
        gains=gold.gains,
        excluded=gold.excluded,
        told=told,
        access_told=access,
        flags=frozenset({"missing_run"}),
    )
