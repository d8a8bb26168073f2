"""Who may read a document: one rule, used everywhere."""

from collections.abc import Mapping

from pydantic import Field

from builder.model.record import Record


class UserContext(Record):
    """The person who asks, as far as access depends on it."""

    user: str | None = None
    """Name or id, only needed against `deny.users`."""
    tenant: str | None = None
    """The tenant that the user belongs to."""
    department: str | None = None
    """The user's department; may be a child of the document's."""
    region: str | None = None
    """The user's region."""
    roles: tuple[str, ...] = ()
    """All roles of the user."""


class Deny(Record):
    """Entries that win over everything that allows."""

    tenants: tuple[str, ...] = ()
    """Tenants that may not read."""
    roles: tuple[str, ...] = ()
    """Roles that may not read, whatever other roles the user has."""
    departments: tuple[str, ...] = ()
    """Departments that may not read, with all below them."""
    users: tuple[str, ...] = ()
    """Users that may not read."""


class Access(Record):
    """What a document asks of its readers. An empty field asks nothing."""

    tenant: str | None = None
    """Only this tenant."""
    roles: tuple[str, ...] = ()
    """One of these roles in common."""
    department: str | None = None
    """This department or one below it."""
    region: str | None = None
    """Only this region."""
    deny: Deny = Field(default_factory=Deny)
    """Who may not read in any case."""

    @property
    def restricted(self) -> bool:
        """True where not everybody may read."""
        return any((self.tenant, self.roles, self.department, self.region, self.deny != Deny()))

    @property
    def levels(self) -> tuple[str, ...]:
        """What one must have to read it, as `tenant:a`, `role:hr` or `deny`; empty where everybody may."""
        single = (("tenant", self.tenant), ("department", self.department), ("region", self.region))
        levels = [f"{name}:{value}" for name, value in single if value] + [f"role:{role}" for role in self.roles]
        return (*levels, *(["deny"] if self.deny != Deny() else []))


def may_read(user: UserContext, access: Access, parents: Mapping[str, str] | None = None) -> bool:
    """Say whether `user` may read a document with `access`.

    `parents` maps a department to the one above it (from builder.toml). A user who lacks an attribute that the
    document has may not read it; a deny entry wins.
    """
    departments = _with_parents(user.department, parents or {})
    return not _denied(user, access.deny, departments) and (
        access.tenant in (None, user.tenant)
        and (not access.roles or bool(set(access.roles) & set(user.roles)))
        and (access.department is None or access.department in departments)
        and access.region in (None, user.region)
    )


def _denied(user: UserContext, deny: Deny, departments: tuple[str, ...]) -> bool:
    return (
        user.tenant in deny.tenants
        or user.user in deny.users
        or bool(set(deny.roles) & set(user.roles))
        or bool(set(deny.departments) & set(departments))
    )


def _with_parents(department: str | None, parents: Mapping[str, str]) -> tuple[str, ...]:
    """The department and all above it, nearest first; a loop in the table ends the walk."""
    found: list[str] = []
    while department and department not in found:
        found.append(department)
        department = parents.get(department)
    return tuple(found)
