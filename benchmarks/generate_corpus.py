"""Texts for benchmarks/generate.py, from the sample documents: twenty small ones, and any number of varied chunks."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "data" / "samples" / "texts"
SOURCES = {
    "zh": ("after-sales-2026", "gte-3000-manual", "after-sales-2024", "beichen-after-sales-2026"),
    "en": ("employee-handbook", "pay-policy"),
}
DOCUMENT = 1000
"""Characters of a document at most, and nearly so."""
EACH = 10
"""Documents a language."""
_MARK = re.compile(r"^(?:[#\-^*>]+ )")
_NUMBER = re.compile(r"\d+")
_NAMES = {
    "zh": ("云岚", ("星河", "北辰", "东篱", "松涧", "海曜", "青禾", "白露", "南屏")),
    "en": ("Yunlan", ("Northwind", "Harbour", "Larch", "Meridian", "Quarry", "Sable", "Tern", "Willow")),
}


def lines(language: str) -> tuple[str, ...]:
    """The paragraphs, list items and table rows of a language, without their marks; headings are left out."""
    found = []
    for name in SOURCES[language]:
        body = (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").split("+++\n", 2)[2]
        found += [_plain(line, language) for line in body.splitlines() if len(line) > 12 and line[:2] not in _LEFT_OUT]
    return tuple(found)


_LEFT_OUT = ("# ", "##", "|=", "|-", "^ ", "> ")
"""Headings, widths of tables, captions, signatures."""


def _plain(line: str, language: str) -> str:
    if not line.startswith("| "):
        return _MARK.sub("", line)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return "，".join(cells) + "。" if language == "zh" else ", ".join(cells) + "."


def documents() -> dict[str, str]:
    """Twenty documents by name, ten in Chinese and ten in English, of about 1,000 characters each."""
    found = {}
    for language in SOURCES:
        for number, text in zip(range(1, EACH + 1), _filled(lines(language)), strict=False):
            found[f"{language}-{number:02}"] = text
    return found


def _filled(texts: tuple[str, ...]) -> Iterator[str]:
    """Paragraphs put together up to the length of a document."""
    taken: list[str] = []
    for text in texts:
        if taken and sum(map(len, taken)) + 2 * len(taken) + len(text) > DOCUMENT:
            yield "\n\n".join(taken)
            taken = []
        taken.append(text)


def varied(count: int, length: int = 450) -> Iterator[tuple[str, str]]:
    """So many chunks (id, text), alternately Chinese and English: paragraphs at random, names and numbers changed."""
    pools = {language: lines(language) for language in SOURCES}
    for number in range(count):
        language = ("zh", "en")[number % 2]
        chance = random.Random(number)
        taken: list[str] = []
        while sum(map(len, taken)) < length:
            taken.append(_changed(chance.choice(pools[language]), chance, language))
        yield f"{language}-{number:05}", "\n\n".join(taken)


def _changed(text: str, chance: random.Random, language: str) -> str:
    name, others = _NAMES[language]
    text = text.replace(name, chance.choice(others))
    return _NUMBER.sub(lambda found: _number(found.group(), chance), text)


def _number(digits: str, chance: random.Random) -> str:
    """Another number of as many digits; years stay years, so that dates stay dates."""
    value = int(digits)
    if digits.startswith("0") or (len(digits) < 3 and value <= 12):
        return digits if chance.random() < 0.5 else str(chance.randint(1, 12))
    if 1990 <= value <= 2060:
        return str(chance.randint(2015, 2029))
    return str(chance.randint(10 ** (len(digits) - 1), 10 ** len(digits) - 1))


def write_chunks(path: Path, chunks: Iterator[tuple[str, str]], each: int = 10) -> None:
    """The chunks as a file for `builder ingest --chunks`, so many a document, one language each."""
    with path.open("w", encoding="utf-8") as file:
        for number, (chunk_id, text) in enumerate(chunks):
            document = f"{chunk_id[:2]}-{number // (2 * each):04}"
            file.write(json.dumps({"id": chunk_id, "text": text, "document": document}, ensure_ascii=False) + "\n")
