"""Review of answers: what a system answered beside question, reference, claims and the text that it read."""
