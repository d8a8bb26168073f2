"""Places in words."""

from builder.model.coverage import Place
from builder.words import Words


def place_line(place: Place, say: Words) -> str:
    """A place in one line, for instance `policy.pdf page 3 table 1 row 4`."""
    named = [(name, getattr(place, name)) for name in ("page", "table", "row")]
    numbers = [say(f"coverage.place.{name}", number=number) for name, number in named if number is not None]
    return " ".join(piece for piece in (place.doc_id, *numbers, place.text) if piece)


def share(value: float | None, say: Words) -> str:
    """A share in per cent, or that it was not measured."""
    return say("coverage.unmeasured") if value is None else f"{value:.2f}".rstrip("0").rstrip(".") + " %"
