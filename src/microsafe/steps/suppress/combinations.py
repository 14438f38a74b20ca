"""Minimal unsafe combinations: which values, taken together, make records unsafe.

A combination of categories is unsafe if the records that share it are. One that contains an
unsafe one is unsafe too, so only those are listed that contain no smaller one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.errors import UsageError, did_you_mean
from microsafe.progress import Progress, silent
from microsafe.results import AttachToRecords, MakeFrame, Result, Rows
from microsafe.risk.counts.minimal_unsafe_sets import Afford, combination_columns, minimal_sets
from microsafe.risk.record.reference import Reference
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion
from microsafe.sums import Floats, sum_by
from microsafe.svg import draw_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCounts:
    """A category of a key: records that show it, and combinations of each size with it."""

    code: str
    records: int
    by_size: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Combinations(Result):
    """The minimal unsafe combinations of a file.

    Attributes:
        cells: Of the file.
        cell: For each combination a cell that holds it.
        keys: The keys it is made of; bit j stands for key j.
        f: Records that share it.
        F: People estimated to share it.
        unsafe_records: Records that hold at least one.
        per_cell: Number of combinations that the records of each cell hold.
        perturbed_by: What was done to keys; the figures are those before it, as they mean nothing
            after.
        labels: Of the variables, by name.
    """

    cells: Cells
    cell: Index
    keys: Masks
    f: Floats
    F: Floats
    unsafe_records: int
    per_cell: NDArray[np.int64]
    _frame: MakeFrame
    _attach: AttachToRecords
    perturbed_by: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of combinations."""
        return len(self.cell)

    @property
    def by_size(self) -> dict[int, int]:
        """Number of combinations of each size."""
        sizes, counts = np.unique(np.bitwise_count(self.keys), return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))

    @property
    def by_key(self) -> dict[str, int]:
        """Number of combinations that each key takes part in."""
        return {
            key: int(np.count_nonzero(self.keys >> j & 1)) for j, key in enumerate(self.cells.keys)
        }

    @property
    def by_key_and_size(self) -> dict[str, dict[int, int]]:
        """Number of combinations of each size that each key takes part in."""
        sizes = np.bitwise_count(self.keys)
        return {
            key: {
                size: int(np.count_nonzero(self.keys[sizes == size] >> j & 1))
                for size in self.by_size
            }
            for j, key in enumerate(self.cells.keys)
        }

    def by_category(self, key: str) -> dict[str, int]:
        """Number of combinations that each category of a key takes part in, most first."""
        place = self._place(key)
        taking = (self.keys >> place & 1) == 1
        codes, counts = np.unique(self.cells.codes[place][self.cell[taking]], return_counts=True)
        order = np.argsort(-counts, kind="stable")
        categories = self.cells.categories[place]
        return {categories[codes[i] - 1]: int(counts[i]) for i in order.tolist()}

    def by_code(self, key: str) -> Any:
        """Return a frame with one row per category of a key, in their order.

        Its code, the records that show it, and the combinations of each size that it takes part
        in, as `of_1`, `of_2` and so on.
        """
        rows = self.count_codes(key)
        columns: dict[str, Any] = {
            "code": [row.code for row in rows],
            "records": [row.records for row in rows],
        }
        for size in self.by_size:
            columns[f"of_{size}"] = [row.by_size[size] for row in rows]
        return self._frame(columns)

    def count_codes(self, key: str) -> list[CodeCounts]:
        """Return the same as plain values."""
        place = self._place(key)
        codes, categories = self.cells.codes[place], self.cells.categories[place]
        most = len(categories) + 1
        records = np.bincount(codes, self.cells.count, most).astype(np.int64)
        sizes = np.where(self.keys >> place & 1, np.bitwise_count(self.keys), 0)
        taking = {
            size: np.bincount(codes[self.cell[sizes == size]], minlength=most)
            for size in self.by_size
        }
        return [
            CodeCounts(
                code=categories[code - 1],
                records=int(records[code]),
                by_size={size: int(counts[code]) for size, counts in taking.items()},
            )
            for code in (np.flatnonzero(records[1:]) + 1).tolist()
        ]

    def _place(self, key: str) -> int:
        if key not in self.cells.keys:
            raise UsageError(
                f"{key!r} is not a key of this study.{did_you_mean(key, self.cells.keys)}"
            )
        return self.cells.keys.index(key)

    def table(self) -> Any:
        """Return a frame with one row per combination: its categories, size, f and F."""
        columns: dict[str, Any] = dict(combination_columns(self.cells, self.cell, self.keys))
        size = np.bitwise_count(self.keys).astype(np.int64)
        return self._frame(columns | {"size": size, "f": self.f.astype(np.int64), "F": self.F})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how many combinations each key takes part in, the worst on top."""
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(
                figsize=(7, 0.6 + 0.4 * len(self.cells.keys)), layout="constrained"
            )
        ranked = sorted(self.by_key.items(), key=lambda pair: pair[1])
        bars = ax.barh([key for key, _ in ranked], [count for _, count in ranked], color="#8fa9bf")
        ax.bar_label(bars, [f"{count:,}" for _, count in ranked], padding=4, fontsize=9)
        ax.set_xlabel(f"minimal unsafe combinations that a key takes part in, of {len(self):,}")
        ax.set_xlim(0, 1.12 * max(1, *(count for _, count in ranked), 1))
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        return ax

    def records(self) -> Any:
        """Return a frame with the number of combinations that every record holds."""
        return self._attach({"combinations": self.per_cell}, {})

    @property
    def title(self) -> str:
        """One line that says what was found."""
        return f"Minimal unsafe combinations of {', '.join(self.cells.keys)}"

    def _picture(self) -> str:
        ranked = sorted(self.by_key.items(), key=lambda pair: -pair[1])
        bars = [(key, count, f"{count:,}") for key, count in ranked]
        return draw_bars("Combinations that each key takes part in", bars)

    def _rows(self) -> Rows:
        yield "combinations", f"{len(self):,}"
        yield "records that hold one", f"{self.unsafe_records:,}"
        for size, count in self.by_size.items():
            yield f"of {size} {'key' if size == 1 else 'keys'}", f"{count:,}"
        for key, count in sorted(self.by_key.items(), key=lambda pair: -pair[1]):
            yield f"with {key}", f"{count:,}"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "by_size": {str(size): count for size, count in self.by_size.items()},
            "by_key": self.by_key,
            "by_key_and_size": {
                key: {str(size): count for size, count in value.items()}
                for key, value in self.by_key_and_size.items()
            },
            "records": self.unsafe_records,
            **self._told_perturbed,
        }


def minimal_combinations(
    cells: Cells,
    criterion: SafetyCriterion,
    *,
    reference: Reference | None = None,
    max_size: int | None = None,
    within: Sequence[int] = (),
    afford: Afford = lambda _, __: None,
    frame: MakeFrame,
    attach: AttachToRecords,
    progress: Progress = silent,
) -> Combinations:
    """Find the minimal unsafe combinations, those of one key first.

    Args:
        cells: Of the file.
        criterion: When a combination is unsafe.
        reference: By whose model risk is estimated; by each cell alone if None.
        max_size: Most keys in a combination; all if None.
        within: Sets of keys of which one must hold all those of a combination; any may if empty.
        afford: Told the number of sets of keys and the bytes that they may take; may refuse them.
        frame: Makes a frame of columns.
        attach: Gives records the values of their cells.
        progress: Progress callback.

    Assumes:
        Risk never rises when a key is left out.
    """
    crowd = None if reference is None else reference.look_up(cells)
    demand = KeySetDemand(keys=(1 << len(cells.keys)) - 1, criterion=criterion, crowd=crowd)

    def unsafe(rows: Index, keys: int, f: Floats, F: Floats) -> NDArray[np.bool_]:
        if crowd is not None and crowd.has_gaps:
            f, F = crowd.frequencies(rows, keys)
        return demand.unsafe(rows, keys, f, F, known=F if cells.complete else None)

    minimal = minimal_sets(cells, unsafe, max_size=max_size, afford=afford, progress=progress)
    # Who shares an unsafe combination holds it too, unless a gap or a model comes between.
    all_hold = cells.complete and demand.monotone
    count, weight = cells.count.astype(np.float64), cells.weight
    per_cell = np.zeros(len(cells), np.int64)
    subsets: Subsets | None = None
    nothing = np.empty(0, np.int64)
    found = [(nothing, nothing, np.empty(0), np.empty(0))]
    for mask, holders in minimal.sets:
        if within and not any(mask & ~each == 0 for each in within):
            continue
        per_cell[holders] += 1
        group, first = _combinations_of(cells, holders, mask)
        if all_hold:
            f, F = (sum_by(group, each[holders], len(first)) for each in (count, weight))
        else:
            subsets = subsets or Subsets(cells)
            f, F = demand.count(subsets, holders[first], mask)
        found.append((holders[first], np.full(len(first), mask, np.int64), f, F))
    cell, keys_, f, F = (np.concatenate(each) for each in zip(*found, strict=True))
    return Combinations(
        cells=cells,
        cell=cell,
        keys=keys_,
        f=f,
        F=F,
        unsafe_records=int(cells.count[per_cell > 0].sum()),
        per_cell=per_cell,
        _frame=frame,
        _attach=attach,
    )


def _combinations_of(cells: Cells, rows: Index, mask: int) -> tuple[Index, Index]:
    """Number the combinations of some keys that some rows hold; one of the rows for each."""
    keys = [j for j in range(len(cells.keys)) if mask >> j & 1]
    return number(
        [cells.codes[j][rows] for j in keys],
        [len(cells.categories[j]) for j in keys],
        rows=len(rows),
    )
