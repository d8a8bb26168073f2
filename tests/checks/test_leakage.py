"""Check `leakage`: forty ordinary questions stay, copied ones are flagged, and each tells how easily it is found."""

import pytest

from builder.checks import CheckContext, leakage
from builder.checks.leakage import copied_runs, tokens
from builder.checks.others import Others
from builder.model.case import Case, CheckOutcome, CheckResult
from builder.model.chunk import Chunk
from builder.words import LANGUAGES, words
from tests.checks.world import case, chunk, context

PASSAGES = tuple(
    chunk(text, "manual.md", number)
    for number, text in enumerate(
        (
            "整机保修期为自签收之日起 24 个月，压缩机保修 10 年。"
            "人为损坏、自行拆机和使用非原厂配件造成的故障不在保修范围内。",
            "退款申请审核通过后，款项在 3 至 7 个工作日内原路退回。"
            "使用优惠券的订单，优惠券不予返还，已经过期的不补发。",
            "自签收之日起 7 日内，商品完好的可以申请无理由退货，退货运费由买家承担。"
            "生鲜、定制商品和已经激活的软件除外。",
            "市区报修后 48 小时内上门，乡镇 72 小时内上门。上门费每次 60 元，节假日加收 20 元；"
            "未带备件需要二次上门的，不再收费。",
            "滤芯建议每 6 个月更换一次，水质较硬的地区每 4 个月更换一次。更换后长按复位键 5 秒，指示灯由红变蓝。",
            "首次使用前请将水箱注满，按下冲洗键连续冲洗 3 次，倒掉冲洗的水。机器应当放在离墙 10 厘米以上的平整台面上。",
            "会员积分每消费 1 元累计 1 分，满 100 分可以抵 1 元，积分自获得之日起 12 个月有效，过期清零，不能转让。",
            "员工请病假超过 3 天的，应当提交医院证明，并在返岗后 2 个工作日内补交。病假期间工资按照 80% 发放。",
            "差旅住宿标准为一线城市每晚 500 元，其他城市每晚 350 元。超出部分由个人承担，部门总监批准的除外。",
            "电子发票在发货后 24 小时内发送到预留邮箱，抬头有误的，可以在 90 日内申请换开一次，纸质发票不再提供。",
        )
    )
)
ORDINARY = (
    *("整机保修期是多长时间？", "压缩机能保修几年？", "自己拆过机器还能保修吗？", "用了非原厂配件还保吗？"),
    *("退款几天能到账？", "退款会退到哪里去？", "退款后优惠券还给我吗？", "过期的优惠券能补发吗？"),
    *("签收几天内可以退货？", "无理由退货运费谁出？", "生鲜商品可以退货吗？", "激活过的软件能退吗？"),
    *("市区报修多久能上门？", "乡镇报修要等多长时间？", "师傅上门一次收多少钱？", "过节上门要加多少钱？"),
    *("师傅没带备件再来还收费吗？", "滤芯多长时间换一次？", "水质硬的地方滤芯多久换？", "换完滤芯怎么复位？"),
    *("复位以后灯是什么颜色？", "第一次用之前要做什么？", "新机器要冲洗几遍？", "机器离墙要留多少距离？"),
    *("花一块钱能攒多少积分？", "一百积分能抵多少钱？", "会员积分多久会过期？", "积分可以转给别人吗？"),
    *("病假几天以上要交证明？", "病假证明最晚什么时候补交？", "病假期间工资发多少？", "请病假扣多少工资？"),
    *("一线城市住宿标准是多少？", "二线城市每晚能报多少钱？", "住宿超标的钱谁来出？", "谁能批准住宿超标？"),
    *("电子发票什么时候发？", "发票抬头错了怎么办？", "发票换开的期限是几天？", "还能开纸质的发票吗？"),
)
OF = (*(0,) * 4, *(1,) * 4, *(2,) * 4, *(3,) * 5, *(4,) * 4, *(5,) * 3, *(6,) * 4, *(7,) * 4, *(8,) * 4, *(9,) * 4)
COPIED = (
    ("人为损坏、自行拆机和使用非原厂配件造成的故障在保修范围内吗？", 0),
    ("使用优惠券的订单，优惠券不予返还，已经过期的不补发，对吗？", 1),
    ("上门费每次 60 元，节假日加收 20 元，是这样吗？", 3),
    ("水质较硬的地区每 4 个月更换一次滤芯，更换后长按复位键几秒？", 4),
    ("員工請病假超過 3 天的，應當提交醫院證明，並在什麼時候補交？", 7),
)
ENGLISH = chunk(
    "Claims that are filed later than 30 days after the trip are not paid, except where the employee was ill."
)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> CheckContext:
    return context((*PASSAGES, ENGLISH), tmp_path_factory.mktemp("leakage"))


