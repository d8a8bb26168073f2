"""Where model calls go: address, key, model."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from builder.errors import InputError

OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One OpenAI-compatible endpoint. The key never shows in `repr`."""

    base_url: str
    """Address up to and with `/v1`."""
    model: str
    """Model name as the server knows it."""
    api_key: str = field(default="", repr=False)
    """Key; empty where the server asks for none."""
    timeout: float = 120.0
    """Seconds a call."""

    @property
    def host(self) -> str:
        """Host name, lower case."""
        return urlsplit(self.base_url).hostname or ""


def endpoint(environ: Mapping[str, str], model: str | None, timeout: float) -> Endpoint:
    """The endpoint that OPENAI_BASE_URL and OPENAI_API_KEY name.

    Raises:
        InputError: no model, an address that is none, or no key for a host that is not this machine.
    """
    base_url = environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
    key = environ.get("OPENAI_API_KEY", "").strip()
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("endpoint_url", url=f"{parts.scheme}://{parts.hostname or ''}")
    if not model:
        raise InputError("no_model")
    if not key and not is_loopback(parts.hostname):
        raise InputError("no_key", host=parts.hostname)
    return Endpoint(base_url=base_url, model=model, api_key=key, timeout=timeout)


def is_loopback(host: str) -> bool:
    """True where `host` is this machine."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
