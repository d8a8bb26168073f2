"""What may leave: restricted documents stay on this machine unless a rule lets them go."""

from builder.generate.sending import sendable
from builder.model.document import DocumentMetadata
from builder.settings import SendRule
from tests.generate.make import chunk

OPEN = chunk(doc_id="faq.md")
TENANT = [chunk(doc_id="tenants/b/p.pdf", ordinal=n, metadata=DocumentMetadata(tenant="b")) for n in range(2)]
ROLES = chunk(doc_id="pay.pdf", metadata=DocumentMetadata(roles=("hr",)))
ALL = [OPEN, *TENANT, ROLES]


def test_restricted_documents_are_held_back_and_counted() -> None:
    sending = sendable(ALL, "api.openai.com", [])
    assert sending.allowed == (OPEN,) and sending.held_back == {"tenants/b/p.pdf": 2, "pay.pdf": 1}


def test_this_machine_gets_everything() -> None:
    for host in (None, "localhost", "127.0.0.1", "::1"):
        assert sendable(ALL, host, []).allowed == tuple(ALL)


def test_rules_let_go_by_document_and_host() -> None:
    rules = [SendRule(match="tenants/**", hosts=("llm.corp.example",))]
    assert sendable(ALL, "LLM.corp.example", rules).held_back == {"pay.pdf": 1}
    assert sendable(ALL, "llm.corp.example.evil.com", rules).held_back == {"tenants/b/p.pdf": 2, "pay.pdf": 1}
    assert sendable(ALL, "x.example", [SendRule(match="pay.pdf")]).held_back == {"tenants/b/p.pdf": 2}
