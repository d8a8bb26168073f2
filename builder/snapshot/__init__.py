"""Snapshots: freeze, write, verify, read."""
