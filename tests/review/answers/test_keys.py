"""The table of keys is the one source of footer, help and manual."""

from builder.review.answers.keys import BY_NAME, KEYS, Act
from builder.words import words
from tests.folder import ROOT
from tests.test_docs import check_generated


def test_no_name_stands_for_two_acts() -> None:
    names = [name for key in KEYS for name in key.names]
    assert len(names) == len(set(names)) == len(BY_NAME)
    assert {key.act for key in KEYS} == set(Act)


def test_every_verdict_has_a_key_that_no_input_method_swallows() -> None:
    verdicts = (Act.CORRECT, Act.WRONG, Act.REFUSED_RIGHTLY, Act.REFUSED_WRONGLY)
    for key in KEYS:
        if key.act in verdicts:
            assert any(len(name) > 1 or not name.isalpha() for name in key.names)


def test_every_act_has_its_words() -> None:
    for language in ("zh", "en"):
        assert all(words(language)(f"answers.help.{act}") for act in Act)


def test_the_manual_names_the_keys() -> None:
    say, rows = words("en"), []
    for key in KEYS:
        first, *more = ("1-9",) if key.names[0] == "1" else key.names
        others = ", ".join(f"`{name}`" for name in more)
        rows.append(f"| `{first}` | {others} | {say(f'answers.help.{key.act}')} |\n")
    table = "| key | also | |\n|---|---|---|\n" + "".join(rows)
    check_generated(ROOT / "manual" / "review_answers.md", "keys", table)
