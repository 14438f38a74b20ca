"""All cases of the corpus, and those that fail today."""

from __future__ import annotations

from corpus import parquet, sas, spss, stata, text, workbooks
from corpus.case import Case

CASES: list[Case] = [*text.CASES, *parquet.CASES, *workbooks.CASES, *spss.CASES, *stata.CASES, *sas.CASES]
PENDING: dict[str, str] = {}
