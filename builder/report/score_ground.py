"""What the figures of a run rest on, what no case looks at, and when to roll back."""

from collections.abc import Iterable
from typing import NamedTuple

from builder.report.score_facts import Measured, ScoreFacts
from builder.report.score_wording import listed, tally
from builder.report.shell import Html, joined, tag, text
from builder.words import Words

_FIRST = 40


class Fact(NamedTuple):
    """One line below a heading."""

    name: str
    """Its name in words."""
    told: str
    """What is so."""


def measured_lines(facts: ScoreFacts, say: Words) -> tuple[Fact, ...]:
    """What it was measured on."""
    on = facts.measured
    found = (
        ("set", say("score.ground.frozen", snapshot=facts.snapshot, hash=facts.snapshot_hash[:12], at=on.frozen_at)),
        ("dataset", on.dataset),
        ("sources", tally(on.sources, "source", say)),
        ("splits", tally(on.splits, "split", say)),
        ("days", _days(on, say)),
        ("documents", f"{on.documents:,}"),
        ("access", listed(on.access, say) if on.access else say("score.ground.public")),
        ("repeats", str(facts.repeats)),
        ("config", listed((f"{name} = {value}" for name, value in on.config.items()), say)),
        ("unreviewed", f"{on.unreviewed:,}"),
    )
    return tuple(Fact(say(f"score.ground.{name}"), told) for name, told in found)


def config_line(facts: ScoreFacts, say: Words) -> str:
    """The user's facts about the system, in one line."""
    told = listed((f"{name} = {value}" for name, value in facts.measured.config.items()), say)
    return say("score.named", name=say("score.ground.config"), told=told)


def use_lines(facts: ScoreFacts, say: Words) -> tuple[str, ...]:
    """How often the test split was used so far."""
    if not facts.uses:
        return (say("score.ground.no_uses"),)
    runs = listed((f"{use.run} ({use.at[:10]})" for use in facts.uses), say, _FIRST)
    return (say("score.ground.uses", count=len(facts.uses), runs=runs),)


def blind_lines(facts: ScoreFacts, say: Words) -> tuple[Fact, ...]:
    """What no case looks at."""
    blind = facts.blind
    found = (
        ("types", [say(f"review.type.{name}") for name in blind.types]),
        ("risks", blind.risks),
        ("documents", blind.documents),
    )
    return tuple(Fact(say(f"score.blind.{name}"), listed(items, say, _FIRST)) for name, items in found if items)


def roll_back(facts: ScoreFacts) -> tuple[str, ...]:
    """When to roll back, as the gates file says."""
    return facts.release.roll_back if facts.release else ()


def ground(facts: ScoreFacts, say: Words) -> Iterable[Html]:
    """The last part of the page."""
    yield _list(measured_lines(facts, say))
    yield _under("score.ground.test_split", say, *(tag("p", text(line)) for line in use_lines(facts, say)))
    blind = blind_lines(facts, say)
    yield _under("score.blind.title", say, _list(blind) if blind else tag("p", text(say("score.blind.none"))))
    back = [tag("li", text(line)) for line in roll_back(facts)]
    none = tag("p", text(say("score.ground.no_roll_back")))
    yield _under("score.ground.roll_back", say, tag("ul", *back) if back else none)


def _under(key: str, say: Words, *inside: Html) -> Html:
    return joined([tag("h3", text(say(key))), *inside])


def _list(facts: Iterable[Fact]) -> Html:
    return tag("dl", *(joined([tag("dt", text(fact.name)), tag("dd", text(fact.told))]) for fact in facts))


def _days(on: Measured, say: Words) -> str:
    return say("score.ground.undated") if on.days is None else f"{on.days[0]} – {on.days[1]}"
