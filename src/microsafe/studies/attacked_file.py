"""A study as intruders see it: the file that will be written, and what the office knows of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microsafe.cells import Cells, Index
from microsafe.engine import Engine
from microsafe.engine.slices import BATCH
from microsafe.intruders import ViewRisk
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import hazard
from microsafe.schema import Schema
from microsafe.steps.perturbation import find_subject
from microsafe.studies.core import StudyCore
from microsafe.studies.families import (
    draw_households,
    read_codes,
    read_households,
    read_values,
    read_weights,
)
from microsafe.studies.person_risk import RiskiestWaves, find_cells
from microsafe.studies.record_risk import (
    count_population_uniques,
    measure_family_risk,
    measure_once,
)
from microsafe.studies.telling_variables import find_telling_variables
from microsafe.sums import Floats, sum_by

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, MeasuredFamilies, NumericRisk, Reference, Risk
    from microsafe.steps.perturbation import MeasuredData

_PER_CODE, _CODES_BESIDE = 8, 8  # bytes; those that are held beside the keys before and after
_LONGEST_END = 3  # characters that tell members of a household apart in their identifiers
_NO_FRACTION, _BEFORE_SEPARATOR = r"\.0+$", r"^(.+)[^\pL\pN][\pL\pN]*$"
_QUARTERS = 4  # in which numbers are learnt


class AttackedStudy:
    """One scenario of a study, as `intruders.AttackedFile` has it.

    Args:
        study: Whose file is attacked.
        scenario: Its name.
        limits: Of the policy, by rule.
        known: Risk as it was measured; measured when it is asked for if None.
        start: The study before protection under the same scenario; None if nothing was done, or
            the keys were not there.
        ordered: Whether records go out in the order in which they came.
        progress: Progress callback.
    """

    def __init__(
        self,
        study: StudyCore,
        scenario: str,
        *,
        limits: Mapping[str, float],
        known: Risk | None = None,
        start: AttackedStudy | None = None,
        ordered: bool = False,
        progress: Progress,
    ) -> None:
        self.scenario: Scenario = study.scenario(scenario)
        self.limits, self.ordered = limits, ordered
        self.known_population = known is not None and known._known is not None
        self._study, self._start, self._progress = study, start, progress
        self.waves: Sequence[AttackedStudy] = ()
        self._measured_homes = None if known is None else known.household
        if known is not None:
            self._measured, self._reference = known.measured, known._reference

    def take_waves(self, scenario: Scenario, waves: Sequence[AttackedStudy]) -> None:
        """Take persons as they are in the riskiest of some waves, unless that was measured.

        Args:
            scenario: Of records.
            waves: The same file, as it is attacked in each wave.
        """
        self.waves = waves
        if "_measured" not in vars(self):
            found = [each.measured() for each in waves]
            self._measured = RiskiestWaves.of(self._study, scenario, found).take(found)

    def find_riskiest(self, chances: Sequence[Floats]) -> Floats:
        """Return the chance of each person in the riskiest wave, given those of cells by wave."""
        found = [
            chance[find_cells(each._study, each.measured().cells.keys)]
            for each, chance in zip(self.waves, chances, strict=True)
        ]
        most: Floats = np.max(found, axis=0)
        return most

    @property
    def engine(self) -> Engine:
        """Where the records are."""
        return self._study.engine

    @property
    def of_persons(self) -> bool:
        """Whether persons are attacked who have several records."""
        return self._study._panel is not None

    @property
    def schema(self) -> Schema:
        """The variables that will be written."""
        return self._study.schema

    @property
    def perturbed(self) -> tuple[str, ...]:
        """Variables whose values were perturbed."""
        known = self._study._perturbation
        return () if known is None else tuple(known.transitions)

    @property
    def linking(self) -> Collection[str]:
        """Household numbers of other scenarios."""
        return {each.household for each in self._study.scenarios if each.household is not None}

    def afford_records(self) -> None:
        """Make room for what is read of each record of a large file, for whoever goes by them.

        Raises:
            InputError: The limit on memory does not allow it.
        """
        beyond = self.engine.rows() - BATCH  # as many are at work anyhow
        if beyond > 0:
            each = _PER_CODE * (2 * len(self.scenario.keys) + _CODES_BESIDE)
            what = f"to try who goes by {self.engine.rows():,} records"
            self.engine.afford(beyond * each, what, "Recode or leave out keys,")

    def afford_guesses(self, size: int) -> None:
        """Make room for tables of so many bytes that hidden keys are guessed by."""
        self.engine.afford(size, "to guess what is hidden of keys", "Recode or leave out keys,")

    def earlier(self) -> Sequence[AttackedStudy] | None:
        """The file as it came, and as if nothing had been suppressed."""
        first = self._study._before()
        if len(self._study.steps) == len(first.steps):
            return ()
        if self._start is None:
            return None
        whole = self._whole
        if whole is self._study or len(whole.steps) == len(first.steps):
            return (self._start,)
        unblanked = AttackedStudy(
            whole, self.scenario.name, limits=self.limits, progress=self._progress
        )
        return self._start, unblanked

    def sensitive(self) -> Sequence[str]:
        """Variables that were called sensitive, and go out."""
        keys, schema = self.scenario.keys, self._study.schema
        names = self._study.roles.sensitive
        return [name for name in names if name in schema and name not in keys]

    def attribute(self, variable: str) -> tuple[Index, Index]:
        """What is shown of a variable and what is true: categories, or quarters of numbers."""
        shown, truth = self.shown(variable), self.unsuppressed(variable)
        said = self._study.schema[variable]
        if said.kind not in ("integer", "number") or said.labels or shown.max() <= _QUARTERS:
            return shown, truth
        released, original = (
            read_values(engine, variable, "number").astype(np.float64)
            for engine in (self._study.engine, self._whole.engine)
        )
        shares = np.arange(1, _QUARTERS) / _QUARTERS
        cuts = np.quantile(released[shown > 0], shares, method="inverted_cdf")
        learnt = np.where(shown > 0, 1 + np.searchsorted(cuts, released), 0)
        return learnt, np.where(truth > 0, 1 + np.searchsorted(cuts, original), 0)

    def told(self) -> Collection[str]:
        """Keys that were changed and of which variables tell much."""
        found = find_telling_variables(self._study, progress=self._progress)
        return {each.key for each in (*found.determining, *found.notable)}

    def measured(self) -> CellRisk:
        """Risk of every cell."""
        return self._measured

    def reference(self) -> Reference | None:
        """What risk by a model is looked up in."""
        return self._reference

    def population_uniques(self) -> float | None:
        """Records expected to be unique in the population by what they show."""
        estimated = self.scenario.estimator == "model" and not self.known_population
        if not estimated or self._reference is None:
            return None
        return count_population_uniques(
            self._study, self.scenario, self._reference, progress=self._progress
        )[1]

    def whole(self) -> Cells:
        """Cells of the keys as if nothing had been suppressed."""
        cells = self.measured().cells
        if cells.alike is not None or self._whole is self._study:
            return cells
        counted = replace(self.scenario, attack="all")
        return self._whole.engine.cells(counted, progress=self._progress).coded_as(cells)

    def views(self) -> ViewRisk | str:
        """Risk of cells among people who would be shown in the same way."""
        measured = self.measured()
        if not self._study._is_blanked(self.scenario.name):
            return ViewRisk(risk=measured.risk, blanked=np.zeros(len(measured.cells), np.bool_))
        from microsafe.studies.view_risk import measure_views

        return measure_views(
            self._study,
            self._whole,
            self.scenario,
            self.measured(),
            self._reference,
            progress=self._progress,
        )

    def shown(self, variable: str) -> Index:
        """What the file shows of a variable, by record."""
        return read_codes(self._study.engine, variable)

    def beginnings(self, variable: str) -> Iterator[Index]:
        """What is left of values without their last characters, and before a last separator."""
        shown = self.shown(variable)
        texts = pl.Series(self._study.engine.categories(variable), dtype=pl.String)
        whole = texts.str.replace(_NO_FRACTION, "")
        cut = [whole.str.head(-length) for length in range(1, _LONGEST_END + 1)]
        for part in (*cut, whole.str.extract(_BEFORE_SEPARATOR)):
            codes = part.replace("", None).rank("dense").fill_null(0).to_numpy()
            yield np.r_[0, codes].astype(np.intp)[shown]

    def unsuppressed(self, key: str) -> Index:
        """Codes of a key as if nothing had been suppressed, in the coding of `shown`."""
        whole = self._whole.engine
        codes = read_codes(whole, key)
        shown = {text: code for code, text in enumerate(self._study.engine.categories(key), 1)}
        table = [shown.setdefault(text, len(shown) + 1) for text in whole.categories(key)]
        return np.array([0, *table], np.intp)[codes]

    def kept(self, key: str) -> Floats:
        """Chance by record that a perturbed key is as it was."""
        kept = self._subject.kept
        if kept is None or key not in kept.chances:
            return np.ones(self._study.engine.rows())
        return self._by_record(kept.chances[key])

    def weights(self) -> Floats | None:
        """Sampling weight of each record."""
        return read_weights(self._subject.engine, self.scenario)

    def households(self) -> Index | None:
        """Number of each record's household, in the order of `Engine.households`."""
        engine, name = self._household
        return None if name is None else read_households(engine, name)

    @cached_property
    def _household(self) -> tuple[Engine, str | None]:
        """Where the household is known, and its name; None if the scenario named none."""
        engine, name = self._study.engine, self.scenario.household
        if name is not None and name in engine.schema:
            return engine, name
        return self._study._homes(self.scenario.name)

    def families(self) -> MeasuredFamilies | None:
        """Chances of households by the joint keys of their members."""
        from microsafe.risk import MeasuredFamilies

        household, (home, name) = self.households(), self._household
        if household is None or name is None:
            return None
        measured = self._measured_homes
        if measured is not None and measured.unique is not None:
            return MeasuredFamilies(
                risk=measured.risk, unique=measured.unique, notices=measured.notices
            )
        scenario = replace(self.scenario, household=name)
        count = int(household.max()) + 1
        drawn = None if self._study._written_by else draw_households(home, name, household)
        made = measure_family_risk(
            self._study, self._subject, scenario, count, self._progress, drawn=drawn
        )
        if self._subject.kept is None:
            return made
        lost = self._by_record(hazard(1.0 - self._subject.kept.chance(scenario.keys)))
        return made.multiply(np.exp(-sum_by(household, lost, count)))

    def record_risk(self) -> Floats:
        """Risk of each record."""
        return self._by_record(self.measured().risk)

    def numbers(self, progress: Progress = silent) -> NumericRisk | None:
        """Risk of the numbers that steps have changed."""
        from microsafe.studies.numeric_risk import measure_changed_numbers

        return measure_changed_numbers(self._study, self.scenario, progress=progress)

    @cached_property
    def _subject(self) -> MeasuredData:
        study = self._study
        return find_subject(
            study.engine, study._perturbation, self.scenario, progress=self._progress
        )

    @cached_property
    def _reference(self) -> Reference | None:
        return self._study._reference(self.scenario, progress=self._progress)

    @cached_property
    def _measured(self) -> CellRisk:
        return measure_once(
            self._study,
            self._subject.cells,
            self.scenario,
            reference=self._reference,
            kept=self._subject.kept,
            progress=self._progress,
        )

    @cached_property
    def _whole(self) -> StudyCore:
        """The study without suppression; itself if nothing was suppressed or perturbed."""
        return self._study._source._without_suppression(progress=self._progress)

    def _by_record(self, values: Floats) -> Floats:
        """Give each record the value of its cell."""
        subject = self._subject
        batches = subject.engine.record_batches(subject.scenario, {"value": values}, {})
        frames = (batch for batch in batches if isinstance(batch, pl.DataFrame))
        return np.concatenate([frame["value"].to_numpy() for frame in frames])
