"""A Python function as target: module:function, plain or async."""

import importlib
import inspect
import sys
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.errors import InputError
from builder.logs.given import Unreadable, fields_of
from builder.score.targets.calling import called, own_loop, stdout_on_stderr
from builder.score.targets.question import Ask, Failed, Question


@dataclass(frozen=True, kw_only=True)
class FunctionTarget:
    """Calls a function with the question, and with what else its parameters name."""

    name: str
    """module:function"""
    function: Callable[..., Any]
    """What is called."""
    paths: Mapping[str, str]
    """Dotted paths by field of what it returns."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its name."""
        return {"target": self.name} | ({"fields": dict(self.paths)} if self.paths else {})

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Ask]:
        """What the function prints goes to stderr; async functions share a loop."""
        with stdout_on_stderr(), own_loop() as loop:
            yield lambda question: self._ask(question, loop)

    async def _ask(self, question: Question, loop: AbstractEventLoop) -> Mapping[str, Any]:
        first, named = arguments(self.function, question)
        given = await called(lambda: self.function(*first, **named), self.function, loop)
        if given is None:
            raise Failed("bad_answer", "None")
        try:
            return fields_of(given, self.paths)
        except Unreadable as error:
            raise Failed("bad_answer", str(error)) from error


def open_function(name: str, root: Path, paths: Mapping[str, str] | None = None) -> FunctionTarget:
    """The target `module:function`; modules are also looked for in `root`.

    Raises:
        InputError: it cannot be imported, is not there, or cannot be called with a question.
    """
    module, _, path = name.partition(":")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        with stdout_on_stderr():
            found: Any = importlib.import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
    except (Exception, SystemExit) as error:  # whatever the user's module does when it is imported
        detail = f"{type(error).__name__}: {error}"
        raise InputError("run_target_import", target=name, detail=detail) from error
    if not callable(found):
        raise InputError("run_target_import", target=name, detail=f"{type(found).__name__}, not a function")
    target = FunctionTarget(name=name, function=found, paths=paths or {})
    try:
        arguments(found, Question(question=""))
    except TypeError as error:
        raise InputError("run_target_import", target=name, detail=error) from error
    return target


def arguments(function: Callable[..., Any], question: Question) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What to call `function` with: values that its parameters name; a first parameter of another name is the question.

    Raises:
        TypeError: it takes no question, or wants what nobody gives.
    """
    values = question.values()
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # a function without a signature, written in C
        return (question.question,), {}
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        named = dict(values)
    else:
        by_name = {one.name for one in parameters if one.kind is not inspect.Parameter.POSITIONAL_ONLY}
        named = {name: value for name, value in values.items() if name in by_name}
    first: tuple[Any, ...] = ()
    if parameters and parameters[0].name not in values and parameters[0].kind in _PLACED:
        first, _ = (question.question,), named.pop("question", None)
    inspect.signature(function).bind(*first, **named)
    if not first and "question" not in named:
        raise TypeError("no parameter takes the question")
    return first, named


_PLACED = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)
