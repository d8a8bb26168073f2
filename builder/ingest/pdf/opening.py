"""Opening a PDF, and why it does not open.

pdfium's message is that of its last failure, which may be another file's ("Success" among them); so the reason is
found from the bytes and a fresh error code.
"""

from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from builder.model.document import Problem

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_HEAD = 1024
_TAIL = 2048


def open_pdf(data: bytes) -> "PdfDocument | Problem":
    """The document in `data`, or why there is none. It must be closed, and `data` kept until then."""
    if not data:
        return Problem(code="zero_bytes")
    if b"%PDF" not in data[:_HEAD]:
        return Problem(code="not_a_pdf")
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        return _reason(data, str(error))


def _reason(data: bytes, message: str) -> Problem:
    handle = raw.FPDF_LoadMemDocument64(data, len(data), None)
    if handle:
        raw.FPDF_CloseDocument(handle)
        return Problem(code="zero_pages")
    if raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD:
        return Problem(code="password")
    if b"%%EOF" not in data[-_TAIL:] or b"startxref" not in data[-_TAIL:]:
        return Problem(code="truncated")
    return Problem(code="damaged", detail=message)
