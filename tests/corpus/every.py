"""All cases of the corpus, and those that fail today."""

from __future__ import annotations

from fnmatch import fnmatchcase

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

# Names of cases that fail, and why. What is here is run, may fail, and is not in the table.
PENDING: dict[str, str] = {
    "text-pandas-index": "a nameless first column is refused",
    "text-trailing-separators": "empty nameless columns are refused",
    "text-years-as-names": "years as names are refused",
    "text-comment-lines": "there is no option for comments",
    "text-packed*": "packed text is refused",
    "r-text-write.csv": "a nameless first column is refused",
    "parquet-zone-offset": "offsets of time zones are called damage",
    "parquet-text-as-bytes": "text stored as bytes is no text",
    "parquet-folder": "folders are not opened",
    "workbook-*-times": "times are read as moments of 1899",
    "workbook-*-durations": "durations cannot be written",
    "workbook-*-words-such-as-NA-beside-numbers": "they become missing",
    "workbook-mac-1904": "dates are 1,462 days early",
    "workbook-pandas-index": "a nameless first column is refused",
    "workbook-years-as-names": "years as names are refused",
    "spss-refused-encrypted": "the message says damage",
    "stata-long-text-latin": "it is called damaged",
    "stata-release-10[45]": "missing doubles are read as numbers",
    "spss-centred": "centred becomes right",
    "stata-lowest-label": "its code is refused",
    "stata-float-limit": "floats near their limit become doubles",
    "sas-never-*": "SAS has no 29 February 4000",
    "sas-formats": "formats are dropped",
    "arrow-*": "Arrow files are not read",
    "r-rds-*": "R data are not read",
    "r-rda*": "R data are not read",
    "convert-text-of-2000-bytes-to.xpt": "version 8 is not written by itself",
    "convert-numbers-of-17-digits-to.asc": "what is written cannot be read",
    "convert-numbers-beyond-1e75-to.asc": "what is written cannot be read",
    "convert-dates-up-to-the-year-9999-to.xpt": "SAS has no 29 February 4000",
    "convert-*-to.arrow": "Arrow files are not written",
    "convert-times-to.[!acp]*": "times are refused",
    "convert-durations-to.[!p]*": "durations are refused",
}


def why_pending(case: Case) -> str:
    """Return why a case may fail, or nothing."""
    return next((why for name, why in PENDING.items() if fnmatchcase(case.name, name)), "")
