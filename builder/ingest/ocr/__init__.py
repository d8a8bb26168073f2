"""Images -> text, behind one protocol: tesseract, rapidocr, or whatever reads an image."""
