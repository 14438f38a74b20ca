"""Tables on pages of paper: how wide their columns are, and where rows are cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

_PAGE = 100  # characters across a page
_LINE = 46  # characters of a line that is worth a wide column
_WORD = 22  # characters of a word that is worth a wide column
_SHORT = 24  # characters of facts whose names need no wide column
_LONGEST = 900  # characters of a cell on one page


def column_shares(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
) -> tuple[float, ...]:
    """Return the widths of the columns in proportion.

    No word is broken, and no figure parted from its unit, if that can be.

    Args:
        head: Headings; none of a list of facts.
        rows: Cells.
        numbers: Places of the columns that hold numbers.
    """
    if not head:
        return (34.0, 66.0) if max(len(row[0]) for row in rows) > _SHORT else (24.0, 76.0)
    columns = list(zip(head, *rows, strict=True))
    least = []
    for at, column in enumerate(columns):
        measured = _longest_line if at in numbers else _longest_word
        least.append(2.0 + min(max(_bold(column[0]), *map(measured, column[1:])), _WORD))
    wanted = [2.0 + min(max(map(_longest_line, column)), _LINE) for column in columns]
    wanted = [max(pair) for pair in zip(least, wanted, strict=True)]
    more = sum(wanted) - sum(least)
    room = min(max((_PAGE - sum(least)) / more, 0.0), 1.0) if more else 0.0
    return tuple(low + room * (high - low) for low, high in zip(least, wanted, strict=True))


def _bold(heading: str) -> float:
    return 1.25 * _longest_word(heading)


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")))


def cut_rows(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Go through rows; what is too high for a page goes on in a further row."""
    for row in rows:
        parts = [
            [text[at : at + _LONGEST] for at in range(0, len(text) or 1, _LONGEST)] for text in row
        ]
        for at in range(max(map(len, parts))):
            yield tuple(part[at] if at < len(part) else "" for part in parts)
