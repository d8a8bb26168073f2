"""The prompts of the types: both languages, the same shape of reply, hardly longer than the plain one."""

import pytest

from builder.generate.types import TYPES, system_template
from builder.model.attempt import Task
from builder.model.case import QuestionType
from tests.generate.make import HANDBOOK, WARRANTY, chunk, material, prompts
from tests.servers.typed import read_request

LONGER = {"zh": 100, "en": 320}
"""Characters that one type may add to the plain prompt."""
HALF = (
    QuestionType.MULTI_CONDITION,
    QuestionType.CONDITION_PAIR,
    QuestionType.COMPOUND,
    QuestionType.MULTI_HOP,
    QuestionType.COMPARISON,
    QuestionType.EXACT_TERM,
)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", HALF)
def test_one_prompt_a_type(name: QuestionType, language: str) -> None:
    sources = prompts(language).sources
    plain, own = sources["system.j2"], sources[system_template(name)]
    assert name in TYPES and plain != own
    assert plain.splitlines()[0] == own.splitlines()[0], "what is between the fence marks is never followed"
    assert plain.splitlines()[-1] == own.splitlines()[-1], "the same shape of reply"
    assert len(own) - len(plain) <= LONGER[language]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", [None, *HALF])
def test_the_scripted_server_knows_each_type(name: QuestionType | None, language: str) -> None:
    from builder.generate.tasks import call_of

    one = chunk(WARRANTY if language == "zh" else HANDBOOK)
    task = Task(question_type=name, chunk_ids=(one.chunk_id,), asked=2, facts={"clue": "E07"})
    messages = call_of(task, material([one])).request.messages
    body = {"messages": [{"role": message.role, "content": message.content} for message in messages]}
    read = read_request(body)
    assert (read.question_type, read.language, read.asked, read.clues) == (name or "", language, 2, ("E07",))
    assert len(read.sentences) == 4
