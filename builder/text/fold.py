"""Text folded for comparing, each folded character with its place in the original."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, repeat

from builder.text.simplified import simplified_forms

_MARKS = "\u0300-\u036f\u3099\u309a\uff9e\uff9f"
_MARK = re.compile(f"[{_MARKS}]")
# A character with its accents is one unit, so that é matches e + accent.
_UNIT = re.compile(f".[{_MARKS}]*", re.DOTALL)

_UNIFIED = (
    dict.fromkeys("“”„‟«»〝〞〟「」『』﹁﹂﹃﹄″", '"')
    | dict.fromkeys("‘’‚‛‹›′`´", "'")
    | dict.fromkeys("‐‑‒–—―−﹘﹣⸺⸻", "-")
    | dict.fromkeys("•‧・∙", "·")
    | {"。": ".", "〜": "~", "∼": "~", "⋯": "..."}
    # Radicals that PDF fonts give in place of the letter, and that NFKC leaves alone.
    | dict(
        zip(
            "⺟⺠⻁⻄⻅⻆⻉⻋⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻨⻩⻬⻮⻰⻳",
            "母民虎西见角贝车长门青韦页风飞食马骨鬼鱼鸟麦黄齐齿龙龟",
            strict=True,
        )
    )
)
_UNSEEN = re.compile("[\ufe00-\ufe0f\ufffe\uffff\U000e0100-\U000e01ef]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A folded text. Folded character i comes from characters `starts[i]:ends[i]` of the original."""

    text: str
    """The folded text."""
    starts: tuple[int, ...]
    """Offset in the original where the source of each folded character begins."""
    ends: tuple[int, ...]
    """Offset in the original behind the source of each folded character."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original that folded characters `start:end` come from, in whole characters.

        Raises:
            ValueError: an empty or reversed range, or one that leaves the text.
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no such range: {start}:{end}")
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """Fold `text` for comparing.

    Each character by NFKC (full width, ligatures, ㎡ to m2), case and, where it is a traditional Chinese one, its
    simplified form; quotes of all kinds to " and ', dashes to -, 。 to . (but 、 stays itself); white space, controls,
    zero-width characters and soft hyphens are dropped.
    """
    units = _units(text)
    pieces = [_fold_unit(unit) for unit in units]
    borders: Sequence[int] = range(len(text) + 1)
    if len(units) != len(text):
        borders = list(accumulate(map(len, units), initial=0))
    sizes = list(map(len, pieces))
    return Folded(
        text="".join(pieces),
        starts=tuple(chain.from_iterable(map(repeat, borders, sizes))),
        ends=tuple(chain.from_iterable(map(repeat, borders[1:], sizes))),
    )


def folded(text: str) -> str:
    """The folded text alone."""
    return "".join(map(_fold_unit, _units(text)))


def _units(text: str) -> Sequence[str]:
    return _UNIT.findall(text) if _MARK.search(text) else text


@lru_cache(maxsize=1 << 16)
def _fold_unit(unit: str) -> str:
    plain = "".join(_UNIFIED.get(ch, ch) for ch in unit)
    normal = unicodedata.normalize("NFKC", plain).casefold()
    simple = simplified_forms()
    return "".join(_UNIFIED.get(ch) or simple.get(ch, ch) for ch in normal if not _unseen(ch))


def _unseen(ch: str) -> bool:
    return ch.isspace() or unicodedata.category(ch) in ("Cc", "Cf") or _UNSEEN.match(ch) is not None
