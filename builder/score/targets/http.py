"""An address as target: one POST a question, the body by a template, the answer's fields by dotted paths."""

import codecs
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from builder.errors import InputError
from builder.llm.endpoint import is_loopback
from builder.logs.given import Unreadable, fields_of
from builder.model.access import UserContext
from builder.score.targets.question import Ask, Failed, Question
from builder.text.ids import digest

if TYPE_CHECKING:
    import httpx2
    import jinja2

BODY = """{"question": {{ question | tojson }}, "conversation": {{ conversation | tojson }}, \
"user_context": {{ user_context | tojson }}, "as_of": {{ as_of | tojson }}}"""
"""The body where no template is given."""
_JSON = "application/json"
_SNIPPET = 4000
"""Characters of a reply that an error tells; the runner cuts further."""
_LARGEST = 8 << 20
"""Bytes of the largest reply that is read, unpacked."""
_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class _Asker(dict[str, Any]):
    """Who asks, for templates: what is not known of this user is empty, in JSON null; what no user has is an error."""

    def __missing__(self, name: str) -> Any:
        import jinja2

        if name in UserContext.model_fields:
            return jinja2.Undefined(name=name)
        raise KeyError(name)


@dataclass(frozen=True, kw_only=True)
class HttpTarget:
    """Asks a server. Headers never show in `repr` or in `facts`."""

    url: str = field(repr=False)
    """The address; may hold a secret in its query."""
    body: "jinja2.Template"
    """Template of the body."""
    template: str
    """Its text."""
    headers: Mapping[str, str] = field(repr=False)
    """Headers as sent."""
    paths: Mapping[str, str]
    """Dotted paths by field of the reply."""
    concurrency: int
    """Connections at once."""

    @property
    def name(self) -> str:
        """The address without user, password and query."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Address, template (as a hash) and paths; of a query only so much that another one is told from it."""
        told = {"target": self.name, "body": digest(self.template, length=12)}
        told |= {"query": digest(query, length=6)} if (query := urlsplit(self.url).query) else {}
        return told | ({"fields": dict(self.paths)} if self.paths else {})

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Ask]:
        """A client with as many connections as questions are asked at once."""
        import httpx2

        host = urlsplit(self.url).hostname or ""
        limits = httpx2.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency)
        # The runner's timeout is for the whole call; redirects would carry the headers to another place; a cookie
        # would make one conversation of questions that have nothing to do with each other.
        async with httpx2.AsyncClient(
            timeout=None,
            limits=limits,
            follow_redirects=False,
            trust_env=not is_loopback(host),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        ) as client:

            async def ask(question: Question) -> Mapping[str, Any]:
                return self._read(*await self._sent(client, question))

            yield ask

    def render(self, question: Question) -> str:
        """The body for a question.

        Raises:
            Failed: the template fails on it.
        """
        import jinja2

        try:
            values = question.values()
            return self.body.render(values | {"user_context": _Asker(values["user_context"])})
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise Failed("template", f"{type(error).__name__}: {error}") from error

    async def _sent(self, client: "httpx2.AsyncClient", question: Question) -> tuple["httpx2.Response", bytes]:
        import httpx2

        body = self.render(question).encode()
        headers = {name.encode(): value.encode() for name, value in self.headers.items()}
        try:
            async with client.stream("POST", self.url, content=body, headers=headers) as response:
                return response, await _whole(response)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Failed("connection", f"{type(error).__name__}: {error}".rstrip(": ")) from error

    def _read(self, response: "httpx2.Response", body: bytes) -> Mapping[str, Any]:
        if not response.is_success:
            where = response.headers.get("location", "").partition("?")[0]
            raise Failed(f"http_{response.status_code}", where or _shown(_text(response, body, "replace")))
        try:
            text = _text(response, body)
            value = json.loads(text)
        except UnicodeDecodeError as error:
            said = f"not {error.encoding}, and the reply names no other charset: {_text(response, body, 'replace')}"
            raise Failed("bad_answer", _shown(said)) from error
        except (ValueError, RecursionError) as error:
            if response.headers.get("content-type", "").startswith("text/plain") and not self.paths:
                return fields_of(text)
            raise Failed("bad_answer", f"no JSON: {_shown(text)}") from error
        try:
            return fields_of(value, self.paths)
        except Unreadable as error:
            raise Failed("bad_answer", str(error)) from error


