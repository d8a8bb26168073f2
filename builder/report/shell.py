"""The shell of every HTML page: one file, one style sheet, a content policy that lets nothing else in.

What comes from documents is text and nothing else: it goes through `text`, and the policy allows no script, no image,
no link target and no style but the one whose hash it names.
"""

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

from builder.text.screen import inert


class Html(str):
    """A piece of HTML: made here, never a text from outside."""

    __slots__ = ()


def text(value: object) -> Html:
    """Anything as text: escaped, control and bidi characters made visible."""
    return Html(escape(inert(str(value)), quote=True))


def tag(name: str, *inside: Html, css: str = "", title: str = "") -> Html:
    """An element; `css` are class names of the style sheet, `title` shows when the pointer rests on it."""
    named = f' class="{text(css)}"' if css else ""
    titled = f' title="{text(title)}"' if title else ""
    return Html(f"<{name}{named}{titled}>{''.join(inside)}</{name}>")


def joined(pieces: Iterable[Html]) -> Html:
    """Pieces one after the other."""
    return Html("".join(pieces))


def page(title: str, body: Html, *, language: str, sheets: tuple[str, ...] = ("style.css",)) -> str:
    """The whole file; `sheets` are the style sheets of this package that it needs."""
    style = _style(sheets)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    lang = "zh-CN" if language == "zh" else "en"
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


@cache
def _style(sheets: tuple[str, ...]) -> str:
    return "".join(files(__package__).joinpath(name).read_text(encoding="utf-8") for name in sheets)
