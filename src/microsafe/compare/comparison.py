"""Result of a comparison: what protection cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from microsafe.compare.cost_figures import (
    GroupBlanks,
    LossByUses,
    Means,
    Touched,
    Utility,
    VariableLoss,
)
from microsafe.compare.propensity import Propensity
from microsafe.compare.tables import TableChange, TableFigures
from microsafe.compare.text import bare_percent, plain, tell_cells, tell_propensity, tell_utility
from microsafe.compare.worst_groups import ENOUGH, GroupLoss
from microsafe.display import format_grid, keep_on_one_line, show_percent
from microsafe.results import Result, Rows
from microsafe.svg import draw_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_MOST_DRAWN = 12  # tables in a picture
_MOST_TABLES = 5  # tables of each kind, so that the page stays one page
_MOST_LINES = 5  # other lines of each kind, likewise


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Result):
    """Cost of protection: two states of a file side by side.

    Attributes:
        source: The file.
        records: Records in it.
        weight: Sampling weight, if there is one.
        keys: Key variables of all scenarios.
        touched: How much was changed.
        losses: Keys first, then other variables that were named or changed.
        groups: Where blanks fell, the largest share first.
        tables: One-way tables, then two-way tables, then those that were asked for.
        means: Numeric variables: the whole file, then by key.
        dropped: Variables that are no longer there.
        notes: What could not be compared, and why.
        propensity: Whether a model can tell released records from original ones by keys and other
            named variables of 20 released categories or fewer; None if these are as they were.
        utility: Of numeric variables; None if none was changed and no model was asked for.
        hardest: Groups of 30 records or more that lost most of the keys' information, worst
            first; of all variables that were compared if there are no keys.
        uses: The loss by uses, with the plain one; None if nobody said which matter.
        labels: Of the variables, by name.
    """

    source: str
    records: int
    weight: str | None
    keys: tuple[str, ...]
    touched: Touched
    losses: tuple[VariableLoss, ...]
    groups: tuple[GroupBlanks, ...]
    tables: tuple[TableChange, ...]
    means: tuple[Means, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    propensity: Propensity | None = None
    utility: Utility | None = None
    hardest: tuple[GroupLoss, ...] = ()
    uses: LossByUses | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def blanks(self) -> int:
        """Values blanked in all."""
        return sum(loss.blanks for loss in self.losses)

    @property
    def lost(self) -> float:
        """Information lost in the whole file: mean share over the keys, beside `hardest`."""
        counted = [loss for loss in self.losses if loss.key] or self.losses
        return sum(loss.lost_share for loss in counted) / max(len(counted), 1)

    def worst_groups(self, number: int = 5, *, at_least: int = ENOUGH) -> tuple[GroupBlanks, ...]:
        """Return the groups most affected by blanks.

        Args:
            number: How many.
            at_least: Records that a group must have to be named.
        """
        return tuple(group for group in self.groups if group.known >= at_least)[:number]

    def named_tables(self) -> tuple[TableChange, ...]:
        """Return the tables that were asked for, in that order."""
        return tuple(table for table in self.tables if table.named)

    def one_way(self) -> tuple[TableChange, ...]:
        """Return the tables of one variable."""
        return tuple(table for table in self.tables if len(table.names) == 1)

    def two_way(self) -> tuple[TableChange, ...]:
        """Return the tables of two variables, the largest Hellinger distance first."""
        tables = [table for table in self.tables if len(table.names) == 2]
        return tuple(sorted(tables, key=lambda each: -each.hellinger))

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on, ready for JSON."""
        found: dict[str, Any] = asdict(self) | {"blanks": self.blanks, "lost": self.lost}
        if self.utility is not None:
            names = ("il1s", "moved", "sse")
            found["utility"] |= {name: getattr(self.utility, name) for name in names}
            del found["utility"]["pictures"]  # to be drawn, not to be read
        found["uses"] = None if self.uses is None else self.uses.summary()
        del found["labels"]  # of the file, not of the comparison
        made: dict[str, Any] = plain(found)
        return made

    def plot(self, axes: tuple[Axes, Axes] | None = None) -> tuple[Axes, Axes]:
        """Draw the share of blanks by variable, and the Hellinger distance by table.

        Args:
            axes: Where to draw; a new figure if None.
        """
        from microsafe.compare.table_plots import draw_named_bars

        if axes is None:
            from matplotlib import pyplot

            _, made = pyplot.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
            axes = (made[0], made[1])
        left, right = axes
        losses = [loss for loss in self.losses if not loss.dropped]
        draw_named_bars(left, [(loss.name, 100 * loss.blank_share) for loss in losses])
        left.set_xlabel("values blanked, %")
        tables = sorted(self.tables, key=lambda each: -each.hellinger)[:_MOST_DRAWN]
        draw_named_bars(right, [(" × ".join(table.names), table.hellinger) for table in tables])
        kind = "weighted table" if self.weight else "table"
        right.set_xlabel(f"Hellinger distance of the {kind}")
        return axes

    def plot_numbers(self) -> Figure:
        """Draw each number that was changed before and after, then the correlations.

        Left both distributions in common bins, right the records by their value before and after.
        """
        from microsafe.compare.number_plots import number_parts, stack_parts

        found = self.utility
        return stack_parts(number_parts(found.pictures, found.correlations) if found else ())

    def plot_tables(self) -> Figure:
        """Draw the cells of the tables that were asked for, or one-way tables that changed.

        Of one variable shares before and after; of more the change of every cell in percentage
        points.
        """
        from microsafe.compare.number_plots import stack_parts
        from microsafe.compare.table_plots import table_parts

        return stack_parts(table_parts(self.tables))

    def plot_models(self) -> Figure:
        """Draw the confidence intervals of the models before and after, but of the constant."""
        from microsafe.compare.number_plots import stack_parts
        from microsafe.compare.table_plots import model_parts

        return stack_parts(model_parts(self.utility.models) if self.utility else ())

    @property
    def title(self) -> str:
        """One line that says what was compared."""
        return f"Cost of protection: {keep_on_one_line(self.source)}, {self.records:,} records"

    def _picture(self) -> str:
        lost = sorted(((e.name, e.lost_share) for e in self.losses), key=lambda pair: -pair[1])
        return draw_bars("Information lost", [(name, x, show_percent(x)) for name, x in lost])

    def _rows(self) -> Rows:
        yield "records changed", f"{self.touched.records:,}"
        yield "values suppressed", f"{self.blanks:,}"
        yield "values replaced", f"{self.touched.values - self.blanks:,}"
        for loss in self.losses:
            yield f"information lost about {loss.name}", show_percent(loss.lost_share)
        yield from self.uses.rows() if self.uses else ()

    def _remarks(self) -> Sequence[str]:
        return (*self.notes, *(self.uses.notes if self.uses else ()))

    def __repr__(self) -> str:
        """Return one page for a terminal."""
        return _tell_page(self)


