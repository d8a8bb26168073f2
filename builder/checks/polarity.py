"""Whether a clause affirms or denies, and whether two clauses say the opposite of each other.

Each clause becomes a statement with a sign: the parity of what denies in it (text.negation, and words such as excluded,
void, refused, 免). Two statements contradict each other where they speak of the same thing with other signs and what is
denied in one stands in the other. Equal meaning in other words (不得 and 不能, not covered and excluded) has equal signs.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from builder.checks.compare import facts, measures, same
from builder.checks.wording import Terms, coverage, shared, terms
from builder.text.negation import negation_spans

# Where a clause ends. Chinese at each comma; English at a comma before a verb, and before words of contrast.
_CLAUSE = re.compile(
    r"[，；;。！!？?\n]+|(?<=[A-Za-z0-9%)\"'’])[.:](?=\s|$)|(?<=[\u4e00-\u9fff])[:：,]|"
    r"(?=但是?|不过|除非)|,\s+|\s+(?=(?i:unless|except|excluding|but|although|whereas|while|provided)\b)"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|may|might|can|cannot|could|must|should|will|would|shall|has|have|had|do|does|did|need|needs|"
    r"appl(?:y|ies)|count|counts|pay|pays|get|gets|receive|receives|take|takes|include|includes|cover|covers|\w+n['’]t|"
    r"yes|no|not|never|nobody|unless|except|but|although|whereas|while|provided|excluding)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
# A bound or an attribute denies nothing: 不超过, no more than, 无理由, 未发货的.
_BOUND = re.compile(
    r"不(?:得|能|可以?|会|应)?(?:超过|低于|少于|多于|晚于|早于|高于|大于|小于|足|满|等|止)|[不无]限|无理由|无门槛|未(?=[^，。；]{1,8}的[^，。；])|"
    r"(?:may|must|can|could|should|do|does|will)?\s?(?:not|cannot|n['’]t|never)\s+(?:exceed|be\s+(?:exceeded|longer|more|less|later|higher|lower)|go\s+beyond)|"
    r"no\s+(?:more|less|later|fewer|longer|earlier|higher|lower)\s+than|not\s+(?:more|less|later|fewer|exceeding|over|above|below|under|beyond|within)\b|"
    r"without\s+(?:reason|giving\s+a?\s?(?:name|reason)s?)|no[- ]reason|no\s+matter|non-stop|if\s+not\b|whether\s+or\s+not|or\s+not\b",
    re.IGNORECASE,
)
# Words that deny without not.
_DENYING = re.compile(
    r"拒绝|谢绝|拒收|失效|作废|排除|停止|无效|(?<![A-Za-z])(?:refused?s?|denied|deny|void|invalid|exempt(?:ed|s|ion)?|excluded|unable|"
    r"banned|ruled out|turn(?:ed|s)? down|reject(?:ed|s)?|declin(?:ed|es?)|out of scope|lapses?d?|lost|fails?|disallowed|impossible|off[- ]limits|unavailable|ineligible)(?![A-Za-z])|"
    r"(?<=[A-Za-z]-)free(?![A-Za-z])|(?<![A-Za-z])free (?:of|from)(?! charge)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[(（][一二三四五六七八九十\d]{1,3}[)）]")
"""A list item: what is said of it stands above the list."""
_EXCEPTION = re.compile(
    r"除外|除非|例外|除[^，。；\n]{1,30}?外|\b(?:except|unless|excluding|excepted|other than|exception)\b", re.I
)
_ONLY = re.compile(r"只有|只能|只限|仅限|只|仅|唯一|才|\b(?:only|solely|exclusively|just)\b", re.IGNORECASE)
_FREE = re.compile(
    r"免费|免收|免掉|免除|免(?=[\u4e00-\u9fff]{0,4}费)|(?:不|无需|无须|不用|不必|不会|不再)(?:另行|再|额外)?(?:收取?|付|交|支付|花钱|掏钱|收费|要钱|扣除?)|"
    r"(?<![-A-Za-z])free\b(?! of(?! charge)| from)|\b(?:without charge|no (?:extra )?(?:charge|cost|fee)s?|at no cost|not (?:be )?charged|(?:costs?|pays?)(?: you| them| us| me)? nothing|nothing to pay|"
    r"do(?:es)?n['’]t (?:have to )?pay|not (?:have to )?pay|waived)\b",
    re.IGNORECASE,
)
_CHARGED = re.compile(
    r"收取|收费|另收|加收|付费|自费|掏钱|花钱|要钱|要收|扣除|照收|支付|\b(?:charged?|charges|fees?|pays?|paid by|costs?)\b",
    re.IGNORECASE,
)
_UNTOUCHED = re.compile(
    r"不影响|没有影响|无影响|\b(?:not|n['’]t|never) affect|\bno effect on\b|\bregardless of\b|\bunaffected\b", re.I
)
"""What is not affected goes on: 不影响商品完好 bears 商品完好 out."""
_GOES_ON = re.compile(r"[，,；;:：]|\s*$")
_CONDITION = re.compile(
    r"^\W*(?:如果|如|若|要是|假如|(?:if|when|where|once|in case|as long as)\b)|的$|(?<!小)时$", re.IGNORECASE
)
_SIGNS = re.compile(r"([\u4e00-\u9fff])不\1|有没有|是否|能否|可否|吗")
"""Signs of a question, the 不 of which denies nothing."""
_ASKS_WHAT = re.compile(
    r"^\W*(?:(?:in|at|by|for|to|from|on|of|with|after|within|under|up to)\s+)?(?:what|which|who|whom|whose|when|where|why|how)\b",
    re.I,
)
_LEADING = re.compile(r"yes|no|nope|yeah|never|correct|sure|not at all|of course", re.IGNORECASE)
_YES = re.compile(
    r"(?:可以|能|行|会|需要|要|是的?|有|对|支持|属于|算|适用|允许|应该|必须)[的了呀]?(?=[。，,！!；;]|$)|(?:yes|yeah|yep|sure|correct|certainly|of course|right)\b[,.;:!\s]*$",
    re.I,
)
_NO_WORD = re.compile(
    r"(?:不可以|不能|不行|不会|不需要|不用|不必|无需|不要|不是|不属于|不算|不适用|不支持|不允许|不得|不|没有|没|无|否)[的了呀]?(?=[。，,！!；;]|$)|"
    r"(?:no|nope|not at all|never)\b[,.;:!\s]*$",
    re.I,
)
_ASKS_WHETHER = re.compile(
    r"吗|是否|能否|可否|([\u4e00-\u9fff])不\1|有没有|^\W*(?:is|are|was|were|do|does|did|can|could|may|must|will|would|should|shall|has|have|am|need)\b|,\s*(?:is|are|do|does|did|can|may|must|will|should|has|have)\s+\w+[^?]*\?",
    re.I,
)
_NO_OTHER = re.compile(
    r"其他[^，。；]{0,12}[不无没]|其余[^，。；]{0,12}[不无没]|\b(?:no|nobody|no one|none|nothing|not any) (?:other|else)\b",
    re.I,
)
# Words of which one says what the other denies. Who pays is said either way: 由消费者承担, 公司不承担.
_OPPOSITES = (
    (r"之前|以前|提前|事先|先|前(?![置台提往述])", r"之后|以后|事后|过后|后"),
    (r"室内|境内|市内", r"室外|境外|市外"),
    (r"延长|变长|加长", r"缩短|变短"),
    (r"公司|商家|我们|卖家|厂家", r"消费者|会员|用户|顾客|客户|自己|您|买家|本人"),
    (r"\b(?:before|beforehand|in advance|prior|first)\b", r"\b(?:after|afterwards|later|subsequently)\b"),
    (r"\b(?:inside|indoors?)\b", r"\b(?:outside|outdoors?)\b"),
    (r"\b(?:lengthen\w*|longer|extend\w*)\b", r"\b(?:shorten\w*|shorter)\b"),
    (r"\b(?:company|employer|we|us)\b", r"\b(?:employees?|staff|customers?|you|owners?|i|my|me)\b"),
)
_GRANTS = re.compile(
    r"可以|能够|能|可|需要|必须|应当|要|会|适用|属于|包括|包含|享受|允许|支持|算|在内|计入|"
    r"\b(?:may|can|could|allowed|permitted|must|needs?|required|covers?|covered|includ\w+|appl\w+|entitled|eligible|yes|will|is|are|counts?)\b",
    re.IGNORECASE,
)
_WITHHOLDS = re.compile(
    r"[不无未]\s?(?:得|能|可|可以|许|准|允许|支持|须|需|要|必|用|会|再|适用|属于|享受|包括|包含|计入|算|予|在)|禁止|严禁|除外|勿|"
    r"\b(?:may|must|can|could|should|need|is|are|will)\s?(?:not|n['’]t)|cannot|\b(?:no|never|nobody|none|not|n['’]t)\b.{0,24}\b(?:may|need|cover|allow|permit|"
    r"requir|includ|apply|applies|entitle)|\b(?:excluded|forbidden|prohibited|refused|exempt|void|without)\b|n['’]t\b",
    re.IGNORECASE,
)
_ASKS_NOT = re.compile(
    r"(?:不能|不可以|不会|不用|不需要|不必|无需|不得|不行|不属于|不包括|不在|没有)[^，。？?]*[吗么]|是不是不|^\W*\w+n['’]t\b",
    re.I,
)
"""A question that denies: yes and no to it may mean either."""
_LIGHT = re.compile(
    r"\W*(?:(?:会|能|得|可以|可|再|另行|直接|要|需要|需|须|必|应|应当|被|让|给|把|以|用|由|随意|自行|继续|随便|在|做|进行|一律|有|适用|属于|享受|包括|"
    r"包含|支持|提供|计入|算|是)+|(?:be|been|being|have|has|to|allowed|permitted|possible|necessary|required|need|needed|longer|"
    r"apply|applied|entitled|eligible|any|the|a|an|of|for|in|to|only|ever|also|still|automatically|already|normally)\b\s*)*",
    re.IGNORECASE,
)
"""What may stand between a negation and the verb that it denies, and verbs that say little without their object."""
_HEAD_ZH, _HEAD_EN = 3, 2
"""Letters, and words, of the verb that is denied."""
_HALF = 0.5
"""Statements whose fit is at least this share of the best one's may be meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One clause."""

    text: str
    """As it stands."""
    terms: Terms
    """What it speaks of."""
    sign: int
    """1 affirms, -1 denies."""
    denied: Terms
    """What the negations stand before; empty where nothing is denied."""
    charge: int
    """1: costs something, -1: is free, 0: speaks of no charge."""
    only: Terms
    """What it is said of alone; empty where `only` stands not in it."""
    grants: bool = False
    """It says that something may be, must be or is included."""
    before: Terms = field(default_factory=dict)
    """What the clauses before it in its sentence speak of: it goes on about that."""
    given: str = ""
    """The condition that it stands under in its sentence."""
    withholds: bool = False
    """It says that something may not be, need not be or is excluded."""


