"""Gates as JUnit XML: a suite a kind, a test case a gate; what was not measured is an error, never skipped."""

from collections.abc import Iterable
from xml.etree import ElementTree

from builder.model.gate import GateKind, GateOutcome, GateResult, Release
from builder.report.gate_lines import Layers, case_lines, reason, verdict
from builder.text.screen import inert
from builder.words import Words

_MARKS = {GateResult.FAIL: "failure", GateResult.NOT_MEASURED: "error"}


def junit(release: Release, layers: Layers, say: Words) -> str:
    """The whole file."""
    counts = _counts(release.outcomes, release.broken)
    del counts["skipped"]  # known of suites only
    root = ElementTree.Element("testsuites", {"name": _text(release.run), **counts})
    if release.broken:
        _broken(root, release, say)
    for kind in GateKind:
        outcomes = [outcome for outcome in release.outcomes if outcome.kind is kind]
        if outcomes:
            suite = ElementTree.SubElement(root, "testsuite", {"name": kind.value, **_counts(outcomes)})
            for outcome in outcomes:
                _case(suite, outcome, layers, say)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _counts(outcomes: Iterable[GateOutcome], broken: bool = False) -> dict[str, str]:
    found = [outcome.result for outcome in outcomes]
    failures, errors = found.count(GateResult.FAIL), found.count(GateResult.NOT_MEASURED) + broken
    return {"tests": str(len(found) + broken), "failures": str(failures), "errors": str(errors), "skipped": "0"}


def _broken(root: ElementTree.Element, release: Release, say: Words) -> None:
    suite = ElementTree.SubElement(root, "testsuite", {"name": "calls", **_counts((), broken=True)})
    case = ElementTree.SubElement(suite, "testcase", classname="calls", name="max_error_share")
    ElementTree.SubElement(case, "error", type="broken", message=_text(verdict(release, say)))


def _case(suite: ElementTree.Element, outcome: GateOutcome, layers: Layers, say: Words) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=f"gates.{outcome.kind.value}", name=_text(outcome.gate), time="0"
    )
    why = _text(reason(outcome, say))
    mark = _MARKS.get(outcome.result)
    if mark is None:
        ElementTree.SubElement(case, "system-out").text = why
        return
    found = ElementTree.SubElement(case, mark, type=outcome.result.value, message=why)
    lines = (" · ".join(part for part in parts if part) for parts in case_lines(outcome, layers, say))
    found.text = _text("\n".join([why, *lines]))


def _text(value: str) -> str:
    """What XML allows: no control characters."""
    return inert(value)
