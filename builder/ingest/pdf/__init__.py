"""PDF pages through pdfium: canonical text with line boxes, tables, and whether a page needs OCR."""
