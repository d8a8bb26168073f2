"""Pairs found by rules: well formed, standing alone, verbatim, with their exceptions; none rather than a silly one."""

import asyncio
import json
import re

import pytest

from builder.generate.prompt import numbered
from builder.generate.run import attempt_for
from builder.generate.writer import NumberedPassage, Request
from builder.generate.writers.extractive import ExtractiveWriter, candidates
from builder.model.case import CheckOutcome
from builder.model.chunk import ChunkKind
from tests.generate.make import call, chunk, passage, read

POLICY = "售后政策（2026 版） › 第四章 › "


def pairs(found: NumberedPassage) -> dict[str, str]:
    return {candidate.question: candidate.answer for candidate in candidates(found)}


@pytest.mark.parametrize(
    ("text", "heading", "question", "answer"),
    [
        ("备件保修 6 个月，自更换之日起计算。", "备件", "备件保修多少个月？", "备件保修 6 个月，自更换之日起计算。"),
        (
            "自签收之日起 7 日内，商品完好的，消费者可以申请退货。生鲜商品除外，一经签收不适用退货。",
            POLICY + "第四条 无理由退货",
            "自签收之日起多少日内，商品完好的，消费者可以申请退货？",
            "自签收之日起 7 日内，商品完好的，消费者可以申请退货。生鲜商品除外，一经签收不适用退货。",
        ),
        ("返程运费由消费者承担。", "退货运费", "返程运费由谁承担？", "返程运费由消费者承担。"),
        (
            "人工服务时间为每日 8:30 至 21:00。",
            "",
            "人工服务时间为每日几点至几点？",
            "人工服务时间为每日 8:30 至 21:00。",
        ),
        (
            "E02 出现时不得自行拆机。",
            "故障代码",
            "关于故障代码，E02 出现时可以自行拆机吗？",
            "E02 出现时不得自行拆机。",
        ),
        (
            "本政策自 2026 年 1 月 1 日起施行。",
            POLICY + "第二十九条 施行",
            "《售后政策（2026 版）》自什么时候起施行？",
            "本政策自 2026 年 1 月 1 日起施行。",
        ),
        (
            "取件失败两次的，需要重新预约。",
            "上门取件",
            "取件失败几次的，需要重新预约？",
            "取件失败两次的，需要重新预约。",
        ),
        (
            "3.2 休眠与节能\n30 分钟没有操作，机器进入休眠。",
            "说明书 › 3.2 休眠与节能",
            "多少分钟没有操作，机器进入休眠？",
            "30 分钟没有操作，机器进入休眠。",
        ),
        (
            "The probation period is 3 months for contracts of up to three years.",
            "Probation",
            "How long is the probation period?",
            "The probation period is 3 months for contracts of up to three years.",
        ),
        (
            "Claims must be filed in the staff portal within 30 days after the trip.",
            "Claims",
            "Within how many days must claims be filed in the staff portal after the trip?",
            "Claims must be filed in the staff portal within 30 days after the trip.",
        ),
        (
            "Employees may not accept gifts worth more than 200 yuan a year. Except for calendars, nothing is exempt.",
            "Gifts",
            "May employees accept gifts worth more than 200 yuan a year?",
            "Employees may not accept gifts worth more than 200 yuan a year. Except for calendars, nothing is exempt.",
        ),
        (
            "Every employee receives 16 hours of paid training a year.",
            "Training",
            "How many hours of paid training a year does every employee receive?",
            "Every employee receives 16 hours of paid training a year.",
        ),
        ("问：退款多久到账？\n答：3 至 7 个工作日。", "", "退款多久到账？", "3 至 7 个工作日。"),
        ("Q: Is the warranty transferable?\nA: Yes, once.", "", "Is the warranty transferable?", "Yes, once."),
        (
            "Reply time: 2 working days\nGoverning law: Singapore",
            "Warranty Terms › Key facts",
            "In “Warranty Terms”, what is the “Governing law”?",
            "Singapore",
        ),
        ("保修期限：24 个月\n服务热线：400-000-0126", "产品卡", "《产品卡》中，保修期限是多少？", "24 个月"),
    ],
)
def test_good_pairs(text: str, heading: str, question: str, answer: str) -> None:
    assert pairs(passage(text, heading)).get(question) == answer


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("该期限为 24 个月。", ""),  # which one?
        ("上述费用为 30 元。", ""),
        ("具体期限见附表 2，为 24 个月。", ""),
        ("按照第八条换货的，期限为 15 日。", ""),
        ("但延误超过 3 天的，补偿 20 元。", ""),
        ("生鲜商品除外，一经签收不适用七天无理由退货。", "退货"),
        ("（一）签收后 30 日内发现的；", "不予保修的情形"),
        ("人员全天 24 小时值守。", ""),
        ("序列号第 3 至 6 位为年份。", ""),
        ("2024 版售后政策停止适用。", ""),
        ("本政策自 2026 年 1 月 1 日起施行。", ""),  # no title to put for 本政策
        ("It must be filed within 30 days.", ""),
        ("This document is 3 pages long.", ""),
        ("After that, sick pay is 60 % of base salary.", ""),
        ("The fee above is 30 yuan.", ""),
        ("Costs that cannot be refunded under section 5 are 30 yuan.", ""),
        ("Chapter 3", ""),
        ("", ""),
        ("24 个月", "保修"),
    ],
)
def test_nothing_rather_than_a_silly_question(text: str, heading: str) -> None:
    assert pairs(passage(text or " ", heading)) == {}


