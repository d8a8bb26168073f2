"""What a system did, told from the words of its answer: only where it does not tell its status, and labelled so.

The patterns, Chinese and English, are about the answer as a whole: "超过 7 天不予受理" in the middle of an answer is a
rule, no refusal. So only its first sentences are looked at, and only where little else follows.
"""

import re

from builder.model.case import Status
from builder.text.sentences import sentences


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)


_APOLOGY = _any(
    r"抱歉|对不起|不好意思|很遗憾|遗憾地",
    r"\b(?:sorry|unfortunately|i apologi[sz]e|i regret|i(?:'|’)?m afraid|i am afraid)\b",
)
_REFUSE = _any(
    # Cannot: 无法回答, 不能为您提供; not 无法提供发票的不能退货, which speaks of somebody else.
    r"(?:无法|不能|没法|没有办法|难以)(?:直接|准确|[为给向]您|[为给]你|就此|对此|进行|据此|从中|从[^，。]{0,12}中|"
    r"根据[^，。]{0,16}|在[^，。]{0,12}中)*"
    r"(?:回答|答复|解答|提供|确认|判断|给出|找到|查到|得知|告知|确定|作答)(?![^，。！？]{0,12}的(?:[^，。]|，))",
    # Did not find.
    r"(?:没有|未能?|暂未|并未|没)(?:在[^，。]{0,16}中?)?(?:找到|查到|检索到|提到|提及|包含|涉及|收录|给出)",
    r"(?:资料|文档|知识库|文件|材料|上下文|参考内容|检索结果|政策)[^，。]{0,8}(?:中|里|内)?[^，。]{0,4}"
    r"(?:没有|未|并未|不包含|无)[^，。]{0,10}(?:相关|信息|内容|说明|规定|答案|提及|提到)",
    r"(?:无|没有|暂无|缺少)(?:足够的?|相关的?|任何)?(?:相关)?(?:信息|资料|权限|依据|答案)",
    r"不知道|不清楚|无从得知|超出[^，。]{0,12}范围|您?(?:没有|无)权(?:限)?(?:查看|访问|阅读|获取)",
    r"\b(?:cannot|can(?:'|’)?t|can not|unable to|not able to|couldn(?:'|’)t|could not|won(?:'|’)t|not allowed to)\s+"
    r"(?:\w+\s+){0,2}?"
    r"(?:answer|provide|help|assist|find|confirm|determine|share|disclose|tell|say|give|comment)",
    r"\b(?:do|does|did)(?:n(?:'|’)t| not)\s+(?:\w+\s+)?(?:know|contain|mention|say|specify|state|"
    r"have (?:any |enough |the |that )?(?:information|access|data|details))",
    r"\bno (?:relevant |sufficient |such |matching )?(?:information|documents?|answer|evidence|mention)\b",
    r"\b(?:not (?:enough|sufficient)|insufficient) (?:information|context|evidence)",
    r"\b(?:is|are|was|were) not (?:mentioned|covered|stated|specified|found|in the (?:documents?|context))",
)
_HANDOFF = _any(
    r"转(?:接|至|到|交)?(?:给)?(?:人工|客服|专员)|(?:联系|咨询|拨打)[^，。]{0,10}(?:人工|客服|专员|热线)",
    r"\b(?:transfer|connect|hand(?:ing)?|pass(?:ing)?)\b[^.]{0,30}\b(?:agent|human|colleague|specialist|support)\b",
)
_CLARIFY = _any(
    r"请(?:您|你)?(?:先)?(?:问|告知|告诉我|提供|说明|补充|确认)[^。！]{0,60}[？?]?$|(?:您|你)(?:指|问|说)的是[^。]{0,40}[？?]",
    r"\b(?:could|can|would) you (?:please )?(?:clarify|specify|tell me|provide|confirm)|\bwhich [^.?]{1,60}\?$",
    r"\bdo you mean\b|\bplease (?:clarify|specify)",
)
_ANSWERED = _any(r"但(?:是)?[^。]{0,40}\d|\b(?:however|but)\b[^.]{0,80}\d")
"""Refused in part, answered all the same."""
_HEAD, _REST = 2, 3
"""Sentences in which a refusal stands; most sentences of one without an apology, since more answer something."""


def status_of(answer: str) -> Status | None:
    """What an answer sounds like; none where there are no words."""
    text = answer.strip()
    if not text:
        return None
    spans = sentences(text)
    head = " ".join(text[start:end] for start, end in spans[:_HEAD])
    sorry = _APOLOGY.search(head) is not None
    if _REFUSE.search(head) and (sorry or len(spans) <= _REST) and not _ANSWERED.search(text):
        return Status.REFUSE
    if len(spans) > _REST:
        return Status.ANSWER
    figures = re.search(r"\d", head) is not None
    if sorry and len(spans) == 1 and not figures:
        return Status.REFUSE
    if text[-1] in "？?" and _CLARIFY.search(text):
        return Status.CLARIFY
    return Status.HANDOFF if _HANDOFF.search(head) and not figures else Status.ANSWER
