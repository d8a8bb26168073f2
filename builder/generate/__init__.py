"""Chunks become numbered prompts, replies become items, items become cases."""
