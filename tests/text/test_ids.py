"""Ids are derived from what they name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.ids import (
    act_id,
    chunk_ids,
    digest,
    doc_id,
    doc_ids,
    feedback_case_id,
    generated_case_id,
    imported_case_id,
    manual_case_id,
    reading_id,
)

SECTIONS = st.lists(st.sampled_from(["一", "二"]), max_size=2)
PASSAGES = st.lists(st.tuples(SECTIONS, st.sampled_from(["甲", "乙", "丙 丁"])))


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_borders_of_fields_count(one: list[str], other: list[str]) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)


def test_digest_takes_a_lone_surrogate_and_a_length() -> None:
    assert re.fullmatch(r"[0-9a-f]{10}", digest("\ud800", length=10))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("policy.pdf", "policy.pdf"),
        ("hr/员工 手册(2026).pdf", "hr/员工-手册-2026-.pdf"),
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("a_b/c.d", "a_b/c.d"),
        ("!!!", "-"),
    ],
)
def test_doc_id(path: str, expected: str) -> None:
    assert doc_id(path) == expected


def test_clashing_documents_get_a_suffix_of_their_path() -> None:
    found = doc_ids(["a b.pdf", "a-b.pdf", "A-B.pdf", "c.pdf"])
    assert found["c.pdf"] == "c.pdf"
    assert len({value.casefold() for value in found.values()}) == 4
    assert found["a b.pdf"] == "a-b.pdf~" + digest("a b.pdf", length=6)


def test_an_id_in_use_is_never_given_again() -> None:
    assert doc_ids(["a.pdf"], taken=["A.PDF"])["a.pdf"] == "a.pdf~" + digest("a.pdf", length=6)


@given(st.lists(st.sampled_from(["a b", "a-b", "A-B", "a(b", "c", "C", "dé", "de\u0301"]), unique=True))
def test_ids_of_documents_differ_and_do_not_hang_on_order(paths: list[str]) -> None:
    found = doc_ids(paths)
    assert len({value.casefold() for value in found.values()}) == len(paths)
    assert doc_ids(paths[::-1]) == found


@given(PASSAGES)
def test_chunk_ids_are_unique_and_stable_for_a_beginning(passages: list[tuple[list[str], str]]) -> None:
    found = chunk_ids("d", passages)
    assert len(set(found)) == len(passages)
    for length in range(len(passages)):
        assert chunk_ids("d", passages[:length]) == found[:length]


def test_chunk_id_hangs_on_document_section_and_text_only() -> None:
    (one,) = chunk_ids("d", [(["一"], "整机 24 个月")])
    assert re.fullmatch(r"d#[0-9a-f]{10}", one)
    assert chunk_ids("d", [([], "前言"), (["一"], "整机２４个月")])[1] == one
    assert chunk_ids("d", [(["二"], "整机 24 个月")]) != [one]
    assert chunk_ids("d", [(["一"], "整机 25 个月")]) != [one]
    assert chunk_ids("e", [(["一"], "整机 24 个月")])[0].partition("#")[2] == one.partition("#")[2]


def test_a_section_is_no_text() -> None:
    assert chunk_ids("d", [(["甲"], "乙")]) != chunk_ids("d", [([], "甲乙")]) != chunk_ids("d", [(["甲", "乙"], "")])


def test_a_repeat_is_named_by_its_left_neighbour() -> None:
    def repeat(neighbour: str) -> str:
        return chunk_ids("d", [([], "甲"), ([], neighbour), ([], "甲")])[2]

    assert repeat("乙") != repeat("丙")
    # What stands before the neighbour does not matter, nor how many repeats came before.
    assert chunk_ids("d", [([], "丁"), ([], "甲"), ([], "乙"), ([], "甲")])[3] == repeat("乙")
    assert chunk_ids("d", [([], "甲"), ([], "丙"), ([], "甲"), ([], "乙"), ([], "甲")])[4] == repeat("乙")


def test_case_ids_come_from_what_made_them() -> None:
    assert generated_case_id("main", "r", 1) == generated_case_id("main", "r", 1) != generated_case_id("main", "r", 2)
    assert feedback_case_id("main", "dify", "1") != feedback_case_id("main", "langfuse", "1")
    assert imported_case_id("main", "1", "甲") != imported_case_id("main", "1", "乙")
    assert re.fullmatch(r"m[0-9a-f]{12}", imported_case_id("main", "1", "甲"))
    assert re.fullmatch(r"g[0-9a-f]{12}", generated_case_id("main", "r", 0))
    assert re.fullmatch(r"f[0-9a-f]{12}", feedback_case_id("main", "s", "r"))
    assert re.fullmatch(r"m[0-9a-f]{12}", manual_case_id())
    assert re.fullmatch(r"[0-9a-f]{16}", reading_id("d", "s", "e", "h"))


def test_random_ids_differ() -> None:
    assert len({manual_case_id() for _ in range(100)} | {act_id() for _ in range(100)}) == 200
