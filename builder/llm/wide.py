"""JSON written with full-width signs: `｛“question”：“…”，…｝`, as models do that write Chinese.

Only what stands outside the strings is changed; what stands in them stays as it is.
"""

import re

_SIGNS = str.maketrans("：，｛｝［］", ":,{}[]")
_CLOSER = {'"': '"', "“": "”", "＂": "＂", "”": "”"}
"""Signs that open a string, and what closes it. Some models open with the closing sign."""
_START = re.compile(r"[{\[｛［]")
_WIDE = re.compile(r'["”＂]\s*[：，｝］]|[{\[,｛［：，:]\s*[“”＂]|[｛［]')
_AFTER = re.compile(r"\s*(?:[:：,，}｝\]］]|$)")


def is_wide(text: str) -> bool:
    """True where full-width signs stand where JSON has its own."""
    return _WIDE.search(text) is not None


def narrowed(text: str) -> str:
    """`text` with JSON's own signs, from its first bracket on. A string that is not closed stays open."""
    found = _START.search(text)
    at = found.start() if found else len(text)
    done = [text[:at]]
    while at < len(text):
        if text[at] in _CLOSER:
            end, inner = _string(text, at)
            done.append(inner)
        else:
            end = at + 1
            done.append(text[at].translate(_SIGNS))
        at = end
    return "".join(done)


def _string(text: str, at: int) -> tuple[int, str]:
    """Where the string that opens at `at` ends, and the string as JSON has it."""
    closer, depth = _CLOSER[text[at]], 0
    place = at + 1
    while place < len(text):
        ch = text[place]
        if ch == "\\":
            place += 1
        elif ch == closer and (closer == '"' or (depth == 0 and _AFTER.match(text, place + 1))):
            return place + 1, f'"{_escaped(text[at + 1 : place], closer)}"'
        elif closer == "”" and ch in "“”":  # quotation marks within a string that they enclose come in pairs
            depth = max(0, depth + (1 if ch == "“" else -1))
        place += 1
    return len(text), f'"{_escaped(text[at + 1 :], closer)}'


def _escaped(inner: str, closer: str) -> str:
    return inner if closer == '"' else re.sub(r'(?<!\\)"', r"\"", inner)
