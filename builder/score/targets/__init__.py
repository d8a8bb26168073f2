"""Targets: RAG systems that can be asked. A function, an address, or the built-in BM25."""
