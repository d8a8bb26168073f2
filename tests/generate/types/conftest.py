"""data/docs read once for all types."""

import pytest

from builder.generate.material import Material
from tests.checks.sample import sample_chunks
from tests.generate.make import material


@pytest.fixture(scope="session")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """What tasks are made of, over all chunks of the sample documents."""
    return material(sample_chunks(), tmp_path_factory.mktemp("search"))
