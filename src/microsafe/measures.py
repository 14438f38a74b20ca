"""The verbs of a study that give further opinions of risk.

`Study` takes them over; they ask the engine for cells and leave the rest to `risk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk import Diversity, Tabulation, Uniques, measure
from microsafe.risk.classes import sensitive_values
from microsafe.risk.diversity import measured_diversity
from microsafe.risk.tabulation import Thresholds, tabulate
from microsafe.risk.uniques import special_uniques
from microsafe.scenario import Scenario

_USUAL_FRACTION = 0.01


class Measures:
    """Uniqueness, tables and diversity."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def engine(self) -> Engine: ...  # noqa: D102
        def scenario(self, name: str | None = None) -> Scenario: ...  # noqa: D102
        @property
        def _like(self) -> Callable[[pl.DataFrame], object]: ...

    def uniques(
        self,
        scenario: str | None = None,
        *,
        max_size: int | None = None,
        fraction: float | None = None,
        progress: Progress = silent,
    ) -> Uniques:
        """Find the minimal sample uniques and score records by them (SUDA2).

        Args:
            scenario: Name of the scenario; the first if None.
            max_size: Most keys in a minimal sample unique; all if None.
            fraction: Sampling fraction for DIS-SUDA. If None it is records over the sum of
                weights, or 0.01 where there is no weight.
            progress: Told of stages.
        """
        chosen = self._plain(scenario)
        if chosen.missing == "expected" or chosen.alpha != 1.0:
            raise UsageError(
                "Uniqueness needs whole counts: use missing='wildcard' and alpha=1, or "
                "missing='category'."
            )
        cells = self.engine.cells(chosen, progress=progress)
        if fraction is None and chosen.weight is not None:
            fraction = cells.records / float(cells.weight.sum())
        return special_uniques(
            cells,
            fraction=_USUAL_FRACTION if fraction is None else fraction,
            max_size=max_size,
            missing_is_category=chosen.missing == "category",
            frame=lambda columns: self._like(pl.DataFrame(columns)),
            attach=partial(self.engine.records, chosen),
            progress=progress,
        )

    def tabulation(
        self,
        scenario: str | None = None,
        *,
        dimensions: int | Iterable[int] = (1, 2, 3),
        min_count: int | None = 3,
        min_weight: float | None = None,
        progress: Progress = silent,
    ) -> Tabulation:
        """Make every table of a few keys and find the cells that are too small.

        Args:
            scenario: Name of the scenario; the first if None.
            dimensions: Numbers of keys in a table.
            min_count: Records that a cell must have.
            min_weight: People, as estimated, that it must stand for.
            progress: Told of stages.
        """
        chosen = self._plain(scenario)
        if min_weight is not None and chosen.weight is None:
            raise UsageError("Without a sampling weight people cannot be counted: name it.")
        cells = self.engine.cells(chosen, progress=progress)
        return tabulate(
            measure(cells, chosen, progress=progress),
            dimensions=(dimensions,) if isinstance(dimensions, int) else dimensions,
            thresholds=Thresholds(count=min_count, weight=min_weight),
            missing_is_category=chosen.missing == "category",
            frame=lambda columns: self._like(pl.DataFrame(columns)),
            attach=partial(self.engine.records, chosen),
            progress=progress,
        )

    def diversity(
        self,
        sensitive: str | Iterable[str],
        scenario: str | None = None,
        *,
        ordered: Iterable[str] = (),
        l: float = 2,  # noqa: E741  # the field's name
        c: float = 2.0,
        t: float = 0.2,
        progress: Progress = silent,
    ) -> Diversity:
        """Measure l-diversity and t-closeness of sensitive variables.

        Args:
            sensitive: Variables that nobody should learn from the keys.
            scenario: Name of the scenario; the first if None.
            ordered: Those of them whose values have an order, as numbers have.
            l: Diversity that is asked for, to count the records that fall short.
            c: Of recursive (c, l)-diversity.
            t: Distance that is tolerated, to count the records that are farther.
            progress: Told of stages.
        """
        chosen = self._plain(scenario)
        names = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive)
        in_order = (ordered,) if isinstance(ordered, str) else tuple(ordered)
        _check(names, in_order, chosen, l=l, c=c, t=t)
        found = {}
        cells = self.engine.cells(chosen, progress=progress)
        for name in names:
            self.engine.schema[name]
            both = replace(chosen, keys=(*chosen.keys, name))
            _, values = sensitive_values(
                self.engine.cells(both, progress=progress),
                wildcard=chosen.missing != "category",
                progress=progress,
            )
            found[name] = measured_diversity(name, values, c=c, ordered=name in in_order)
        attach = partial(self.engine.records, chosen)
        return Diversity(cells=cells, variables=found, l=l, c=c, t=t, _attach=attach)

    def _plain(self, name: str | None) -> Scenario:
        """The scenario without its attack model, which has no part in these measures."""
        return replace(self.scenario(name), attack="all", factor=1.0)


def _check(
    names: tuple[str, ...],
    ordered: tuple[str, ...],
    scenario: Scenario,
    *,
    l: float,  # noqa: E741
    c: float,
    t: float,
) -> None:
    """Refuse what cannot be measured."""
    if not names:
        raise UsageError("Name at least one sensitive variable.")
    for name in names:
        if name in scenario.keys:
            raise UsageError(f"{name!r} is a key: the intruder knows it. Name other variables.")
        if name in (scenario.weight, scenario.household):
            raise UsageError(f"{name!r} cannot be both sensitive and the weight or household.")
    for name in ordered:
        if name not in names:
            raise UsageError(f"{name!r} is said to be ordered but is not among the sensitive ones.")
    if not l >= 1:
        raise UsageError("The diversity asked for must be at least 1.")
    if not c > 0:
        raise UsageError("c of recursive diversity must be above 0.")
    if not 0 <= t <= 1:
        raise UsageError("The tolerated distance must lie between 0 and 1.")
