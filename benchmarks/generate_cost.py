"""What a generate run costs beyond the model, measured in processes of their own; see generate.py.

generate_cost.py run FOLDER CHUNKS CONCURRENCY all|derived|none     a run over the chunks of a workspace
generate_cost.py sdk BODIES CONCURRENCY                             the same requests through the bare SDK
generate_cost.py checks CHUNKS ITEMS                                checks of items within a corpus

Each prints one JSON line. Imports and the first calls are not counted.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

WARM = 4
"""Calls before the clock starts."""


class Clock:
    """CPU and wall seconds of this process since it was made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    def read(self) -> dict[str, float]:
        """Seconds since then."""
        return {"cpu": time.process_time() - self._cpu, "wall": time.perf_counter() - self._wall}


def run(folder: str, chunks: str, concurrency: str, checked: str) -> dict[str, float]:
    """`builder generate --per-chunk 1`, plan, store and all; without checks, and without what is derived, as asked."""
    from builder.app.generate import Talk, asked, generate
    from builder.generate import birth
    from builder.progress import Silent
    from builder.settings import find_workspace

    if checked != "all":
        birth.AT_BIRTH = ()  # type: ignore[misc]
    if checked == "none":
        birth.enrich = lambda case, *_: case  # type: ignore[assignment]
    workspace = find_workspace(Path(folder))
    talk = Talk(confirm=lambda plan: True)
    wanted = {"per_chunk": 1, "model": "scripted", "cases": 100_000, "concurrency": int(concurrency)}
    generate(workspace, asked(**wanted, limit=WARM, dataset="warm"), Silent(), talk)
    clock = Clock()
    report = generate(workspace, asked(**wanted, limit=int(chunks)), Silent(), talk)
    return clock.read() | {"calls": report.calls, "kept": report.kept}


def sdk(bodies: str, concurrency: str) -> dict[str, float]:
    """The requests in a file through openai.AsyncOpenAI, so many at a time, replies taken as the SDK gives them."""
    import openai

    rows = [json.loads(line) for line in Path(bodies).read_text(encoding="utf-8").splitlines()]
    return asyncio.run(_sent(openai.AsyncOpenAI(api_key="none", max_retries=0), rows, int(concurrency)))


async def _sent(client: Any, rows: list[dict[str, Any]], concurrency: int) -> dict[str, float]:
    async def work(left: Iterator[dict[str, Any]]) -> None:
        for body in left:
            done = await client.chat.completions.create(**body)
            json.loads(done.choices[0].message.content)

    await work(iter(rows[:WARM]))
    clock, left = Clock(), iter(rows)
    await asyncio.gather(*(work(left) for _ in range(concurrency)))
    return clock.read() | {"calls": len(rows)}


def checks(chunks: str, items: str) -> dict[str, Any]:
    """All checks of new items, each alone, with the whole corpus and the other cases at hand; and what is derived.

    What the corpus looks things up in is made at the first item, which is shown apart.
    """
    from builder.checks import CHECKS, run_checks
    from builder.generate import birth
    from builder.generate.enrich import enrich

    birth.AT_BIRTH = ()
    birth.enrich = lambda case, *_: case
    with tempfile.TemporaryDirectory() as name:
        calls, material = _calls(int(chunks), int(items) + 51, Path(name))
        cases = [(call, case) for call in calls for case in _cases(call, material)]
        contexts = _contexts(cases, material)
        first = _cost(lambda: run_checks(cases[0][1], contexts[0]))
        pairs = [(case, context) for (_, case), context in zip(cases, contexts, strict=True)][1:]
        each = [_cost(lambda: run_checks(*pair)) for pair in pairs[: int(items)]]  # noqa: B023
        rest = pairs[int(items) :]
        names = {name: mean(_cost(lambda: run_checks(*pair, (name,))) for pair in rest) for name in CHECKS}  # noqa: B023
        derived = [_cost(lambda: enrich(*pair, material.risks)) for pair in rest]  # noqa: B023
    spread = {"mean": mean(each), "median": median(each), "p95": quantiles(each, n=20)[-1]}
    return spread | {"items": len(each), "first": first, "names": names, "derived": mean(derived)}


def _cost(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    clock = Clock()
    work()
    return 1000 * clock.read()["cpu"]


def _calls(chunks: int, items: int, folder: Path) -> Any:
    """Calls about so many chunks of the corpus, and the corpus."""
    from generate_corpus import varied

    from builder.checks.corpus import Corpus
    from builder.generate.material import Material
    from builder.generate.prompt import load_prompts
    from builder.generate.tasks import call_of
    from builder.model.attempt import Task
    from builder.search import open_search
    from builder.settings import Settings
    from builder.shipped import folder as shipped

    rows = list(_chunks(varied(chunks)))
    search = open_search(folder, [(chunk.chunk_id, chunk.text) for chunk in rows])
    settings = Settings()
    material = Material(
        corpus=Corpus(rows, search),
        allowed=tuple(rows),
        prompts={language: load_prompts(language, shipped("prompts")) for language in ("zh", "en")},
        settings=settings.generate,
        risks=settings.risk,
    )
    step = max(1, chunks // items)
    spread = rows[:: step if step % 2 else step - 1][:items]  # an odd step takes both languages in turn
    return [call_of(Task(chunk_ids=(chunk.chunk_id,), asked=1), material) for chunk in spread], material


def _chunks(texts: Iterator[tuple[str, str]]) -> Iterator[Any]:
    from builder.model.chunk import Chunk
    from builder.model.parts import Span
    from builder.text.language import language_of

    for number, (chunk_id, text) in enumerate(texts):
        document = f"{chunk_id[:2]}-{number // 20:04}"
        yield Chunk(
            chunk_id=chunk_id,
            doc_id=document,
            reading_id=f"r-{document}",
            text=text,
            parts=(Span(page=number % 20 // 2 + 1, start=0, end=len(text)),),
            pages=(number % 20 // 2 + 1,),
            language=language_of(text),
            ordinal=number % 20 // 2,
        )


def _cases(call: Any, material: Any) -> tuple[Any, ...]:
    """The cases of a good reply, as the run makes them."""
    from datetime import UTC, datetime

    from generate_server import ours

    from builder.generate.tasks import outcome_of
    from builder.model.attempt import Attempt, AttemptState, Reply

    attempt = Attempt(
        request_hash=call.chunks[0].chunk_id,
        dataset="main",
        task=call.task,
        writer="openai",
        model="scripted",
        prompt_hash=call.prompt_hash,
        state=AttemptState.CLAIMED,
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    first = int(call.chunks[0].chunk_id[3:]) % 7
    text = ours(call.request.messages[-1].content, first)
    found: tuple[Any, ...] = outcome_of(call, attempt, Reply(text=text), material).cases
    return found


def _contexts(cases: list[tuple[Any, Any]], material: Any) -> list[Any]:
    """As at birth, and with the other cases, for the checks that look at them."""
    from builder.checks.context import CheckContext
    from builder.checks.others import Others

    others = Others(case for _, case in cases)
    return [
        CheckContext(
            chunks=material.corpus.index, found="sentences", sent=call.chunks, corpus=material.corpus, others=others
        )
        for call, _ in cases
    ]


def main() -> None:
    """Measure one thing."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    sys.path.insert(0, str(Path(__file__).parent))
    sys.path.insert(0, str(Path(__file__).parent.parent))
    what, *arguments = sys.argv[1:]
    print(json.dumps({"run": run, "sdk": sdk, "checks": checks}[what](*arguments)))


if __name__ == "__main__":
    main()
