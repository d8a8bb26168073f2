"""The nouns. Frozen records; this room imports nothing of builder."""