@lru_cache(maxsize=1 << 12)
def statements(text: str) -> tuple[Statement, ...]:
    """The clauses of `text` that say something, in order. An exception has the sign opposite to what it excepts from."""
    found: list[Statement] = []
    main, before, given = 1, Counter[str](), ""
    for clause, ends in _clauses(text):
        exception = _EXCEPTION.search(clause) is not None
        condition = _CONDITION.search(clause) is not None
        sign = -main if exception else 0 if condition else None
        statement = _statement(clause, sign, MappingProxyType(dict(before)), given)
        if not exception and not condition and not _is_bare(clause):
            main = 0 if _LISTED.match(clause) else statement.sign
        found.append(statement)
        before = Counter() if ends else before | Counter(statement.terms)
        given = "" if ends else clause if condition else given
    return tuple(found)


def exceptions(text: str) -> tuple[tuple[str, str], ...]:
    """Rules of `text` and the exceptions that follow them, as clauses."""
    found: list[tuple[str, str]] = []
    rule = ""
    for clause, _ in _clauses(text):
        if _EXCEPTION.search(clause):
            found += [(rule, clause)] if rule else []
        elif not _CONDITION.search(clause):
            rule = clause
    return tuple(found)


def contradicted(question: str, answer: str, evidence: str, paired: str = "") -> tuple[str, str] | None:
    """A clause of the answer and the clause of the evidence that says the opposite; none where there is none.

    `paired`: the question that the evidence answers, where it is a question/answer pair.
    """
    asked = _asked(question)
    held = tuple(_said(paired, evidence)) if paired else statements(evidence)
    closed = _NO_OTHER.search(evidence) is not None or any(row.only for row in held)
    for said in _said(question, answer):
        row = _opposing(said, asked, held)
        if row and not (closed and said.sign < 0 and not row.only):
            return said.text, row.text
    return None


