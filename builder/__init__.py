"""Golden dataset builder and curation toolkit for RAG systems."""

__version__ = "0.1.0"
