"""Makes the sample PDFs, their sidecars and the true text of the scan from the texts in samples/texts.

python data/make_samples.py [FOLDER]     (FOLDER: default data/docs; needs reportlab and the LXGW WenKai font)
"""

import json
import sys
import tempfile
from pathlib import Path

from samples import pdf, scan, source

DOCS = Path(__file__).parent / "docs"


def make_all(folder: Path) -> list[Path]:
    """Write every sample document below the folder and return the PDFs."""
    return [make(document, folder) for document in source.load_all()]


def make(document: source.Source, folder: Path) -> Path:
    """Write one PDF with what belongs beside it."""
    path = folder / document.file
    path.parent.mkdir(parents=True, exist_ok=True)
    if document.scan:
        make_scan(document, path)
        beside(path, ".truth.txt").write_text(document.truth(), encoding="utf-8")
    else:
        pdf.write_pdf(document, path)
    beside(path, ".meta.toml").write_text(sidecar(document.meta), encoding="utf-8")
    return path


def make_scan(document: source.Source, path: Path) -> None:
    """Typeset the document, scan the page, keep only the picture."""
    with tempfile.TemporaryDirectory() as name:
        typeset = Path(name) / "typeset.pdf"
        pdf.write_pdf(document, typeset)
        pdf.write_image_pdf(scan.scan(typeset), path)


def beside(path: Path, ending: str) -> Path:
    """Name a file that accompanies a document."""
    return path.with_name(path.name + ending)


def sidecar(meta: source.Meta) -> str:
    """Write the metadata as TOML; strings and lists of strings are written as in JSON."""
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in meta.items())


if __name__ == "__main__":
    for made in make_all(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS):
        print(f"{made.stat().st_size:>9,}  {made}")
