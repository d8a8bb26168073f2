"""One file a command: parses, calls one app function, prints."""
