"""data/docs through the whole house: every character accounted for, the scan read, the demo as a user sees it."""

import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein
from typer.testing import CliRunner

from builder.app.coverage import DocumentCoverage, coverage
from builder.app.ingest import ingest
from builder.app.workspace import init
from builder.cli.main import app
from builder.ingest.ocr.engine import available_engines
from builder.model.chunk_index import ChunkIndex
from builder.progress import Silent
from builder.settings import OcrSettings, Workspace
from builder.store import open_store
from tests.folder import ROOT

SCAN = "春节服务通知-扫描件.pdf"


def _ingest(folder: Path, engine: str) -> Workspace:
    workspace, _ = init(folder, sample=True)
    ingest(workspace, [workspace.root / "docs"], Silent(), ocr=OcrSettings(engine=engine))
    return workspace


@pytest.fixture(scope="module", params=["tesseract", "rapidocr"])
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The sample documents, read with one engine."""
    if request.param not in available_engines(OcrSettings().languages):
        pytest.skip(f"{request.param} is not installed")
    yield _ingest(tmp_path_factory.mktemp("samples"), request.param)


def rows(workspace: Workspace) -> tuple[DocumentCoverage, ...]:
    return coverage(workspace)


def test_accounting_closes_on_every_page_and_nothing_is_lost(read: Workspace) -> None:
    found = rows(read)
    assert len(found) == 10
    for document in found:
        assert document.problem is None, document.doc_id
        for page in document.pages:
            digital = page.kept + page.boilerplate + page.replaced_by_ocr + page.discarded + page.lost
            assert page.extractable == digital, (document.doc_id, page.number)
            assert page.ocr_extracted == page.ocr_kept + page.ocr_boilerplate + page.ocr_lost
            assert (page.lost, page.ocr_lost, page.discarded) == (0, 0, 0), (document.doc_id, page.number)


def test_the_scan_is_read(read: Workspace) -> None:
    truth = (read.root / "docs" / f"{SCAN}.truth.txt").read_text(encoding="utf-8")
    with open_store(read.store_url) as store:
        text = "".join(chunk.text for chunk in store.documents.chunks([SCAN]))
    wanted, found = _bare(truth), _bare(text)
    assert Levenshtein.distance(wanted, found) / len(wanted) <= 0.02
    assert re.search(r"[\u4e00-\u9fff，。] +[\u4e00-\u9fff，。]", text) is None, "no spaces between Chinese characters"


def test_the_facts_that_must_stay_together(read: Workspace) -> None:
    with open_store(read.store_url) as store:
        chunks = [chunk for chunk in store.documents.chunks() if chunk.doc_id == "售后政策-2026.pdf"]
    rule = next(chunk for chunk in chunks if "七天无理由退货" in chunk.text and "自签收之日起" in chunk.text)
    assert "生鲜商品和定制商品除外" in rule.text, "an exception stays with its rule"
    both = next(chunk for chunk in chunks if "备件保修 6 个月" in chunk.text)
    assert "有偿维修保修 3 个月" in both.text
    table = [chunk for chunk in chunks if chunk.kind == "table"]
    assert sum(chunk.text.count("型号：") for chunk in table) == 21, (
        "one row each, over two pages, the header never a row"
    )
    lines = [line for chunk in table for line in chunk.text.splitlines()]
    assert [line for line in lines if "；" in line and not line.startswith("产品：")] == [], "each row readable alone"


def test_pages_lie_where_they_should(read: Workspace) -> None:
    origins = {document.doc_id: document.origins for document in rows(read)}
    assert origins[SCAN] == {"ocr": 1}
    assert all(found.keys() == {"text"} for doc_id, found in origins.items() if doc_id != SCAN)


def test_access_and_validity_come_with_the_chunks(read: Workspace) -> None:
    with open_store(read.store_url) as store:
        by_document = {chunk.doc_id: chunk.metadata for chunk in store.documents.chunks()}
    assert by_document["pay-policy-2026.pdf"].roles == ("hr", "finance")
    assert by_document["tenants/beichen/售后政策-2026.pdf"].tenant == "beichen"
    assert str(by_document["售后政策-2024.pdf"].valid_to) == "2025-12-31"


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(str.maketrans("“”‘’", "\"\"''"))
    return "".join(folded.split())


def test_the_demo_as_a_user_sees_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, ["demo", "try", "--lang", "zh"], env={"OPENAI_API_KEY": ""})
    assert found.exit_code == 0, found.output
    lines = found.stdout.rstrip().splitlines()
    assert Path(lines[-1]) == (tmp_path / "try").resolve(), "the path of the workspace is the last line"
    for doc_id in ("employee-handbook.pdf", "售后政策-2026.pdf", SCAN):
        assert doc_id in found.stdout
    assert found.stdout.count("demo-script") == 1
    for number in (1, 2, 3):
        assert f"示例 {number}" in found.stdout
    assert "sample-bm25" in found.stdout, "the floor is measured"
    monkeypatch.chdir(tmp_path / "try")
    assert CliRunner().invoke(app, ["snapshot", "verify", "sample", "--deep"]).exit_code == 0
    assert CliRunner().invoke(app, ["generate", "--writer", "extractive"]).stdout.strip() != ""


def test_every_extractive_case_is_exact(tmp_path: Path) -> None:
    workspace = _ingest(tmp_path, available_engines(OcrSettings().languages)[-1])
    from builder.app.generate import Asked, generate

    report = generate(workspace, Asked(per_chunk=2, writer="extractive", cases=500), Silent())
    assert report.kept >= 150
    with open_store(workspace.store_url) as store:
        cases = store.cases.list("main")
        index = ChunkIndex(store.documents.chunks())
    told: dict[str, list[str]] = {}
    for case in cases:
        chunks = [index.chunk_of(evidence) for evidence in case.evidence]
        assert case.evidence
        assert all(chunk and one.quote in chunk.text for chunk, one in zip(chunks, case.evidence, strict=True))
        assert any(_bare(case.ground_truth) in _bare(chunk.text) for chunk in chunks if chunk), case.question
        verdicts = {result.name: result.outcome for result in case.checks}
        exact = ("quote", "facts", "language", "question", "stands_alone", "extent")
        assert all(verdicts[name] == "pass" for name in exact), case.question
        told[case.case_id] = [name for name in ("self_answered", "rival", "siblings") if verdicts[name] != "pass"]
    # Copied wording is what this writer does. Of the rest: the sample documents hold two tenants and two versions.
    assert sum(map(len, told.values())) <= 6


def test_the_sample_snapshot_is_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    init(tmp_path)
    shutil.copytree(ROOT / "snapshots" / "sample", tmp_path / "snapshots" / "sample")
    found = CliRunner().invoke(app, ["snapshot", "verify", "sample", "--deep"])
    assert found.exit_code == 0, found.output
    assert [path.name for path in (tmp_path / "snapshots").iterdir()] == ["sample"]