def test_neighbouring_clauses_keep_their_own_values() -> None:
    found = pairs(passage("备件保修 6 个月。有偿维修保修 3 个月。", "备件与有偿维修的保修"))
    assert found["备件保修多少个月？"] == "备件保修 6 个月。"
    assert found["有偿维修保修多少个月？"] == "有偿维修保修 3 个月。"


TABLE = (
    "产品：净饮机；型号：GTE-3000Pro；整机保修（月）：24；上门费（元）：60；备注：自出厂之日起\n"
    "产品：净饮机；型号：GTE-3000；整机保修（月）：18；上门费（元）：无；备注：同上"
)


def test_table_cells_chinese() -> None:
    assert pairs(passage(TABLE, "附表 保修期限", ChunkKind.TABLE)) == {
        "净饮机 GTE-3000Pro 的整机保修是多少个月？": "24",
        "净饮机 GTE-3000Pro 的上门费是多少元？": "60",
        "净饮机 GTE-3000 的整机保修是多少个月？": "18",
    }


def test_table_cells_by_code_and_by_model_columns() -> None:
    codes = (
        "代码：E01；含义 Meaning：进水压力低 Low pressure；处理 Action：检查进水阀\n"
        "代码：E02；含义 Meaning：漏水 Leak；处理 Action：见 4.1"
    )
    assert pairs(passage(codes, "故障代码", ChunkKind.TABLE)) == {
        "代码 E01 的含义是什么？": "进水压力低 Low pressure",
        "代码 E01 怎么处理？": "检查进水阀",
        "代码 E02 的含义是什么？": "漏水 Leak",
    }
    models = "项目：额定功率；GTE-3000：2100 W；GTE-3000Pro：3000 W\n项目：净重；GTE-3000：9.5 kg；GTE-3000Pro：16.8 kg"
    assert pairs(passage(models, "技术参数", ChunkKind.TABLE))["技术参数中，GTE-3000Pro 的额定功率是多少？"] == "3000 W"


def test_table_cells_english() -> None:
    text = "Grade: G1 to G4; Notice: 30 days; Garden leave: none\n"
    text += "Grade: G5 and G6; Notice: 60 days; Garden leave: up to 30 days"
    found = pairs(passage(text, "Notice periods", ChunkKind.TABLE))
    assert found["Notice periods: what is the notice where grade is “G1 to G4”?"] == "30 days"
    assert len(found) == 3


def test_rows_that_their_label_does_not_tell_apart_are_not_asked_about() -> None:
    text = "产品：冰箱；保修：12\n产品：冰箱；保修：24"
    assert pairs(passage(text, "", ChunkKind.TABLE)) == {}


SOURCES = [
    "备件保修 6 个月，自更换之日起计算。有偿维修保修 3 个月，期间出现同一故障的免费维修。",
    "自签收之日起 7 日内，商品完好的，消费者可以申请退货。生鲜商品除外。\n返程运费由消费者承担，大件商品"
    "\n另收拆机费每台 80 元。",
    "Claims must be filed within 30 days after\nthe trip. Every employee receives 16 hours of paid training a year.",
    "问：退款多久到账？\n答：3 至 7 个工作日。\n问：可以退差价吗？\n答：可以，秒杀商品除外。",
]


@pytest.mark.parametrize("text", [*SOURCES, TABLE])
def test_answers_and_evidence_are_verbatim(text: str) -> None:
    source = chunk(text, kind=ChunkKind.TABLE if text == TABLE else ChunkKind.TEXT)
    one = call([source], asked=4)
    writer = ExtractiveWriter()
    reply = asyncio.run(writer.write(one.request))
    assert reply == asyncio.run(writer.write(one.request))
    born = read(one, attempt_for(one, writer, dataset="main"), reply)
    assert len(born.cases) >= 2 and not born.drops
    for case in born.cases:
        assert bare(case.ground_truth) in bare(text) and case.question.endswith(("？", "?"))
        (evidence,) = case.evidence
        assert evidence.quote in text and bare(case.ground_truth) in bare(evidence.quote)
        verdicts = {result.name: result.outcome for result in case.checks}
        assert {verdicts[name] for name in ("quote", "facts", "language", "question")} == {CheckOutcome.PASS}


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_as_many_as_asked_for_each_passage_in_turn_and_no_question_twice() -> None:
    passages = numbered([chunk(SOURCES[0]), chunk(SOURCES[1], ordinal=1)])
    reply = asyncio.run(ExtractiveWriter().write(Request(messages=(), passages=passages, asked=3)))
    items = json.loads(reply.text)["items"]
    assert [item["source_index"] for item in items] == [1, 2, 1]
    earlier = tuple(item["question"] for item in items)
    again = asyncio.run(ExtractiveWriter().write(Request(messages=(), passages=passages, asked=3, earlier=earlier)))
    assert not set(earlier) & {item["question"] for item in json.loads(again.text)["items"]}
