"""What a page really says, where the user has written it down, and how far a reading is from it.

`policy.pdf.truth.txt` beside `policy.pdf` holds the text of its pages, parted by form feeds; a page left empty there
is not measured.
"""

import unicodedata
from collections.abc import Mapping
from pathlib import Path

from builder.ingest.plain import decode

ENDING = ".truth.txt"
"""Follows the full name of the document."""
_FORM_FEED = "\f"
_QUOTES = str.maketrans(dict.fromkeys("“”„‟「」『』〝〞″", '"') | dict.fromkeys("‘’‚‛′`´", "'"))


def read_truth(document_path: Path) -> Mapping[int, str]:
    """The true text of pages by their number, from 1; empty where the user gave none, or no text can be read."""
    try:
        data = document_path.with_name(document_path.name + ENDING).read_bytes()
    except OSError:
        return {}
    pages = (decode(data) or "").split(_FORM_FEED)
    return {number: text.strip() for number, text in enumerate(pages, start=1) if text.strip()}


def errors(found: str, true: str) -> tuple[int, int]:
    """Character errors of `found`: its edit distance from `true`, and the length of `true`.

    Both by NFKC, quotes of all kinds as one, without white space; case and other signs count. The character error rate
    is the one over the other.
    """
    from rapidfuzz.distance import Levenshtein

    one, other = _comparable(found), _comparable(true)
    return Levenshtein.distance(one, other), len(other)


def _comparable(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text.translate(_QUOTES)).split()).translate(_QUOTES)
