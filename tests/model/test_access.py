"""Who may read: one table, the same everywhere."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.access import Access, Deny, UserContext, may_read
from builder.model.document import DocumentMetadata

ABOVE = {"payroll": "hr", "hr": "company", "loop": "pool", "pool": "loop"}

TABLE: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    # what the document asks, who the user is, may read
    ({}, {}, True),
    ({}, {"tenant": "a", "roles": ["hr"], "department": "hr", "region": "cn"}, True),
    ({"tenant": "a"}, {"tenant": "a"}, True),
    ({"tenant": "a"}, {"tenant": "b"}, False),
    ({"tenant": "a"}, {}, False),
    ({"roles": ["hr", "finance"]}, {"roles": ["finance", "sales"]}, True),
    ({"roles": ["hr"]}, {"roles": ["sales"]}, False),
    ({"roles": ["hr"]}, {}, False),
    ({"region": "cn"}, {"region": "cn"}, True),
    ({"region": "cn"}, {"region": "eu"}, False),
    ({"region": "cn"}, {}, False),
    ({"department": "hr"}, {"department": "hr"}, True),
    ({"department": "hr"}, {"department": "payroll"}, True),
    ({"department": "company"}, {"department": "payroll"}, True),
    ({"department": "payroll"}, {"department": "hr"}, False),
    ({"department": "hr"}, {}, False),
    ({"department": "hr"}, {"department": "loop"}, False),
    ({"tenant": "a", "roles": ["hr"]}, {"tenant": "a"}, False),
    ({"tenant": "a", "roles": ["hr"]}, {"tenant": "a", "roles": ["hr"]}, True),
    ({"deny": {"tenants": ["a"]}}, {"tenant": "a"}, False),
    ({"deny": {"users": ["lin"]}}, {"user": "lin"}, False),
    ({"deny": {"users": ["lin"]}}, {"user": "wang"}, True),
    ({"deny": {"users": ["lin"]}}, {}, True),
    ({"roles": ["hr"], "deny": {"roles": ["intern"]}}, {"roles": ["hr", "intern"]}, False),
    ({"deny": {"departments": ["hr"]}}, {"department": "payroll"}, False),
    ({"deny": {"departments": ["payroll"]}}, {"department": "hr"}, True),
]


@pytest.mark.parametrize(("asked", "user", "allowed"), TABLE)
def test_may_read(asked: dict[str, Any], user: dict[str, Any], allowed: bool) -> None:
    assert may_read(UserContext(**user), Access(**asked), ABOVE) is allowed
    assert may_read(UserContext(**user), DocumentMetadata(title="t", **asked), ABOVE) is allowed


@pytest.mark.parametrize("asked", [row[0] for row in TABLE])
def test_restricted_is_what_asks_something(asked: dict[str, Any]) -> None:
    assert Access(**asked).restricted is bool(asked)
    assert DocumentMetadata(title="t", authority="official", **asked).restricted is bool(asked)


words = st.sampled_from(["a", "hr", "payroll", "loop"])
users = st.builds(UserContext, user=words, tenant=words, department=words, region=words, roles=st.tuples(words))


@given(users, words)
def test_a_deny_entry_wins_over_everything(user: UserContext, word: str) -> None:
    for deny in (Deny(tenants=(user.tenant or "",)), Deny(roles=user.roles), Deny(users=(user.user or "",))):
        assert not may_read(user, Access(deny=deny), ABOVE)
