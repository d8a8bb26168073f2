"""The other cases of a dataset, as the check for duplicates sees them."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from builder.checks.reading.gist import Gist, bare, gist, same_gist
from builder.model.access import UserContext
from builder.model.case import Case, ReviewState
from builder.text.fold import folded
from builder.text.similarity import similarity

Identity = tuple[Any, ...]


class Near(NamedTuple):
    """Another case that asks the same."""

    case_id: str
    """The other case."""
    score: int
    """How alike the questions are worded, 0-100."""
    exact: bool
    """They differ at most in case, width, white space, punctuation, traditional and simplified characters."""


class Others:
    """Cases by id. Immutable. Rejected cases are no others: whoever asks the same question again repeats nothing."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self.cases = {case.case_id: case for case in cases}

    def near(self, question: str, apart_from: str = "") -> Near | None:
        """The case that asks `question` too: exact before near, then the most alike, then by id; none where none does.

        `apart_from` is the case whose question it is: who asks, when, what was said before and its family are taken
        from there. Cases of one family (a pair, one question in several styles) are no duplicates of each other.
        """
        case = self.cases.get(apart_from)
        identity = _identity(case) if case else _NOBODY
        return self._near(question, identity, case.kin if case else "", apart_from)

    def like(self, case: Case) -> Near | None:
        """The case that asks the same as `case`, which need not be one of these; see `near`."""
        return self._near(case.question, _identity(case), case.kin, case.case_id)

    def _near(self, question: str, identity: Identity, kin: str, apart_from: str) -> Near | None:
        asked, mine = bare(question), gist(question)
        found: list[Near] = []
        for case_id, other in self._by_gist.get((identity, mine.key), ()):
            case = self.cases[case_id]
            if case_id == apart_from or kin == case.kin:
                continue
            exact = bool(asked) and asked == bare(case.question)
            if exact or (mine.words and same_gist(mine, other)):
                found.append(Near(case_id, similarity(question, case.question), exact))
        return min(found, key=lambda one: (not one.exact, -one.score, one.case_id), default=None)

    @cached_property
    def _by_gist(self) -> dict[tuple[Identity, tuple[str, ...]], list[tuple[str, Gist]]]:
        found: defaultdict[tuple[Identity, tuple[str, ...]], list[tuple[str, Gist]]] = defaultdict(list)
        for case in self.cases.values():
            if case.review_state is not ReviewState.REJECTED:
                own = gist(case.question)
                found[_identity(case), own.key].append((case.case_id, own))
        return dict(found)


def _identity(case: Case) -> Identity:
    """What makes the same words another question: what was said before, who asks, when."""
    return tuple((turn.role, folded(turn.text)) for turn in case.conversation), case.user_context, case.as_of


_NOBODY: Identity = ((), UserContext(), None)
