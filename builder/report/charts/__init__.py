"""Charts as inline SVG: shapes, texts and classes, no script, no style but that of the sheet."""
