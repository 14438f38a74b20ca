"""Tell whether the first line of a table holds names or a record.

Names are quoted in messages. Those of a record would tell what a respondent answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from microsafe.codes import MISSING_WORDS
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice

Columns = Sequence[Sequence[str | None]]

_NUMBER = re.compile(r"[-+]?(?=.*\d)[\d.,' \u00a0\u202f]++(?:e[-+]?\d+)?\s*%?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?", re.DOTALL)
_BETWEEN = re.compile(r"[\s,;|:]+")
_YEAR = re.compile(r"[12]\d{3}")
_APART = 10  # years from one name to the next, at most: censuses
ROW = "row"  # what a column of row names is called


def check_names(
    source: str, names: Sequence[str], place: str, below: Columns = ()
) -> tuple[Notice, ...]:
    """Return what to know of names, unless they look like the values of a record.

    Years are names if the first records show that they are none of a record's values.

    Args:
        source: What messages call the file.
        names: As they stand there, without blanks around them; empty where there is none.
        place: Where they stand: "line" or "row".
        below: The values of the first records in each column.

    Raises:
        InputError: One of them is a number or a date. It is not quoted.
    """
    present = [name for name in names if name]
    odd = [name for name in present if _is_value(name)]
    if odd and _are_years(names, below):
        return (make_notice("file-years", name=source, years=f"{odd[0]} to {odd[-1]}"),)
    if odd or (len(present) == 1 and _is_line(present[0])):
        raise InputError(
            f"{source} has a first {place} that does not look like names of variables: there are "
            f"numbers or dates in it. Put a {place} of names above the records, each beginning "
            "with a letter."
        )
    return ()


def fill_names(
    source: str, names: Sequence[str], place: str, is_empty: Callable[[int], bool]
) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return the names with one for row names, and what to know of them.

    Columns that have neither a name nor a value keep no name: they are left out.

    Args:
        source: What messages call the file.
        names: As they stand there; empty where there is none.
        place: Where they stand: "line" or "row".
        is_empty: Tells whether the column at a place has no value at all.

    Raises:
        InputError: A column other than the first has values and no name.
    """
    filled, notices = list(names), []
    for position, name in enumerate(names):
        if name or is_empty(position):
            continue
        if position:
            raise InputError(
                f"{source} has no name for the variable in column {position + 1}. "
                f"Give it one {'on' if place == 'line' else 'in'} the first {place}."
            )
        filled[0] = _find_free_name(names)
        notices.append(make_notice("file-row-names", name=source, variable=filled[0]))
    return tuple(filled), tuple(notices)


def _find_free_name(names: Sequence[str]) -> str:
    used = {name.casefold() for name in names}
    choices = [ROW, *(f"{ROW}_{number}" for number in range(1, len(names) + 1))]
    return next(name for name in choices if name not in used)


def _is_value(name: str) -> bool:
    return bool(_NUMBER.fullmatch(name) or _DATE.fullmatch(name))


def _is_line(name: str) -> bool:
    """Tell whether the only name is a line of values that was not cut into its fields."""
    return any(part[:1].isdigit() for part in _BETWEEN.split(name))


def _are_years(names: Sequence[str], below: Columns) -> bool:
    """Tell whether all numbers among names are years, and the records have other values there.

    A record may have years too, such as those of birth and of the interview. Its values are
    like those below it, so the columns of the years must hold numbers of which most are no years,
    and no other name may occur again in its column.
    """
    years = [int(name) for name in names if _YEAR.fullmatch(name)]
    steps = [later - earlier for earlier, later in pairwise(years)]
    ordered = all(0 < step <= _APART for step in steps) or all(-_APART <= s < 0 for s in steps)
    if len(years) < 2 or not ordered or len(below) < len(names):
        return False
    words = [name for name in names if name and not _YEAR.fullmatch(name)]
    if (names[0] and not words) or not all(word[0].isalpha() for word in words):
        return False
    return all(
        _holds_figures(column) if _YEAR.fullmatch(name) else name not in _strip(column)
        for name, column in zip(names, below, strict=False)
        if name
    )


def _holds_figures(column: Sequence[str | None]) -> bool:
    """Tell whether values are numbers, and less than half of them could be years."""
    known = [text for text in _strip(column) if text.casefold() not in MISSING_WORDS]
    numbers = [text for text in known if _NUMBER.fullmatch(text)]
    years = sum(bool(_YEAR.fullmatch(text)) for text in numbers)
    return bool(numbers) and len(numbers) == len(known) and 2 * years < len(numbers)


def _strip(column: Sequence[str | None]) -> list[str]:
    return [text.strip() for text in column if text and text.strip()]
