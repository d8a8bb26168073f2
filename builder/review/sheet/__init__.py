"""The expert's sheet: cases out as rows, rows back as decisions. Pure but for reading and writing the file itself."""
