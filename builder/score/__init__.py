"""Runs against snapshots: metrics, claims, diagnosis, statistics, gates. Still empty."""
