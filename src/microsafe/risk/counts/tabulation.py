"""List sparse cells in every table of a few keys.

Whoever publishes or makes such tables from the file sees these cells. Records that fall into
many of them stand out by few values, whatever their risk on all keys at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.display import show_percent
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress, silent
from microsafe.results import AttachToRecords, MakeFrame, Result
from microsafe.risk.record.measure import CellRisk
from microsafe.sums import Floats, sum_by, total
from microsafe.svg import draw_bars

_STAGE = "tabulating"
_MOST_TABLES = 1 << 20
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What a cell of a table must reach.

    Attributes:
        count: Records, or None.
        weight: People as estimated, or None.
    """

    count: int | None = 3
    weight: float | None = None

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        if self.count is None and self.weight is None:
            raise UsageError("Give a minimum number of records or of people in a cell.")
        if self.count is not None and self.count < 1:
            raise UsageError("The minimum number of records must be at least 1.")
        if self.weight is not None and not self.weight > 0:
            raise UsageError("The minimum number of people must be above 0.")

    def find_sparse(self, cells: Cells) -> NDArray[np.bool_]:
        """Tell which cells are sparse."""
        result = np.zeros(len(cells), np.bool_)
        if self.count is not None:
            result |= cells.count < self.count
        if self.weight is not None:
            result |= cells.weight < self.weight
        return result


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseTable:
    """One table.

    Attributes:
        keys: Of which variables.
        cells: Cells that occur.
        violations: Sparse cells.
        records: Records in the table: those in which none of the keys is missing.
    """

    keys: tuple[str, ...]
    cells: int
    violations: int
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacker:
    """What an intruder may hope for.

    Attributes:
        above: A risk.
        share: Share of the records whose risk is above it.
        largest: Largest risk of a record.
        average: Risk of all records on average.
    """

    above: float
    share: float
    largest: float
    average: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Tabulation(Result):
    """All tables of some dimensions, and their sparse cells.

    Attributes:
        measured: Frequencies and base risk on all keys.
        thresholds: What a cell must reach.
        tables: The tables, those of few keys first.
        violations: For each cell of the file: in how many tables its records are too few.
        levels: By dimension and key: cells by code of the key (0 is missing), and how many of
            them are sparse.
        perturbed_by: What was done to keys; the figures are those before it, as they mean nothing
            after.
        labels: Of the variables, by name.
    """

    measured: CellRisk
    thresholds: Thresholds
    tables: Sequence[SparseTable]
    violations: Counts
    levels: Mapping[tuple[int, str], tuple[Counts, Counts]]
    _frame: MakeFrame
    _attach: AttachToRecords
    perturbed_by: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_violation(self) -> int:
        """Records in at least one sparse cell."""
        return self.measured.count(self.violations > 0)

    @property
    def by_dimension(self) -> dict[int, dict[str, float]]:
        """Tables of each dimension, their cells, how many of these are sparse, and the share."""
        result = {}
        for size in sorted({len(table.keys) for table in self.tables}):
            some = [table for table in self.tables if len(table.keys) == size]
            cells, low = sum(each.cells for each in some), sum(each.violations for each in some)
            result[size] = {
                "tables": len(some),
                "cells": cells,
                "violations": low,
                "share": low / max(cells, 1),
            }
        return result

    def table(self) -> Any:
        """Return a frame with one row per table."""
        rows = [
            (" × ".join(table.keys), len(table.keys), table.cells, table.violations, table.records)
            for table in self.tables
        ]
        return self._frame_of(("keys", "dimension", "cells", "violations", "records"), rows)

    def cells_by_key(self) -> Any:
        """Return a frame: by dimension and key the share of sparse cells."""
        rows = [
            (size, key, *_with_share(int(cells.sum()), int(low.sum())))
            for (size, key), (cells, low) in self.levels.items()
        ]
        return self._frame_of(("dimension", "key", "cells", "violations", "share"), rows)

    def cells_by_category(self) -> Any:
        """Return a frame: by dimension, key and category the share of sparse cells."""
        rows = [
            (size, key, category, *_with_share(int(cells[code]), int(low[code])))
            for (size, key), (cells, low) in self.levels.items()
            for code, category in self._categories(key)
            if cells[code]
        ]
        names = ("dimension", "key", "category", "cells", "violations", "share")
        return self._frame_of(names, rows)

    def records_by_category(self) -> Any:
        """Return a frame: by key and category the share of records in a sparse cell."""
        cells = self.measured.cells
        rows = []
        for key, codes in zip(cells.keys, cells.codes, strict=True):
            records = np.bincount(codes, cells.count)
            low = np.bincount(codes, cells.count * (self.violations > 0))
            rows += [
                (key, category, *_with_share(int(records[code]), int(low[code])))
                for code, category in self._categories(key)
                if code < len(records) and records[code]
            ]
        return self._frame_of(("key", "category", "records", "in_violation", "share"), rows)

    def risk_by_count(self) -> Any:
        """Return a frame: records with at most so many like them, and the risk they add up to."""
        found = self.measured
        f, which = np.unique(found.f, return_inverse=True)
        records = np.cumsum(sum_by(which, found.cells.count.astype(np.float64), len(f)))
        expected = np.cumsum(sum_by(which, found.base * found.cells.count, len(f)))
        people = total(found.cells.weight)
        rows = [
            (most, int(n), risk, risk / n, risk / found.cells.records, risk / people)
            for most, n, risk in zip(f.tolist(), records.tolist(), expected.tolist(), strict=True)
        ]
        names = ("at_most", "records", "expected", "average", "per_record", "per_person")
        return self._frame_of(names, rows)

    def prosecutor(self, above: float = 0.2) -> Attacker:
        """Return what an intruder may hope for who knows that a person is in the file: 1/f."""
        return self._attacker(1.0 / self.measured.f, above)

    def journalist(self, above: float = 0.2) -> Attacker:
        """Return what an intruder may hope for who does not: the base individual risk."""
        return self._attacker(self.measured.base, above)

    def _attacker(self, risk: Floats, above: float) -> Attacker:
        cells = self.measured.cells
        return Attacker(
            above=above,
            share=self.measured.count(risk > above) / cells.records,
            largest=float(risk.max()),
            average=total(risk * cells.count) / cells.records,
        )

    def records(self) -> Any:
        """Return a frame with the violations, f, F and base risk of every record."""
        found = self.measured
        whole = bool(np.all(found.f == np.floor(found.f)))
        f = found.f.astype(np.int64) if whole else found.f
        columns = {"violations": self.violations, "f": f, "F": found.F, "risk": found.base}
        return self._attach(columns, {})

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "records": self.measured.cells.records,
            "in_violation": self.in_violation,
            "thresholds": asdict(self.thresholds),
            "by_dimension": {str(size): value for size, value in self.by_dimension.items()},
            "prosecutor": asdict(self.prosecutor()),
            "journalist": asdict(self.journalist()),
            **self._told_perturbed,
        }

    def _categories(self, key: str) -> Iterator[tuple[int, str | None]]:
        """The codes of a key and what they stand for; missing comes last."""
        categories = self.measured.cells.categories[self.measured.cells.keys.index(key)]
        yield from enumerate(categories, 1)
        yield 0, None

    def _frame_of(self, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Any:
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
        return self._frame(
            {name: list(column) for name, column in zip(names, columns, strict=True)}
        )

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return f"Tables of {', '.join(self.measured.cells.keys)}"

    def _picture(self) -> str:
        bars = [
            (f"{size}-way tables", value["share"], show_percent(value["share"]))
            for size, value in self.by_dimension.items()
        ]
        return draw_bars("Share of sparse cells", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "records", f"{self.measured.cells.records:,}"
        yield "records in sparse cells", f"{self.in_violation:,}"
        for size, value in self.by_dimension.items():
            low = f"{value['violations']:,} of {value['cells']:,} cells"
            yield f"sparse cells in {size}-way tables", f"{low} ({show_percent(value['share'])})"


def tabulate(
    measured: CellRisk,
    *,
    dimensions: Iterable[int],
    thresholds: Thresholds,
    missing_is_category: bool = False,
    frame: MakeFrame,
    attach: AttachToRecords,
    progress: Progress = silent,
) -> Tabulation:
    """Make every table of some dimensions and find its sparse cells.

    Args:
        measured: The cells of all keys, with frequencies and base risk.
        dimensions: Numbers of keys in a table; larger ones than there are keys make none.
        thresholds: What a cell must reach.
        missing_is_category: Whether a gap is a category; otherwise a record is left out of
            tables of keys that it misses.
        frame: Makes a frame of columns.
        attach: Gives records the values of their cells.
        progress: Progress callback.

    References:
        Sanametrix and Westat (2020), SDCNway user's guide; El Emam (2011).
    """
    cells = measured.cells
    wanted = sorted(set(dimensions))
    if not wanted or wanted[0] < 1:
        raise UsageError("The number of keys in a table must be at least 1.")
    wanted = [size for size in wanted if size <= len(cells.keys)]
    if not wanted:
        raise UsageError(f"There are only {len(cells.keys)} keys: name smaller dimensions.")
    many = sum(comb(len(cells.keys), size) for size in wanted)
    if many > _MOST_TABLES:
        raise InputError(
            f"{len(cells.keys)} keys make {many:,} tables of these dimensions, and at most "
            f"{_MOST_TABLES:,} can be made. Name fewer keys or smaller dimensions."
        )
    sets = [keys for size in wanted for keys in combinations(cells.keys, size)]
    violations = np.zeros(len(cells), np.int64)
    tables = []
    levels = {
        (size, key): (np.zeros(len(known) + 1, np.int64), np.zeros(len(known) + 1, np.int64))
        for size in wanted
        for key, known in zip(cells.keys, cells.categories, strict=True)
    }
    for done, keys in enumerate(sets):
        progress(_STAGE, done / len(sets))
        made, group = cells.project(keys)
        inside = np.ones(len(made), np.bool_)
        if not missing_is_category:
            inside = np.logical_and.reduce([code > 0 for code in made.codes])
        low = inside & thresholds.find_sparse(made)
        violations += low[group]
        for key, code in zip(keys, made.codes, strict=True):
            for so_far, some in zip(levels[len(keys), key], (inside, low), strict=True):
                so_far += np.bincount(code[some], minlength=len(so_far))
        tables.append(
            SparseTable(
                keys=keys,
                cells=int(np.count_nonzero(inside)),
                violations=int(np.count_nonzero(low)),
                records=int(made.count[inside].sum()),
            )
        )
    progress(_STAGE, 1.0)
    return Tabulation(
        measured=measured,
        thresholds=thresholds,
        tables=tables,
        violations=violations,
        levels=levels,
        _frame=frame,
        _attach=attach,
    )


def _with_share(whole: int, part: int) -> tuple[int, int, float]:
    return whole, part, part / max(whole, 1)
