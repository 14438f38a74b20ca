"""Figures as people read and type them: one format each, on every surface.

A risk has three significant digits and its odds, a share is in per cent with one decimal,
thousands are separated by a comma.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from contextvars import ContextVar
from typing import Annotated

RATE = "rate"
Rate = Annotated[float, RATE]  # a risk, rate or share: plans may write it as `read_rate` reads it

_PERCENT = re.compile(r"(?P<number>[^%]+)%")
_ODDS = re.compile(r"(?P<one>\d+)\s+in\s+(?P<many>[\d,]+)", re.IGNORECASE)
_WIDEST = 120  # characters of a cell
_NARROWEST = 8  # characters of a column that is cut
# Characters of a line of text, where somebody reads it in a terminal; None if nothing is cut.
page_width: ContextVar[int | None] = ContextVar("page_width", default=None)
_PLAIN_FROM, _PLAIN_UP_TO = 1e-9, 1e15  # outside, an exponent reads better than zeros


def show_number(value: float, digits: int = 4) -> str:
    """Return a number with as many digits as a reader needs."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    size = abs(value)
    if value == int(value) and size < _PLAIN_UP_TO:
        return f"{int(value):,}"
    if size < _PLAIN_FROM or size >= _PLAIN_UP_TO:
        return f"{value:.{digits}g}"
    if size >= 1000:
        return f"{value:,.1f}"
    short = float(f"{value:.{digits}g}")
    decimals = max(digits - 1 - math.floor(math.log10(size)), 0)
    text = f"{short:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def show_odds(risk: float) -> str:
    """Return a risk as odds: 1 in so many."""
    if not risk > 0:
        return "none"
    people = 1 / risk
    many = show_number(people, 2) if people < 10 else f"{round(people):,}"
    return f"nearly 1 in {many}" if many == "1" and risk < 1 else f"1 in {many}"


def show_risk(risk: float) -> str:
    """Return a risk with three significant digits and its odds."""
    return f"{show_number(risk, 3)} ({show_odds(risk)})" if risk > 0 else show_number(risk)


def show_percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not nothing never looks like nothing."""
    if math.isnan(share):
        return "–"
    least = 10**-digits
    if 0 < 100 * share < least / 2:
        return f"under {least:.{digits}f} %"
    if 100 - least / 2 < 100 * share < 100:
        return f"over {100 - least:.{digits}f} %"
    return f"{100 * share:.{digits}f} %"


def show_rate(rate: float) -> str:
    """Return a rate in per cent with three significant digits, for rates that may be small."""
    return f"{show_number(100 * rate, 3)} %"


def read_rate(text: str) -> float:
    """Return a risk or rate that is written as `0.01`, `1%` or `1 in 100`.

    Raises:
        ValueError: The text is none of these.
    """
    text = text.strip()
    if odds := _ODDS.fullmatch(text):
        many = int(odds["many"].replace(",", ""))
        if not many:
            raise ValueError("no odds")
        return int(odds["one"]) / many
    if percent := _PERCENT.fullmatch(text):
        # Moving the point in the text is exact; a division by 100 is not.
        return float(f"{percent['number'].strip()}e-2")
    return float(text)


def format_rows(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return lines with the names in one column and the values in another."""
    return format_grid(rows, right=())


def format_grid(rows: Sequence[tuple[str, ...]], *, right: Collection[int]) -> list[str]:
    """Return rows of text in aligned columns, some of them aligned to the right."""
    rows = [tuple(map(_fit_cell, row)) for row in rows]
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    shown = fit_columns(widths, right, page_width.get(), empty=_find_empty(rows))
    return [
        "  "
        + "  ".join(
            cut_text(row[column], width).rjust(width)
            if column in right
            else cut_text(row[column], width).ljust(width)
            for column, width in shown.items()
        ).rstrip()
        for row in rows
    ]


def _find_empty(rows: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the columns that have nothing below their heading."""
    return [n for n in range(1, len(rows[0])) if not any(row[n] for row in rows[1:])]


def fit_columns(
    widths: Sequence[int], right: Collection[int], most: int | None, empty: Collection[int] = ()
) -> dict[int, int]:
    """Return the columns that a line has room for, and how wide each is.

    Columns without entries are left out first; then the last column of text is cut, then those
    before it; where that is not enough, columns are left out from the end. The first column, and
    figures that are shown, stay whole.

    Args:
        widths: That the columns would have.
        right: Columns of figures.
        most: Characters of a line; any number if None.
        empty: Columns without entries.
    """
    shown = dict(enumerate(widths))

    def excess() -> int:
        return 0 if most is None else sum(shown.values()) + 2 * len(shown) - most

    if excess() > 0:
        shown = {column: width for column, width in shown.items() if column not in empty}
    while len(shown) > 1:
        for column in sorted(shown, reverse=True):
            if column and column not in right and excess() > 0:
                shown[column] = max(shown[column] - excess(), min(_NARROWEST, shown[column]))
        if excess() <= 0:
            break
        shown.popitem()
    return shown


def show_count(number: int, noun: str) -> str:
    """Return a number of things, in words that fit it."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cut_text(text: str, width: int) -> str:
    """Return a text that is no longer than some characters."""
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def shorten_list(names: Sequence[str], most: int = 12, *, more: str = " and {count:,} more") -> str:
    """Return names as a list on one line, the first of them if they are many."""
    shown = ", ".join(keep_on_one_line(name) for name in names[:most])
    return shown if len(names) <= most else shown + more.format(count=len(names) - most)


def _fit_cell(text: str) -> str:
    """Return what a cell shows: a label may be long, and may have lines."""
    text = " ".join(text.splitlines()) if not text.isprintable() else text
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def keep_on_one_line(text: str, most: int = 40) -> str:
    """Return text on one line and not too long; names come from files and may hold anything."""
    clean = "".join(character if character.isprintable() else "?" for character in text)
    return clean if len(clean) <= most else clean[: most - 3] + "..."
