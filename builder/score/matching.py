"""Answers laid over the snapshot: which evidence stands at which place of each stage.

The short form of a stage is made for every answer, its places only when somebody looks at them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from builder.model.case import Case
from builder.model.run import RetrievedItem, RunRecord
from builder.model.verdict import AnswerVerdict
from builder.score.citing import cited_of
from builder.score.gold import Gold, Level, access_told, gold_of
from builder.score.holding import Holdings
from builder.score.judged import claims_of, verdict_of
from builder.score.map_file import Map
from builder.score.markers import markers
from builder.score.passages import PLAIN, Corpus, Library, Passage, version_name
from builder.score.refusals import status_of
from builder.score.view import Mark, Place, Ranking, Stage, Target, View

_SAMPLE = 2000
"""Answers that are looked at to see whether a system numbers versions as the snapshot does."""
_NOTHING: frozenset[Target] = frozenset()


class Stages(Mapping[Stage, tuple[Place, ...]]):
    """The stages of one answer; places are made when they are asked for."""

    def __init__(self, told: tuple[Stage, ...], make: Callable[[Stage], tuple[Place, ...]]) -> None:
        self._told = told
        self._make = make
        self._made: dict[Stage, tuple[Place, ...]] = {}

    def __getitem__(self, stage: Stage) -> tuple[Place, ...]:
        found = self._made.get(stage)
        if found is None:
            if stage not in self._told:
                raise KeyError(stage)
            found = self._made[stage] = self._make(stage)
        return found

    def __contains__(self, stage: object) -> bool:
        return stage in self._told

    def __iter__(self) -> Iterator[Stage]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)


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
        told = tuple(stage for stage in Stage if getattr(record, stage) is not None)
        flags = set(_flags(record))
        rankings: dict[Stage, Ranking] = {}
        duplicates = unmapped = 0
        for stage in told:
            rankings[stage], repeated, strange, vague = self._short(getattr(record, stage), gold)
            duplicates += repeated
            unmapped += strange
            if vague:
                flags.add("passage_unknown")
        flags |= {name for name, count in (("duplicate_ids", duplicates), ("unknown_ids", unmapped)) if count}
        stages = Stages(told, lambda stage: self._places(case, gold, getattr(record, stage)))
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
            flags=frozenset(flags),
        )

    # Stages

    def _short(self, items: tuple[RetrievedItem, ...], gold: Gold) -> tuple[Ranking, int, int, bool]:
        """A stage in short, how many ids were repeated, how many are unknown, whether some only name a document."""
        ids = [item.id for item in items if item.__pydantic_fields_set__ <= PLAIN]
        if len(ids) != len(items) or self.level == "document":
            _, passages, repeated = self._kept(items)
            return self._ranked(enumerate(passages, 1), gold, len(passages), repeated, _unknown(passages))
        if len(set(ids)) != len(ids):
            ids = list(dict.fromkeys(ids))
        documents = self.library.documents_by_id(ids)
        # Of most items no more than the document is looked at: none of the case's evidence comes from it.
        wanted, look = gold.pieces, self.library.by_id
        near = [(rank, look(ids[rank - 1])) for rank, name in enumerate(documents, 1) if name in wanted]
        return self._ranked(near, gold, len(ids), len(items) - len(ids), documents.count(""))

    def _kept(self, items: tuple[RetrievedItem, ...]) -> tuple[Sequence[RetrievedItem], list[Passage], int]:
        """The items that count as places, and how many ids were repeated."""
        look = self.library.passage
        keys = [item.id or item.text for item in items]
        repeated = len(keys) - len(set(keys))
        kept: Sequence[RetrievedItem] = items
        if repeated:
            first_of: dict[str | None, RetrievedItem] = {}
            for key, item in zip(keys, items, strict=True):
                first_of.setdefault(key, item)
            kept = tuple(first_of.values())
        passages = [look(item) for item in kept]
        if self.level == "document":
            first: dict[object, tuple[RetrievedItem, Passage]] = {}
            for item, passage in zip(kept, passages, strict=True):
                first.setdefault(passage.doc_id or id(item), (item, passage))
            return [item for item, _ in first.values()], [passage for _, passage in first.values()], repeated
        return kept, passages, repeated

    def _ranked(
        self, near: Iterable[tuple[int, Passage]], gold: Gold, length: int, repeated: int, strange: int
    ) -> tuple[Ranking, int, int, bool]:
        """The marks of the passages that may hold something; a text that holds evidence is not unknown."""
        marks: list[Mark] = []
        vague = False
        for rank, passage in near:
            if passage.doc_id not in gold.pieces and not passage.loose:
                continue
            held = self.holdings.held(passage, gold)
            if held is not None:
                marks.append(Mark(rank, held.hits, held.units, held.negative))
                strange -= not passage.known
            elif not passage.exact and self.level == "passage":
                vague = True
        return Ranking(length, tuple(marks)), repeated, strange, vague

    def _places(self, case: Case, gold: Gold, items: tuple[RetrievedItem, ...]) -> tuple[Place, ...]:
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


def _unknown(passages: Sequence[Passage]) -> int:
    return [passage.known for passage in passages].count(False)


# Runs


def told_by(records: Sequence[RunRecord]) -> frozenset[str]:
    """The fields that some answer of a run tells.

    The text that was read is told too where all passages have theirs, citations where an answer has marks of them.
    """
    wanted = {*Stage, "context_text", "answer", "status", "citations", "tool_calls"}
    found: set[str] = set()
    for record in records:
        found |= {name for name in wanted - found if getattr(record, name) is not None}
        if found == wanted:
            break
    if "context_text" not in found and any(record.context and _all_texts(record.context) for record in records):
        found.add("context_text")
    if "citations" not in found and any(record.answer and markers(record.answer) for record in records):
        found.add("citations")
    return frozenset(str(name) for name in found)


def _all_texts(items: tuple[RetrievedItem, ...]) -> bool:
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


def _flags(record: RunRecord) -> Iterator[str]:
    if record.error is not None:
        yield "error"
    elif record.answer is not None and not record.answer.strip():
        yield "empty"
    if record.status_derived:
        yield "status_derived"


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
