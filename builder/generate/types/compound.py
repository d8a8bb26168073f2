"""Compound questions: two things or more asked in one breath, each answered, each with its evidence."""

import re
from collections.abc import Iterator, Sequence

from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.grounds import Place, facts, judged, lacking, lines, places, regrouped, words
from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.claim import Claim
from builder.text.fold import folded
from builder.text.sentences import sentences

_FIGURE = re.compile(
    r"[0-9]|[一二两三四五六七八九十]+(?:个|天|日|年|次|倍)|必须|不得|可以|应当|\b(?:must|may|cannot|never)\b"
)
_ZH_ASK = re.compile(
    r"多久|多少|多长|几|什么|啥|怎么|怎样|如何|哪|谁|吗|是否|能不能|可不可以|要不要|有没有|为何|何时|能否|可否|呢"
)
_ZH_JOINT = re.compile(r"[？?，,；;、。]|以及|还有|另外|并且|同时|和|及|与|并|又")
_EN_ASK = re.compile(
    r"\s*(?:(?:and|also|then|in|at|by|for|to|from|on|under|after|before|within|until)\s)*"
    r"(?:(?:what|when|where|who|whom|whose|which|why|how)\b"
    r"|(?:can|may|must|is|are|does|do|did|will|should|has|have)\s(?:I|we|you|they|he|she|it|the|an?|there|this|my|our|"
    r"your|employees|customers)\b)",
    re.IGNORECASE,
)
_EN_JOINT = re.compile(r"[?;,.](?!\d)|\b(?:and|as well as|or|plus)\b", re.IGNORECASE)
_EACH = re.compile(r"分别|各(?:是|为|有|自|多|要|需|收)|\b(?:each|both|respectively)\b", re.IGNORECASE)
# Where an answer is parted: between its sentences and at semicolons, else at commas too, else at "and" too.
_PARTS = (
    re.compile(r"[；;\n]"),
    re.compile(r"[，；;\n]|,(?!\d)"),
    re.compile(r"[，；;\n和及并]|,(?!\d)|\band\b"),
)
_MARK = re.compile(r"^\s*(?:\d{1,2}[.、)）](?!\d)|[(（]\d{1,2}[)）]|[①-⑩•*-])\s*")


def units(material: Material) -> Iterator[Unit]:
    """Passages with two sentences or more that say something exact; short ones with their right neighbour."""
    chunks = material.allowed
    for place, chunk in enumerate(chunks):
        count = _exact(chunk)
        if count > 1:
            yield Unit(chunk_ids=(chunk.chunk_id,))
        elif count and place + 1 < len(chunks) and _goes_on(chunk, chunks[place + 1]) and _exact(chunks[place + 1]):
            yield Unit(chunk_ids=(chunk.chunk_id, chunks[place + 1].chunk_id))


def _exact(chunk: Chunk) -> int:
    return sum(bool(_FIGURE.search(chunk.text, start, end)) for start, end in sentences(chunk.text))


def _goes_on(left: Chunk, right: Chunk) -> bool:
    same = (left.doc_id, left.language, left.ordinal + 1) == (right.doc_id, right.language, right.ordinal)
    return same and left.section[:-1] == right.section[:-1]


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Cases that ask and answer two things or more; one claim a part, one all-of group a sentence that a part needs."""
    return judged(cases, lambda case: _judge(case, call))


def _judge(case: Case, call: Call) -> Case | str:
    asked = asks(case.question, call.chunks[0].language)
    if asked < 2:
        return "one_question"
    parts = answer_parts(case.ground_truth)
    if len(parts) < 2:
        return "part_unanswered"
    found = places(case, call.chunks)
    sentences_of = [line for place in found for line in lines(place)]
    chosen = [_support(part, sentences_of) for part in parts]
    if any(place is None for place in chosen):
        return "part_ungrounded"
    whole = regrouped(case, found, [place for place in chosen if place is not None])
    return whole.replace(claims=(*case.claims, *_claims(case, parts)))


def asks(question: str, language: str) -> int:
    """How many things a question asks."""
    if language == "zh":
        count = sum(bool(_ZH_ASK.search(piece)) for piece in _ZH_JOINT.split(question))
    else:
        count = sum(bool(_EN_ASK.match(piece)) for piece in _EN_JOINT.split(question))
    joint = _ZH_JOINT if language == "zh" else _EN_JOINT
    several = _EACH.search(question) and len([piece for piece in joint.split(question) if piece.strip()]) > 1
    return max(count, 2 if several else 0)


def answer_parts(answer: str) -> tuple[str, ...]:
    """The parts of an answer that say something; a bare yes or no belongs to what follows."""
    whole = [answer[start:end] for start, end in sentences(answer)]
    for pattern in _PARTS:
        pieces = (_MARK.sub("", piece).strip() for sentence in whole for piece in pattern.split(sentence))
        parts = tuple(piece for piece in pieces if facts(piece) or words(piece))
        if len(parts) > 1:
            return parts
    return (answer,)


def _support(part: str, found: Sequence[Place]) -> Place | None:
    """The sentence that holds a part: all of its facts, or a telling word where it has none."""
    wanted, telling = facts(part), words(part)
    fitting = [place for place in found if not lacking(wanted, facts(place.text))]
    best = max(fitting, key=lambda place: len(words(place.text) & telling), default=None)
    return best if best and (wanted or words(best.text) & telling) else None


def _claims(case: Case, parts: Sequence[str]) -> Iterator[Claim]:
    """A claim for each part that no claim speaks of yet; one that speaks of several parts is none of theirs."""
    bare = [folded(part) for part in parts]
    known = [folded(claim.text) for claim in case.claims]
    single = [claim for claim in known if sum(part in claim for part in bare) < 2]
    for part, short in zip(parts, bare, strict=True):
        if not any(claim in short or short in claim for claim in single):
            yield Claim(text=part)
