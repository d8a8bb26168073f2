"""What servers really send: encodings, sizes, pieces, statuses, cookies. Each becomes an answer, or says why not."""

import codecs
import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from builder.errors import InputError
from builder.model.access import UserContext
from builder.model.case import Turn
from builder.model.run import RunRecord
from builder.progress import Silent
from builder.score.runner import Job, Rules, ask_all
from builder.score.targets.http import open_http, read_headers
from builder.score.targets.question import Question
from tests.servers.reply_server import JSON, Reply, ReplyServer, Sent

SAID = json.dumps({"answer": "二十四个月"}, ensure_ascii=False)
QUESTION = Question(question="质保\n“多久”？")


def asked(
    answer: Reply | Callable[[Sent], Reply], count: int = 1, **options: Any
) -> tuple[list[RunRecord], list[Sent]]:
    """The records that `count` questions make, one after the other."""
    done: list[RunRecord] = []
    questions = options.pop("questions", [QUESTION] * count)
    with ReplyServer(answer if callable(answer) else lambda _: answer) as server:
        jobs = [Job(f"c{number}", 1, question) for number, question in enumerate(questions)]
        target = open_http(server.url + options.pop("query", ""), **options)
        ask_all(target, jobs, done.extend, Rules(concurrency=1, timeout=20), Silent())
        return done, server.sent


@pytest.mark.parametrize(
    "reply",
    [
        Reply(SAID.encode()),
        Reply(SAID.encode(), kind=None),
        Reply(SAID.encode(), chunk=3),
        Reply(gzip.compress(SAID.encode()), headers={"Content-Encoding": "gzip"}),
        Reply(codecs.BOM_UTF8 + SAID.encode()),
        Reply(codecs.BOM_UTF8 + SAID.encode(), kind=f"{JSON}; charset=UTF-8"),
        Reply(SAID.encode("gbk"), kind=f"{JSON}; charset=GBK"),
        Reply(SAID.encode("gb18030"), kind=f"{JSON}; charset=gb18030"),
        Reply(SAID.encode("utf-16"), kind=f"{JSON}; charset=utf-16"),
        Reply(SAID.encode(), kind=f"{JSON}; charset=no-such-thing"),
        Reply("二十四个月".encode(), kind="text/plain"),
        Reply(SAID.encode(), status=201),
    ],
)
def test_answers_in_every_dress(reply: Reply) -> None:
    (record,) = asked(reply)[0]
    assert (record.answer, record.error) == ("二十四个月", None)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(b"<html>log in</html>", kind="text/html"), "bad_answer: no JSON: <html>log in</html>"),
        (Reply(b""), "bad_answer: no JSON: "),
        (Reply(status=204), "bad_answer: no JSON: "),
        (Reply(b"null"), "bad_answer: NoneType: nothing in it"),
        (Reply(b"7"), "bad_answer: int: nothing in it"),
        (Reply(b'{"code": 0}'), "bad_answer: dict: code"),
        (Reply(b"[" * 100_000), "bad_answer: no JSON: ["),
        (Reply(b'{"filters": {"a": ' + b'{"a": ' * 300 + b"1" + b"}" * 302), "bad_answer: dict: nested too deep"),
        (Reply(SAID.encode("gbk")), "bad_answer: not utf-8, and the reply names no other charset"),
        (Reply(b"slow down", status=429, headers={"Retry-After": "1"}), "http_429: slow down"),
        (Reply(status=302, headers={"Location": "/login?token=abc"}), "http_302: /login"),
        (Reply("不行".encode("gbk"), status=500), "http_500: "),
        (Reply(b'{"ans', promised=100), "connection: RemoteProtocolError"),
        (Reply(b"no gzip", headers={"Content-Encoding": "gzip"}), "connection: DecodingError"),
    ],
)
def test_what_is_no_answer_says_why(reply: Reply, error: str) -> None:
    (record,) = asked(reply)[0]
    assert record.error is not None and record.error.startswith(error), record.error
    assert record.answer is None and record.latency_ms is not None
    assert "abc" not in record.error


