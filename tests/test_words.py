"""Every line of the word lists is used: named in the code, or fitting an f-string with a name that the code knows."""

import ast
import re
from functools import cache

from builder.words import words
from tests.folder import ROOT

WAITING = {"writer.openai", "writer.local", "writer.extractive"}
"""Written before their commands; a line that is used goes from here."""


class Spoken(ast.NodeVisitor):
    """What the code may say: literals, f-strings as patterns, names that enumerations and fields have."""

    def __init__(self) -> None:
        self.literals: set[str] = set()
        self.names: set[str] = set()
        self.patterns: set[str] = set()
        for path in sorted((ROOT / "builder").rglob("*.py")):
            self.visit(ast.parse(path.read_text(encoding="utf-8")))

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.literals.add(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pieces = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
        if any(piece and re.search("[a-z]{3}", piece) for piece in pieces):
            self.patterns.add("".join(r"[a-z0-9_]+" if piece is None else re.escape(piece) for piece in pieces))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._name(node.target)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._name(target)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.names.add(node.arg or "")
        self.generic_visit(node)

    def _name(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names.add(target.id)

    def says(self, key: str) -> bool:
        """The key as a whole; or a name that the code knows, below a table that an f-string puts before it."""
        member = key.rpartition(".")[2]
        if key in self.literals or self._fits(member):
            return True
        return (member in self.literals or member in self.names) and self._fits(key)

    def _fits(self, text: str) -> bool:
        return any(re.fullmatch(pattern, text) for pattern in self.patterns)


@cache
def spoken() -> Spoken:
    """The code, read once."""
    return Spoken()


def test_every_line_is_used() -> None:
    unused = {key for key in words("en").keys() if not spoken().says(key)}  # noqa: SIM118
    assert unused == WAITING


def test_a_line_that_nothing_names_is_found() -> None:
    assert not spoken().says("coverage.no_such_line")
    assert not spoken().says("coverage.outcome.no_such_outcome")
    assert spoken().says("coverage.outcome.pass"), "a member of an enumeration"
    assert spoken().says("coverage.html.title"), "named whole"
