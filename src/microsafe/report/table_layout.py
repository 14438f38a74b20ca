"""Tables on pages of paper: how wide their columns are, and where rows are cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_PAGE = 100  # characters across a page
_LINE = 46  # characters of a line that is worth a wide column
_WORD = 22  # characters of a word that is worth a wide column
_LONGEST = 900  # characters of a cell on one page


def column_shares(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """Return the widths of the columns in proportion: no word is broken if that can be."""
    if not head:
        return (34.0, 66.0)
    columns = list(zip(head, *rows, strict=True))
    least = [
        2.0 + min(max(_bold(column[0]), *map(_longest_word, column)), _WORD) for column in columns
    ]
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
