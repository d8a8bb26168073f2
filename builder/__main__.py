"""`builder` and `python -m builder` come in here.

Each worker process loads the started script once more, and this module with it: so nothing else is loaded here.
"""


def main() -> None:
    """Run the program."""
    from builder.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
