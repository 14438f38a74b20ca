"""Small SVG pictures for notebooks: no script, no font, no file.

Colours are those of the page around it, light or dark; names are hostile input and escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from microsafe.display import keep_on_one_line

Bars = Sequence[tuple[str, float, str]]  # name, length, and the figure as it is read

_MOST = 12  # bars that a small picture has room for
_LINE = 18  # height of a bar and the space below it
_LETTER = 6.2  # about as wide as one is
_LENGTH = 140  # of the longest bar
_NAME, _FIGURE = 32, 24  # letters of a name, and of a figure
_COLOUR, _MARK = "#6f8fae", "#b5523b"
_WIDTH, _HEIGHT = 300, 90  # of columns


def draw_bars(title: str, bars: Bars) -> str:
    """Return bars in the order given, the first of them if they are many.

    Args:
        title: What they show.
        bars: Names, lengths and figures; a length that is no number, or below 0, is none.
    """
    if not bars:
        return ""
    shown = bars[:_MOST]
    longest = max(map(_length, (value for _, value, _ in shown))) or 1.0
    left = 12 + _widest((name for name, _, _ in shown), _NAME)
    parts = [_text(0, 12, title, most=60)]
    for place, (name, value, figure) in enumerate(shown, 1):
        top, width = place * _LINE, _LENGTH * _length(value) / longest
        parts += [
            _text(0, top + 13, name, most=_NAME),
            _bar(left, top + 3, width, _LINE - 5),
            _text(left + width + 5, top + 13, figure, most=_FIGURE),
        ]
    lines = 1 + len(shown)
    if len(bars) > len(shown):
        parts.append(_text(0, lines * _LINE + 13, f"and {len(bars) - len(shown):,} more"))
        lines += 1
    width = left + _LENGTH + 10 + _widest((figure for _, _, figure in shown), _FIGURE)
    return _picture(title, max(width, _widest([title], 60)), lines * _LINE + 4, parts)


def draw_columns(
    title: str, counts: Sequence[float], *, ends: tuple[str, str], mark: float | None
) -> str:
    """Return columns side by side, as a histogram has them.

    Args:
        title: What they show.
        counts: Their heights.
        ends: What stands below the first and the last.
        mark: Where a line stands, as a share of the width; none if None or outside.
    """
    if not len(counts):
        return ""
    highest = max(map(_length, counts)) or 1.0
    wide = _WIDTH / len(counts)
    parts = [_text(0, 12, title, most=60)]
    for place, count in enumerate(counts):
        tall = _HEIGHT * _length(count) / highest
        parts.append(_bar(place * wide, 20 + _HEIGHT - tall, max(wide - 1, 1), tall))
    if mark is not None and 0 <= mark <= 1:
        at = _number(mark * _WIDTH)
        parts.append(
            f'<line x1="{at}" x2="{at}" y1="18" y2="{20 + _HEIGHT}" stroke="{_MARK}" '
            'stroke-width="2"/>'
        )
    low, high = ends
    parts.append(_text(0, _HEIGHT + 34, low, most=20))
    parts.append(_text(_WIDTH, _HEIGHT + 34, high, most=20, anchor="end"))
    return _picture(title, _WIDTH, _HEIGHT + 40, parts)


def _picture(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return "".join(_lines(title, width, height, parts))


def _lines(title: str, width: float, height: float, parts: Sequence[str]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_number(width)}" '
        f'height="{_number(height)}" viewBox="0 0 {_number(width)} {_number(height)}" '
        'style="max-width:100%;height:auto" font-family="sans-serif" font-size="11">'
    )
    yield f"<title>{escape(keep_on_one_line(title, 80))}</title>"
    yield from parts
    yield "</svg>"


def _bar(left: float, top: float, width: float, height: float) -> str:
    x, y, wide, tall = map(_number, (left, top, width, height))
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}" fill="{_COLOUR}"/>'


def _text(left: float, base: float, words: str, *, most: int = 40, anchor: str = "start") -> str:
    shown = escape(keep_on_one_line(words, most))
    place = f'x="{_number(left)}" y="{_number(base)}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor">{shown}</text>'


def _widest(words: Iterable[str], most: int) -> float:
    return max(_LETTER * len(keep_on_one_line(word, most)) for word in words)


def _length(value: float) -> float:
    return value if math.isfinite(value) and value > 0 else 0.0


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
