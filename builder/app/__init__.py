"""One function a command: composes rooms and store. Knows no screen."""
