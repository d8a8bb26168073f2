"""Claims as lines of text, one a line, `!` before those that must be right; the checks of unchanged lines are kept."""

from collections.abc import Callable, Iterator, Sequence

from builder.model.claim import Check, Claim
from builder.review.strip import flat

ChecksOf = Callable[[str], Sequence[Check]]
"""The checks that a program proposes for the text of a claim; none where a person or a judge must tell."""

_CRITICAL = ("!", "！")
_BULLETS = ("- ", "* ", "• ", "· ")


def no_checks(text: str) -> tuple[Check, ...]:
    """Proposes nothing."""
    return ()


def lines_of(claims: Sequence[Claim]) -> list[str]:
    """A line for each claim that says something; claims that say the same with other checks share one."""
    lines = (f"{'!' if claim.critical else '-'} {text}" for claim in claims if (text := flat(claim.text)))
    return list(dict.fromkeys(lines))


def claims_of(lines: Sequence[str], old: Sequence[Claim], checks_of: ChecksOf = no_checks) -> tuple[Claim, ...]:
    """The claims that `lines` say. One whose text stands in `old` keeps its weight and its checks."""
    wanted = dict.fromkeys(line for line in map(_read, lines) if line[1])
    return tuple(claim for critical, text in wanted for claim in _claims(text, critical, old, checks_of))


def _read(line: str) -> tuple[bool, str]:
    """Whether it is critical, and its text."""
    line = line.strip()
    if line.startswith(_CRITICAL):
        return True, flat(line[1:])
    bullet = next((bullet for bullet in _BULLETS if line.startswith(bullet)), "")
    return False, flat(line[len(bullet) :])


def _claims(text: str, critical: bool, old: Sequence[Claim], checks_of: ChecksOf) -> Iterator[Claim]:
    same = [claim for claim in old if flat(claim.text) == text]
    if same:
        as_before = [claim for claim in same if claim.critical == critical]
        yield from as_before or [claim.replace(critical=critical) for claim in same]
        return
    checks: Sequence[Check | None] = list(checks_of(text)) or [None]
    yield from (Claim(text=text, critical=critical, check=check) for check in checks)
