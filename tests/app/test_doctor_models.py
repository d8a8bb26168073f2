"""builder doctor --models: one tiny call to each model that is set, and none without the option."""

from pathlib import Path
from typing import Any

import pytest

from builder.llm.endpoint import Endpoint
from builder.llm.formats import format_key
from builder.settings import find_workspace
from builder.store import open_store
from tests.folder import Folder
from tests.servers.openai_server import KEY, KINDS, Answer, OpenAIServer, completion


def environ(url: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY}


def answering(kind: str) -> Any:
    """Formats as `kind` takes them, and a good answer to the tiny question."""

    def answer(body: dict[str, Any], number: int) -> Answer:
        found = KINDS[kind](body, number)
        return found if found.status != 200 else completion('{"answer":"7","answerable":true}', body)

    return answer


def models(found: Any) -> list[dict[str, Any]]:
    return [row for row in found if row["name"].startswith("model")]


@pytest.fixture
def ready(folder: Folder) -> Folder:
    folder.done("init")
    return folder


def test_without_the_option_nobody_is_called(ready: Folder) -> None:
    ready.write("builder.toml", '[generate]\nmodel = "scripted"\n')
    with OpenAIServer() as server:
        assert models(ready.done("doctor", "--json", **environ(server.base_url)).json) == []
    assert server.bodies == []


@pytest.mark.parametrize(
    ("kind", "wanted", "calls"),
    [("takes_all", "json_schema", 1), ("takes_object", "json_object", 3), ("takes_text", "text", 5)],
)
def test_a_model_that_works(ready: Folder, kind: str, wanted: str, calls: int) -> None:
    with OpenAIServer(answering(kind)) as server:
        server.listed["max_model_len"] = 32768
        (row,) = models(
            ready.done("doctor", "--models", "--model", "scripted", "--json", **environ(server.base_url)).json
        )
    assert (row["name"], row["outcome"]) == ("model", "ok")
    assert {**row["values"], "ms": ""} == {
        **{"model": "scripted", "where": "127.0.0.1", "format": wanted, "context": "32768", "ms": ""}
    }
    assert len(server.bodies) == calls, "one, and two more for each format that is not taken"
    with open_store(find_workspace(ready.path).store_url) as store:
        assert store.note(format_key(Endpoint(base_url=server.base_url, model="scripted"))) == wanted


@pytest.mark.parametrize(
    ("listed", "context"),
    [
        ({"context_length": 131072}, "131072"),
        ({"meta": {"n_ctx_train": 4096}}, "4096"),
        ({"context_length": None}, None),
        ({}, None),
    ],
)
def test_the_context_length_where_the_server_tells_it(
    ready: Folder, listed: dict[str, Any], context: str | None
) -> None:
    with OpenAIServer(answering("good")) as server:
        server.listed |= listed
        found = ready.done("doctor", "--models", "--model", "scripted", "--json", **environ(server.base_url))
    (row,) = models(found.json)
    assert row["values"].get("context") == context and row["name"] == ("model" if context else "model_untold")


def test_each_configured_model_once_in_the_users_language(ready: Folder) -> None:
    ready.write("builder.toml", 'lang = "zh"\n[generate]\nmodel = "writer"\nverify_model = "judge"\n')
    with OpenAIServer(answering("takes_all")) as server:
        found = ready.done("doctor", "--models", "--model", "writer", **environ(server.base_url))
    assert [body["model"] for body in server.bodies] == ["writer", "judge"]
    assert "模型 writer（127.0.0.1）：密钥可用，输出格式 json_schema，上下文长度未告知" in found.out


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("unauthorized", "the key was refused"),
        ("not_found", "no such model"),
        ("html", "login page"),
        ("blank", "blank"),
    ],
)
def test_one_that_fails_is_exit_4_and_shows_no_key(ready: Folder, kind: str, said: str) -> None:
    with OpenAIServer(kind) as server:
        found = ready.run("doctor", "--models", "--model", "scripted", **environ(server.base_url))
    assert found.code == 4 and said in found.out and KEY not in found.out + found.err


def test_one_that_answers_without_json_is_a_warning(ready: Folder) -> None:
    with OpenAIServer(lambda body, number: completion("A week has seven days.", body)) as server:
        found = ready.done("doctor", "--models", "--model", "scripted", "--json", **environ(server.base_url))
    (row,) = models(found.json)
    assert (row["name"], row["outcome"]) == ("model_no_json", "warn")


def test_it_needs_a_model_but_no_workspace(folder: Folder) -> None:
    with OpenAIServer(answering("takes_all")) as server:
        found = folder.run("doctor", "--models", **environ(server.base_url))
        assert found.code == 3 and "--model" in found.err and server.bodies == []
        folder.done("doctor", "--models", "--model", "scripted", **environ(server.base_url))
    assert not (Path(folder.path) / "data").exists(), "nothing is made"
