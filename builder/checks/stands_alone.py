"""Check `stands_alone`: the question points to no text that its reader does not have."""

import re

from builder.checks.context import CheckContext
from builder.checks.reading.source import chunks_of
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult

NAME = "stands_alone"
_TEXTS = (
    "表格?|条款?|款|项|段落?|文件?|文档|文本|文章|章节?|节|图|片段|政策|规定|制度|办法|通知|说明书?|手册|材料|"
    "资料|内容|条例|公告|页面?"
)
_OWN = re.compile(r"本(?:公司|店|产品|机|品牌|商城|平台)")
# Chinese: 该表, 上表, 上述, 本条, 前款, 此处, 文中; a pronoun with nothing before it.
_POINTS_ZH = re.compile(
    rf"(?:该|此|这[一个份张段条款项篇]|本)(?:{_TEXTS})(?!章程)|[上下前]一?(?:述|表|文|款|条|图|段|列)(?!午|班|架|"
    rf"款人)|(?:以上|以下|如下|下列)(?:所述|"
    rf"{_TEXTS}|规定|情形|表)|"
    r"[上下前后]面(?:的|这|所|提|说|那)|如[上下]|此处|文[中内里](?:提|所|说|的|规|列|介)|(?:根据|依据|按照|"
    r"按)(?:文本|原文|上文|材料|资料|片段|内容|文档|这里)|"
    r"(?:材料|资料|文档|片段|原文|段落)(?:中|里|提到|提及)|(?:表|"
    r"图)\s?[0-9一二三四五六七八九]+(?![0-9]*[^\s，。？?、中里的所给列])|"
    r"^\W*(?:该|此|它|其|这(?:个|种|样|类|些|项)?(?:产品|商品|服务|情况|费用|规则|期限|时间|设备|机器|"
    r"问题)?(?:的|是|要|能|可|需|有|多))"
)
_THINGS = (
    "documents?|passages?|texts?|tables?|sections?|articles?|paragraphs?|excerpts?|figures?|clauses?|pages?|"
    "chapters?|"
    "polic(?:y|ies)|handbook|manual|notice|context|snippet|source|list|rules?|terms|statement|sentence"
)
_POINTS_EN = re.compile(
    rf"\b(?:this|that|these|those)\s+(?:{_THINGS})\b|\b(?:the\s+)?(?:above|following|below|aforementioned|"
    rf"preceding|previous|given|provided|said)(?:[- ]mentioned)?\s+(?:{_THINGS})\b|"
    rf"\bthe\s+(?:passage|text|excerpt|snippet|context|document|paragraph|table)\b(?!\s+of)|\b(?:mentioned|"
    rf"described|stated|listed|shown|specified|discussed|referred to)\s+(?:above|below|here|earlier|in it)\b|"
    rf"\b(?:according to|in|from|per|under)\s+(?:it|this|the above|here)\b|"
    r"\bas (?:stated|mentioned|described|shown)\b|\b(?:table|figure|fig\.)\s+\d+\b(?!\s+of)|\bherein\b|"
    r"\bthe (?:above|aforementioned|aforesaid)\b|^\W*(?:is|does|can|what|how)\s+(?:it|they|this|that)\b(?!\s+(?:is|"
    r"that|take|possible|allowed|true|ok))|"
    r"^[^,.;?]*\b(?:does|did|has|will|can)\s+(?:it|they)\s+(?!take|cost|need|matter|mean|count|help|make|have to|"
    r"be)\w+",
    re.IGNORECASE,
)


def check(case: Case, context: CheckContext) -> CheckResult:
    """Warn: 该表, 上文, 本条, "this document", "the table above". A follow-up may point to its conversation."""
    if case.conversation:
        return passed(NAME)
    source = "\n".join(chunk.text for chunk in chunks_of(case, context) or context.sent)
    pointer = points_away(case.question, source)
    return warned(NAME, "points_away", words=pointer) if pointer else passed(NAME)


def points_away(question: str, source: str = "") -> str:
    """The words that point to another text; empty where there are none."""
    for match in (*_POINTS_ZH.finditer(question), *_POINTS_EN.finditer(question)):
        words = match.group().strip()
        named = re.search(r"《[^》]+》|[\"“][^\"”]+[\"”]", question[: match.start()])
        if not named and not (_OWN.match(words) and words in source):
            return words
    return ""
