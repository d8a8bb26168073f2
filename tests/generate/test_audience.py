"""Audiences: shared out by share, told in one line, recorded in the case."""

from collections import Counter

import pytest

from builder.generate.audience import with_audiences
from builder.generate.tasks import call_of
from builder.model.attempt import Reply, Task
from builder.settings import Audience
from tests import make
from tests.generate.make import HANDBOOK, WARRANTY, chunk, material, read

BUYER = Audience(who="第一次买的人", knows="没看过说明书", talks="口语，\n一句话。", share=3)
DEALER = Audience(who="经销商", share=1)
NAMED = {"buyer": BUYER, "dealer": DEALER}
TASKS = tuple(Task(chunk_ids=(f"policy.md#{number:010x}",)) for number in range(400))


def test_by_share_and_always_the_same() -> None:
    first = with_audiences(TASKS, NAMED, 0)
    assert first == with_audiences(TASKS, dict(reversed(NAMED.items())), 0)
    assert first[:7] == with_audiences(TASKS[:7], NAMED, 0), "what else is planned changes nothing"
    counts = Counter(task.audience for task in first)
    assert counts.keys() == {"buyer", "dealer"} and 270 <= counts["buyer"] <= 330
    assert first != with_audiences(TASKS, NAMED, 1)
    again = with_audiences(tuple(task.replace(turn=2) for task in TASKS), NAMED, 0)
    assert [task.audience for task in again] == [task.audience for task in first]


def test_without_audiences_nothing_changes() -> None:
    assert with_audiences(TASKS, {}, 0) is TASKS
    source = chunk()
    task = Task(chunk_ids=(source.chunk_id,))
    assert call_of(task, material([source])) == call_of(task, material([source], audiences=NAMED))


@pytest.mark.parametrize(
    ("text", "audience", "line"),
    [
        (WARRANTY, BUYER, "提问者：第一次买的人；了解：没看过说明书；说话：口语， 一句话。"),
        (WARRANTY, DEALER, "提问者：经销商。"),
        (
            HANDBOOK,
            Audience(who="new staff", knows="nothing of the rules"),
            "Who asks: new staff; knows: nothing of the rules.",
        ),
        (HANDBOOK, Audience(who="a manager", talks="in short notes."), "Who asks: a manager; talks: in short notes."),
    ],
)
def test_one_line_says_who_asks(text: str, audience: Audience, line: str) -> None:
    source = chunk(text)
    known = material([source], audiences={"x": audience})
    plain = call_of(Task(chunk_ids=(source.chunk_id,)), known).request.messages
    told = call_of(Task(chunk_ids=(source.chunk_id,), audience="x"), known).request.messages
    assert told[0] == plain[0], "the system prompt stays, so that servers can keep it"
    assert [row for row in told[1].content.splitlines()[1:-1] if row == line] == [line]
    assert len(told[1].content.splitlines()) == len(plain[1].content.splitlines()) + 1
    gone = call_of(Task(chunk_ids=(source.chunk_id,), audience="gone"), known).request.messages
    assert gone == plain


def test_it_is_recorded_in_the_case() -> None:
    source = chunk()
    call = call_of(Task(chunk_ids=(source.chunk_id,), audience="buyer"), material([source], audiences=NAMED))
    reply = '{"items":[{"question":"保多久？","ground_truth":"6 个月","source_index":1,"sentences":[1]}]}'
    (case,) = read(call, make.attempt(), Reply(text=reply)).cases
    assert case.audience == "buyer"
