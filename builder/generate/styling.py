"""Accepted questions in other words: the request of a style task, and the case of its reply."""

from collections.abc import Mapping

from builder.generate import birth
from builder.generate.items import as_text
from builder.generate.material import Material
from builder.generate.styles import style_module
from builder.generate.tasks import Call, Outcome
from builder.generate.writer import NumberedPassage, Request
from builder.llm.reply import read_items
from builder.model.attempt import Attempt, Reply, Task
from builder.model.case import Case, Provenance, ReviewState, Source, Style, Turn
from builder.text.ids import generated_case_id
from builder.text.language import language_of

_QUESTION = ("question", "query", "q", "问题", "提问", "问")
_CONVERSATION = ("conversation", "turns", "history", "对话", "上文")
_ROLES = {"user": "user", "用户": "user", "assistant": "assistant", "助手": "assistant", "客服": "assistant"}


def call(task: Task, material: Material) -> Call:
    """The request that asks for the question of a case in another style.

    Raises:
        LookupError: the case is gone, or the style cannot be generated.
        InputError: a broken prompt template.
    """
    case = material.cases[task.case_id]
    style = _style(task)
    style_module(style)
    language = language_of(case.question)
    prompts = material.prompts[language]
    names = (f"styles/{style.value}.j2", "rewrite.j2")
    request = Request(
        messages=prompts.messages(names, {"question": " ".join(case.question.split())}),
        passages=(_standing_for(case, language),),
        asked=1,
        max_tokens=material.settings.max_tokens,
        temperature=material.settings.temperature,
        turn=task.turn,
        shape="rewrite",
    )
    return Call(task=task, request=request, prompt_hash=prompts.hash_of(names), case=case)


def outcome(call: Call, attempt: Attempt, reply: Reply, material: Material) -> Outcome:
    """The case in its new words; none where the style refuses them, by reason (see the modules of STYLES)."""
    case = call.case
    if case is None:
        raise LookupError(f"no case {call.task.case_id}")
    read = read_items(reply.text, finished=reply.finish_reason == "stop")
    value = next((item for item in read.items if isinstance(item, Mapping)), None)
    if value is None:
        return Outcome(drops={"cut" if read.cut else "unreadable": 1})
    fields = {str(key).strip().casefold(): inner for key, inner in value.items()}
    question = as_text(_field(fields, _QUESTION), language_of(case.question))
    turns = _turns(_field(fields, _CONVERSATION)) if call.task.style is Style.FOLLOW_UP else ()
    reason = style_module(_style(call.task)).refusal(case, question, turns) if question else "no_question"
    if reason:
        return Outcome(drops={reason: 1})
    made = restyled(case, question, turns, call, attempt, reply)
    return Outcome(cases=(birth.finished(made, None, call, material),))


def restyled(case: Case, question: str, turns: tuple[Turn, ...], call: Call, attempt: Attempt, reply: Reply) -> Case:
    """The case with another question; evidence, answer, claims, type, reader and day stay.

    Its family is that of the original, or the original's case_id: an original without a family of its own keeps none,
    and readers take its case_id for it. Of the checks, only what is remembered of the evidence stays.
    """
    return case.replace(
        case_id=generated_case_id(case.dataset, attempt.request_hash, 0),
        question=question,
        conversation=turns,
        style=_style(call.task),
        family=case.family or case.case_id,
        source=Source.GENERATED,
        review_state=ReviewState.UNREVIEWED,
        disabled_reason=None,
        reject_reason=None,
        revision=1,
        provenance=Provenance(
            writer=attempt.writer,
            model=attempt.model,
            prompt_hash=attempt.prompt_hash,
            request_hash=attempt.request_hash,
            position=0,
            tokens=reply.prompt_tokens + reply.completion_tokens,
        ),
        checks=tuple(check for check in case.checks if check.name == "quote"),
    )


def _style(task: Task) -> Style:
    if task.style is None:
        raise LookupError(f"no style for case {task.case_id}")
    return task.style


def _standing_for(case: Case, language: str) -> NumberedPassage:
    """What makes the request one of this case: two cases may have the same question. It is not sent."""
    return NumberedPassage(number=1, chunk_id=case.case_id, text=case.question, sentences=(), language=language)


def _field(fields: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if fields.get(name) not in (None, "", [], {})), None)


def _turns(value: object) -> tuple[Turn, ...]:
    """The turns of a list: texts, user and assistant in turn, or objects that say who speaks."""
    found = []
    for place, inner in enumerate(value if isinstance(value, list) else []):
        role, text = ("user", "assistant")[place % 2], inner
        if isinstance(inner, Mapping):
            role = _ROLES.get(str(inner.get("role", role)).strip().casefold(), role)
            text = inner.get("text") or inner.get("content")
        found.append(Turn(role=role, text=as_text(text, "en")))
    return tuple(found)
