"""builder review --pool: passages that runs ranked high and nobody judged, judged as decisions about the cases."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from builder.app.review import StoreDesk
from builder.app.run_places import Places
from builder.app.searching import Passages
from builder.model.case import Case, Evidence, ReviewState
from builder.model.chunk import Chunk
from builder.model.run import RetrievedItem
from builder.model.snapshot import FrozenDocument
from builder.review.desk import Passage
from builder.review.line_mode import LineTerminal
from builder.review.pool.lines import Figure, summary
from builder.review.pool.session import Lines, Session, run
from builder.review.pool.state import Unjudged
from builder.score.metrics.metric import FINAL
from builder.score.metrics.registry import registry
from builder.score.run_file import Run, read_run
from builder.score.scope import cases_of
from builder.score.scoring import ScoredAnswers, score_answers
from builder.score.slices import rows
from builder.score.view import Place, View
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.text.fold import folded
from builder.text.ids import digest
from builder.text.passages import slice_parts
from builder.text.quotes import find_quote
from builder.words import Words

TOP = 10
"""Places of each ranking that are looked at, where nobody asks for another number."""
_MEASURES = ("group_recall", "hit", "judged")
_RANKED = ("", "no_evidence")
"""Why a case has no figures of ranking: evidence can be found for these."""
_RESAMPLES = 100
"""Intervals are not shown."""


def review_pool(
    workspace: Workspace,
    say: Words,
    names: Sequence[str],
    *,
    k: int = TOP,
    dataset: str | None = None,
    who: str | None = None,
    terminal: Lines | None = None,
) -> tuple[str, ...]:
    """Let a person judge, line by line, what nobody judged of the first `k` places of runs.

    Returns the lines of the summary, with the figures before and after.

    Raises:
        UsageError: no terminal.
        InputError: no such run, a broken one, or its snapshot is not here; no name of a reviewer.
    """
    terminal = terminal or LineTerminal()
    with open_store(workspace.store_url) as store:
        pool = Pool(workspace, store, names, k=k, dataset=dataset)
        with StoreDesk(workspace, store, pool.dataset, who) as desk:
            cases = pool.cases()
            before = pool.scored(cases)
            order = pool.unjudged(before)
            state = run(Session(desk=desk, terminal=terminal, say=say), order)
            after_cases = pool.cases()
            after = pool.scored(after_cases)
        notes = pool.notes | {"reopened": _reopened(cases, after_cases)}
        return summary(state, tuple(pool.figures(before, after)), notes, desk.reviewer, say)


@dataclass(frozen=True, slots=True)
class _Corpus:
    """The frozen documents, with the passages that the snapshot holds and those of the workspace."""

    chunks: tuple[Chunk, ...]
    documents: tuple[FrozenDocument, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A run with the frozen cases that it was to ask."""

    run: Run
    cases: Mapping[str, Case]
    corpus: _Corpus


