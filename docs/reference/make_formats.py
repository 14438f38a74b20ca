"""Make the tables of what each format keeps, from the cases of the corpus in `tests/corpus`.

A case says what its file is there to show and what of it is lost or refused; the tests of the
corpus fail if that is not so. `uv run python docs/reference/make_formats.py` writes the tables
between two marks of the page anew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[2]
PAGE = Path(__file__).with_name("formats.md")
sys.path.insert(0, str(ROOT / "tests"))

from corpus.case import Case  # noqa: E402
from corpus.every import CASES  # noqa: E402

BEGIN = "<!-- Made by docs/reference/make_formats.py from the tests: begin -->"
END = "<!-- end -->"
FAMILIES = {
    "text": (".csv", ".tsv", ".txt", ".gz", ".zip"),
    "Parquet": (".parquet", ".pq"),
    "Arrow": (".arrow", ".feather", ".ipc"),
    "SPSS": (".sav", ".zsav", ".por"),
    "Stata": (".dta",),
    "SAS": (".xpt", ".sas7bdat"),
    "workbook": (".xlsx", ".xlsm", ".ods", ".xls", ".xlsb"),
    "mu-ARGUS": (".asc", ".dat", ".prn"),
    "R": (".rds", ".rdata", ".rda"),
}
VALUES = (
    "text of any script",
    "leading zeros",
    "blanks in front of text",
    "line ends in text",
    "text of 200 bytes",
    "text of 2,000 bytes",
    "text of 40,000 bytes",
    "categories",
    "whole numbers",
    "whole numbers of 15 digits",
    "whole numbers beyond 2^53",
    "numbers",
    "numbers of 17 digits",
    "numbers beyond 1e75",
    "infinite numbers",
    "decimals",
    "truth values",
    "dates",
    "dates before 1900",
    "dates up to the year 9999",
    "moments",
    "moments with a time zone",
    "times",
    "durations",
    "lists and structures",
    "bytes",
    "variable without a value",
)
DESCRIPTIONS = (
    "labels of variables",
    "labels of numbers",
    "labels of text",
    "missing codes",
    "missing ranges",
    "tagged missing values",
    "order of categories",
    "level of measurement",
    "display formats",
    "column width",
    "alignment",
    "file label",
    "notes",
)
Status = tuple[bool, str]  # whether input and output have one format, and what became of it


def find_family(case: Case, extension: str) -> str:
    """Return the column of a case: text with metadata of mu-ARGUS is not delimited text."""
    if case.name.startswith("argus"):
        return "mu-ARGUS"
    last = PurePath(f"file{extension}").suffix.lower()
    return next(name for name, extensions in FAMILIES.items() if last in extensions)


def list_outcomes(case: Case) -> Iterator[tuple[str, str, Status]]:
    """Give fact, column and what becomes of it, for all that a case shows."""
    before = find_family(case, case.extension)
    if case.refused:
        yield case.holds, before, (True, "refused")
        return
    after = find_family(case, case.written)
    for fact in dict.fromkeys((case.holds, *case.tells, *case.lost)):
        kept = "refused" if case.unwritable else "lost" if fact in case.lost else "kept"
        yield fact, after, (before == after, kept)


def collect_outcomes() -> dict[str, dict[str, set[Status]]]:
    """Return by fact and column what becomes of it, over all cases."""
    found: dict[str, dict[str, set[Status]]] = defaultdict(lambda: defaultdict(set))
    for case in CASES:
        for fact, column, status in list_outcomes(case):
            found[fact][column].add(status)
    return found


def say(statuses: set[Status]) -> str:
    """Return what a cell says."""
    words = {word for _, word in statuses}
    if len(words) < 2:
        return "".join(words)
    own = {word for same, word in statuses if same}
    return "own" if own == {"kept"} else " or ".join(sorted(words))


def make_table(first: str, facts: tuple[str, ...]) -> Iterator[str]:
    """Give a table with a row for each fact and a column for each format."""
    outcomes = collect_outcomes()
    columns = [c for c in FAMILIES if any(outcomes[fact][c] for fact in facts)]
    yield f"| {first} | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for fact in facts:
        cells = [say(outcomes[fact][column]) for column in columns]
        if any(cells):
            yield f"| {fact} | {' | '.join(cells)} |"


def make_list() -> Iterator[str]:
    """Give a table by format of all that is in no other table."""
    words = ("kept", "lost", "refused")
    rows: dict[str, dict[str, list[str]]] = {c: {word: [] for word in words} for c in FAMILIES}
    for fact, columns in collect_outcomes().items():
        if fact not in ("values", *VALUES, *DESCRIPTIONS):
            for column, statuses in columns.items():
                for word in dict.fromkeys(word for _, word in sorted(statuses)):
                    rows[column][word].append(fact)
    yield "| format | kept | lost | refused |"
    yield "|---|---|---|---|"
    for column, cells in rows.items():
        if any(cells.values()):
            yield f"| {column} | {' | '.join(', '.join(cells[word]) for word in words)} |"


def make_part() -> str:
    """Return what stands between the marks."""
    # One file goes into several formats.
    count = len({case.name.partition("-to.")[0] for case in CASES})
    return "\n".join(
        [
            f"Measured on {count} files that other programs' writers made: each was opened, "
            "compared with what an\nindependent reader says, written, and compared again. "
            "Columns are the format that is written.\n",
            *make_table("value", VALUES),
            "",
            *make_table("what is said of it", DESCRIPTIONS),
            "",
            "*own*: kept if the input has that format too, lost from other formats. Where a cell "
            "is empty, no file of\nthe tests has such a thing.\n",
            *make_list(),
        ]
    )


def make_page() -> str:
    """Return the page with the tables made anew."""
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{make_part()}\n\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(make_page(), "utf-8", newline="\n")
