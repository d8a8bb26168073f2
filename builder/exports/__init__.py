"""Snapshots in the formats of other tools: one file a format, in a registry. Still empty."""
