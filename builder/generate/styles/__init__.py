"""The styles of questions, one file each: which rewritten question keeps what was asked."""

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

from builder.model.case import Case, Style, Turn

STYLES: Mapping[Style, str] = {
    Style.COLLOQUIAL: "builder.generate.styles.colloquial",
    Style.TYPO: "builder.generate.styles.typo",
    Style.ASR: "builder.generate.styles.asr",
    Style.FOLLOW_UP: "builder.generate.styles.follow_up",
}
"""Modules by style; each has `refusal(case, question, conversation)`. The prompt is `styles/NAME.j2`."""


class StyleModule(Protocol):
    """One module of STYLES."""

    def refusal(self, case: Case, question: str, conversation: tuple[Turn, ...]) -> str:
        """Why the rewritten question is not taken (a key below `generate.drop`); empty where it is."""


def style_module(name: Style) -> StyleModule:
    """The module of a style.

    Raises:
        KeyError: there is none for it.
    """
    module: StyleModule = import_module(STYLES[name])
    return module
