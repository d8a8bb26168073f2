"""Words that turn a statement round.

Chinese: 不 未 无 非 没 勿 莫 禁止 严禁 除外 除…外, not where they are part of a word that denies nothing (不锈钢, 非常,
无线, 未来, 不过, 不仅), nor in a question of the form 能不能 or 有没有. English: not, n't, no, non-, never, none, nor,
neither, without, except, unless, exclude and the like; "No. 5" is a number and "not only" denies nothing.
"""

import re

from builder.text.simplified import simplified

_HARMLESS = (
    "不锈钢|不过|不仅|不但|不单|不断|不久|不少|不论|不管|不妨|不愧|不禁|不时|不动产|不等式|不可抗力|不好意思|不客气|"
    "差不多|对不起|非常|非洲|南非|是非|非凡|未来|无线|无论|无锡|无疑|无人机|无纺布|无缝|无霜|无理由|无级变速|没收|没关系|"
    "淹没|沉没|埋没|莫名|莫斯科|有没有"
)
_CHINESE = (
    rf"(?P<harmless>{_HARMLESS}|(?P<asked>[\u4e00-\u9fff])不(?P=asked))|"
    r"禁止|严禁|除外|除[^，。；\n]{1,30}?外|[不未无非没勿莫]"
)
_ENGLISH = (
    r"(?P<idle>not\s+only|no\.?\s*[0-9]+)|"
    r"(?:cannot|not|no|never|none|nobody|nothing|neither|nor|without|except|excepting|excepted|unless|"
    r"exclud(?:e|es|ed|ing)|prohibit(?:s|ed)?|forbidden)(?![A-Za-z])|non-(?=[A-Za-z])"
)
_NEGATION = re.compile(rf"{_CHINESE}|(?<![A-Za-z'’])(?:{_ENGLISH})|n['’]t(?![A-Za-z])", re.IGNORECASE)


def negations(text: str) -> int:
    """How many negations stand in `text`."""
    return len(negation_spans(text))


def negation_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the negations of `text` stand, in order."""
    return tuple(
        found.span() for found in _NEGATION.finditer(simplified(text)) if not (found["harmless"] or found["idle"])
    )


def has_negation(text: str) -> bool:
    """True where `text` denies, forbids or excepts something; see the head of this module for the rule."""
    return negations(text) > 0
