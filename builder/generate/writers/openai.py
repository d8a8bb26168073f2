"""Writer over any OpenAI-compatible endpoint."""

from builder.errors import InputError
from builder.generate.writer import Request, WriterOptions
from builder.llm.client import Client
from builder.llm.formats import Formats
from builder.llm.retry import RetryPolicy, retried
from builder.model.attempt import Reply

_ITEM = 100
"""Tokens of one item in a reply, generously: for the pacing alone, the usage corrects it."""


class OpenAIWriter:
    """Calls the endpoint, with a few more tries where that helps."""

    name = "openai"

    def __init__(self, client: Client, retry: RetryPolicy) -> None:
        self.model = client.endpoint.model
        self._client = client
        self._retry = retry

    async def write(self, request: Request) -> Reply:
        """The reply of the model."""
        messages = [{"role": message.role, "content": message.content} for message in request.messages]

        async def call() -> Reply:
            return await self._client.chat(
                messages,
                max_tokens=request.max_tokens,
                temperature=float(request.temperature),
                shape=request.shape,
                expected=min(request.max_tokens, _ITEM * request.asked),
            )

        return await retried(call, self._retry)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def make(options: WriterOptions) -> OpenAIWriter:
    """The writer.

    Raises:
        InputError: no endpoint.
    """
    if options.endpoint is None:
        raise InputError("no_model")
    formats = Formats(options.endpoint, options.response_format, options.formats)
    return OpenAIWriter(Client(options.endpoint, formats=formats, limiter=options.limiter), options.retry)
