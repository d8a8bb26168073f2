"""Batches: request files, and the files and batches endpoints of a server.

A request line is `{"custom_id", "method", "url", "body"}` with the body of the online path, byte for byte; a result
line is what OpenAI and `vllm run-batch` write: `{"custom_id", "response": {"status_code", "body"}, "error"}`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from builder.llm.completion import read_completion
from builder.llm.endpoint import Endpoint, is_loopback
from builder.llm.failures import CallFailed, Reason, one_line
from builder.model.attempt import Reply

if TYPE_CHECKING:
    import openai

URL: Literal["/v1/chat/completions"] = "/v1/chat/completions"
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
"""States in which a batch stays. Each may have an output file and an error file."""
REQUESTS = 50_000
"""Requests a shard, at most: what OpenAI takes."""
BYTES = 100_000_000
"""Bytes a shard, at most: half of what OpenAI takes."""
_TAG = "builder_tag"


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a result file."""

    custom_id: str
    """The request's."""
    reply: Reply | None
    """What came back."""
    error: str = ""
    """Why there is no reply."""


@dataclass(frozen=True, slots=True)
class State:
    """A batch as the server has it."""

    batch_id: str
    """Its id."""
    status: str
    """validating, in_progress, finalizing, and those of ENDED."""
    files: tuple[str, ...]
    """Ids of the output file and the error file, where there are any."""
    done: int
    """Requests that have an answer."""
    total: int
    """Requests in all."""

    @property
    def ended(self) -> bool:
        """It stays as it is."""
        return self.status in ENDED


def request_line(custom_id: str, body: bytes) -> bytes:
    """One request as a line with its line break; `body` stands in it as it is."""
    head = json.dumps({"custom_id": custom_id, "method": "POST", "url": URL}, ensure_ascii=False, separators=(",", ":"))
    return head[:-1].encode() + b',"body":' + body + b"}\n"


def shards(lines: Iterable[tuple[str, bytes]], requests: int = REQUESTS, size: int = BYTES) -> Iterator[list[str]]:
    """The ids of the lines in shards that a server takes, in order."""
    shard: list[str] = []
    room = size
    for custom_id, line in lines:
        if shard and (len(shard) >= requests or len(line) > room):
            yield shard
            shard, room = [], size
        shard.append(custom_id)
        room -= len(line)
    if shard:
        yield shard


def read_results(lines: Iterable[str]) -> Iterator[Result | str]:
    """The results of a file; a line that is none comes back as it is. Blank lines are left out."""
    for line in lines:
        if line.strip():
            yield _result(line)


def _result(line: str) -> Result | str:
    try:
        values = json.loads(line)
        custom_id = values["custom_id"]
    except (ValueError, TypeError, KeyError):
        return line
    if not isinstance(custom_id, str):
        return line
    response = values.get("response")
    body = response.get("body") if isinstance(response, dict) else None
    if not isinstance(response, dict) or response.get("status_code", 200) != 200 or body is None:
        told = values.get("error") or body or response
        return Result(custom_id, None, f"{Reason.SERVER_ERROR}: {one_line(json.dumps(told, ensure_ascii=False))}")
    try:
        return Result(custom_id, read_completion(body))
    except CallFailed as failure:
        return Result(custom_id, None, str(failure))


class BatchServer:
    """The files and batches endpoints of one server. Blocking; use as a context manager.

    Its methods raise CallFailed where the server refuses or is not there.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def __enter__(self) -> "BatchServer":
        import openai

        here = is_loopback(self._endpoint.host)
        self._sdk = openai.OpenAI(
            base_url=self._endpoint.base_url,
            api_key=self._endpoint.api_key or "none",
            timeout=self._endpoint.timeout,
            max_retries=3,  # nothing is paid for by these calls
            http_client=openai.DefaultHttpxClient(trust_env=False) if here else None,
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._sdk.close()

    def send(self, content: bytes, tag: str) -> State:
        """Upload a request file and start its batch; `tag` finds it again."""
        import openai

        try:
            file = self._sdk.files.create(file=(f"{tag}.jsonl", content), purpose="batch")
            batch = self._sdk.batches.create(
                input_file_id=file.id, endpoint=URL, completion_window="24h", metadata={_TAG: tag}
            )
        except openai.OpenAIError as error:
            raise self._failed(error) from error
        return _state(batch)

    def find(self, tag: str) -> State | None:
        """The batch that was started with `tag`."""
        import openai

        try:
            for batch in self._sdk.batches.list(limit=100):
                if (batch.metadata or {}).get(_TAG) == tag:
                    return _state(batch)
        except openai.OpenAIError as error:
            raise self._failed(error) from error
        return None

    def get(self, batch_id: str) -> State:
        """The batch as it is now."""
        import openai

        try:
            return _state(self._sdk.batches.retrieve(batch_id))
        except openai.OpenAIError as error:
            raise self._failed(error) from error

    def lines(self, files: Sequence[str]) -> Iterator[str]:
        """The lines of result files."""
        import openai

        for file in files:
            try:
                text = self._sdk.files.content(file).read().decode("utf-8", "replace")
            except openai.OpenAIError as error:
                raise self._failed(error) from error
            yield from text.splitlines()

    def _failed(self, error: "openai.OpenAIError") -> CallFailed:
        status = getattr(error, "status_code", None)
        reasons = {401: Reason.REFUSED_KEY, 403: Reason.REFUSED_KEY, 404: Reason.NOT_FOUND, 400: Reason.BAD_REQUEST}
        reason = Reason.CONNECTION if status is None else reasons.get(status, Reason.SERVER_ERROR)
        return CallFailed(reason, one_line(f"{self._endpoint.host}: {error}", self._endpoint.api_key), fatal=True)


def _state(batch: "openai.types.Batch") -> State:
    counts = batch.request_counts
    return State(
        batch_id=batch.id,
        status=batch.status,
        files=tuple(file for file in (batch.output_file_id, batch.error_file_id) if file),
        done=counts.completed + counts.failed if counts else 0,
        total=counts.total if counts else 0,
    )