def _opposing(said: Statement, asked: Terms, held: Sequence[Statement]) -> Statement | None:
    """The statement of the evidence that says the opposite of `said`, where none that fits as well agrees with it."""
    scores = [_score(said, asked, row) for row in held]
    best = max(scores, default=0.0)
    rows = sorted(zip(scores, held, strict=True), key=lambda row: -row[0])
    against = [(score, row) for score, row in rows if score >= max(1.0, _HALF * best) and _opposed(said, row)]
    if not against:
        return None
    score, row = against[0]
    return None if any(_agrees(said, other, row) for mark, other in rows if mark >= score) else row


def _score(said: Statement, asked: Terms, row: Statement) -> float:
    same = 1.0 if said.charge and row.charge else 0.0
    before = 0.5 * sum(weight for term, weight in said.terms.items() if term in row.before and term not in row.terms)
    return shared(said.terms, row.terms) + before + 0.4 * shared(asked, row.terms) + same


def _agrees(said: Statement, row: Statement, against: Statement) -> bool:
    """True where a statement bears `said` out: it speaks of what is denied, with the same sign."""
    if said.sign > 0 and _UNTOUCHED.search(row.text) and not _UNTOUCHED.search(said.text):
        return shared(said.terms, row.terms) >= 1.0
    if _opposed(said, row) or row.sign != said.sign * _turns(said, row):
        return False
    head = said.denied or against.denied
    return not head or _speaks_of(row.terms, head)


