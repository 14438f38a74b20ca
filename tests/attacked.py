"""A file under attack that is made of arrays, as a study would fill it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from microsafe.cells import Cells, Index, number
from microsafe.intruders import ViewRisk
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import (
    CellRisk,
    FamilyModel,
    MeasuredFamilies,
    NumericRisk,
    Reference,
    arrange_families,
    measure,
    measure_families,
)
from microsafe.schema import Schema, Variable
from microsafe.sums import Exact, Floats

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArraysUnderAttack:
    """Codes by record, 0 where missing: what is shown, and keys as if nothing were suppressed."""

    scenario: Scenario
    columns: Columns
    before: Columns = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    weight: Floats | None = None
    household: Index | None = None
    perturbed: tuple[str, ...] = ()
    chances: Mapping[str, Floats] = field(default_factory=dict)
    known_population: bool = False
    unique: float | None = None
    view_risk: ViewRisk | str = "nobody knows"
    teller_of: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    ordered: bool = False
    linking: tuple[str, ...] = ()

    @property
    def schema(self) -> Schema:
        return Schema(source="x.csv", variables=tuple(Variable(name=each) for each in self.columns))

    @property
    def _weights(self) -> Floats:
        one = np.ones(len(self.columns[self.scenario.keys[0]]))
        return one if self.weight is None else self.weight

    def _cells(self, of: Columns) -> tuple[Cells, Index]:
        keys = self.scenario.keys
        sizes = [int(max(self.columns[key].max(), self.unsuppressed(key).max())) for key in keys]
        codes = [of[key].astype(np.uint32) for key in keys]
        group, first = number(codes, sizes, rows=len(codes[0]))
        cells = Cells(
            keys=keys,
            categories=tuple(tuple(str(c) for c in range(1, size + 1)) for size in sizes),
            codes=tuple(code[first] for code in codes),
            count=np.bincount(group),
            weights=Exact(np.bincount(group, self._weights), None),
        )
        return cells, group

    def earlier(self) -> Sequence[ArraysUnderAttack]:
        return (replace(self, columns={**self.columns, **self.before}),) if self.before else ()

    def sensitive(self) -> tuple[str, ...]:
        return self.secrets

    def attribute(self, variable: str) -> tuple[Index, Index]:
        return self.columns[variable], self.unsuppressed(variable)

    def afford_guesses(self, size: int) -> None:
        pass

    def told(self) -> Collection[str]:
        return self.teller_of

    def measured(self) -> CellRisk:
        return measure(self._cells(self.columns)[0], self.scenario)

    def reference(self) -> Reference | None:
        return None

    def population_uniques(self) -> float | None:
        return self.unique

    def whole(self) -> Cells:
        return self._cells({key: self.unsuppressed(key) for key in self.scenario.keys})[0]

    def views(self) -> ViewRisk | str:
        return self.view_risk

    def shown(self, variable: str) -> Index:
        return self.columns[variable]

    def beginnings(self, variable: str) -> Iterator[Index]:
        yield self.columns[variable] // 10

    def unsuppressed(self, key: str) -> Index:
        return self.before.get(key, self.columns[key])

    def kept(self, key: str) -> Floats:
        return self.chances[key]

    def weights(self) -> Floats | None:
        return self.weight

    def households(self) -> Index | None:
        return self.household

    def families(self) -> MeasuredFamilies | None:
        if self.household is None:
            return None
        keys = self.scenario.keys
        codes = {key: self.unsuppressed(key) for key in keys}
        families = arrange_families(self.household, codes, self.weight)
        model = None if self.weight is None else FamilyModel(families)
        view = families.view({key: self.columns[key] > 0 for key in keys})
        count = int(self.household.max()) + 1
        return measure_families(families, view, model, self.scenario, count=count)

    def record_risk(self) -> Floats:
        return self.measured().risk[self._cells(self.columns)[1]]

    def numbers(self, progress: Progress = silent) -> NumericRisk | None:
        return None