class Pool:
    """Runs laid over the cases as they stand in the store."""

    def __init__(
        self, workspace: Workspace, store: Store, names: Sequence[str], *, k: int = TOP, dataset: str | None = None
    ) -> None:
        self._store = store
        self._k = k
        self._passages = Passages(workspace, store)
        self._places = Places(workspace.root, workspace)
        self._today = datetime.now(UTC).date()
        self._left_out: dict[str, set[str]] = defaultdict(set)
        self._unmapped = 0
        found = [self._asked(name, dataset) for name in dict.fromkeys(names)]
        self.dataset = found[0][1]
        self._runs = tuple(asked for asked, _ in found)

    def _asked(self, name: str, dataset: str | None) -> tuple[_Asked, str]:
        path = self._places.run(name)
        run_ = read_run(path)
        snapshot = self._places.snapshot(run_, path)
        cases = {case.case_id: case for case in cases_of(run_.header, snapshot.cases)}
        # Of two chunks with one id the workspace's counts: judgements are about what stands there.
        corpus = _Corpus((*snapshot.chunks, *self._passages.chunks), snapshot.documents)
        return _Asked(run_, cases, corpus), dataset or snapshot.manifest.dataset

    @property
    def notes(self) -> dict[str, int]:
        """What could not be shown: cases by reason, and passages that no chunk of the workspace holds."""
        return {key: len(some) for key, some in sorted(self._left_out.items())} | {"unmapped": self._unmapped}

    def cases(self) -> Mapping[str, Case]:
        """The cases that the runs were asked, as they stand in the store now; those asked otherwise are left out."""
        frozen = {case_id: case for asked in self._runs for case_id, case in asked.cases.items()}
        stored = self._store.cases.get_many(frozen)
        found: dict[str, Case] = {}
        for case_id, case in frozen.items():
            now = stored.get(case_id)
            if now is None or now.dataset != self.dataset:
                self._left_out["gone"].add(case_id)
            elif now.review_state is ReviewState.REJECTED:
                self._left_out["rejected"].add(case_id)
            elif any(_asks(one.cases.get(case_id, case)) != _asks(now) for one in self._runs):
                self._left_out["changed"].add(case_id)
            else:
                found[case_id] = now
        return found

    def scored(self, cases: Mapping[str, Case]) -> tuple[ScoredAnswers, ...]:
        """The figures of each run, by these cases."""
        return tuple(self._scored(asked, cases) for asked in self._runs)

    def _scored(self, asked: _Asked, cases: Mapping[str, Case]) -> ScoredAnswers:
        known = registry((self._k,))
        return score_answers(
            [cases[case_id] for case_id in asked.cases if case_id in cases],
            asked.run,
            asked.corpus,
            ks=(self._k,),
            departments=self._places.departments,
            today=self._today,
            metrics={name: known[name] for name in self._names},
        )

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(f"{name}@{self._k}" for name in _MEASURES)

    def figures(self, before: Sequence[ScoredAnswers], after: Sequence[ScoredAnswers]) -> Iterator[Figure]:
        """Each figure of each run, before and after."""
        for asked, then, now in zip(self._runs, before, after, strict=True):
            old, new = _means(then), _means(now)
            for name in self._names:
                (was, n_was), (is_, n_is) = old[name], new[name]
                yield Figure(run=asked.run.name, name=name, before=was, after=is_, n_before=n_was, n_after=n_is)

    def unjudged(self, scored: Sequence[ScoredAnswers]) -> tuple[Unjudged, ...]:
        """What nobody judged, case by case.

        Within a case by a hash: neither the run nor the rank shall sway anybody.
        """
        found: dict[tuple[str, str], Unjudged] = {}
        lost: set[tuple[str, str]] = set()
        for view in (view for answers in scored for view in answers.views):
            for place in self._open(view):
                passage = self._passage(place.item)
                if passage is None:
                    lost.add((view.case.case_id, place.item.id or place.item.text or ""))
                    continue
                key = digest(view.case.case_id, passage.evidence.model_dump_json())
                found[view.case.case_id, key] = Unjudged(case_id=view.case.case_id, passage=passage)
        self._unmapped = len(lost)
        return tuple(found[key] for key in sorted(found))

    def _open(self, view: View) -> tuple[Place, ...]:
        stage = next((stage for stage in FINAL if stage in view.stages), None)
        if stage is None or view.excluded not in _RANKED:
            return ()
        return tuple(place for place in view.stages[stage][: self._k] if not place.judged)

    # Passages

    def _passage(self, item: RetrievedItem) -> Passage | None:
        """The passage of the workspace that an item is: by the id of a chunk, else by its text, word for word."""
        chunk = self._passages.index.get(item.id) if item.id else None
        if chunk is not None:
            return self._passages.of_chunk(chunk)
        evidence = self._quoted(item) if item.text else None
        return self._passages.of_evidence(evidence) if evidence else None

    def _quoted(self, item: RetrievedItem) -> Evidence | None:
        """A text that stands in one document of the workspace; of several nobody knows which is meant."""
        text = item.text or ""
        short = folded(text)
        holding = [chunk for chunk, inside in self._folded if short in inside] if short else []
        if item.doc_id is not None and any(chunk.doc_id == item.doc_id for chunk in holding):
            holding = [chunk for chunk in holding if chunk.doc_id == item.doc_id]
        if len({chunk.doc_id for chunk in holding}) != 1:
            return None
        chunk = holding[0]
        match = find_quote(text, chunk.text)
        if match is None or match.how == "fuzzy":
            return None
        return Evidence(
            doc_id=chunk.doc_id,
            reading_id=chunk.reading_id,
            quote=chunk.text[match.start : match.end],
            parts=slice_parts(chunk.parts, match.start, match.end),
        )

    @cached_property
    def _folded(self) -> tuple[tuple[Chunk, str], ...]:
        return tuple((chunk, folded(chunk.text)) for chunk in self._passages.chunks)


def _asks(case: Case) -> tuple[object, ...]:
    """What a system is asked."""
    return case.question, case.conversation, case.user_context, case.as_of


def _means(answers: ScoredAnswers) -> dict[str, tuple[float | None, int]]:
    """Each figure over all cases, and on how many it rests."""
    if not answers.scores:
        return dict.fromkeys(answers.metrics, (None, 0))
    found = rows(answers.scores, {}, {}, answers.metrics, resamples=_RESAMPLES)
    return {row.name: (row.value, row.n) for row in found}


def _reopened(before: Mapping[str, Case], after: Mapping[str, Case]) -> int:
    """Cases that were approved and wait for a review again."""
    approved = (case_id for case_id, case in before.items() if case.review_state is ReviewState.APPROVED)
    return sum(case_id in after and after[case_id].review_state is ReviewState.UNREVIEWED for case_id in approved)
