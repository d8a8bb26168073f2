"""As people type in a hurry: subject missing, several things in one breath, everyday words."""

import re

from builder.generate.styles.keeping import bare, changed, kept
from builder.model.case import Case, Turn

_LONGEST = 160
"""Per cent of the original's length."""
_KEPT = 35
"""Per cent of the meaning that must stay: everyday words replace many, and numbers, codes and negations stay anyway."""
# Particles, everyday question words, fillers and contractions, the same kinds in both languages.
_EVERYDAY = re.compile(
    r"[啊呀呢吧嘛咯哈哎喂嗯呗哦噢喔啦咋啥]|咱|俺|为啥|干嘛|[么没]事儿?|怎么办|咋办|多少钱|那个|就是|得多|(?<=[天月年时钱块个])呀"
    r"|谢谢|麻烦|急|一下|能不能|行不行|可不可以|要不要|有没有|好不好|[,，]\s*(?:对吧|是吧)"
    r"|\b(?:hey|hi|hello|um+|uh+|so|just|like|kinda|sorta|gonna|wanna|gotta|dunno|ok|okay|yeah|thx|thanks|pls|plz|please|"
    r"btw|guys|anyway|well|actually|right|lemme|cuz|cause)\b|\b\w+['’](?:s|re|m|ll|ve|d|t)\b",
    re.IGNORECASE,
)


def refusal(case: Case, question: str, conversation: tuple[Turn, ...]) -> str:
    """`same_question`, a fact changed (see keeping), `too_long`, `meaning_lost`, `not_colloquial`."""
    if bare(question) == bare(case.question):
        return "same_question"
    if reason := changed(case.question, question):
        return reason
    if len(bare(question)) * 100 > len(bare(case.question)) * _LONGEST:
        return "too_long"
    if kept(case.question, question) < _KEPT:
        return "meaning_lost"
    shorter = len(bare(question)) * 10 <= len(bare(case.question)) * 8
    return "" if shorter or _EVERYDAY.search(question) else "not_colloquial"
