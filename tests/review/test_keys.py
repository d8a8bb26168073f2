"""What a terminal sends, and the one key table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.review.bars import help_lines
from builder.review.keys import BY_ACT, KEYS, Act, caps, decode
from builder.review.strip import span
from builder.words import words


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"a", ("a",)),
        (b"ax", ("a", "x")),
        (b"\r", ("enter",)),
        (b"\n", ("enter",)),
        (b" ", ("space",)),
        (b"\t", ("tab",)),
        (b"\x7f\x08", ("backspace", "backspace")),
        (b"\x03", ("ctrl-c",)),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ("up", "down", "right", "left")),
        (b"\x1bOA\x1bOP", ("up", "f1")),
        (b"\x1b[1;2A", ("up",)),
        (b"\x1b[3~", ("delete",)),
        (b"\x1b[5~\x1b[6~", ("pageup", "pagedown")),
        (b"\x1b[11~", ("f1",)),
        (b"\x1b[[A", ("f1",)),
        (b"\x1b[I\x1b[O\x1b[99~", ()),
        (b"\x1ba", ("alt-a",)),
        (b"\x1b\x1b[A", ("esc", "up")),
        ("ｘ２？／　".encode(), ("x", "2", "?", "/", "space")),
        ("、【】".encode(), ("/", "[", "]")),
        ("通".encode(), ("通",)),
        (b"\xff\xfea", ("a",)),
        (b"\x1b[200~axq\x1b[201~n", ("paste", "n")),
    ],
)
def test_decode(data: bytes, names: tuple[str, ...]) -> None:
    assert decode(data, final=True) == (names, b"")


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[", b"\x1b[1;", b"\x1bO", "通".encode()[:2], b"\x1b[200~abc"])
def test_a_beginning_waits_for_the_rest(data: bytes) -> None:
    assert decode(b"a" + data) == (("a",), data)


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    assert decode(b"\x1b", final=True) == (("esc",), b"")


def test_a_paste_may_take_its_time() -> None:
    assert decode(b"\x1b[200~a", final=True) == ((), b"\x1b[200~a")


_TOKENS = [b"a", b"\x1b[A", b"\x1b[3~", b"\x1bOP", b"\x1b[1;5C", "ｘ".encode(), "通".encode(), b"\x1b[200~x\x1b[201~"]


@given(st.lists(st.sampled_from(_TOKENS), max_size=6), st.data())
def test_reads_may_be_cut_anywhere(tokens: list[bytes], draw: st.DataObject) -> None:
    whole = b"".join(tokens)
    cut = draw.draw(st.integers(0, len(whole)))
    first, rest = decode(whole[:cut])
    second, left = decode(rest + whole[cut:])
    assert (first + second, left) == decode(whole)


@given(st.binary(max_size=40))
def test_any_bytes_are_taken(data: bytes) -> None:
    names, rest = decode(data)
    assert len(rest) <= len(data)
    assert all(names)


def test_no_key_has_two_meanings() -> None:
    names = [name for key in KEYS for name in key.names]
    assert len(names) == len(set(names))
    assert set(BY_ACT) == set(Act)


_MAIN = [Act.APPROVE, Act.REJECT, Act.SKIP, Act.UNDO, Act.NEXT, Act.PREVIOUS, Act.DOWN, Act.HELP]


@pytest.mark.parametrize("act", _MAIN)
def test_main_actions_have_a_key_that_no_input_method_takes(act: Act) -> None:
    assert any(len(name) > 1 for name in BY_ACT[act].names)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_shows_every_key_whole_at_80_columns(language: str) -> None:
    say = words(language)
    lines = help_lines(say, 80)
    text = "\n".join("".join(piece for piece, _ in line) for line in lines)
    assert all(span(line) <= 79 for line in lines) and len(lines) <= 18
    for key in KEYS:
        assert say(f"review.help.{key.act}") in text
        assert all(cap in text for cap in caps(key))