def _of(question: str, passage: Chunk, number: int = 1) -> Case:
    return case(question, "见正文。", (passage, passage.text), number=number)


def _verdict(one: Case, seen: CheckContext) -> CheckResult:
    found = leakage.check(one, seen)
    assert found is not None
    for language in LANGUAGES:
        assert not found.detail or words(language)(f"check.{found.detail}", **found.values)
    return found


def test_forty_ordinary_questions_are_kept(seen: CheckContext) -> None:
    cases = [_of(question, PASSAGES[at], n) for n, (question, at) in enumerate(zip(ORDINARY, OF, strict=True), 1)]
    assert len(cases) == 40
    assert all(8 <= len(one.question) <= 20 for one in cases)
    others = Others(cases)
    assert [one.question for one in cases if _verdict(one, seen).outcome is not CheckOutcome.PASS] == []
    assert [one.question for one in cases if others.like(one)] == []


@pytest.mark.parametrize(("question", "at"), COPIED)
def test_a_copied_one_is_flagged(question: str, at: int, seen: CheckContext) -> None:
    found = _verdict(_of(question, PASSAGES[at]), seen)
    assert (found.outcome, found.detail) == (CheckOutcome.WARN, "copied")
    assert int(found.values["run"]) >= 12


def test_english_is_measured_in_words(seen: CheckContext) -> None:
    copied = _of("Are claims that are filed later than 30 days after the trip not paid?", ENGLISH)
    asked = _of("Until when can I hand in a claim for a trip?", ENGLISH)
    assert _verdict(copied, seen).values["run"] == "11"
    assert _verdict(copied, seen).detail == "copied"
    assert _verdict(asked, seen).outcome is CheckOutcome.PASS


def test_a_passage_that_words_find_first_is_too_easy_and_no_fault(seen: CheckContext) -> None:
    easy = _verdict(_of("压缩机能保修几年？", PASSAGES[0]), seen)
    assert (easy.outcome, easy.detail, easy.values["rank"]) == (CheckOutcome.PASS, "too_easy", "1")
    hard = _verdict(_of("买来的东西坏了厂家管多久？", PASSAGES[0]), seen)
    assert (hard.outcome, hard.detail) == (CheckOutcome.PASS, "")
    assert hard.values["rank"] != "1"
    blind = leakage.check(_of("压缩机能保修几年？", PASSAGES[0]), CheckContext(chunks=seen.chunks))
    assert blind is not None and blind.values["rank"] == "-"


def test_a_case_without_a_passage_is_not_judged(seen: CheckContext) -> None:
    assert leakage.check(case("保修多久？"), seen) is None


def test_runs_are_the_longest_from_left_to_right() -> None:
    asked, held = tokens("GTE-3000 的保修期，是 24 个月吗？"), tokens("保修期是 24 个月；GTE 3000")
    assert copied_runs(asked, held) == (("gte", "3000"), ("保", "修", "期", "是", "24", "个", "月"))
    assert copied_runs(asked, held, least=3) == (("保", "修", "期", "是", "24", "个", "月"),)
    assert copied_runs((), held) == copied_runs(asked, ()) == ()
