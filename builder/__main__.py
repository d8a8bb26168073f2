"""`python -m builder` is `builder`."""

from builder.cli.main import main

main()
