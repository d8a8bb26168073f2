"""What systems and people wrote down, read into records; always through redact."""
