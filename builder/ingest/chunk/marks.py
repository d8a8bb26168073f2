"""Marks at the beginning of a line: headings, list items, questions and answers."""

import re

_NUMERAL = "\\s?[一二三四五六七八九十百零〇两\\d]+\\s?"
_HEADS = (
    (10, rf"第{_NUMERAL}(?:编|篇|部分)(?=[\s：:]|$)"),
    (20, rf"(?:第{_NUMERAL}章|附[表件录则](?:[一二三四五六七八九十\dA-Z]+)?)(?=[\s：:]|$)"),
    (20, r"(?:Chapter|Part|Article|Appendix|Annex|CHAPTER|PART|ARTICLE|APPENDIX|ANNEX) (?:\d+|[IVX]+|[A-Z])\b"),
    (30, rf"第{_NUMERAL}节(?=[\s：:]|$)"),
    (30, r"(?:Section|SECTION) (?:\d+|[IVX]+|[A-Z])\b"),
    (40, rf"第{_NUMERAL}条(?=[\s：:]|$)"),
    (50, r"[一二三四五六七八九十]+、"),
    (60, r"[（(][一二三四五六七八九十]+[）)]"),
    (54, r"\d+(?:\.\d+){3}[.．]?(?=[\s\u3400-\u9fff])"),
    (53, r"\d+(?:\.\d+){2}[.．]?(?=[\s\u3400-\u9fff])"),
    (52, r"\d+\.\d+[.．]?(?=[\s\u3400-\u9fff])"),
    (51, r"\d{1,2}(?:[.．、](?!\d)|(?=[\s　]))"),
)
_HEAD = re.compile("|".join(f"({pattern})" for _, pattern in _HEADS))
"""The first that fits; its group says which it is."""
CLAUSE = 40
"""Rank of 第X条: it opens a section also where its text follows on the same line."""
PLAIN_NUMBER = 51
"""Rank of `1.`: a list item far more often than a heading."""

_BULLET = re.compile(r"[•●○■□◆◇▪·※*\-–—+]\s+\S|[•●■◆▪※]\S")
_ITEM = re.compile(
    r"(?:[（(]\s*(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4}|[一二三四五六七八九十]+)\s*[）)]|\d{1,2}[)）.．、](?!\d)|[a-zA-Z][)）]\s"
    r"|[①-⑳]|[一二三四五六七八九十]+、)"
)
_NOTE = re.compile(r"(?:注|备注|说明|Note)\s*\d*\s*[：:]")
_CAPTION = re.compile(r"(?:附?表|Table|TABLE)\s*[\dA-Z一二三四五六七八九十]+(?:[.-]\d+)?(?=[\s：:.．]|$)")
_PAIR = re.compile(r"[^\s：:。.!?！？，,；;][^：:。!?！？，,；;]{0,40}[：:]\s*\S")
_QUESTION = re.compile(r"[*_#>\s]*(?:(?:问题?|Q)\s*\d*\s*[：:]|Q\s*\d+\s*[.．、])", re.IGNORECASE)
_ANSWER = re.compile(r"[*_#>\s]*(?:(?:答案?|回答|A)\s*\d*\s*[：:]|A\s*\d+\s*[.．、])", re.IGNORECASE)
_ENDS = frozenset("。！？；：!?;:.…”」』)）")


def head_mark(text: str) -> tuple[int, str] | None:
    """Rank (smaller is higher) and text of the heading number at the beginning, if there is one."""
    match = _HEAD.match(text)
    return (_HEADS[match.lastindex - 1][0], match.group()) if match and match.lastindex else None


def is_bullet(text: str) -> bool:
    """A bullet: nothing else begins like this."""
    return _BULLET.match(text) is not None


def is_item(text: str) -> bool:
    """A numbered list item, or a note; a wrapped line may begin like this by chance."""
    return _ITEM.match(text) is not None or _NOTE.match(text) is not None


def is_note(text: str) -> bool:
    """注：, Note:."""
    return _NOTE.match(text) is not None


def is_caption(text: str) -> bool:
    """表 3 …, Table 3 …, or an introduction that ends with a colon: it belongs to the table below."""
    return _CAPTION.match(text) is not None or text.endswith(("：", ":"))


def is_pair(text: str) -> bool:
    """A line `key: value`."""
    return _PAIR.match(text) is not None


def is_question(text: str) -> bool:
    """问：, Q:, Q1."""
    return _QUESTION.match(text) is not None


def is_answer(text: str) -> bool:
    """答：, A:, A1. (only behind a question)."""
    return _ANSWER.match(text) is not None


def closes(text: str) -> bool:
    """The text ends as a sentence, a clause of a list or an introduction does."""
    return text[-1:] in _ENDS
