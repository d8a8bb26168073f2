"""Turns a typeset page into what an office scanner makes of it."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

DPI = 200
ANGLE = 0.9
BLUR = 0.7
NOISE = 5.0
PAPER = 248
QUALITY = 55
SEED = 20260206


def scan(pdf: Path) -> bytes:
    """Render the first page of a PDF, then skew, blur, speckle and compress it to a grey JPEG."""
    with pdfium.PdfDocument(pdf) as document:
        page = document[0].render(scale=DPI / 72).to_pil().convert("L")
    page = page.rotate(ANGLE, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(BLUR))
    grey = np.asarray(page, dtype=np.float64) * (PAPER / 255)
    grey += np.random.default_rng(SEED).normal(0.0, NOISE, grey.shape)
    jpeg = BytesIO()
    Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).save(jpeg, "JPEG", quality=QUALITY, dpi=(DPI, DPI))
    return jpeg.getvalue()
