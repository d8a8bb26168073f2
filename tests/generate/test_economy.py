"""What a kept case costs in prompt: on the 20 passages that other generators were measured on."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.generate.plan import estimate_tokens
from tests.generate.make import call, chunk
from tests.servers.openai_server import items_for

PASSAGES = Path(__file__).parents[3] / "shared" / "llm" / "chunks.py"
MOST = 350


@pytest.mark.skipif(not PASSAGES.is_file(), reason="the 20 passages are not on this machine (../shared/llm/chunks.py)")
@pytest.mark.parametrize("asked", [1, 2])
@pytest.mark.parametrize("language", ["ZH", "EN"])
def test_tokens_per_kept_case(language: str, asked: int, record_property: Callable[[str, object], None]) -> None:
    """Estimated prompt tokens and 60 a reply item (measured: 44 to 48 with sentence numbers)."""
    texts = runpy.run_path(str(PASSAGES))[language]
    calls = [call([chunk(text, ordinal=n)], asked) for n, text in enumerate(texts)]
    prompts = ["".join(message.content for message in one.request.messages) for one in calls]
    per_case = sum(map(estimate_tokens, prompts)) / (asked * len(calls)) + 60
    characters = sum(map(len, prompts)) / (asked * len(calls))
    record_property("tokens_per_case", round(per_case))
    record_property("prompt_characters_per_case", round(characters))
    assert per_case <= MOST
    body = {"messages": [{"content": message.content} for message in calls[0].request.messages]}
    assert len(items_for(body)) == asked
