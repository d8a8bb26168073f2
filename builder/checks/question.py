"""Check `question`: the question is a question, and asks for something."""

import re

from builder.checks.context import CheckContext
from builder.checks.reading.wording import terms
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult

NAME = "question"
# Greetings, thanks and calls: what is left without them must still ask for something.
_TALK = re.compile(
    r"你好|您好|在吗|在不在|有人吗|谢谢|多谢|辛苦了|好的|收到|再见|哈喽|早上好|下午好|晚上好|麻烦(?:您|你)?|请问|"
    r"\b(?:hello|hi|hey|thanks?(?: you)?(?: very much| so much)?|good (?:morning|afternoon|evening)|bye|please|"
    r"ok(?:ay)?|"
    r"are you (?:there|a (?:bot|robot|human))|is anyone (?:there|here)|anybody there|how are you(?: today|"
    r" doing)?)\b",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    r"吗|呢[?？。]?$|(?<!没)(?<!为)什么|为什么|多少|多久|多长|多大|多高|多远|多快|几(?!乎|率|何)|如何|怎么|怎样|"
    r"哪|谁|是否|能否|可否|"
    r"何时|何处|何种|几时|([\u4e00-\u9fff])[不没]\1|有没有|是不是|多[少大久]|啥|咋|么[?？]|还是.*[?？]"
)
_AUX = (
    "is|are|was|were|am|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|isn['’]t|aren['’]t|"
    "don['’]t|doesn['’]t|can['’]t|won['’]t"
)
_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_ASKS_EN = re.compile(
    rf"(?:^|[.,;:!]\s+(?:(?:and|but|so)\s+)?)\W*(?:(?:{_AUX})\s+\w+\s+\w+|(?:(?:in|at|by|for|to|from|on|of|with|"
    rf"after|within)\s+)?{_WH}"
    rf"(?:\s+[\w'’%-]+){{0,6}}?\s+(?:{_AUX})\b|{_WH}['’]s\b|how (?:long|much|many|often|soon|far)\b)|"
    rf"\b(?:tell me|explain|know|wonder\w*|say|ask)\b.*\b(?:{_WH}|whether|if)\b",
    re.IGNORECASE,
)


def check(case: Case, context: CheckContext) -> CheckResult:
    """Warn: a heading, a statement, a request without a question, or talk."""
    return passed(NAME) if asks(case.question) else warned(NAME, "no_question")


def asks(text: str) -> bool:
    """True where `text` asks for something in Chinese or English."""
    plain = _TALK.sub(" ", text).strip(" ,，。.!！?？~～、")
    if not terms(plain) and not (_ASKS_ZH.search(plain) or _ASKS_EN.search(plain)):
        return False
    if not any(ch.isalnum() for ch in plain):
        return False
    return text.rstrip(" \"”'’)）").endswith(("?", "？")) or bool(_ASKS_ZH.search(plain) or _ASKS_EN.search(plain))
