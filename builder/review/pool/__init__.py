"""Passages that runs found and nobody judged: shown with their question, judged by keys."""
