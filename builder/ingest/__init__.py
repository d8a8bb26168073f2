"""Source files -> pages -> chunks -> coverage.

Knows no store and no screen: takes paths and records, returns records.
"""