def asks_whether(question: str) -> bool:
    """True for a question that yes or no answers."""
    return _ASKS_WHETHER.search(question) is not None and not _ASKS_WHAT.search(question)


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """The clauses, and whether a sentence ends with each."""
    start, pending = 0, ""
    for match in _CLAUSE.finditer(text):
        pending += text[start : match.start()]
        start = match.end()
        if match.group().startswith(",") and not _parts(pending, text[start : start + 60]):
            pending += ", "
            continue
        if pending.strip():
            yield pending.strip(), not _GOES_ON.match(match.group())
        pending = ""
    if (pending + text[start:]).strip():
        yield (pending + text[start:]).strip(), True


def _parts(before: str, after: str) -> bool:
    """True where a comma divides two clauses and not two words of a list."""
    return bool(_LEADING.fullmatch(before.strip()) or (_VERB.search(after.split(",")[0]) and _VERB.search(before)))


def _statement(clause: str, sign: int | None, before: Terms, given: str) -> Statement:
    plain = _BOUND.sub(lambda match: "·" * len(match.group()), clause)
    charge = -1 if _FREE.search(plain) else 1 if _CHARGED.search(plain) else 0
    plain = _FREE.sub(lambda match: "·" * len(match.group()), plain)
    spans = _apart([*negation_spans(plain), *(match.span() for match in _DENYING.finditer(plain))])
    own = sign if sign is not None else -1 if len(spans) % 2 else 1
    words = terms(clause)
    denied: Terms = {}
    if own < 0 or (not own and len(spans) % 2):
        denied = words if sign == -1 or not spans else _heads(plain, spans, words)
    return Statement(
        text=clause,
        terms=words,
        sign=own,
        denied=denied,
        charge=charge,
        only=_only(clause),
        before=before,
        given=given,
        grants=_GRANTS.search(clause) is not None,
        withholds=own < 0 and (sign is not None or _WITHHOLDS.search(plain) is not None),
    )


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans without those that lie within others."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _heads(clause: str, spans: Sequence[tuple[int, int]], words: Terms) -> Terms:
    """The terms of the verbs that are denied: those right behind each negation; all of the clause where there are none."""
    found: dict[str, float] = {}
    for start, end in spans:
        light = _LIGHT.match(clause, end)
        at = light.end() if light else end
        ascii_ = clause[at : at + 1].isascii()
        head = " ".join(clause[at:].split()[:_HEAD_EN]) if ascii_ else clause[at : at + _HEAD_ZH]
        if _DENYING.fullmatch(clause[start:end]):
            head += " " + clause[:start]
        found |= terms(head)
    return found or words


