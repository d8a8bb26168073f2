"""Addresses: what is sent, and what never shows."""

import pytest

from builder.errors import InputError
from builder.model.access import UserContext
from builder.score.targets.http import open_http, read_headers
from builder.score.targets.question import Question

URL = "https://user:pass@host.example:8443/v1/ask?token=abc"


def test_the_address_is_told_without_user_and_query() -> None:
    target = open_http(URL, headers={"X-Key": "s3cret-value"})
    assert target.name == "https://host.example:8443/v1/ask"
    for shown in (repr(target), str(dict(target.facts))):
        assert "pass" not in shown and "abc" not in shown and "s3cret" not in shown


def test_headers_are_filled_from_the_environment() -> None:
    headers, names = read_headers(("Authorization: Bearer {RAG_KEY}", "X-Env: test"), {"RAG_KEY": " k \n"})
    assert (headers, names) == ({"Authorization": "Bearer k", "X-Env": "test"}, ("RAG_KEY",))
    with pytest.raises(InputError, match="NOT_THERE"):
        read_headers(("A: {NOT_THERE}",), {})


def test_a_header_of_ones_own_goes_before_the_usual_one() -> None:
    sent = open_http(URL, headers={"content-type": "text/plain"}, template="{{ question }}").headers
    assert {name.casefold(): value for name, value in sent.items()} == {
        "content-type": "text/plain",
        "accept": "application/json",
    }


def test_the_usual_body_is_json_whatever_is_asked() -> None:
    import json

    question = 'Is "it" <b>\\ok</b>?\n是'
    body = open_http(URL).render(Question(question=question, user=UserContext(roles=("hr",)), as_of="2026-01-01"))
    assert json.loads(body) == {
        "question": question,
        "conversation": [],
        "user_context": {"roles": ["hr"]},
        "as_of": "2026-01-01",
    }
