"""The other cases of a dataset, as the check for duplicates sees them."""

from collections.abc import Iterable

from builder.model.case import Case


class Others:
    """Cases by id. Immutable."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self.cases = {case.case_id: case for case in cases}