def _tell_page(result: Comparison) -> str:
    """What a statistician reads in a minute."""
    parts = [_head(result), _losses(result)]
    parts += [result.uses.lines()] if result.uses else []
    parts += [_hardest(result), _groups(result), *_tell_tables(result)]
    if result.propensity is not None:
        names = ", ".join(map(keep_on_one_line, result.propensity.variables))
        parts.append([tell_propensity(result.propensity, f" by {names}")])
    parts.append(_means(result))
    if result.utility is not None:
        parts += tell_utility(result.utility)
    if notes := result._remarks():
        parts.append([f"  note: {keep_on_one_line(note, 200)}" for note in notes])
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(result: Comparison) -> list[str]:
    hit = result.touched
    share = show_percent(hit.records / max(result.records, 1))
    weighted = f"{show_percent(hit.weight)} of the weight" if result.weight else "no weight"
    return [
        result.title,
        f"  {result.blanks:,} values suppressed and {hit.values - result.blanks:,} replaced in "
        f"{hit.records:,} records ({share}; {weighted})",
        f"  {hit.cells:,} of {hit.all_cells:,} combinations of keys changed",
        *(
            [f"  dropped, all lost: {', '.join(map(keep_on_one_line, result.dropped))}"]
            if result.dropped
            else []
        ),
    ]


def _losses(result: Comparison) -> list[str]:
    rows = [
        (
            "variable", "blanks", "blanks, %", "replaced", "categories", "bits before",
            "bits lost", "information lost, %",
        )
    ]  # fmt: skip
    for loss in result.losses:
        changed = loss.categories != loss.categories_after
        after = f" -> {loss.categories_after:,}" if changed else ""
        rows.append(
            (
                keep_on_one_line(loss.name),
                "dropped" if loss.dropped else f"{loss.blanks:,}",
                bare_percent(loss.blank_share),
                f"{loss.replaced:,}",
                f"{loss.categories:,}{after}",
                f"{loss.entropy:.3f}",
                f"{loss.lost:.4f}",
                bare_percent(loss.lost_share),
            )
        )
    grid = format_grid(rows, right=range(1, len(rows[0])))
    return [*grid, "  bits lost: each record counts once, a blank may be any value"]


