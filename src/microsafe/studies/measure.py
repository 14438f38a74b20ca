"""The verbs that measure: they ask the engine for cells and leave the rest to `risk`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, cast

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.intruders import IntruderTable, add_profile
from microsafe.notices import Notice
from microsafe.options.approximation import Approximation, ApproximationOptions
from microsafe.options.parameter import variable_names
from microsafe.options.policy import Policy
from microsafe.options.profiles import ProfileName, find_profile, read_limit
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import Risk, choose_limit, estimator_notices, gap_notices, measure
from microsafe.risk.counts.areas import USUAL_LIMIT
from microsafe.risk.file.options import USUAL_BANDS
from microsafe.steps.perturbation import find_subject
from microsafe.studies.core import StudyCore
from microsafe.studies.describe import DescribeVerbs
from microsafe.studies.estimator_choice import choose_estimator
from microsafe.studies.frames import frame_maker
from microsafe.studies.intruder_table import play_intruders
from microsafe.studies.known_population import (
    compare_population,
    open_population,
    population_notices,
)
from microsafe.studies.person_risk import measure_persons
from microsafe.studies.persons import household_error
from microsafe.studies.perturbed_keys import (
    before_perturbation,
    measure_perturbed,
    perturbed_notices,
    perturbed_words,
)
from microsafe.studies.record_risk import (
    attach_figures,
    count_population_uniques,
    measure_by_other_estimator,
    measure_gaps,
    measure_households,
    measure_once,
    record_notices,
    reference_notices,
    repeated_row_notices,
    sum_by_household,
    telling_weight_notices,
)
from microsafe.studies.reference import (
    LEAVE_OUT_KEYS,
    PER_CELL_OF_A_MODEL,
    fit_once,
    model_scenario,
)
from microsafe.studies.repeated_rows import repeated_rows
from microsafe.studies.small_areas import find_small_areas

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import (
        CellRisk,
        Diversity,
        FileRisk,
        Limit,
        Population,
        PopulationCheck,
        PopulationUse,
        Reference,
        SpecialUniques,
        Tabulation,
    )
    from microsafe.risk.counts.areas import SmallAreas
    from microsafe.risk.numeric.result import NumericRisk
    from microsafe.steps import Suppress
    from microsafe.steps.base import Step
    from microsafe.steps.suppress.combinations import Combinations
    from microsafe.sums import Floats

_USUAL_FRACTION = 0.01
_PER_VALUE = 100  # bytes of a value in a class, while classes are put together
_MOST_REPEATS = 1000


class MeasureVerbs(DescribeVerbs):
    """A study whose risk can be measured."""

    __slots__ = ()

    def risk(
        self,
        scenario: str | None = None,
        *,
        limit: float | str | None = None,
        household_limit: float | str | None = None,
        profile: ProfileName | None = None,
        approximation: Approximation | None = None,
        accuracy: float | None = None,
        one_estimator: bool = False,
        population: object = None,
        population_count: str | None = None,
        population_use: PopulationUse = "check",
        progress: Progress = silent,
    ) -> Risk:
        """Measure the risk of every record, every household and the file.

        Args:
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, to be carried into summary and plot; 0.01,
                "1%" or "1 in 100".
            household_limit: Household risk above which a household is unsafe, likewise.
            profile: Who gets the file; the limit is what is usual for them unless one is given.
            approximation: A published formula instead of the exact base risk, which is told beside
                it.
            accuracy: Error that is wished of the approximation `"series"`; 0.001 if None.
            one_estimator: Whether to leave out the other estimator where many records are alone in
                their cell, so that the two can be compared.
            population: Known counts for the keys: a file, a frame or a study, with one row per
                person or per combination of keys.
            population_count: Its variable with the number of people; a row is a person if None.
            population_use: `"check"` puts the counts beside the estimates; `"F"` takes them, so
                that the base risk is 1/F.
            progress: Progress callback.
        """
        chosen = self.scenario(scenario)
        if chosen.person is not None:
            if population is not None:
                raise UsageError("Known counts are of records: leave out the population.")
            if household_limit is not None:
                raise household_error()
            ask = partial(
                self._of_persons().risk, limit=limit, profile=profile, approximation=approximation,
                accuracy=accuracy, one_estimator=one_estimator, progress=progress,
            )  # fmt: skip
            return measure_persons(self, chosen, ask)
        formula = ApproximationOptions(approximation=approximation, accuracy=accuracy)
        limit, household_limit = read_limit(limit), read_limit(household_limit)
        if profile is not None and limit is None:
            limit = find_profile(profile).record_risk
        by_file = self._chosen.get(chosen.name)
        if approximation is not None and chosen.estimator == "model":
            if by_file is None:
                raise UsageError(
                    "An approximation cannot be combined with the estimator 'model'. "
                    "Leave out one of them."
                )
            chosen, by_file = chosen.with_estimator("cell"), None
        subject = find_subject(self.engine, self._perturbation, chosen, progress=progress)
        engine, cells = subject.engine, subject.cells
        if population is None and (population_count is not None or population_use != "check"):
            raise UsageError("Name the known population that the counts come from (population).")
        reference = self._reference(chosen, progress=progress)
        measured = measure_once(
            self,
            cells,
            chosen,
            approximation=None if approximation is None else formula,
            reference=reference,
            kept=subject.kept,
            progress=progress,
        )
        exact: CellRisk | None = None
        if approximation is not None:
            exact = measure_once(
                self, cells, chosen, reference=reference, kept=subject.kept, progress=progress
            )
        beside: PopulationCheck | None = None
        known: Population | None = None
        if population is not None:
            known = open_population(
                population, chosen, population_count, beside=self.engine, progress=progress
            )
            beside, counted = compare_population(
                known, measured, chosen, use=population_use, kept=subject.kept
            )
            measured, known = (counted, known) if population_use == "F" else (measured, None)
        curve = measured.curve
        at = None if limit is None else choose_limit(curve, risk=limit)
        household, household_notes = measure_households(self, subject, chosen, measured, progress)
        other: CellRisk | None = None
        skipped: tuple[Notice, ...] = ()
        choice = choose_estimator(self, chosen, drawn=True, progress=progress)
        if not one_estimator and known is None:  # counts that are known need no estimator
            other, skipped = measure_by_other_estimator(
                self, chosen, measured, subject.kept, progress
            )
        if household is None and household_limit is not None:
            raise UsageError("A limit on household risk needs the household variable. Name it.")
        return Risk(
            source=self.schema.source,
            scenario=chosen,
            measured=measured,
            curve=curve,
            household=household,
            limit=at,
            household_limit=None
            if household is None or household_limit is None
            else household.choose(risk=household_limit),
            formula=None if approximation is None else formula,
            exact=None if known is not None else exact,
            other=other,
            _gaps=measure_gaps(self, chosen, measured, subject.kept, progress)
            if not one_estimator and known is None and approximation is None
            else {},
            population=beside,
            proposed_estimator=choice.estimator,
            labels=find_labels(self.schema, chosen.variables),
            unit="records" if self._panel is None else "persons",
            views=_measure_views(self, chosen, measured, reference, progress),
            _known=known,
            notices=(
                *self.notices,
                *(() if by_file is None else (by_file,)),
                *perturbed_notices(self, chosen),
                *telling_weight_notices(self, chosen),
                *record_notices(engine, chosen, measured, at, of_persons=self._panel is not None),
                *household_notes,
                *estimator_notices(chosen, measured, other),
                *repeated_row_notices(self, chosen, reference, other),
                *reference_notices(reference),
                *skipped,
                *gap_notices(measured, chosen, known=self._is_blanked(chosen.name)),
                *population_notices(beside),
            ),
            _reference=reference,
            _by_household=None
            if household is None
            else partial(sum_by_household, engine, subject.scenario),
            kept=subject.kept,
            perturbed=measure_perturbed(self, chosen, subject, measured),
            _attach=partial(attach_figures, self, engine.records, subject.scenario),
            _batches=partial(attach_figures, self, engine.record_batches, subject.scenario),
            _frame=frame_maker(self.engine),
        )

    def apply(self, step: Step, *, progress: Progress = silent) -> Self:
        """Return the study with one more step, of whatever kind."""
        made = super().apply(step, progress=progress)
        views = getattr(step, "guarantee", None) == "view"
        by_person = any(scenario.person for scenario in self.scenarios)
        if not views or by_person or not any(taken.total for taken in self.steps):
            return made
        from microsafe.studies.seen_through import count_seen_through

        return count_seen_through(made, cast("Suppress", step), progress=progress)

    def _suppress_all(self, parts: Sequence[Suppress], progress: Progress) -> Self:
        """Take suppressions of persons, and see to views that keys which never change have left."""
        made = super()._suppress_all(parts, progress)
        if not self._panel.by_wave or parts[0].guarantee != "view":
            return made
        from microsafe.studies.person_views import blank_seen_through

        return blank_seen_through(made, parts[0], progress=progress)

    def intruders(
        self,
        scenario: str | None = None,
        *,
        policy: Policy | None = None,
        profile: ProfileName | None = None,
        progress: Progress = silent,
    ) -> IntruderTable:
        """Try whom the file could be attacked by, before and after protection.

        Args:
            scenario: Name of the scenario; all if None.
            policy: Whose limits the intruders are judged by.
            profile: Who gets the file; limits that are usual for them hold where the policy says
                nothing.
            progress: Progress callback.

        Returns:
            Who could recognise whom, the worst scenario first; then who was not tried, and why.
        """
        chosen = self.scenarios if scenario is None else (self.scenario(scenario),)
        names = [each.name for each in chosen] or [self.scenario().name]
        limits = policy or Policy()
        if profile is not None:
            limits = add_profile(limits, profile, self.scenario())
        return play_intruders(self, names, policy=limits, progress=progress)

    def limit(
        self,
        scenario: str | None = None,
        *,
        risk: float | None = None,
        rate: float | None = None,
        expected: float | None = None,
        unsafe: int | None = None,
        household_risk: float | None = None,
        household_rate: float | None = None,
        expected_households: float | None = None,
        progress: Progress = silent,
    ) -> Limit:
        """Return the risk limit that meets a target (see `Risk.choose`)."""
        return self.risk(scenario, progress=progress).choose(
            risk=risk,
            rate=rate,
            expected=expected,
            unsafe=unsafe,
            household_risk=household_risk,
            household_rate=household_rate,
            expected_households=expected_households,
        )

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
        from microsafe.risk.file.estimate import file_risk as estimate_file_risk
        from microsafe.risk.file.model_estimates import model_name
        from microsafe.risk.file.options import bands_of, impossible_cells, terms_named

        if self._of(scenario) is not self:
            return self._of_persons().file_risk(
                scenario, model=model, interactions=interactions, fraction=fraction, pi=pi,
                impossible=impossible, opinions=opinions, bands=bands, seed=seed,
                progress=progress,
            )  # fmt: skip
        said = _ignore_attack(self.scenario(scenario))
        chosen = model_scenario(said)
        if (chosen.weight is None) == (fraction is None):
            raise UsageError(
                "The risk of the file needs either a sampling weight or the sampling fraction. "
                "Give one of them."
            )
        if fraction is not None and not 0 < fraction <= 1:
            raise UsageError("The sampling fraction must be above 0 and at most 1.")
        if pi not in ("cell", "file"):
            raise UsageError("pi must be 'cell' or 'file'.")
        words, told = perturbed_words(self, chosen), perturbed_notices(self, chosen)
        data = before_perturbation(self, chosen)
        cells = data.engine.cells(chosen, progress=progress)
        what = f"for a model of {len(cells):,} combinations of keys"
        data.engine.afford(len(cells) * PER_CELL_OF_A_MODEL, what, LEAVE_OUT_KEYS)
        asked, named = model_name(model), terms_named(chosen.keys, interactions)
        others = [model_name(opinion) for opinion in opinions]
        auto = (asked == "loglinear" and named == "auto") or "loglinear" in others
        never = impossible_cells(cells, impossible)
        usual = auto and fraction is None and pi == "cell" and not never
        integrated: tuple[str, ...] = ()
        if asked == "loglinear" and named == "auto" and not never and not cells.complete:
            integrated = self._find_natural_gaps(said)
            chosen = said.with_estimator("model") if integrated and said.weight else chosen
        found = estimate_file_risk(
            cells,
            chosen,
            source=data.engine.schema.source,
            model=asked,
            interactions=named,
            fraction=fraction,
            by_cell=pi == "cell",
            impossible=never,
            opinions=others,
            bands=bands_of(bands),
            seed=seed,
            attach=partial(data.engine.records, chosen),
            fitted=fit_once(data, chosen, progress=progress) if usual else None,
            clusters=data.engine.membership(chosen)
            if auto and not usual and chosen.household
            else None,
            integrated=integrated,
            notices=(
                *(repeated_rows(data.engine, chosen) if auto and self._panel is None else ()),
                *told,
            ),
            progress=progress,
        )
        return replace(found, perturbed_by=words, labels=find_labels(data.schema, chosen.keys))

    def _find_natural_gaps(self, scenario: Scenario) -> tuple[str, ...]:
        """Keys of which a gap says nothing of the person.

        None after suppression: what is blanked is rare, and no model can integrate it out.
        """
        if self._is_blanked(scenario.name):
            return ()
        return tuple(key for key in scenario.keys if key not in scenario.gap_categories)

    def combinations(
        self,
        scenario: str | None = None,
        *,
        above: float | None = None,
        k: int | None = None,
        max_size: int | None = None,
        levels: Mapping[str, int] | None = None,
        progress: Progress = silent,
    ) -> Combinations:
        """Find the minimal unsafe combinations of categories: what makes records unsafe.

        Args:
            scenario: Name of the scenario; the first if None.
            above: Risk above which a combination is unsafe.
            k: Number of records below which it is.
            max_size: Most keys in a combination; all if None.
            levels: Identification levels of keys, as in mu-ARGUS: only combinations are listed that
                lie within one key of level 1, one of level at most 2, and so on. They need `k`. If
                None those that are declared, where `k` alone says what is unsafe; `{}` for none.
            progress: Progress callback.
        """
        from microsafe.steps.suppress.combinations import minimal_combinations
        from microsafe.steps.suppress.demands import combine_levels, criterion_of, key_bits
        from microsafe.steps.suppress.key_defaults import usable_levels
        from microsafe.steps.suppress.step import usual_gaps_only

        if self._of(scenario) is not self:
            return self._of_persons().combinations(
                scenario, above=above, k=k, max_size=max_size,
                levels=None if levels is None else _spread_levels(self._of_persons(), levels),
                progress=progress,
            )  # fmt: skip
        if levels and (k is None or max_size is not None):
            raise UsageError("Identification levels need a count (k), and no largest size.")
        chosen = replace(usual_gaps_only(self.scenario(scenario)), attack="all")
        if levels is None and k is not None and above is None and max_size is None:
            levels = usable_levels(self.roles.levels, [chosen])
        sets = combine_levels(chosen.keys, levels) if levels else []
        words, data = perturbed_words(self, chosen), before_perturbation(self, chosen)
        found = minimal_combinations(
            data.engine.cells(chosen, progress=progress),
            criterion_of(chosen, above, k, records=data.engine.rows()),
            reference=None if above is None else data._reference(chosen, progress=progress),
            max_size=max(map(len, sets), default=max_size),
            within=[key_bits(chosen.keys, each) for each in sets],
            afford=partial(_afford_sets, data.engine),
            frame=frame_maker(data.engine),
            attach=partial(data.engine.records, chosen),
            progress=progress,
        )
        return replace(found, perturbed_by=words, labels=find_labels(data.schema, chosen.keys))

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
        from microsafe.risk.counts.uniques import special_uniques

        if self._of(scenario) is not self:
            return self._of_persons().uniques(
                scenario, max_size=max_size, fraction=fraction, progress=progress
            )
        chosen = _ignore_attack(self.scenario(scenario))
        if chosen.missing == "expected" or chosen.alpha != 1.0:
            raise UsageError(
                "Uniqueness needs whole counts: use missing='wildcard' and alpha=1, or "
                "missing='category'."
            )
        words, data = perturbed_words(self, chosen), before_perturbation(self, chosen)
        cells = data.engine.cells(chosen, progress=progress)
        if fraction is None and chosen.weight is not None:
            fraction = cells.records / float(cells.weight.sum())
        found = special_uniques(
            cells,
            fraction=_USUAL_FRACTION if fraction is None else fraction,
            max_size=max_size,
            afford=partial(_afford_sets, data.engine),
            missing_is_category=chosen.missing == "category",
            frame=frame_maker(data.engine),
            attach=partial(data.engine.records, chosen),
            progress=progress,
        )
        return replace(found, perturbed_by=words, labels=find_labels(data.schema, chosen.keys))

    def tabulation(
        self,
        scenario: str | None = None,
        *,
        dimensions: int | Iterable[int] = (1, 2, 3),
        min_count: int | None = 3,
        min_weight: float | None = None,
        progress: Progress = silent,
    ) -> Tabulation:
        """Make every table of a few keys and find the sparse cells.

        Args:
            scenario: Name of the scenario; the first if None.
            dimensions: Numbers of keys in a table.
            min_count: Records that a cell must have.
            min_weight: People, as estimated, that it must stand for.
            progress: Progress callback.
        """
        from microsafe.risk.counts.tabulation import Thresholds, tabulate

        if self._of(scenario) is not self:
            return self._of_persons().tabulation(
                scenario, dimensions=dimensions, min_count=min_count, min_weight=min_weight,
                progress=progress,
            )  # fmt: skip
        chosen = _ignore_attack(self.scenario(scenario))
        if min_weight is not None and chosen.weight is None:
            raise UsageError("A minimum number of people needs a sampling weight. Name the weight.")
        words, data = perturbed_words(self, chosen), before_perturbation(self, chosen)
        cells = data.engine.cells(chosen, progress=progress)
        found = tabulate(
            measure(
                cells,
                chosen,
                reference=data._reference(chosen, progress=progress),
                progress=progress,
            ),
            dimensions=(dimensions,) if isinstance(dimensions, int) else dimensions,
            thresholds=Thresholds(count=min_count, weight=min_weight),
            missing_is_category=chosen.missing == "category",
            frame=frame_maker(data.engine),
            attach=partial(data.engine.records, chosen),
            progress=progress,
        )
        return replace(found, perturbed_by=words, labels=find_labels(data.schema, chosen.keys))

    def areas(
        self,
        areas: str,
        scenario: str | None = None,
        *,
        parent: str | None = None,
        limit: float = USUAL_LIMIT,
        progress: Progress = silent,
    ) -> SmallAreas:
        """Tell for which areas and categories the survey is too small, and what to merge.

        Args:
            areas: Variable with geography; neighbours in the order of its codes may be merged.
            scenario: Name of the scenario that gives keys, weight and household; the first if None.
            parent: Variable with a broader geography: areas are merged within it first.
            limit: What no coefficient of variation of a number of people should exceed.
            progress: Progress callback.
        """
        chosen = self.scenario(scenario)
        data = before_perturbation(self, chosen)
        return find_small_areas(
            data.engine, chosen, areas, parent=parent, limit=limit, progress=progress
        )

    def diversity(
        self,
        sensitive: str | Iterable[str] | None = None,
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
            sensitive: Variables that nobody should learn from the keys; as declared if None.
            scenario: Name of the scenario; the first if None.
            ordered: Those of them whose values have an order, as numbers have.
            l: Diversity that is asked for, to count the records that fall short.
            c: Of recursive (c, l)-diversity.
            t: Distance that is tolerated, to count the records that are farther.
            progress: Progress callback.
        """
        from microsafe.risk import Diversity
        from microsafe.risk.counts.diversity import measure_diversity
        from microsafe.risk.counts.equivalence_classes import sensitive_values

        self._refuse_persons("Diversity is measured by record, and persons here have several")
        chosen = _ignore_attack(self.scenario(scenario))
        sensitive = self.roles.sensitive if sensitive is None else sensitive
        names = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive)
        in_order = (ordered,) if isinstance(ordered, str) else tuple(ordered)
        _check_sensitive(names, in_order, chosen, l=l, c=c, t=t)
        words, data = perturbed_words(self, chosen), before_perturbation(self, chosen)
        found = {}
        cells = data.engine.cells(chosen, progress=progress)
        for name in names:
            data.engine.schema[name]
            both = replace(chosen, keys=(*chosen.keys, name))
            _, values = sensitive_values(
                data.engine.cells(both, progress=progress),
                wildcard=chosen.missing != "category",
                afford=lambda values: data.engine.afford(
                    values * _PER_VALUE,
                    f"for {values:,} values that records may share",
                    LEAVE_OUT_KEYS,
                ),
                progress=progress,
            )
            found[name] = measure_diversity(name, values, c=c, ordered=name in in_order)
        attach = partial(data.engine.records, chosen)
        return Diversity(
            cells=cells,
            variables=found,
            l=l,
            c=c,
            t=t,
            _attach=attach,
            perturbed_by=words,
            labels=find_labels(data.schema, (*chosen.keys, *names)),
        )

    def tau(
        self, scenario: str | None = None, *, progress: Progress = silent
    ) -> tuple[int, float, float]:
        """Estimate the risk of the file as it would be released, blanks and all.

        Returns:
            How many records are alone with what they still show, how many of them are unique in the
            population (tau1), and how many a match would re-identify (tau2), by the model of the
            file without blanks.

        Raises:
            NoEstimateError: The model gives no estimate.
        """
        if self._of(scenario) is not self:
            return self._of_persons().tau(scenario, progress=progress)
        chosen = _ignore_attack(self.scenario(scenario)).with_estimator("model")
        reference = self._model_reference(chosen, progress=progress)
        return count_population_uniques(self, chosen, reference, progress=progress)

    def numeric_risk(
        self,
        variables: str | Iterable[str] = (),
        *,
        scenario: str | None = None,
        to: int = 0,
        width: float = 0.05,
        by_ranks: bool = False,
        repeats: int = 0,
        progress: Progress = silent,
    ) -> NumericRisk:
        """Measure whether records can be found again by their numeric variables.

        Args:
            variables: Which an intruder knows exactly; all numeric ones that were changed if empty.
            scenario: Name of the scenario that gives keys and weight; the first if None.
            to: How many steps the state has that is compared with; 0 is the data as read.
            width: Half the interval around a released value, as a share of the standard deviation
                of the originals.
            by_ranks: Whether it is a share of the ranks instead.
            repeats: Average over so many draws of other seeds, so that the figures are those of the
                method and not of this draw; 0 measures this file.
            progress: Progress callback.

        Assumes:
            The intruder knows the original values exactly and that the person is in the file. See
            docs/methods/numeric-risk.md.
        """
        from microsafe.risk.numeric.result import average_risks
        from microsafe.studies.numeric_risk import (
            compare_numbers,
            draw_anew,
            find_changed_numbers,
            find_seeds,
            find_windows,
        )

        whole = isinstance(repeats, int) and not isinstance(repeats, bool)
        if not whole or not 0 <= repeats <= _MOST_REPEATS:
            raise UsageError(f"Repeats must be a whole number from 0 to {_MOST_REPEATS:,}.")
        before = self._before(to)
        names = variable_names(variables) or find_changed_numbers(before, self)
        if not names:
            raise UsageError(
                "No step has changed a numeric variable. Name the variables to measure."
            )
        chosen = self.scenario(scenario) if self.scenarios else None
        options: dict[str, Any] = {
            "keys": chosen.keys if chosen else (),
            "weight": chosen.weight if chosen else None,
            "width": width,
            "by_ranks": by_ranks,
            "progress": progress,
        }
        if not repeats:
            # A file that was read back may have another order; only what it shows is measured.
            known = self._perturbation if self._written_by is None else None
            options["windows"] = find_windows(before, self)
            return compare_numbers(before.engine, self.engine, names, known=known, **options)
        taken = [each.step for each in self.steps[len(before.steps) :]]
        if not any(find_seeds(step) for step in taken):
            raise UsageError("No step draws at random, so there is nothing to repeat.")
        found = []
        for number in range(1, repeats + 1):
            progress("drawing anew", (number - 1) / repeats)
            made = before
            for step in taken:
                made = made.apply(draw_anew(step, number))
            options |= {"known": made._perturbation, "windows": find_windows(before, made)}
            found.append(compare_numbers(before.engine, made.engine, names, **options))
        return average_risks(found)


def _measure_views(
    study: StudyCore,
    scenario: Scenario,
    measured: CellRisk,
    reference: Reference | None,
    progress: Progress,
) -> Floats | None:
    """Return the risk by views where blanks were chosen for that, under the guarantee `view`."""
    if not any(scenario.name in step._treatments for step in study._source.steps):
        return None
    from microsafe.studies.view_risk import measure_chosen_views

    return measure_chosen_views(study, scenario, measured, reference, progress=progress)


def _afford_sets(engine: Engine, sets: int, size: int) -> None:
    engine.afford(size, f"to search {sets:,} combinations of keys", LEAVE_OUT_KEYS)


def _spread_levels(people: StudyCore, levels: Mapping[str, int]) -> dict[str, int]:
    """Return levels of keys of records for those of persons."""
    panel = people._panel
    return {name: n for key, n in levels.items() for name in panel.name_columns([key]) or (key,)}


def _ignore_attack(scenario: Scenario) -> Scenario:
    """Return a scenario without its attack model, which has no part in these measures."""
    return replace(scenario, attack="all", factor=1.0, error={})


def _check_sensitive(
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
