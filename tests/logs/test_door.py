"""Logs as they come: formats, encodings, field names, ratings, and nothing personal in the records."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import InputError, UsageError
from builder.logs.door import read_log
from builder.logs.fields import look_up
from builder.logs.ratings import plain, read_rating, scale
from builder.model.case import Turn


def jsonl(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def table(path: Path, rows: list[list[str]], encoding: str = "utf-8", delimiter: str = ",") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def test_jsonl_with_usual_names(tmp_path: Path) -> None:
    row = {
        "id": "r1",
        "created_at": "2026-03-01",
        "user_input": "保修多久？",
        "response": "三个月",
        "retrieved_contexts": ["备件保修 6 个月", {"page_content": "有偿维修保修 3 个月"}],
        "rating": "thumbs_down",
        "reason": "不对",
        "user_id": 7,
        "url": "https://example.com/r1",
        "model": "m",
    }
    log = read_log(jsonl(tmp_path / "log.jsonl", [row]))
    record = log.records[0]
    assert (record.record_id, record.system, record.time) == ("r1", "log", "2026-03-01")
    assert (record.question, record.answer, record.comment, record.user) == ("保修多久？", "三个月", "不对", "7")
    assert record.contexts == ("备件保修 6 个月", "有偿维修保修 3 个月")
    assert (record.rating, record.link) == ("down", "https://example.com/r1")
    assert log.taken["question"] == "user_input"
    assert log.taken["contexts"] == "retrieved_contexts"
    assert (log.format, log.ignored, log.problems) == ("jsonl", ("model",), ())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_csv_with_chinese_headers_in_any_usual_encoding(tmp_path: Path, encoding: str) -> None:
    path = table(
        tmp_path / "投诉.csv",
        [
            ["编号", "问题", "回答", "评价", "留言"],
            ["1", "退货几天？\n急", "七天", "踩", "说是十五天"],
            ["2", "你好", "您好", "赞", ""],
        ],
        encoding,
    )
    log = read_log(path)
    assert [record.question for record in log.records] == ["退货几天？\n急", "你好"]
    assert [record.rating for record in log.records] == ["down", "up"]
    assert log.records[0].comment == "说是十五天"
    assert (log.format, log.file) == ("csv", "投诉.csv")


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
def test_csv_with_other_separators(tmp_path: Path, delimiter: str) -> None:
    log = read_log(table(tmp_path / "x.csv", [["question", "answer"], ["a, b; c", "d"]], delimiter=delimiter))
    assert (log.records[0].question, log.records[0].answer) == ("a, b; c", "d")


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_json_arrays_and_envelopes(tmp_path: Path, name: str) -> None:
    rows = [{"query": "a", "rating": -1}, {"query": "b", "rating": 1}]
    (tmp_path / name).write_text(json.dumps(rows, indent=1))
    assert [record.rating for record in read_log(tmp_path / name).records] == ["down", "up"]
    (tmp_path / name).write_text(json.dumps({"info": {"total": 2}, "data": rows}, indent=1))
    assert [record.question for record in read_log(tmp_path / name).records] == ["a", "b"]


def test_map_wins_and_reaches_inwards(tmp_path: Path) -> None:
    row = {
        "question": "wrong",
        "trace": {"input": {"text": "right"}, "spans": [{"out": "answer"}]},
        "attributes": {"input.value": "dotted"},
        "ok": False,
    }
    path = jsonl(tmp_path / "x.jsonl", [row])
    mapped = read_log(path, field_map={"question": "trace.input.text", "answer": "trace.spans.0.out", "rating": "ok"})
    record = mapped.records[0]
    assert (record.question, record.answer, record.rating) == ("right", "answer", "down")
    assert mapped.taken["question"] == "trace.input.text"
    assert mapped.ignored == ("question", "attributes")
    assert read_log(path, field_map={"question": "attributes.input.value"}).records[0].question == "dotted"


def test_conversations(tmp_path: Path) -> None:
    said = [{"role": role, "content": text} for role, text in [("system", "s"), ("user", "a"), ("assistant", "b")]]
    now = [{"role": "user", "content": "c"}, {"role": "assistant", "content": "d"}]
    rows: list[Mapping[str, Any]] = [
        {"id": 1, "question": "c", "answer": "d", "history": said},
        {"id": 2, "question": "c", "answer": "d", "history": said + now},
        {"id": 3, "messages": said + now},
        {"id": 4, "input": {"messages": [*said, now[0]]}, "output": "d"},
        {"id": 5, "question": "c", "answer": "d", "history": json.dumps(said)},
    ]
    earlier = (Turn(role="user", text="a"), Turn(role="assistant", text="b"))
    for record in read_log(jsonl(tmp_path / "x.jsonl", rows)).records:
        assert (record.question, record.answer, record.conversation) == ("c", "d", earlier), record.record_id


def test_everything_is_redacted(tmp_path: Path) -> None:
    secret = "13800138000"
    row = {
        "id": secret,
        "question": f"我的电话{secret}",
        "answer": f"已拨打{secret}",
        "comment": "li@qq.com",
        "contexts": [f"电话{secret}"],
        "history": [{"role": "user", "content": f"我是{secret}"}],
        "user": int(secret),
        "rating": secret,
        "ignored": secret,
    }
    log = read_log(jsonl(tmp_path / "x.jsonl", [row]))
    assert secret not in repr(log)
    assert "li@qq.com" not in repr(log)
    assert log.redacted == {"phone": 5, "email": 1}
    again = read_log(jsonl(tmp_path / "y.jsonl", [row]))
    assert again.records[0].record_id == log.records[0].record_id != "[PHONE]"


def test_rows_that_cannot_be_read_are_named_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    deep = "[" * 200 + "]" * 200
    lines = ['{"question": "a"}', "{broken", "", "[1]", '{"question": "b", "rating": "meh"}', f'{{"x": {deep}}}']
    path.write_text("\n".join(lines))
    log = read_log(path)
    assert [record.question for record in log.records] == ["a", "b"]
    assert [(problem.row, problem.code) for problem in log.problems] == [
        (2, "bad_json"),
        (4, "not_object"),
        (5, "unknown_rating"),
        (6, "too_deep"),
    ]


def test_csv_rows_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('question,answer\na,b\nc,d,e\n\n"f"g,h\ni,j\n"open,k\nl,m\n')
    log = read_log(path)
    assert [record.question for record in log.records] == ["a", "i"]
    assert [(problem.row, problem.code) for problem in log.problems] == [
        (3, "too_many_cells"),
        (5, "bad_csv"),
        (7, "bad_csv"),
    ]


def test_long_cells_are_read_and_the_limit_of_csv_is_put_back(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    log = read_log(table(tmp_path / "x.csv", [["question", "contexts"], ["a", "x" * 200_000]]))
    assert len(log.records[0].contexts[0]) == 200_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("name", "data", "key"),
    [
        ("x.csv", b"", "import_empty"),
        ("x.csv", b" \n\n", "import_empty"),
        ("x.csv", b"foo,bar\n1,2\n", "import_no_question"),
        ("x.jsonl", b'{"foo": 1}\n', "import_no_question"),
        ("x.jsonl", b"{broken\n", "import_no_rows"),
        ("x.json", b'{"a": \n', "import_no_rows"),
        ("x.xlsx", b"PK\x03\x04\x00\x00", "import_binary"),
        ("x.txt", b"hello there\n", "import_unknown"),
        ("x.csv", b"\xef\xbb\xbfquestion\n\xff\xff\n", "import_encoding"),
    ],
)
def test_bad_files_get_one_line(tmp_path: Path, name: str, data: bytes, key: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_log(tmp_path / name)
    assert caught.value.key == key
    assert name in str(caught.value)


def test_the_columns_seen_are_named(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", [{"foo": 1, "bar": 2}])
    with pytest.raises(InputError, match="foo, bar"):
        read_log(path)
    with pytest.raises(InputError, match=r"no column baz.*foo, bar"):
        read_log(path, field_map={"question": "baz"})
    with pytest.raises(UsageError, match="qestion"):
        read_log(path, field_map={"qestion": "foo"})
    with pytest.raises(UsageError, match="xml"):
        read_log(path, "xml")
    with pytest.raises(InputError, match="cannot be read"):
        read_log(tmp_path / "none.jsonl")


DOWN = ["down", "thumbs_down", "thumbsDown", "THUMBS-DOWN", "dislike", "negative", -1, 0, "-1", "0", 0.0, "−1", False,
        "false", "bad", "踩", "点踩", "差评", "👎", "👎🏽", {"rating": "dislike"}, {"score": 0}]  # fmt: skip
UP = ["up", "thumbs_up", "like", "positive", 1, "1", 1.0, True, "true", "good", "赞", "点赞", "好评", "👍"]
NONE: list[Any] = [None, "", "--", "none", "无", "未评价", {}]
UNKNOWN = ["meh", 0.5, -2, "4/5", "http://x"]


def test_ratings_in_words_and_signs() -> None:
    assert {read_rating(plain(value), 1) for value in DOWN} == {"down"}
    assert {read_rating(plain(value), 1) for value in UP} == {"up"}
    assert {read_rating(plain(value), 1) for value in NONE} == {None}
    for value in UNKNOWN:
        with pytest.raises(ValueError):
            read_rating(plain(value), 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1], ["down", "up"]),
        ([-1, 1], ["down", "up"]),
        ([1, 2, 3, 4, 5], ["down", "down", None, "up", "up"]),
        (["1", "5", "down"], ["down", "up", "down"]),
        ([1, 1], ["up", "up"]),
        ([10, 3, "up"], [None, None, "up"]),
    ],
)
def test_numbers_are_read_file_by_file(tmp_path: Path, values: list[Any], expected: list[str | None]) -> None:
    rows = [{"question": str(number), "rating": value} for number, value in enumerate(values)]
    log = read_log(jsonl(tmp_path / "x.jsonl", rows))
    assert [record.rating for record in log.records] == expected
    assert len(log.problems) == (2 if 10 in values else 0)


@given(st.lists(st.one_of(st.integers(-9, 9), st.floats(-9, 9), st.text(max_size=5), st.none(), st.booleans())))
def test_no_rating_crashes(values: list[Any]) -> None:
    words = [plain(value) for value in values]
    for word in words:
        try:
            assert read_rating(word, scale(words)) in ("down", "up", None)
        except ValueError as error:
            assert str(error)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
COLUMNS = ["question", "answer", "contexts", "rating", "comment", "id", "time", "user", "history", "link"]


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(COLUMNS, json_values)), min_size=1, max_size=4))
def test_any_json_is_read_without_a_crash(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> None:
    path = jsonl(tmp_path_factory.mktemp("any") / "x.jsonl", [{"question": None, **row} for row in rows])
    log = read_log(path)
    assert len(log.records) == len(rows)


def test_look_up_prefers_the_longest_name() -> None:
    assert look_up({"a.b": 1, "a": {"b": 2}}, "a.b") == 1
    assert look_up({"a": {"b": [3, {"c": 4}]}}, "a.b.1.c") == 4
    assert look_up({"a": [1]}, "a.7") is None
    assert look_up({"a": 1}, "a.b") is None