async def _whole(response: "httpx2.Response") -> bytes:
    got = bytearray()
    async for piece in response.aiter_bytes():
        got += piece
        if len(got) > _LARGEST:
            raise Failed("bad_answer", f"more than {_LARGEST >> 20} MiB")
    return bytes(got)


def _text(response: "httpx2.Response", body: bytes, errors: str = "strict") -> str:
    """The text of a reply in the charset that it names; UTF-8 where it names none that is known."""
    try:
        named = codecs.lookup(response.charset_encoding or "utf-8").name
    except LookupError:
        named = "utf-8"
    return body.decode("utf-8-sig" if named == "utf-8" else named, errors)


def _shown(text: str) -> str:
    return " ".join(text[: 4 * _SNIPPET].split())[:_SNIPPET]


def open_http(
    url: str,
    *,
    template: str = BODY,
    headers: Mapping[str, str] | None = None,
    paths: Mapping[str, str] | None = None,
    concurrency: int = 4,
) -> HttpTarget:
    """The target at an address.

    Raises:
        InputError: no address, or the template is broken; it is tried on a question with quotes.
    """
    _check_url(url)
    given = dict(headers or {})
    named = {name.casefold() for name in given}
    sent = {name: _JSON for name in ("Content-Type", "Accept") if name.casefold() not in named} | given
    target = HttpTarget(
        url=url,
        body=_compiled(template),
        template=template,
        headers=sent,
        paths=paths or {},
        concurrency=concurrency,
    )
    _tried(target)
    return target


def read_headers(lines: tuple[str, ...], environ: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Headers as sent from lines such as `Authorization: Bearer {NAME}`, and the names that stand for secrets.

    `{NAME}` is filled from the environment, so that no secret stands on a command line.

    Raises:
        InputError: no header line, or the environment has no such name.
    """
    headers: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        name, colon, pattern = line.partition(":")
        if not colon or not _HEADER.fullmatch(name.strip()):
            raise InputError("run_header_line", line=name)
        for wanted in _PLACE.findall(pattern):
            if not environ.get(wanted):
                raise InputError("run_header_unset", header=name.strip(), name=wanted)
            names.append(wanted)
        value = _PLACE.sub(lambda match: environ[match[1]].strip(), pattern).strip()
        if _CONTROL.search(value):
            raise InputError("run_header_line", line=name)
        headers[name.strip()] = value
    return headers, tuple(names)


def _compiled(template: str) -> "jinja2.Template":
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)
    # As a text, what must be defined says what it is; JSON alone would only tell that it is none.
    made.policies["json.dumps_kwargs"] = {
        "ensure_ascii": False,
        "sort_keys": True,
        "default": lambda one: str(one) or None,
    }
    try:
        return made.from_string(template)
    except jinja2.TemplateSyntaxError as error:
        raise InputError("run_body", detail=f"line {error.lineno}: {error.message}") from error


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise InputError("run_target_url", url=url.partition("://")[0] + "://…") from error
    if not good:
        raise InputError("run_target_url", url=f"{parts.scheme}://{parts.hostname or ''}")


def _tried(target: HttpTarget) -> None:
    """A template that can never work is an error of the command, not one of every answer."""
    try:
        body = target.render(Question(question='Is "this" so?\nReally?'))
        sent = {name.casefold(): value for name, value in target.headers.items()}["content-type"]
        if sent.partition(";")[0].strip().casefold() == _JSON:
            json.loads(body)
    except Failed as error:
        raise InputError("run_body", detail=error) from error
    except ValueError as error:
        raise InputError("run_body", detail=f"no JSON ({error}); write {{{{ question | tojson }}}}") from error
