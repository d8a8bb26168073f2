"""What is taken out, what stays, and that it holds up."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.redact import KINDS, published, redact, redact_record

PHONES = [
    "13800138000",
    "138-0013-8000",
    "138 0013 8000",
    "1380 0138 000",
    "+8613800138000",
    "+86 138-0013-8000",
    "(+86)13800138000",
    "0086-13800138000",
    "8613800138000",
    "１３９００１３９０００",
    "＋８６ １３９ ００１３ ９０００",
    "010-65521234",
    "010 6552 1234",
    "(010)65521234",
    "（０１０）６５５２１２３４",
    "01065521234",
    "0571-88888888",
    "0755-8888-8888",
    "0311-8765432",
    "010-65521234转801",
    "010-65521234-801",
    "+86 10 6552 1234",
    "+1 (415) 555-2671",
    "+44 20 7946 0958",
    "+85291234567",
]
EMAILS = ["li_si@qq.com", "li.si+test@mail.example.com.cn", "13800138000@163.com", "a@b.co", "ＬＩ＠ＱＱ．ＣＯＭ"]
IDS = ["11010519491231002X", "11010519491231002x", "110105 19491231 002X", "１１０１０５１９４９１２３１００２Ｘ"]
CARDS = [
    "6222021234567890128",
    "6222 0212 3456 7890 128",
    "4111111111111111",
    "4111-1111-1111-1111",
    "378282246310005",
    "3782 822463 10005",
    "5555 5555 5555 4444",
]
FRAMES = ["{}", "请联系{}谢谢", "电话：{}，尽快", "({})", "call {} now", "tel:{}", "{}\n{}", "「{}」"]

SPARED = [
    "订单号 202601051380013",
    "订单号：13800138000",
    "运单号是13800138000",
    "order no. 4111111111111111",
    "6901234567892",
    "9787111213826",
    "8690526123456",
    "110105194912310021",
    "6222021234567890127",
    "ISO 9001-2015, GB/T 19001-2016, IEC 60335-2-15",
    "2026-01-05 13:00:00",
    "20260105130000",
    "1767607200123",
    "¥13800138000",
    "13800138000.00",
    "13800138000元",
    "1,380,013,800",
    "GTE-3000Pro",
    "DD13800138000",
    "13800138000A",
    "138001380001",
    "400-820-8820",
    "95588",
    "550e8400-e29b-41d4-a716-446655440000",
    "356938035643809",
    "icon@2x.png",
    "@someone",
    "a@b",
    "192.168.100.100",
    "保修 24 个月，退货 7 天，满 1000 元减 100 元",
]


@pytest.mark.parametrize(
    ("name", "mark", "values"),
    [("phone", "[PHONE]", PHONES), ("email", "[EMAIL]", EMAILS), ("id", "[ID]", IDS), ("card", "[CARD]", CARDS)],
)
def test_takes_out(name: str, mark: str, values: list[str]) -> None:
    for value in values:
        for frame in FRAMES:
            redacted = redact(frame.replace("{}", value))
            assert redacted.text == frame.replace("{}", mark), value
            assert redacted.counts == {name: frame.count("{}")}


@pytest.mark.parametrize("text", SPARED)
def test_spares(text: str) -> None:
    assert redact(text).text == text
    assert redact(f"关于{text}的问题").text == f"关于{text}的问题"


def test_several_kinds_in_one_text_keep_all_else() -> None:
    text = "我叫李四，１３９００１３９０００，邮箱li@qq.com，身份证11010519491231002X，卡6222021234567890128，订单69。"
    redacted = redact(text)
    assert redacted.text == "我叫李四，[PHONE]，邮箱[EMAIL]，身份证[ID]，卡[CARD]，订单69。"
    assert redacted.counts == {"phone": 1, "email": 1, "id": 1, "card": 1}


def test_a_value_hidden_by_its_neighbour_is_found_too() -> None:
    assert redact("a@b.cc13800138000").text == "[EMAIL][PHONE]"
    assert redact("13800138000-13800138001/010-65521234").text == "[PHONE]-[PHONE]/[PHONE]"


def test_walks_records_and_keeps_what_is_clean() -> None:
    value = {
        "question": "我的手机13800138000",
        "tags": ["a", "li@qq.com"],
        "nested": ({"user": 13800138000, "ok": True, "score": 0.5, "none": None},),
        "time": 1767607200,
    }
    redacted = redact_record(value)
    assert redacted.value == {
        "question": "我的手机[PHONE]",
        "tags": ["a", "[EMAIL]"],
        "nested": ({"user": "[PHONE]", "ok": True, "score": 0.5, "none": None},),
        "time": 1767607200,
    }
    assert redacted.counts == {"phone": 2, "email": 1}


SEEDS = st.sampled_from(
    [*PHONES, *EMAILS, *IDS, *CARDS, *SPARED, *"0123456789-+() .@xX元¥a转", "tel", "订单号", "+86", "[PHONE]"]
)


@given(st.one_of(st.text(), st.lists(SEEDS, max_size=12).map("".join)))
def test_twice_is_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text
    assert redact(once.text).counts == {}
    assert (once.text == text) == (not once.counts)


@given(st.lists(st.sampled_from([*EMAILS, *IDS, *CARDS, *PHONES]), min_size=1, max_size=6))
def test_nothing_is_missed_in_a_list(values: list[str]) -> None:
    assert sum(redact("；".join(values)).counts.values()) == len(values)


def test_no_placeholder_is_personal_data() -> None:
    for kind in KINDS:
        assert redact(kind.placeholder).text == kind.placeholder


@pytest.mark.parametrize(
    "unit",
    ["1", "1-", "a@", "a", "+1", "+2 ", "(0", "a.", "@a.b", "138 ", "+86 ", "1 ", "-", "订单号1", "x@a.", "0105 ",
     "13800138000 ", "a@b.cc13800138000", "tel1380013800", "110105194912310"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        start = time.process_time()
        redact(text)
        return time.process_time() - start

    small, large = min(seconds(20_000) for _ in range(3)), min(seconds(100_000) for _ in range(2))
    assert large < 1.0
    assert large < 15 * small + 0.02  # five times the text; quadratic time would be 25 times


def test_what_the_documents_publish_is_spared() -> None:
    spare = published("投诉请写信至 help@yunlan.example，或致电 139 0013 8000。")
    said = redact("写信至 help@yunlan.example 或 me@yunlan.example", spare)
    assert (said.text, said.counts) == ("写信至 help@yunlan.example 或 [EMAIL]", {"email": 1})
    assert redact(said.text, spare).text == said.text
    assert published("自签收之日起 7 日内") == frozenset()
