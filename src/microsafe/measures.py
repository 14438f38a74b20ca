"""The verbs of a study that give further opinions of risk.

`Study` takes them over; they ask the engine for cells and leave the rest to `risk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import polars as pl

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk import Diversity, FileRisk, SpecialUniques, Tabulation, measure
from microsafe.risk.counts.classes import sensitive_values
from microsafe.risk.counts.diversity import measure_diversity
from microsafe.risk.counts.tabulation import Thresholds, tabulate
from microsafe.risk.counts.uniques import special_uniques
from microsafe.risk.file.estimate import USUAL_BANDS, file_risk
from microsafe.risk.file.opinion import model_name
from microsafe.risk.file.options import bands_of, impossible_cells, terms_named
from microsafe.scenario import Scenario

_USUAL_FRACTION = 0.01
_PER_CELL_OF_A_MODEL = 750  # bytes
_PER_VALUE = 100  # bytes of a value in a class, while classes are put together


class Measures:
    """The file as a whole, uniqueness, tables and diversity."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def engine(self) -> Engine: ...  # noqa: D102
        def scenario(self, name: str | None = None) -> Scenario: ...  # noqa: D102

    def file_risk(
        self,
        scenario: str | None = None,
        *,
        model: str = "loglinear",
        interactions: Literal["auto"] | int | Iterable[str | Sequence[str]] = "auto",
        fraction: float | None = None,
        pi: Literal["cell", "file"] = "cell",
        impossible: Iterable[Mapping[str, Sequence[str]]] = (),
        opinions: Iterable[str] = ("benedetti-franconi", "negative-binomial"),
        bands: Sequence[float] = USUAL_BANDS,
        seed: int = 1,
        progress: Progress = silent,
    ) -> FileRisk:
        """Estimate how many sample uniques are unique in the population.

        Args:
            scenario: Name of the scenario; the first if None.
            model: `"loglinear"`, `"latent"`, `"negative-binomial"`, `"benedetti-franconi"`,
                `"pitman"`, `"zayatz"`, `"snb"` or `"dankar"`.
            interactions: Of the log-linear model: `"auto"` searches for them; a number takes
                all of so many keys (1 for main effects); or a list such as `["age*sex"]`.
            fraction: Sampling fraction, where the file has no weight.
            pi: Whether the sampling fraction is taken for each `"cell"` or for the `"file"`.
            impossible: Combinations that nobody can have, as categories by key.
            opinions: Other models to ask.
            bands: Shares of population uniques up to which risk is very low, low and moderate.
            seed: Of random draws.
            progress: Progress callback.
        """
        # A model has no use for wildcards: missing is a level of a key like the others.
        chosen = replace(self._plain(scenario), missing="category", alpha=1.0)
        if (chosen.weight is None) == (fraction is None):
            raise UsageError(
                "The risk of the file needs either a sampling weight or the sampling fraction. "
                "Give one of them."
            )
        if fraction is not None and not 0 < fraction <= 1:
            raise UsageError("The sampling fraction must be above 0 and at most 1.")
        if pi not in ("cell", "file"):
            raise UsageError("pi must be 'cell' or 'file'.")
        cells = self.engine.cells(chosen, progress=progress)
        what = f"for a model of {len(cells):,} combinations of keys"
        self._afford(len(cells) * _PER_CELL_OF_A_MODEL, what)
        asked = model_name(model)
        return file_risk(
            cells,
            chosen,
            source=self.engine.schema.source,
            model=asked,
            interactions=terms_named(chosen.keys, interactions),
            fraction=fraction,
            by_cell=pi == "cell",
            impossible=impossible_cells(cells, impossible),
            opinions=[model_name(each) for each in opinions],
            bands=bands_of(bands),
            seed=seed,
            attach=partial(self.engine.records, chosen),
            progress=progress,
        )

    def uniques(
        self,
        scenario: str | None = None,
        *,
        max_size: int | None = None,
        fraction: float | None = None,
        progress: Progress = silent,
    ) -> SpecialUniques:
        """Find the minimal sample uniques and score records by them (SUDA2).

        Args:
            scenario: Name of the scenario; the first if None.
            max_size: Most keys in a minimal sample unique; all if None.
            fraction: Sampling fraction for DIS-SUDA. If None it is records over the sum of
                weights, or 0.01 where there is no weight.
            progress: Progress callback.
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
            frame=lambda columns: self.engine.convert_table(pl.DataFrame(columns)),
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
            progress: Progress callback.
        """
        chosen = self._plain(scenario)
        if min_weight is not None and chosen.weight is None:
            raise UsageError("A minimum number of people needs a sampling weight. Name the weight.")
        cells = self.engine.cells(chosen, progress=progress)
        return tabulate(
            measure(cells, chosen, progress=progress),
            dimensions=(dimensions,) if isinstance(dimensions, int) else dimensions,
            thresholds=Thresholds(count=min_count, weight=min_weight),
            missing_is_category=chosen.missing == "category",
            frame=lambda columns: self.engine.convert_table(pl.DataFrame(columns)),
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
            progress: Progress callback.
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
                afford=lambda values: self._afford(
                    values * _PER_VALUE, f"for {values:,} values that records may share"
                ),
                progress=progress,
            )
            found[name] = measure_diversity(name, values, c=c, ordered=name in in_order)
        attach = partial(self.engine.records, chosen)
        return Diversity(cells=cells, variables=found, l=l, c=c, t=t, _attach=attach)

    def _afford(self, size: int, what: str) -> None:
        """Refuse what a limit on memory has no room for."""
        self.engine.afford(size, what, "Recode or leave out keys,")

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
            raise UsageError(f"{name!r} is listed as ordered but is not a sensitive variable.")
    if not l >= 1:
        raise UsageError("The required diversity l must be at least 1.")
    if not c > 0:
        raise UsageError("The c of recursive diversity must be above 0.")
    if not 0 <= t <= 1:
        raise UsageError("The tolerated distance must lie between 0 and 1.")
