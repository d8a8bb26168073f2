"""Items about passages: the request of a task, and the cases of its reply."""

from builder.generate import birth
from builder.generate.audience import audience_values
from builder.generate.examples import review_values
from builder.generate.material import Material
from builder.generate.prompt import numbered, passage_values
from builder.generate.tasks import Call, Outcome
from builder.generate.types import system_template
from builder.generate.writer import Request
from builder.model.attempt import Attempt, Reply, Task


def call(task: Task, material: Material) -> Call:
    """The request that asks for the items of a task.

    Raises:
        LookupError: a chunk is gone.
        InputError: a broken prompt template.
    """
    chunks = tuple(material.chunk(chunk_id) for chunk_id in task.chunk_ids)
    passages = numbered(chunks)
    prompts = material.prompts[chunks[0].language]
    names = (system_template(task.question_type), "user.j2")
    values = passage_values(passages, task) | audience_values(task, material.audiences) | review_values(task, material)
    request = Request(
        messages=prompts.messages(names, values),
        passages=passages,
        asked=task.asked,
        max_tokens=material.settings.max_tokens,
        temperature=material.settings.temperature,
        earlier=task.earlier,
        turn=task.turn,
    )
    return Call(task=task, request=request, prompt_hash=prompts.hash_of(names), chunks=chunks)


def outcome(call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
    """The cases of a reply."""
    return birth.outcome(call, attempt, reply, material)
