"""What counts alone show: unsafe combinations, special uniques, sparse tables, diversity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from microsafe.errors import UsageError
from microsafe.measuring.frames import frame_maker
from microsafe.measuring.perturbed import before_perturbation, perturbed_words
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import Diversity, SpecialUniques, Tabulation, measure
from microsafe.risk.counts.classes import sensitive_values
from microsafe.risk.counts.diversity import measure_diversity
from microsafe.risk.counts.tabulation import Thresholds, tabulate
from microsafe.risk.counts.uniques import special_uniques
from microsafe.scenario import Scenario
from microsafe.steps.defaults import usable_levels
from microsafe.steps.demands import combine_levels, criterion_of, key_bits
from microsafe.steps.suppress import wildcard_only
from microsafe.steps.suppression import Combinations, minimal_combinations

if TYPE_CHECKING:
    from microsafe.study import Study

LEAVE_OUT_KEYS = "Recode or leave out keys,"
_USUAL_FRACTION = 0.01
_PER_VALUE = 100  # bytes of a value in a class, while classes are put together


def combinations(
    self: Study,
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
        levels: Identification levels of keys, as in mu-ARGUS: only combinations are listed that lie
            within one key of level 1, one of level at most 2, and so on. They need `k`. If None
            those that are declared, where `k` alone says what is unsafe; `{}` for none.
        progress: Progress callback.
    """
    if levels and (k is None or max_size is not None):
        raise UsageError("Identification levels need a count (k), and no largest size.")
    chosen = replace(wildcard_only(self.scenario(scenario)), attack="all")
    if levels is None and k is not None and above is None and max_size is None:
        levels = usable_levels(self.roles.levels, [chosen])
    sets = combine_levels(chosen.keys, levels) if levels else []
    words, self = perturbed_words(self, chosen), before_perturbation(self, chosen)
    found = minimal_combinations(
        self.engine.cells(chosen, progress=progress),
        criterion_of(chosen, above, k, records=self.engine.rows()),
        reference=None if above is None else self.reference(chosen, progress=progress),
        max_size=max(map(len, sets), default=max_size),
        within=[key_bits(chosen.keys, each) for each in sets],
        afford=partial(_afford_sets, self),
        frame=frame_maker(self.engine),
        attach=partial(self.engine.records, chosen),
        progress=progress,
    )
    return replace(found, perturbed_by=words, labels=find_labels(self.schema, chosen.keys))


def uniques(
    self: Study,
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
    chosen = ignore_attack(self.scenario(scenario))
    if chosen.missing == "expected" or chosen.alpha != 1.0:
        raise UsageError(
            "Uniqueness needs whole counts: use missing='wildcard' and alpha=1, or "
            "missing='category'."
        )
    words, self = perturbed_words(self, chosen), before_perturbation(self, chosen)
    cells = self.engine.cells(chosen, progress=progress)
    if fraction is None and chosen.weight is not None:
        fraction = cells.records / float(cells.weight.sum())
    found = special_uniques(
        cells,
        fraction=_USUAL_FRACTION if fraction is None else fraction,
        max_size=max_size,
        afford=partial(_afford_sets, self),
        missing_is_category=chosen.missing == "category",
        frame=frame_maker(self.engine),
        attach=partial(self.engine.records, chosen),
        progress=progress,
    )
    return replace(found, perturbed_by=words, labels=find_labels(self.schema, chosen.keys))


def tabulation(
    self: Study,
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
    chosen = ignore_attack(self.scenario(scenario))
    if min_weight is not None and chosen.weight is None:
        raise UsageError("A minimum number of people needs a sampling weight. Name the weight.")
    words, self = perturbed_words(self, chosen), before_perturbation(self, chosen)
    cells = self.engine.cells(chosen, progress=progress)
    found = tabulate(
        measure(
            cells,
            chosen,
            reference=self.reference(chosen, progress=progress),
            progress=progress,
        ),
        dimensions=(dimensions,) if isinstance(dimensions, int) else dimensions,
        thresholds=Thresholds(count=min_count, weight=min_weight),
        missing_is_category=chosen.missing == "category",
        frame=frame_maker(self.engine),
        attach=partial(self.engine.records, chosen),
        progress=progress,
    )
    return replace(found, perturbed_by=words, labels=find_labels(self.schema, chosen.keys))


def diversity(
    self: Study,
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
    chosen = ignore_attack(self.scenario(scenario))
    sensitive = self.roles.sensitive if sensitive is None else sensitive
    names = (sensitive,) if isinstance(sensitive, str) else tuple(sensitive)
    in_order = (ordered,) if isinstance(ordered, str) else tuple(ordered)
    _check_sensitive(names, in_order, chosen, l=l, c=c, t=t)
    words, self = perturbed_words(self, chosen), before_perturbation(self, chosen)
    found = {}
    cells = self.engine.cells(chosen, progress=progress)
    for name in names:
        self.engine.schema[name]
        both = replace(chosen, keys=(*chosen.keys, name))
        _, values = sensitive_values(
            self.engine.cells(both, progress=progress),
            wildcard=chosen.missing != "category",
            afford=lambda values: self.engine.afford(
                values * _PER_VALUE, f"for {values:,} values that records may share", LEAVE_OUT_KEYS
            ),
            progress=progress,
        )
        found[name] = measure_diversity(name, values, c=c, ordered=name in in_order)
    attach = partial(self.engine.records, chosen)
    return Diversity(
        cells=cells,
        variables=found,
        l=l,
        c=c,
        t=t,
        _attach=attach,
        perturbed_by=words,
        labels=find_labels(self.schema, (*chosen.keys, *names)),
    )


def _afford_sets(self: Study, sets: int, size: int) -> None:
    self.engine.afford(size, f"to search {sets:,} combinations of keys", LEAVE_OUT_KEYS)


def ignore_attack(scenario: Scenario) -> Scenario:
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
