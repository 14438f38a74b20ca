"""Figures and tables as text: one way to print them, wherever they are printed."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def align_columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = ()) -> list[str]:
    """Return rows of text in aligned columns, indented by two blanks.

    Args:
        rows: Of equal length; the first may be a heading.
        right: Columns that are aligned to the right, such as numbers; all others to the left.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            text.rjust(width) if place in right else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines


def keep_on_one_line(text: str, most: int = 40) -> str:
    """Return text on one line and not too long; names come from files and may hold anything."""
    clean = "".join(each if each.isprintable() else "?" for each in text)
    return clean if len(clean) <= most else clean[: most - 3] + "..."
