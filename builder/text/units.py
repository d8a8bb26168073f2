"""Units as they are written in Chinese and English, and their one canonical name."""

import re
from functools import cache

_SAME = {
    "year": "年 个年头 周年 year years yr yrs",
    "quarter": "季度 个季度 quarter quarters",
    "month": "月 个月 个整月 个自然月 month months mo mos",
    "week": "周 个周 星期 个星期 礼拜 个礼拜 week weeks",
    "day": "天 日 个自然日 自然日 个日历日 日历日 日历天 天整 day days",
    "workday": "工作日 个工作日 个连续工作日 个工作天 工作天 workday workdays business_day business_days "
    "working_day working_days work_day work_days",
    "hour": "小时 个小时 钟头 个钟头 h hr hrs hour hours",
    "minute": "分钟 min mins minute minutes",
    "second": "秒 秒钟 s sec secs second seconds",
    "ms": "毫秒 ms millisecond milliseconds",
    "CNY": "元 元人民币 圆 块钱 人民币元 RMB CNY yuan",
    "USD": "美元 美金 USD dollar dollars",
    "EUR": "欧元 EUR euro euros",
    "GBP": "英镑 GBP pound pounds",
    "HKD": "港元 港币 HKD",
    "JPY": "日元 JPY yen",
    "%": "% percent per_cent",
    "pp": "个百分点 百分点",
    "kg": "kg KG Kg 公斤 千克 kilogram kilograms",
    "g": "g 克 gram grams",
    "mg": "mg 毫克",
    "t": "t 吨 tonne tonnes",
    "mm": "mm MM 毫米 ㎜",
    "cm": "cm CM 厘米 公分 ㎝",
    "m": "m 米 metre metres meter meters",
    "km": "km KM 公里 千米 ㎞ kilometre kilometres kilometer kilometers",
    "um": "μm µm um 微米",
    "inch": "英寸 inch inches",
    "m2": "㎡ m² m2 平方米 平米 square_metres square_meters",
    "mm2": "mm² mm2 平方毫米",
    "cm2": "cm² cm2 平方厘米",
    "km2": "km² km2 平方公里 平方千米",
    "cm3": "cm³ cm3 立方厘米",
    "m3": "m³ m3 ㎥ 立方米",
    "L": "L l 升 litre litres liter liters",
    "mL": "mL ml ML 毫升",
    "W": "W 瓦 瓦特 watt watts",
    "kW": "kW KW kw Kw 千瓦",
    "kWh": "kWh KWH kwh KWh 千瓦时 度电",
    "V": "V 伏 伏特 volt volts",
    "A": "A 安培 ampere amperes amps",
    "mA": "mA 毫安",
    "mAh": "mAh 毫安时",
    "Ah": "Ah 安时",
    "Hz": "Hz HZ hz 赫兹",
    "kHz": "kHz KHz khz 千赫",
    "MHz": "MHz 兆赫",
    "GHz": "GHz",
    "ohm": "Ω 欧姆 ohm ohms",
    "Pa": "Pa 帕",
    "kPa": "kPa KPa 千帕",
    "MPa": "MPa 兆帕",
    "bar": "bar",
    "dB": "dB 分贝 dB(A)",
    "℃": "℃ °C 摄氏度",
    "℉": "℉ °F 华氏度",
    "°": "° 度",
    "rpm": "rpm r/min 转/分 转/分钟",
    "km/h": "km/h 公里/小时 千米/小时",
    "KB": "KB kB",
    "MB": "MB",
    "GB": "GB",
    "TB": "TB",
    "Mbps": "Mbps Mb/s",
    "dpi": "dpi",
    "px": "px 像素 pixel pixels",
    "次": "次 time times",
    "人": "人 person persons people",
    "件": "件 piece pieces",
    "份": "份 copy copies",
}
TIME_UNITS = frozenset({"year", "quarter", "month", "week", "day", "workday", "hour", "minute", "second"})
"""Units of duration: halves are said of them (一年半), and they are never negative."""

# Counters that stand for themselves.
_COUNTERS = (
    "个名位台套项种类家张只条本页篇笔单级层楼栋号岁倍折成分点杯瓶箱盒袋包片颗粒块根支把辆艘架棵股轮期批届班"
    "组队户行列字词句步遍趟顿斤亩桶卷幅款座间门节场章版时"
)
# No unit where one of these follows: 三年级, 十一期间, 三天然气.
_NOT_BEFORE = {
    "年": "级代",
    "天": "然",
    "分": "之",
    "个": "别",
    "期": "间限",
    "次": "性",
    "成": "为员立功本果分",
    "条": "件例",
    "单": "位独",
    "行": "为业",
    "节": "假",
    "度": "假",
    "级": "别",
    "GB": "/",
}
# What may stand between an English number and its unit: three consecutive working days.
_BETWEEN = (
    r"(?:(?i:calendar|consecutive|full|whole|completed?|further|additional|extra|more|unused|paid)"
    r"[\s-]{1,3}){0,2}"
)


def unit_at(text: str, at: int) -> tuple[str, int] | None:
    """The canonical unit that follows a number ending at `at`, and the offset behind it; None where none does."""
    match = _pattern().match(text, at)
    if match is None:
        return None
    return _name(match.group(1)), match.end()


def is_measure(unit: str) -> bool:
    """False for a bare counter such as 个 or 项, which 一 stands before without counting (一个 = a)."""
    return unit in _SAME


def _name(written: str) -> str:
    key = re.sub(r"[\s-]+", "_", written) if written.isascii() else re.sub(r"\s", "", written)
    names = _names()
    return names.get(key) or names.get(key.lower()) or key


@cache
def _names() -> dict[str, str]:
    return {form: name for name, forms in _SAME.items() for form in forms.split()}


@cache
def _pattern() -> re.Pattern[str]:
    forms = sorted([*_names(), *_COUNTERS], key=len, reverse=True)
    return re.compile(rf"(?:\s{{0,3}}|-){_BETWEEN}(" + "|".join(map(_form, forms)) + ")")


def _form(form: str) -> str:
    after = _NOT_BEFORE.get(form) or _NOT_BEFORE.get(form[-1])
    guard = f"(?![{after}])" if after else ""
    if not form.isascii():
        # A layout may break the line within a Chinese unit.
        return r"\s?".join(map(re.escape, form)) + guard
    pattern = re.escape(form).replace("_", r"[\s-]{1,3}")
    if len(form) > 2:
        return (f"(?i:{pattern})" if form.islower() else pattern) + r"(?![A-Za-z0-9])"
    return rf"(?<!\n){pattern}{guard}(?![A-Za-z0-9²³]|['’-][A-Za-z])"
