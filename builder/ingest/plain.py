"""Plain text files: which encoding, and the text as one page."""

import codecs
import re

from builder.ingest.counting import count
from builder.ingest.lines import text_lines
from builder.model.document import Page, PageOrigin, Problem

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")


def read_plain(data: bytes) -> tuple[Page, ...] | Problem:
    """A text file as one page, or why it is none."""
    if not data:
        return Problem(code="zero_bytes")
    text = decode(data)
    if text is None:
        return Problem(code="decode")
    return (text_page(text),) if text.strip() else Problem(code="no_text")


def text_page(text: str) -> Page:
    """A page without layout."""
    lines = text_lines(text)
    return Page(number=1, origin=PageOrigin.TEXT, text=text, lines=lines, extractable=count(text))


def decode(data: bytes) -> str | None:
    """The text of `data` with line feeds as line ends; None where no encoding fits.

    In this order: what a byte order mark says; UTF-8; UTF-16 where every second byte is zero; GB18030 where that gives
    mostly common Chinese characters (Big5 or Latin-1 read as GB18030 give rare ones); what charset-normalizer finds. A
    file with zero bytes that is no UTF-16 is no text.
    """
    for reader in (_marked, _utf8, _utf16, _chinese, _guessed):
        text = reader(data)
        if text is not None:
            return text.replace("\r\n", "\n").replace("\r", "\n")
    return None


def _marked(data: bytes) -> str | None:
    return next((_strict(data, encoding) for mark, encoding in _MARKS if data.startswith(mark)), None)


def _utf8(data: bytes) -> str | None:
    return None if b"\x00" in data else _strict(data, "utf-8")


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: blanks, digits and line ends have a zero byte, always on the same side."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if not even and not odd:
        return None
    text = _strict(data, "utf-16-le" if odd > even else "utf-16-be")
    return None if text is None or _CONTROL.search(text) else text


def _chinese(data: bytes) -> str | None:
    text = None if b"\x00" in data else _strict(data, "gb18030")
    if text is None:
        return None
    wide = [char for char in text if ord(char) > 127]
    common = len("".join(wide).encode("gb2312", "ignore")) // 2
    return text if common * 10 >= len(wide) * 9 else None


def _guessed(data: bytes) -> str | None:
    if b"\x00" in data:
        return None
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    return None if best is None else str(best)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text
