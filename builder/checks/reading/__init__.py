"""How checks read texts: facts, polarity, wording, rows, and how they compare."""
