"""data/docs read once for all types."""

from collections.abc import Iterator

import pytest

from builder.app.ingest import ingest
from builder.app.workspace import init
from builder.generate.material import Material
from builder.progress import Silent
from builder.store import open_store
from tests.generate.make import material


@pytest.fixture(scope="session")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """What tasks are made of, over all chunks of the sample documents."""
    workspace, _ = init(tmp_path_factory.mktemp("types"), sample=True)
    ingest(workspace, [workspace.root / "docs"], Silent())
    with open_store(workspace.store_url) as store:
        chunks = store.documents.chunks()
    yield material(chunks, tmp_path_factory.mktemp("search"))