def _hardest(result: Comparison) -> list[str]:
    """Groups that lost most of the keys' information, beside the whole file."""
    worst = result.hardest[:_MOST_LINES]
    if not worst:
        return []
    head = "groups hit hardest (30 or more records)"
    rows = [(head, "records", "information lost, %", "blanks", "blanks, %")]
    rows += [
        (
            keep_on_one_line(f"{group.by} = {group.category}"), f"{group.records:,}",
            bare_percent(group.lost), f"{group.blanks:,}", bare_percent(group.blank_share),
        )
        for group in worst
    ]  # fmt: skip
    counted = [loss for loss in result.losses if loss.key] or result.losses
    blanks, known = sum(loss.blanks for loss in counted), sum(loss.known for loss in counted)
    rows.append(
        (
            "whole file", f"{result.records:,}", bare_percent(result.lost), f"{blanks:,}",
            bare_percent(blanks / max(known, 1)),
        )
    )  # fmt: skip
    return format_grid(rows, right=range(1, len(rows[0])))


def _groups(result: Comparison) -> list[str]:
    worst = result.worst_groups(_MOST_LINES)
    if not worst:
        return []
    rows = [("most blanks (30 or more records)", "group", "blanks", "of", "blanks, %")]
    for each in worst:
        group = keep_on_one_line(f"{each.by} = {each.category}")
        rows.append(
            (
                keep_on_one_line(each.name), group, f"{each.blanks:,}", f"{each.known:,}",
                bare_percent(each.share),
            )
        )  # fmt: skip
    return format_grid(rows, right=range(2, len(rows[0])))


def _tell_tables(result: Comparison) -> Iterator[list[str]]:
    """Blocks of lines: figures of the tables, then cells of those that were asked for."""
    yield _tell_figures(result)
    for table in result.named_tables():
        if table.grid is not None:
            yield tell_cells(table, table.grid)


def _tell_figures(result: Comparison) -> list[str]:
    named = result.named_tables()
    one = sorted((change for change in result.one_way() if not change.named), key=_distance)
    two = [change for change in result.two_way() if not change.named]
    shown = [*one[:_MOST_TABLES], *two[:_MOST_TABLES], *named]
    if not shown:
        return []
    both = shown[0].plain is not None
    beside = ("unweighted",) if both else ()
    rows = [
        (
            "table, weighted" if both else "table",
            "Hellinger", *beside, "largest change, pp", *beside, "mean change, pp",
            *(("weight lost, %",) if both else ()), "records lost, %",
        )
    ]  # fmt: skip
    for change in shown:
        sides: list[TableFigures] = [change, *([] if change.plain is None else [change.plain])]
        rows.append(
            (
                " x ".join(keep_on_one_line(name, 20) for name in change.names),
                *(f"{side.hellinger:.4f}" for side in sides),
                *(f"{100 * side.largest:.3f}" for side in sides),
                f"{100 * change.mean:.4f}",
                *(bare_percent(side.lost) for side in sides),
            )
        )
    left_out = len(result.tables) - len(shown)
    lines = format_grid(rows, right=range(1, len(rows[0])))
    noun = "table" if left_out == 1 else "tables"
    return [*lines, f"  and {left_out:,} {noun} that changed less"] if left_out else lines


def _distance(table: TableChange) -> float:
    return -table.hellinger


def _means(result: Comparison) -> list[str]:
    """Relative changes; the categories in which they are largest stand beside them."""
    rows = [
        (
            "mean and total of", "by", "largest change of mean, %", "in",
            "largest change of total, %", "in",
        )
    ]  # fmt: skip
    ordered = sorted(result.means, key=lambda each: (bool(each.by), -_size(each)))
    rows += [
        (
            keep_on_one_line(means.name),
            keep_on_one_line(means.by) or "(all)",
            *_change(means, "mean_change"),
            *_change(means, "total_change"),
        )
        for means in ordered[: 2 * _MOST_LINES]
    ]
    return format_grid(rows, right=(2, 4)) if len(rows) > 1 else []


def _size(means: Means) -> float:
    worst = means.worst("mean_change")
    return abs(worst.mean_change) if worst else 0.0


def _change(means: Means, what: str) -> tuple[str, str]:
    worst = means.worst(what)
    if worst is None:
        return "-", ""
    change = getattr(worst, what)
    where = keep_on_one_line(worst.category, 24) if worst.category and change else ""
    return f"{100 * change:+.2f}", where


def draw_all(result: Comparison) -> Figure:
    """Return one figure: blanks and tables, their cells, models, then numbers before and after."""
    from microsafe.compare.number_plots import Part, number_parts, stack_parts
    from microsafe.compare.table_plots import model_parts, table_parts

    def first(part: SubFigure) -> None:
        left, right = part.subplots(1, 2)
        result.plot((left, right))

    parts: list[Part] = [(4.5, first), *table_parts(result.named_tables())]
    if (found := result.utility) is not None:
        parts += model_parts(found.models)
        parts += number_parts(found.pictures, found.correlations)
    return stack_parts(parts)
