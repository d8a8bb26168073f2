"""Text on a terminal: made harmless, measured in cells, clipped and wrapped.

East Asian Ambiguous characters count one cell. A tab counts one: show it as a space.
"""

import re
import unicodedata
from functools import lru_cache

from builder.text.language import is_cjk

_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
# Characters that never start a line, and those that never end one (GB/T 15834, JIS X 4051).
_NO_START = frozenset("，。、；：？！）］｝】》〉」』〕〗”’…—～·％‰℃,.;:?!)]}%°々ー")
_NO_END = frozenset("（［｛【《〈「『〔〖“‘([{￥¥$＄")
_SEEN = re.compile(r"\S|\n")
_ZERO = frozenset({"Mn", "Me", "Cf", "Cc", "Cs"})


def inert(text: str) -> str:
    r"""`text` with everything that could steer a terminal made visible, for instance `\x1b`.

    Control characters (C0, C1) but line break and tab, bidi controls, zero-width characters, line separators, tags
    and lone surrogates.
    """
    return _HARMFUL.sub(_shown, text)


def cells(text: str) -> int:
    """Terminal cells of one line: wide characters 2, combining and control characters 0, others 1."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_width, text))


def clip(text: str, width: int) -> str:
    """The longest beginning of `text` that fits `width` cells, without a mark where it was cut."""
    return text[: _reach(text, 0, len(text), width)]


def wrap(text: str, width: int) -> tuple[tuple[int, int], ...]:
    """Lines of at most `width` cells as offsets into `text`; white space at a line's end is in no line.

    A line break in the text ends a line. Closing punctuation never starts a line and opening punctuation never ends
    one (unless nothing else fills the line), English words stay whole where they fit.

    Raises:
        ValueError: less than 2 cells, where no Chinese character fits.
    """
    if width < 2:
        raise ValueError(f"too narrow: {width}")
    lines: list[tuple[int, int]] = []
    start = 0
    for paragraph in text.split("\n"):
        lines += _fill(text, start, start + len(paragraph), width)
        start += len(paragraph) + 1
    return tuple(lines)


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@lru_cache(maxsize=1 << 16)
def _width(ch: str) -> int:
    if ch == "\t":
        return 1
    # Hangul vowels and final consonants are drawn into the cell of the first one.
    if unicodedata.category(ch) in _ZERO or "\u1160" <= ch <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1


def _reach(text: str, start: int, end: int, width: int) -> int:
    """The furthest offset up to which the text from `start` fits."""
    left = width
    for at in range(start, end):
        left -= _width(text[at])
        if left < 0:
            return at
    return end


def _fill(text: str, start: int, end: int, width: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    at = start
    while True:
        reach = _reach(text, at, end, width)
        cut = reach if reach == end else _cut(text, at, reach)
        lines.append((at, at + len(text[at:cut].rstrip())))
        while cut < end and text[cut].isspace():
            cut += 1
        if cut == end:
            return lines
        at = cut


def _cut(text: str, start: int, reach: int) -> int:
    """Where to end a line that begins at `start` and may not go beyond `reach`."""
    back = range(reach, start, -1)
    good = (at for at in back if _divides(text, at) and _polite(text, start, at))
    forced = (at for at in back if _polite(text, start, at))
    return next(good, None) or next(forced, None) or reach


def _divides(text: str, at: int) -> bool:
    """True where no word runs across `at`."""
    before, after = text[at - 1], text[at]
    return before.isspace() or after.isspace() or _loose(before) or _loose(after)


def _loose(ch: str) -> bool:
    return _width(ch) == 2 or is_cjk(ch)


def _polite(text: str, start: int, at: int) -> bool:
    """True where the line may end before `at`: neither punctuation nor a combining mark stands in the way."""
    before = text[start:at].rstrip()[-1:]
    match = _SEEN.search(text, at)
    after = match.group() if match else "\n"
    return bool(before) and before not in _NO_END and after not in _NO_START and (after == "\n" or _width(after) > 0)
