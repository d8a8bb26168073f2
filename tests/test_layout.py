"""The shape of the house: budgets, words, what an import brings in."""

import ast
import re
import statistics
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.model import case as cases
from builder.model.document import PageOrigin
from builder.words import words
from tests.folder import ROOT

SOURCES = sorted((ROOT / "builder").rglob("*.py"))
KEY = re.compile(r"^[a-z_]+(\.[a-z_]+)+$")


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_function_over_60_lines_and_a_small_median() -> None:
    long = [f"{path.relative_to(ROOT)}:{node.lineno} {node.name}" for path, node in functions() if length(node) > 60]
    assert long == []
    assert statistics.median(length(node) for _, node in functions()) <= 10


def test_no_file_over_400_lines() -> None:
    assert [path.name for path in SOURCES if path.read_text(encoding="utf-8").count("\n") > 400] == []


def test_no_failure_is_swallowed() -> None:
    swallowed = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and all(isinstance(step, ast.Pass | ast.Continue) for step in node.body)
        and (node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException"))
    ]
    assert swallowed == []


# Words


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_hold_the_same_keys_and_places() -> None:
    zh, en = words("zh"), words("en")
    assert sorted(zh.keys()) == sorted(en.keys())
    differ = [key for key in en.keys() if places(zh.pattern(key)) != places(en.pattern(key))]  # noqa: SIM118
    assert differ == []


def test_chinese_lines_are_chinese() -> None:
    zh, en = words("zh"), words("en")

    def plain(text: str) -> list[str]:
        return [word for literal, *_ in string.Formatter().parse(text) for word in literal.split()]

    same = [key for key in en.keys() if zh.pattern(key) == en.pattern(key) and len(plain(en.pattern(key))) > 2]  # noqa: SIM118
    assert same == []


def said() -> Iterator[tuple[str, str]]:
    """Keys that the code names: say("a.b"), console.out("a.b"), SomeError("key"), Problem(code="key")."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first = node.args[0] if node.args else None
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    if name in ("say", "out", "talk", "pattern") and KEY.match(first.value):
                        yield first.value, where
                    if name in ERRORS:
                        yield f"error.{first.value}", where
                if name == "Problem":
                    yield from (
                        (f"problem.{keyword.value.value}", where)
                        for keyword in node.keywords
                        if keyword.arg == "code"
                        and isinstance(keyword.value, ast.Constant)
                        and isinstance(keyword.value.value, str)
                    )


ERRORS = {"UsageError", "InputError", "WorkspaceError", "Conflict", "Refused", "OutsideError"}


def test_every_key_that_is_said_exists() -> None:
    known = words("en")
    found = dict(said())
    assert len(found) > 100
    assert [f"{where}: {key}" for key, where in found.items() if key not in known] == []


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("review.state", list(cases.ReviewState)),
        ("review.disabled", list(cases.DisabledReason)),
        ("review.source", list(cases.Source)),
        ("review.type", list(cases.QuestionType)),
        ("reject", list(cases.RejectReason)),
        ("origin", list(PageOrigin)),
        ("snapshot.left_out", [*cases.ReviewState, *cases.DisabledReason, "broken_evidence", "whole_document"]),
        ("generate.bound", ["per_chunk", "cases", "limit"]),
    ],
)
def test_every_member_of_a_list_has_its_word(prefix: str, names: list[str]) -> None:
    left = {"approved"} if prefix == "snapshot.left_out" else set()
    assert [name for name in names if f"{prefix}.{name}" not in words("en") and name not in left] == []


# Imports


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_importing_builder_does_nothing() -> None:
    assert loaded_by("import builder") == {"builder"}


def test_what_workers_load_again_loads_nothing() -> None:
    assert loaded_by("import builder.__main__") == {"builder", "builder.__main__"}


def test_the_command_line_starts_light() -> None:
    loaded = loaded_by("import builder.cli.main")
    heavy = {
        "pydantic",
        "sqlalchemy",
        "openai",
        "numpy",
        "pypdfium2",
        "pdfplumber",
        "jinja2",
        "rapidfuzz",
        "PIL",
        "bm25s",
    }
    assert loaded & heavy == set()


def test_low_rooms_know_no_high_ones() -> None:
    """What import-linter says statically, seen at run time: a record brings no store, a review core no screen."""
    assert not {"sqlalchemy", "rich", "typer"} & loaded_by("import builder.model.case, builder.review.core")
