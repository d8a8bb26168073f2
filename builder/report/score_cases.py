"""Failing answers, each with everything that it is judged by side by side. They open without script."""

from collections.abc import Iterable, Sequence

from builder.report.score_answer import ClaimFact, Piece, Told
from builder.report.score_facts import ScoreFacts
from builder.report.score_wording import counted, cut_name, layer_name, slice_name
from builder.report.shell import Html, joined, tag, text
from builder.words import Words

_BAD = frozenset({"unknown", "forbidden", "wrong_version", "not_counted", "negative"})


def case_sections(facts: ScoreFacts, say: Words) -> Iterable[Html]:
    """One section an answer."""
    return (_case(told, say) for told in facts.failing)


def mark(name: str, say: Words) -> str:
    """What a passage is."""
    kind, _, reason = name.partition(":")
    return say(f"score.mark.{kind}") + (f" ({say(f'review.negative.{reason}')})" if reason else "")


def _case(told: Told, say: Words) -> Html:
    repeat = f" · {say('score.html.repeat', repeat=told.repeat)}" if told.repeat > 1 else ""
    layer = [tag("span", text(layer_name(told.layer, say)), css="tag layer")] if told.layer else []
    head = tag("summary", *layer, text(f"{told.case_id}{repeat} — {told.question}"))
    why = [tag("p", text(line.said(say)), css="note") for line in told.why]
    labels = [
        tag("span", text(f"{cut_name(name, say)}: {slice_name(name, value, say)}"), css="tag")
        for name, value in told.labels.items()
        if value
    ]
    sides = [side for side in _sides(told, say) if side]
    looked = tag("ul", *(tag("li", text(line.said(say))) for line in told.looked), css="pieces faint")
    layers = [tag("details", tag("summary", text(say("score.html.looked"))), looked)] if told.looked else []
    inside = (head, tag("p", *labels), *why, *layers, tag("div", *sides, css="sides"))
    return tag("details", *inside, css="case")


def _sides(told: Told, say: Words) -> Iterable[Html]:
    yield _side("question", say, *_question(told, say))
    yield _side("reference", say, _text(told.reference))
    yield _side("answer", say, *_answer(told, say))
    yield _side("claims", say, _claims(told.claims, say))
    yield _side("evidence", say, _pieces(told.evidence, say))
    for stage, pieces in told.stages.items():
        yield _side(f"stage.{stage}", say, _pieces(pieces, say) or tag("p", text(say("score.none")), css="faint"))
    if told.context_text is not None:
        yield _side("context_text", say, _marked(told.context_text, told.marked))
    if told.citations is not None:
        yield _side("citations", say, _pieces(told.citations, say) or tag("p", text(say("score.none")), css="faint"))


def _side(name: str, say: Words, *inside: Html) -> Html:
    return tag("div", tag("h3", text(say(f"score.side.{name}"))), *inside, css="side") if any(inside) else Html("")


def _question(told: Told, say: Words) -> Iterable[Html]:
    for turn in told.turns:
        yield tag("p", text(turn), css="text faint")
    yield _text(told.question)
    yield from (tag("p", text(line), css="faint") for line in circumstances(told, say))


def circumstances(told: Told, say: Words) -> Iterable[str]:
    """What was searched for, who asks, and on which day."""
    if told.query:
        yield say("score.html.query", query=told.query)
    if told.asked_by:
        yield say("score.html.asked_by", who=told.asked_by)
    if told.as_of:
        yield say("score.html.as_of", day=told.as_of)


def claim_line(claim: ClaimFact, say: Words) -> str:
    """A claim with what is said of it, in one line."""
    marks = "".join(f" [{name}]" for name in _claim_marks(claim, say))
    return f"{say(f'score.claim.{claim.verdict}')}{marks} {claim.text}"


def _claim_marks(claim: ClaimFact, say: Words) -> Iterable[str]:
    held = (("critical", claim.critical), ("must_not", claim.must_not))
    return (say(f"score.claim.{name}") for name, holds in held if holds)


def _answer(told: Told, say: Words) -> Iterable[Html]:
    if told.problem:
        yield tag("p", text(told.problem), css="bad text")
    yield _text(told.answer) if told.answer is not None else tag("p", text(say("score.html.no_answer")), css="faint")
    if told.status:
        yield tag("p", text(counted(f"review.status.{told.status}", told.status, say)), css="faint")


def _text(value: str) -> Html:
    return tag("p", text(value), css="text") if value else Html("")


def _marked(value: str, spans: Sequence[tuple[int, int]]) -> Html:
    """A text with the evidence in it marked."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text(value[at:start]), tag("mark", text(value[start:end]))]
        at = end
    return tag("p", *pieces, text(value[at:]), css="text") if value else Html("")


def _claims(claims: Sequence[ClaimFact], say: Words) -> Html:
    items = [tag("li", *_claim(claim, say)) for claim in claims]
    return tag("ul", *items, css="pieces") if items else Html("")


def _claim(claim: ClaimFact, say: Words) -> Iterable[Html]:
    yield tag("span", text(say(f"score.claim.{claim.verdict}")), css=claim.verdict)
    yield from (text(f" [{name}]") for name in _claim_marks(claim, say))
    yield text(f" {claim.text}")


def _pieces(pieces: Sequence[Piece], say: Words) -> Html:
    items = [tag("li", *_piece(piece, say)) for piece in pieces]
    return tag("ul", *items, css="pieces") if items else Html("")


def _piece(piece: Piece, say: Words) -> Iterable[Html]:
    rank = f"{piece.rank}. " if piece.rank is not None else ""
    yield text(f"{rank}{piece.name} ")
    for name in piece.marks:
        yield tag("span", text(mark(name, say)), css="bad" if name.partition(":")[0] in _BAD else "evidence")
        yield text(" ")
    if piece.notes:
        yield tag("span", text(say("score.semicolon").join(note.said(say) for note in piece.notes)), css="faint")
    if piece.text:
        yield joined([tag("p", text(piece.text), css="text")])
