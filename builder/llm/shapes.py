"""The JSON that calls ask for, as schemas that servers can hold a model to."""

from typing import Literal

Shape = Literal["items", "rewrite", "answer"]
"""items: questions and answers; rewrite: a question in other words; answer: a short answer, or that there is none."""
