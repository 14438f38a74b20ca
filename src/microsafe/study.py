"""A study: data and one or more disclosure scenarios. It never changes; verbs give new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microsafe.cluster import cells_or_profile
from microsafe.compare import Comparison, compare
from microsafe.compare.verbs import Previews
from microsafe.engine import Engine, Local, Memory, Summary
from microsafe.errors import UsageError, did_you_mean
from microsafe.measures import Measures
from microsafe.opening import EngineName, Here, There, opened
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
    readable_notice,
    weight_notices,
)
from microsafe.scenario import Attack, LowWeights, Missing, Scenario
from microsafe.schema import Code, Schema
from microsafe.steps.change import changed
from microsafe.steps.kinds import Costs, Guarantee, Sample, Step, Suppress
from microsafe.steps.sample import sampled
from microsafe.steps.suppress import Done, criterion_of, suppressed
from microsafe.steps.suppression import Combinations, minimal_combinations
from microsafe.steps.verbs import Verbs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Study(Verbs, Previews, Measures):
    """Data and the scenarios under which its risk is measured.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
        steps: What was done to the data so far.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...] = ()
    notices: tuple[Notice, ...] = ()
    steps: tuple[Done, ...] = ()
    _before: Study | None = None
    _origin: Here | There = field(default_factory=Here)

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
            progress: Progress callback.
        """
        chosen = self.scenario(scenario)
        cells = cells_or_profile(self.engine, chosen, progress)
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
            approximation=approximation,
            notices=(*self.notices, *self._notices(chosen, measured, at), *household_notes),
            _attach=partial(self.engine.records, chosen),
            _batches=partial(self.engine.record_batches, chosen)
            if isinstance(self.engine, Local)
            else None,
            _frame=lambda columns: self._origin.like(pl.DataFrame(columns)),
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

    def combinations(
        self,
        scenario: str | None = None,
        *,
        above: float | None = None,
        k: int | None = None,
        max_size: int | None = None,
        progress: Progress = silent,
    ) -> Combinations:
        """Find the minimal unsafe combinations of categories: what makes records unsafe.

        Args:
            scenario: Name of the scenario; the first if None.
            above: Risk above which a combination is unsafe.
            k: Number of records below which it is.
            max_size: Most keys in a combination; all if None.
            progress: Progress callback.
        """
        chosen = replace(self._wildcard(scenario), attack="all")
        return minimal_combinations(
            self.engine.cells(chosen, progress=progress),
            criterion_of(self.scenario(scenario), above, k, records=self.engine.rows()),
            max_size=max_size,
            frame=lambda columns: self._origin.like(pl.DataFrame(columns)),
            attach=partial(self.engine.records, chosen),
            progress=progress,
        )

    def suppress(
        self,
        *,
        above: float | Mapping[str, float] | None = None,
        k: int | Mapping[str, int] | None = None,
        guarantee: Guarantee = "own",
        costs: Costs = None,
        spare: Iterable[str] = (),
        scenarios: Iterable[str] = (),
        linked: Mapping[str, tuple[str, ...]] | None = None,
        household: float | None = None,
        up_to: int | None = None,
        levels: Mapping[str, int] | None = None,
        people: bool = False,
        why: str = "",
        progress: Progress = silent,
    ) -> Study:
        """Return the study with as few keys blanked as make every record safe.

        All scenarios are met together. With the attack models "ratio" and "weight" a record is
        protected as if it were attacked for certain, which covers them.

        Args:
            above: Risk above which a record is unsafe; a number, or one by scenario.
            k: Number of records that must share its keys; likewise.
            guarantee: `"own"`, `"strict"` or `"shared"` (docs/methods/suppression.md).
            costs: Of blanking a key: numbers by key (1 if not named), or `"entropy"`.
            spare: Keys that must not be blanked.
            scenarios: Names of the scenarios to meet; all if empty.
            linked: Variables that lose their value wherever a key does, by key.
            household: Household risk above which a household is unsafe (own and strict only).
            up_to: Apply `k` to all combinations of at most so many keys.
            levels: Apply `k` to combinations by identification level, as mu-ARGUS does.
            people: Apply `k` to people in the population as estimated, not to records.
            why: Reason, written to the plan and the report.
            progress: Progress callback.
        """
        step = Suppress(
            above=above,
            k=k,
            guarantee=guarantee,
            costs=costs,
            spare=_names(spare),
            scenarios=_names(scenarios),
            linked={key: _names(names) for key, names in (linked or {}).items()},
            household=household,
            up_to=up_to,
            levels=levels or {},
            people=people,
            why=why,
        )
        return self._take(step, progress)

    def _take(self, step: Step, progress: Progress) -> Study:
        """Return the study with one more step."""
        scenarios = self.scenarios
        if isinstance(step, Suppress):
            engine, done = suppressed(self.engine, self._to_meet(step), step, progress)
        elif isinstance(step, Sample):
            self._refuse_late_sample()
            engine, scenarios, drawn = sampled(self.engine, scenarios, step, progress)
            done = Done(step=step, drawn=drawn)
        else:
            engine, scenarios = changed(self.engine, self.scenarios, step)
            done = Done(step=step)
        steps = (*self.steps, done)
        notices = self.notices
        if done.readable:
            notices = (*notices, readable_notice(done.readable))
        return replace(
            self,
            engine=engine,
            scenarios=scenarios,
            steps=steps,
            notices=notices,
            _before=self,
        )

    def _refuse_late_sample(self) -> None:
        if self.steps:
            raise UsageError(
                "Take the sample before other steps: what is measured and protected is what is "
                "released. Undo the steps taken so far (rollback(0)) and take them after it."
            )

    def _to_meet(self, step: Suppress) -> list[Scenario]:
        names = step.scenarios or tuple(scenario.name for scenario in self.scenarios)
        return [self._wildcard(name) for name in names or (None,)]

    def undo(self) -> Study:
        """Return the study before the last step."""
        if self._before is None:
            raise UsageError("There is no step to undo.")
        return self._before

    def rollback(self, to: int) -> Study:
        """Return the study after its first `to` steps; 0 is the data as read."""
        if not 0 <= to <= len(self.steps):
            raise UsageError(f"There are {len(self.steps)} steps: roll back to 0 up to that.")
        return self if to == len(self.steps) else self.undo().rollback(to)

    def before(self, to: int = 0) -> Study:
        """Return what the study is compared with: its first `to` steps, a sample at least.

        Protection begins with the sample as drawn; the file that it was drawn from is not
        released.
        """
        sampled = any(isinstance(done.step, Sample) for done in self.steps)
        return self.rollback(max(to, 1) if sampled else to)

    def compare(
        self, to: int = 0, *, by: Sequence[str] = (), progress: Progress = silent
    ) -> Comparison:
        """Say what the steps since the first `to` have cost.

        Args:
            to: How many steps the other state has; 0 is the data as read, or the sample as
                drawn.
            by: Further categorical variables for tables and groups.
            progress: Progress callback.
        """
        before = self.before(to)
        for name in by:
            before.schema[name]
        return compare(before.engine, self.engine, before.scenarios, by=by, progress=progress)

    def write(
        self,
        path: str | Path,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: int | None = None,
        progress: Progress = silent,
    ) -> None:
        """Write the data as they now are, in the format of the extension.

        Args:
            path: Where to; an existing file is replaced, the input never.
            notes: Whether the notes that the file carries about itself are kept.
            blanks: Missing code to write for what is missing, by variable; system missing if
                it is not named.
            shuffle: Seed of a new order of the records; the order of the input if None.
            progress: Progress callback.
        """
        self._origin.write(
            self.engine, str(path), notes=notes, blanks=blanks, shuffle=shuffle, progress=progress
        )

    def check_output(self, path: str | Path) -> None:
        """Raise what `write` would say of the format, before any work is done for it."""
        self._origin.check_output(str(path))

    def _wildcard(self, name: str | None) -> Scenario:
        scenario = self.scenario(name)
        if scenario.missing != "wildcard" or scenario.alpha != 1.0:
            raise UsageError(
                "Protection counts a blank as a wildcard: use missing='wildcard' and alpha=1, "
                "and measure the result under the other rules."
            )
        return scenario

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
    why: str = "",
    meta: str | Path | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
    engine: EngineName = "local",
    master: str | None = None,
    most_cells: int | None = None,
    memory: str | int | Memory | None = None,
    progress: Progress = silent,
) -> Study:
    """Open a file or a frame for study.

    Args:
        data: Path of a file (.csv, .parquet, .sav, .dta, .sas7bdat, .xpt, .xlsx, mu-ARGUS .asc),
            or a pandas, Polars or PyArrow frame. With `engine="spark"` also a Spark frame, the
            name of a table, or a folder of Parquet files.
        keys: Variables that an intruder may know of a person.
        weight: Sampling weight.
        household: Household identifier.
        missing: `"wildcard"`, `"category"` or `"expected"` (see `Scenario`).
        alpha: How much a match counts that rests on a gap of the other record.
        attack: `"all"`, `"random"`, `"ratio"` or `"weight"`.
        factor: Multiplies every risk.
        low_weights: `"refuse"` weights below 1, or `"clip"` them to 1.
        why: Why this scenario, written to the plan and the report.
        meta: Metadata of a fixed-width file (.rda), if not beside it.
        encoding: Of a text file; detected if None.
        separator: Of a text file; detected if None.
        na: Texts that stand for missing.
        sheet: Of a workbook; the first if None.
        engine: Where records are kept and counted: `"local"`, on this machine, or `"spark"`.
        master: Where Spark runs, such as `"local[4]"`, `"yarn"` or `"sc://host"`; by default the
            session in use, or all cores of this machine.
        most_cells: Combinations of keys that Spark may send to this machine; 20 million if None.
        memory: Most memory that the embedded engine may use, such as `"4GB"`, or bytes; what does
            not fit waits in private files, or is refused. `Memory` of another study if both are
            to keep to one limit. No limit if None.
        progress: Progress callback, used while a text file is checked.

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.sav", keys=["region", "age"], weight="w")  # doctest: +SKIP
        >>> s.risk()  # doctest: +SKIP
    """
    found, origin = opened(
        data,
        engine=engine,
        master=master,
        most_cells=most_cells,
        memory=memory,
        progress=progress,
        meta=meta,
        encoding=encoding,
        separator=separator,
        na=tuple(na),
        sheet=sheet,
    )
    made = Study(engine=found, notices=origin.notices, _origin=origin)
    keys = _names(keys)
    if not keys:
        if weight is not None or household is not None:
            raise UsageError("A weight or household belongs to a scenario: name its keys too.")
        return made
    return made.with_scenario(
        "main",
        keys=keys,
        weight=weight,
        household=household,
        missing=missing,
        alpha=alpha,
        attack=attack,
        factor=factor,
        low_weights=low_weights,
        why=why,
    )


def _names(keys: Iterable[str]) -> tuple[str, ...]:
    names = (keys,) if isinstance(keys, str) else tuple(keys)
    if not all(isinstance(name, str) for name in names):
        raise UsageError("Variables are named by text, as in the file.")
    return names
