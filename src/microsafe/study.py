"""A study: data and one or more disclosure scenarios. It never changes; verbs give new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microsafe.engine import Engine, Local, Summary
from microsafe.errors import UsageError, did_you_mean
from microsafe.io import Source, read, read_frame
from microsafe.progress import Progress, silent
from microsafe.risk import (
    Approximation,
    HouseholdRisk,
    Limit,
    Measured,
    Notice,
    Risk,
    choose_limit,
    hazard,
    household_notices,
    household_risk,
    key_notices,
    measure,
    missing_notices,
    weight_notices,
)
from microsafe.scenario import Attack, LowWeights, Missing, Scenario
from microsafe.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Study:
    """Data and the scenarios under which its risk is measured.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...] = ()
    notices: tuple[Notice, ...] = ()
    _like: Callable[[pl.DataFrame], object] = lambda frame: frame

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""
        return self.engine.schema

    def scenario(self, name: str | None = None) -> Scenario:
        """Return the scenario of that name, or the first."""
        if not self.scenarios:
            raise UsageError("The study has no scenario: name its key variables (keys=...).")
        if name is None:
            return self.scenarios[0]
        for scenario in self.scenarios:
            if scenario.name == name:
                return scenario
        hint = did_you_mean(name, [scenario.name for scenario in self.scenarios])
        raise UsageError(f"The study has no scenario {name!r}.{hint}")

    def with_scenario(self, name: str, *, keys: Iterable[str], **changes: Any) -> Study:
        """Return the study with one more key set.

        Args:
            name: What to call it, such as "nosy neighbour".
            keys: Variables that this intruder knows.
            **changes: Whatever else differs from the first scenario: weight, household,
                missing, alpha, attack, factor, low_weights.
        """
        if any(name == scenario.name for scenario in self.scenarios):
            raise UsageError(f"The study already has a scenario {name!r}.")
        keys = _names(keys)
        if self.scenarios:
            added = replace(self.scenarios[0], name=name, keys=keys, **changes)
        else:
            added = Scenario(name=name, keys=keys, **changes)
        added.check(self.schema)
        return replace(self, scenarios=(*self.scenarios, added))

    def describe(self, *, progress: Progress = silent) -> tuple[Summary, ...]:
        """Look at every variable: kind, categories, missing values, probable role."""
        return self.engine.describe(progress=progress)

    def risk(
        self,
        scenario: str | None = None,
        *,
        limit: float | None = None,
        approximation: Approximation | None = None,
        progress: Progress = silent,
    ) -> Risk:
        """Measure the risk of every record, every household and the file.

        Args:
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, to be carried into summary and plot.
            approximation: A formula of the literature instead of the exact base risk.
            progress: Told of stages.
        """
        chosen = self.scenario(scenario)
        cells = self.engine.cells(chosen, progress=progress)
        measured = measure(cells, chosen, approximation=approximation, progress=progress)
        curve = measured.curve
        at = None if limit is None else choose_limit(curve, risk=limit)
        household, household_notes = self._household(chosen, measured)
        return Risk(
            source=self.schema.source,
            scenario=chosen,
            measured=measured,
            curve=curve,
            household=household,
            limit=at,
            notices=(*self.notices, *self._notices(chosen, measured, at), *household_notes),
            _attach=partial(self.engine.records, chosen),
            _frame=lambda columns: self._like(pl.DataFrame(columns)),
        )

    def limit(
        self,
        scenario: str | None = None,
        *,
        risk: float | None = None,
        rate: float | None = None,
        expected: float | None = None,
        unsafe: int | None = None,
        progress: Progress = silent,
    ) -> Limit:
        """Return the limit that one of four wishes leads to (see `choose_limit`)."""
        measured = self.risk(scenario, progress=progress)
        return measured.choose(risk=risk, rate=rate, expected=expected, unsafe=unsafe)

    def _household(
        self, scenario: Scenario, measured: Measured
    ) -> tuple[HouseholdRisk | None, tuple[Notice, ...]]:
        if scenario.household is None:
            return None, ()
        found = self.engine.households(scenario, hazard(measured.risk))
        household = HouseholdRisk(
            risk=household_risk(found.total), size=found.size, unassigned=found.unassigned
        )
        notices = household_notices(
            scenario,
            unassigned=found.unassigned,
            size_key=found.size_key,
            largest=int(found.size.max()),
        )
        return household, tuple(notices)

    def _notices(
        self, scenario: Scenario, measured: Measured, limit: Limit | None
    ) -> Sequence[Notice]:
        facts = self.engine.weight_facts(scenario)
        return [
            *weight_notices(
                measured,
                scenario,
                median=facts.median if facts else 1.0,
                all_one=facts.all_one if facts else True,
                clipped=facts.clipped if facts else 0,
            ),
            *missing_notices(measured, scenario, limit),
            *key_notices(measured),
        ]

    def __repr__(self) -> str:
        """Say what is studied."""
        scenarios = "; ".join(f"{each.name}: {', '.join(each.keys)}" for each in self.scenarios)
        return f"Study of {self.schema.source} ({scenarios or 'no scenario yet'})"


def study(
    data: object,
    *,
    keys: Iterable[str] = (),
    weight: str | None = None,
    household: str | None = None,
    missing: Missing = "wildcard",
    alpha: float = 1.0,
    attack: Attack = "all",
    factor: float = 1.0,
    low_weights: LowWeights = "refuse",
    meta: str | Path | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
) -> Study:
    """Open a file or a frame for study.

    Args:
        data: Path of a file (.csv, .parquet, .sav, .dta, .sas7bdat, .xpt, .xlsx, mu-ARGUS .asc),
            or a pandas, Polars or PyArrow frame.
        keys: Variables that an intruder may know of a person.
        weight: Sampling weight.
        household: Household identifier.
        missing: `"wildcard"` or `"category"` (see `Scenario`).
        alpha: How much a match counts that rests on a gap of the other record.
        attack: `"all"`, `"random"`, `"ratio"` or `"weight"`.
        factor: Multiplies every risk.
        low_weights: `"refuse"` weights below 1, or `"clip"` them to 1.
        meta: Metadata of a fixed-width file (.rda), if not beside it.
        encoding: Of a text file; detected if None.
        separator: Of a text file; detected if None.
        na: Texts that stand for missing.
        sheet: Of a workbook; the first if None.

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.sav", keys=["region", "age"], weight="w")  # doctest: +SKIP
        >>> s.risk()  # doctest: +SKIP
    """
    source = _opened(
        data, meta=meta, encoding=encoding, separator=separator, na=tuple(na), sheet=sheet
    )
    engine = Local(source.schema, source.load, columnar=source.columnar, like=source.like)
    opened = Study(
        engine=engine,
        notices=tuple(Notice(topic="file", text=text) for text in source.notices),
        _like=source.like,
    )
    keys = _names(keys)
    if not keys:
        return opened
    return opened.with_scenario(
        "main",
        keys=keys,
        weight=weight,
        household=household,
        missing=missing,
        alpha=alpha,
        attack=attack,
        factor=factor,
        low_weights=low_weights,
    )


def _opened(data: object, **options: Any) -> Source:
    if isinstance(data, str | Path):
        return read(Path(data), **options)
    given = [name for name, value in options.items() if value]
    if given:
        raise UsageError(f"{', '.join(given)} can be given for a file only, not for a frame.")
    return read_frame(data)


def _names(keys: Iterable[str]) -> tuple[str, ...]:
    return (keys,) if isinstance(keys, str) else tuple(keys)
