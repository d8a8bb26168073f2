"""Figures of answers: one file a close family, each metric with what it is, where it comes from and what it hides."""
