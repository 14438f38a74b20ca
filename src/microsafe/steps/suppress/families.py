"""Suppression by household under a model: families are safe by the joint keys of their members."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.record_access import RecordBatch, RecordValues, Selection
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.risk import Families, FamilyView, hazard
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.base import FindFamilies
from microsafe.steps.perturbation import PerturbationState
from microsafe.steps.suppress.demands import criterion_of
from microsafe.steps.suppress.family_search import FamilyBlanks, blank_families
from microsafe.steps.suppress.priced_blanks import price_values
from microsafe.sums import Floats

_MOST_TIMES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTreatment:
    """How families are treated.

    Attributes:
        scenario: By whose keys they are told, and what their household is.
        limit: On their risk.
        keys: Of all scenarios that are met together.
        costs: Of blanking each of them.
        by_value: Whether that is for each bit of the value.
        spared: Keys that must not be blanked.
        linked: Variables that lose their value with a key.
    """

    scenario: Scenario
    limit: float
    keys: Sequence[str]
    costs: Mapping[str, float]
    by_value: bool
    spared: Collection[str]
    linked: Mapping[str, tuple[str, ...]]

    @property
    def wide(self) -> Scenario:
        """The scenario whose cells tell households apart."""
        assert self.scenario.household is not None  # noqa: S101
        keys = (*self.keys, self.scenario.household)
        return replace(self.scenario, keys=keys, household=None, attack="all", error={})


def is_by_families(engine: Engine, scenario: Scenario) -> bool:
    """Tell whether the risk of households is by the joint keys of their members."""
    return scenario.estimator == "model" and NO_RECORDS not in engine.gaps


def protect_families(
    engine: Engine,
    treatment: FamilyTreatment,
    find_families: FindFamilies,
    known: PerturbationState | None,
    progress: Progress,
) -> tuple[Engine, int, int]:
    """Blank keys until no household is above the limit.

    A household that is told by its size alone gets household numbers of their own for its members.

    Returns:
        The engine, the records of households that stay unsafe, and the households that were parted.
    """
    parted, stuck = 0, 0
    for _ in range(_MOST_TIMES):  # what is blanked in one twin may show in the other
        families, view, model = find_families(treatment.scenario, engine, progress=progress)
        assert model is not None  # noqa: S101
        chance = _find_chance(engine, treatment.scenario, families, known)
        unsafe = model.measure_view(view).risk * chance > treatment.limit
        stuck = int(families.size[unsafe].sum())
        if not stuck:
            break
        blanks = blank_families(
            model,
            view,
            unsafe,
            treatment.limit / np.maximum(chance, 1e-300),
            member_prices=_price(families.codes, families.keys, treatment),
            shared_prices=_price(families.shared, families.shared_keys, treatment)
            * families.size[:, None],
            progress=progress,
        )
        changed = blanks.members.any() or blanks.shared.any()
        if changed:
            engine = _apply(engine, families, view, blanks, treatment)
        alone = blanks.stuck & (families.size > 1) if not treatment.spared else blanks.stuck & False
        if alone.any():
            engine = _part_households(engine, families, view, alone, treatment.scenario)
            parted += int(alone.sum())
        if not changed and not alone.any():
            break
    return engine, stuck, parted


def _find_chance(
    engine: Engine, scenario: Scenario, families: Families, known: PerturbationState | None
) -> Floats:
    """Chance of the attack on each household; that of perturbed keys to be as they were, too."""
    factor = criterion_of(scenario, 1.0, None, records=len(families)).factor
    chance = np.full(len(families), factor)
    if known is None or not known.find_perturbed(scenario.keys):
        return chance
    asked = scenario.with_keys(known.with_classes(scenario.keys))
    kept = known.kept_keys(engine.cells(asked), scenario.keys)
    lost = engine.households(asked, hazard(1.0 - kept.chance(scenario.keys))).total
    return np.asarray(chance * np.exp(-lost[families.numbers]))


def _price(codes: NDArray[np.int32], keys: Sequence[str], treatment: FamilyTreatment) -> Floats:
    """Price of a blank by row and key; infinite where none may be."""
    costs = [np.inf if key in treatment.spared else treatment.costs[key] for key in keys]
    if not treatment.by_value or not keys:
        return np.broadcast_to(np.array(costs, np.float64), codes.shape)
    ones = np.ones(len(codes), np.int64)
    return np.maximum(price_values(list(codes.T), ones, costs).T, 1e-9)


def _apply(
    engine: Engine,
    families: Families,
    view: FamilyView,
    blanks: FamilyBlanks,
    treatment: FamilyTreatment,
) -> Engine:
    """Blank keys of records, told apart by household and all that they show."""
    lost = np.zeros(len(view.record), np.int64)
    for keys, hidden in (
        (families.keys, blanks.members),
        (families.shared_keys, blanks.shared[families.home]),
    ):
        for column, key in enumerate(keys):
            lost |= hidden[:, column].astype(np.int64) << treatment.keys.index(key)
    by_record = np.zeros(len(lost), np.int64)
    by_record[view.record] = lost
    wide = treatment.wide
    cell = _number_cells(engine, wide.keys)
    some = np.flatnonzero(by_record)
    pairs, count = np.unique(np.stack([cell[some], by_record[some]]), axis=1, return_counts=True)
    masks: Masks = pairs[1]
    return engine.blank_keys(wide, pairs[0], masks, count.astype(np.int64), linked=treatment.linked)


def _number_cells(engine: Engine, keys: Sequence[str]) -> Index:
    """Number of the cell of each record, in the order of `Engine.cells`."""
    codes = []
    for key in keys:
        batches = engine.columns(Selection(forms={key: "code"}))
        values = [batch.columns[key] for batch in batches]
        codes.append(np.concatenate([np.where(v.missing, 0, v.data) for v in values]))
    codes = [code.astype(np.int64) for code in codes]
    return number(codes, [int(code.max(initial=0)) for code in codes], rows=len(codes[0]))[0]


def _part_households(
    engine: Engine,
    families: Families,
    view: FamilyView,
    some: NDArray[np.bool_],
    scenario: Scenario,
) -> Engine:
    """Give each member of some households a household number that nobody has."""
    assert scenario.household is not None  # noqa: S101
    variable = engine.schema[scenario.household]
    whole = variable.kind in ("integer", "number")
    selection = Selection(forms={variable.name: "number" if whole else "text"})
    batches = list(engine.columns(selection))
    values = np.concatenate([batch.columns[variable.name].data for batch in batches])
    missing = np.concatenate([batch.columns[variable.name].missing for batch in batches])
    records = view.record[some[families.home]]
    if whole:
        values = values.astype(np.float64)
        values[records] = np.floor(values[~missing].max()) + 1 + np.arange(len(records))
    else:
        known = set(values[~missing].tolist())
        free = (name for name in map(str, range(1, len(known) + len(records) + 2)))
        new = [name for name in free if name not in known][: len(records)]
        values = values.astype(object)
        values[records] = new
    ends = np.cumsum([len(batch.numbers) for batch in batches])[:-1]
    parts = zip(batches, np.split(values, ends), np.split(missing, ends), strict=True)
    made = (
        RecordBatch(
            numbers=batch.numbers,
            columns={variable.name: RecordValues(data=data, missing=gone)},
        )
        for batch, data, gone in parts
    )
    return engine.replace_columns(selection, [variable], made)