def _only(clause: str) -> Terms:
    match = _ONLY.search(clause)
    if match is None:
        return {}
    behind = terms(clause[match.end() :][:24])
    return behind or terms(clause[: match.start()][-24:])


@lru_cache(maxsize=1 << 10)
def _asked(question: str) -> Terms:
    return terms(question)


def _said(question: str, answer: str) -> Iterator[Statement]:
    """What the answer says; a bare yes or no says of the question's words what it is asked."""
    whether = asks_whether(question)
    for place, statement in enumerate(statements(answer)):
        if place == 0 and _is_bare(statement.text):
            if whether and _asks_plainly(question):
                yield _echo(question, -1 if _NO_WORD.match(statement.text) else 1)
            continue
        yield statement


def _asks_plainly(question: str) -> bool:
    """True where yes to the question affirms it: it denies and excepts nothing itself."""
    if _ASKS_NOT.search(question):
        return False
    return all(one.sign >= 0 for one in statements(_SIGNS.sub(" ", question)))


def _is_bare(clause: str) -> bool:
    """True where a clause is yes or no and nothing else."""
    found = _NO_WORD.match(clause) or _YES.match(clause)
    return found is not None and found.end() >= len(clause.rstrip())


def _echo(question: str, sign: int) -> Statement:
    """What a bare yes or no says: the question's words, affirmed or denied."""
    plain = _SIGNS.sub(" ", question)
    charge = next((one.charge for one in reversed(statements(plain)) if one.charge), 0) * sign
    words = terms(question)
    return Statement(
        text=question,
        terms=words,
        sign=sign,
        denied=words if sign < 0 else {},
        charge=charge,
        only={},
        grants=True,
    )


def _opposed(said: Statement, row: Statement) -> bool:
    if said.charge and row.charge and said.charge != row.charge:
        return True
    if not row.sign or not said.sign or _other_values(said, row) or said.sign == row.sign * _turns(said, row):
        return False
    if said.sign < 0 and row.only:
        return coverage(row.only, said.terms) > 0.7
    if said.sign > 0 and said.only:
        return False
    if said.sign < 0 and row.sign > 0:
        return _speaks_of(row.terms, said.denied) and _covers(said, row)
    if said.sign > 0 and row.sign < 0:
        granted = said.grants and row.withholds and shared(said.terms, row.terms) >= 1.0
        return granted or _speaks_of(said.terms, row.denied)
    return coverage(said.terms, row.terms) >= 0.5


def _other_values(said: Statement, row: Statement) -> bool:
    """True where both state numbers of one kind and none is the same: they speak of different cases."""
    ours, theirs = ([fact for fact in facts(f"{one.given} {one.text}") if fact.kind != "place"] for one in (said, row))
    pairs = [
        (measures(one), same(one, other) or same(other, one))
        for one in ours
        for other in theirs
        if measures(one) == measures(other)
    ]
    return any(not any(agree for kind, agree in pairs if kind == wanted) for wanted, _ in pairs)


def _covers(said: Statement, row: Statement) -> bool:
    around = row.terms if _EXCEPTION.search(row.text) else {*row.terms, *row.before}
    return coverage(said.terms, around) >= 0.5 and shared(said.terms, row.terms) >= 1.0


def _speaks_of(words: Terms, denied: Terms) -> bool:
    """True where what is denied stands in `words`: a pair of letters or a word of it, all of it where it is less."""
    return shared(denied, words) >= min(1.0, 0.99 * sum(denied.values())) > 0


def _turns(said: Statement, row: Statement) -> int:
    """-1 where one says with a word of the opposite sense what the other says with a negation."""
    sign = 1
    for one, other in _opposites():
        ours = (bool(one.search(said.text)), bool(other.search(said.text)))
        theirs = (bool(one.search(row.text)), bool(other.search(row.text)))
        if ours != theirs and ours == theirs[::-1] and ours[0] != ours[1]:
            sign = -sign
    return sign


@lru_cache(maxsize=1)
def _opposites() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(one, re.IGNORECASE), re.compile(other, re.IGNORECASE)) for one, other in _OPPOSITES)
