"""All cases of the corpus."""

from __future__ import annotations

from corpus import (
    argus,
    arrow,
    conversions,
    parquet,
    r,
    sas,
    spss,
    stata,
    text,
    workbooks,
)
from corpus.case import Case

CASES: tuple[Case, ...] = (
    *text.CASES,
    *parquet.CASES,
    *arrow.CASES,
    *workbooks.CASES,
    *spss.CASES,
    *stata.CASES,
    *sas.CASES,
    *argus.CASES,
    *r.CASES,
    *conversions.CASES,
)
