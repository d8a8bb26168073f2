"""Which script a page is written in, and which of the wished languages read it.

Chinese pages are read with Chinese models alone: they know Latin letters and digits too, and together with a Latin
model now and then a whole Chinese line is taken for Latin ("AINE" for 门审批).
"""

from collections.abc import Sequence
from enum import StrEnum

from builder.ingest.ocr.engine import OcrPage
from builder.text.language import is_cjk

_WIDE = ("chi_", "jpn", "kor")
_FEW = 3
_SHARE = 0.03


class Script(StrEnum):
    """The script of a page."""

    WIDE = "wide"
    """Chinese, Japanese or Korean, alone or with Latin."""
    NARROW = "narrow"
    """None of these."""
    UNKNOWN = "unknown"


def wide_codes(languages: str) -> str:
    """Those of tesseract's codes that stand for Chinese, Japanese, Korean; may be empty."""
    return "+".join(code for code in languages.split("+") if code.startswith(_WIDE))


def narrow_codes(languages: str) -> str:
    """The others."""
    return "+".join(code for code in languages.split("+") if not code.startswith(_WIDE))


def languages_for(script: Script, languages: str) -> str:
    """What of `languages` a page of that script is read with; all where none fits."""
    fitting = {Script.WIDE: wide_codes, Script.NARROW: narrow_codes}.get(script)
    return (fitting(languages) if fitting else "") or languages


def script_of(texts: Sequence[str]) -> Script:
    """The script of texts that a wide model read: it takes a smudge for a letter of its own here and there."""
    letters = [char for text in texts for char in text if char.isalpha()]
    wide = sum(map(is_cjk, letters))
    if not letters:
        return Script.UNKNOWN
    return Script.WIDE if wide >= max(_FEW, _SHARE * len(letters)) else Script.NARROW


def sure_texts(page: OcrPage, bar: int) -> tuple[str, ...]:
    """The lines whose words are sure on the whole."""
    return tuple(
        line.text for line in page.lines if line.confidences and sum(line.confidences) >= bar * len(line.confidences)
    )
