"""The states of a case, undo, staleness. Takes records, returns records."""