@pytest.mark.parametrize("packed", [False, True])
def test_a_reply_without_end_is_not_read_to_it(packed: bool) -> None:
    """9 MiB; packed they are a few KiB on the way."""
    huge = b'{"answer": "' + b"x" * (9 << 20) + b'"}'
    reply = Reply(gzip.compress(huge), headers={"Content-Encoding": "gzip"}) if packed else Reply(huge, chunk=1 << 16)
    assert asked(reply)[0][0].error == "bad_answer: more than 8 MiB"


def test_questions_share_no_cookie() -> None:
    reply = Reply(SAID.encode(), headers={"Set-Cookie": "session=1; Path=/"})
    _, sent = asked(reply, 3)
    assert len(sent) == 3 and not any("cookie" in one.headers for one in sent)


def test_headers_may_hold_any_script_but_no_line_break() -> None:
    headers, _ = read_headers(("X-Name: {WHO}",), {"WHO": "张三"})
    (record,), (sent,) = asked(Reply(SAID.encode()), headers=headers)
    assert record.error is None
    assert sent.headers["x-name"].encode("latin-1").decode() == "张三"
    for line, environ in (("X-Ä: 1", {}), ("X Y: 1", {}), ("X: {WHO}", {"WHO": "a\r\nEvil: 1"})):
        with pytest.raises(InputError) as caught:
            read_headers((line,), environ)
        assert caught.value.key == "run_header_line"


@pytest.mark.parametrize(
    ("template", "fields", "sent"),
    [
        ("{{ user_context.tenant | tojson }}", {"tenant": "北辰"}, '"北辰"'),
        ("{{ user_context.tenant | tojson }}", {}, "null"),
        ("{{ user_context.roles | tojson }}", {"roles": ("hr",)}, '["hr"]'),
        ('"{{ user_context.region }}"', {}, '""'),
        ('{{ user_context.region | default("cn") | tojson }}', {}, '"cn"'),
        ("{{ user_context | tojson }}", {"user": 'a"\n'}, '{"user": "a\\"\\n"}'),
    ],
)
def test_templates_may_name_what_is_not_known_of_a_user(template: str, fields: Mapping[str, Any], sent: str) -> None:
    questions = [Question(question="q", user=UserContext(**fields))]
    _, (one,) = asked(Reply(SAID.encode()), template=template, questions=questions)
    assert one.body.decode() == sent


def test_a_conversation_comes_through_a_template_whole() -> None:
    template = """{"messages": [{% for turn in conversation %}{{ turn | tojson }}, {% endfor %}
    {"role": "user", "content": {{ question | tojson }}}], "day": {{ as_of | tojson }}}"""
    turns = (Turn(role="user", text='“你好”\n"a\\b"'), Turn(role="assistant", text="{{ x }}"))
    question = Question(question="那么\t多久？", conversation=turns, as_of="2026-01-01")
    _, (one,) = asked(Reply(SAID.encode()), template=template, questions=[question])
    assert json.loads(one.body) == {
        "messages": [
            {"role": "user", "content": '“你好”\n"a\\b"'},
            {"role": "assistant", "content": "{{ x }}"},
            {"role": "user", "content": "那么\t多久？"},
        ],
        "day": "2026-01-01",
    }


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ user_context.tenan | tojson }}", "tenan"),
        ("{{ nothing | tojson }}", "nothing"),
        ('{"q": "{{ question }}"}', "tojson"),
        ("{% for %}", "line 1"),
        ("{{ question.__class__.__mro__ }}", "template"),
    ],
)
def test_a_template_that_cannot_work_says_so_before_anybody_is_asked(template: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_http("http://127.0.0.1:1/", template=template, headers={"content-type": "application/json; charset=utf-8"})


def test_addresses_that_differ_in_their_query_are_two_systems() -> None:
    one, other, bare = (dict(open_http(f"http://[::1]:8080/ask{query}").facts) for query in ("?m=a", "?m=b", ""))
    assert one["target"] == other["target"] == bare["target"] == "http://[::1]:8080/ask"
    assert len({one["query"], other["query"]}) == 2 and "query" not in bare
