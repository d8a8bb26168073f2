"""Writer over a .gguf file: llama.cpp's own server in this process, on loopback, called like any other endpoint.

One thread less than there are cores: with all of them, decoding collapses on a busy machine (spin barriers).
"""

import asyncio
import os
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from builder.errors import InputError
from builder.generate.writer import Request, WriterOptions
from builder.generate.writers.openai import OpenAIWriter
from builder.llm.client import Client
from builder.llm.endpoint import Endpoint
from builder.llm.formats import Formats
from builder.model.attempt import Reply

_CONTEXT = 8192
_HOST = "127.0.0.1"


class LocalWriter:
    """Loads the model at the first call."""

    name = "local"

    def __init__(self, file: Path, options: WriterOptions) -> None:
        self.model = file.name
        self._file = file
        self._options = options
        self._server: Any = None
        self._loading: asyncio.Future[OpenAIWriter] | None = None

    async def write(self, request: Request) -> Reply:
        """The reply of the model."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        writer = await asyncio.shield(self._loading)
        return await writer.write(request)

    async def close(self) -> None:
        """Close the connections and let the model go."""
        loading, self._loading = self._loading, None
        if loading is not None and not loading.done():
            loading.cancel()
        elif loading is not None and not loading.cancelled() and loading.exception() is None:
            await loading.result().close()
        self._server = None

    async def _load(self) -> OpenAIWriter:
        port = _free_port()
        self._server = await asyncio.to_thread(_serve, self._file, port)
        options = self._options
        place = Endpoint(base_url=f"http://{_HOST}:{port}/v1", model=self.model, timeout=options.timeout)
        formats = Formats(place, options.response_format)
        return OpenAIWriter(Client(place, formats=formats, limiter=options.limiter), options.retry)


def make(options: WriterOptions) -> LocalWriter:
    """The writer.

    Raises:
        InputError: no such file, or the extra `local` is missing.
    """
    file = Path(options.model)
    if not options.model or not file.is_file():
        raise InputError("no_model_file", file=options.model or "-")
    if find_spec("xllamacpp") is None:
        raise InputError("extra_missing", extra="local", what=file.name)
    return LocalWriter(file, options)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def _serve(file: Path, port: int) -> object:
    import xllamacpp

    threads = max(1, (os.cpu_count() or 2) - 1)
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = _CONTEXT
    params.n_parallel = 1
    params.hostnames = [_HOST]
    params.port = port
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)
