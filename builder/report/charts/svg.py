"""SVG elements. Numbers are drawn to a tenth of a pixel; texts are escaped."""

from html import escape

from builder.report.shell import Html, joined, text
from builder.text.screen import cells, clip


def svg(width: float, height: float, *inside: Html, told: str) -> Html:
    """A drawing that fits its column; `told` says in words what it shows."""
    head = f'<svg class="chart" viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}" role="img"'
    return Html(f'{head} aria-label="{text(told)}">{joined(inside)}</svg>')


def shape(name: str, *, css: str, hint: str = "", points: str = "", **numbers: float) -> Html:
    """rect, line, circle, polyline, polygon with its numbers; `hint` shows when the pointer rests on it."""
    placed = "".join(f' {key}="{number(value)}"' for key, value in numbers.items())
    drawn = f' points="{escape(points)}"' if points else ""
    title = f"<title>{text(hint)}</title>" if hint else ""
    return Html(f'<{name} class="{css}"{placed}{drawn}>{title}</{name}>')


def label(x: float, y: float, content: object, *, css: str = "", at: str = "start", width: int | None = None) -> Html:
    """A text at a point (`at`: start, middle, end); cut to `width` cells, whole in its title."""
    whole = " ".join(str(content).split())
    short = whole if width is None or cells(whole) <= width else clip(whole, width - 1) + "…"
    title = f"<title>{text(whole)}</title>" if short != whole else ""
    named = f"{css} {at}".strip()
    return Html(f'<text class="{named}" x="{number(x)}" y="{number(y)}">{text(short)}{title}</text>')


def number(value: float) -> str:
    """A coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def box(x: float, y: float, width: float, height: float, *, css: str, hint: str = "", rx: float = 2.0) -> Html:
    """A filled box with its corners rounded."""
    return shape("rect", css=css, hint=hint, x=x, y=y, width=width, height=height, rx=rx)
