"""The writers, one a file, imported when asked for."""
