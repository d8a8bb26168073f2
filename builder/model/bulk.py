"""Making very many records at once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Millions of records that all stay: the collector would walk them again and again and double the time.

    At the end they count as old without having been walked once: what is frozen and thawed is moved, not looked at.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.freeze()
            gc.unfreeze()
            gc.enable()
