"""Pictures of what protection cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.compare.comparison import Comparison
from microsafe.compare.number_plots import Part, number_parts, stack_parts
from microsafe.compare.table_plots import model_parts, table_parts
from microsafe.display import show_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_BAR, _INK, _GRID = "#8fa9bf", "#26323d", "#e3e7ea"
_MOST = 12


def draw(result: Comparison, axes: tuple[Axes, Axes] | None) -> tuple[Axes, Axes]:
    """Draw the share of blanks by variable, and the Hellinger distance by table."""
    if axes is None:
        from matplotlib import pyplot

        _, made = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
        axes = (made[0], made[1])
    left, right = axes
    losses = [each for each in result.losses if not each.dropped]
    _bars(left, [(each.name, 100 * each.blank_share) for each in losses])
    left.set_xlabel("values blanked, %")
    tables = sorted(result.tables, key=lambda each: -each.hellinger)[:_MOST]
    _bars(right, [(" × ".join(each.names), each.hellinger) for each in tables])
    kind = "weighted table" if result.weight else "table"
    right.set_xlabel(f"Hellinger distance of the {kind}")
    return axes


def draw_all(result: Comparison) -> Figure:
    """Return one figure: blanks and tables, their cells, models, then numbers before and after."""

    def first(part: SubFigure) -> None:
        left, right = part.subplots(1, 2)
        draw(result, (left, right))

    parts: list[Part] = [(4.5, first), *table_parts(result.named_tables())]
    if (found := result.utility) is not None:
        parts += model_parts(found.models)
        parts += number_parts(found.pictures, found.correlations)
    return stack_parts(parts)


def _bars(ax: Axes, rows: list[tuple[str, float]]) -> None:
    ax.barh(range(len(rows)), [value for _, value in rows], color=_BAR)
    # A dollar sign in a name is a dollar sign, not mathematics.
    ax.set_yticks(range(len(rows)), [_clean(name) for name, _ in rows], parse_math=False)
    for at, (_, value) in enumerate(rows):
        ax.annotate(
            show_number(value, 3), (value, at), xytext=(3, 0), textcoords="offset points",
            va="center", fontsize=8, color=_INK,
        )  # fmt: skip
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.grid(axis="x", color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _clean(name: str) -> str:
    shown = "".join(each if each.isprintable() else "?" for each in name)
    return shown if len(shown) <= 30 else shown[:27] + "..."
