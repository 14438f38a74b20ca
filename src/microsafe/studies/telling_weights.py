"""Detect weights that reveal what the file no longer shows.

Weights come from a design: where they take few values, and all records of one weight lie in one
area, the weight gives the area away, though the area was left out or made coarser.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, Selection
from microsafe.engine.transformations import round_numbers
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario, list_groups
from microsafe.sentences import Sentence
from microsafe.steps.released_weights import shared_household
from microsafe.studies.state import StudyState
from microsafe.sums import Floats
from microsafe.variables.recognise import Finding
from microsafe.variables.traits import Traits

Codes = NDArray[np.int64]

_FEW_WEIGHTS = 0.1  # different weights as a share of the records: beyond, each is one's own
_MOST_CATEGORIES = 1000  # with more, a variable is no area
_WORTH_TELLING = 0.1  # of the records
_PER_RECORD = 80  # bytes: a weight, a code, and their order
_BY_CHANCE = 0.01  # chance that neighbouring weights have one category though they tell nothing


def takes_few_values(traits: Traits) -> bool:
    """Tell whether records share weights."""
    return 1 < traits.distinct <= _FEW_WEIGHTS * traits.records


def recognise_telling_weight(
    engine: Engine, scenarios: Sequence[Scenario], traits: Traits
) -> tuple[Finding, ...]:
    """Say of which key a weight gives the category away: each of its values occurs in one only."""
    if not takes_few_values(traits):
        return ()
    weighted = [scenario for scenario in scenarios if scenario.weight == traits.name]
    keys = dict.fromkeys(key for each in weighted for key in each.keys)
    told = _find_given_away(engine, traits.name, list(keys))
    if not told:
        return ()
    return (
        Finding(
            "telling weight",
            Sentence("telling-weight", count=traits.distinct, keys=told),
        ),
    )


def _find_given_away(engine: Engine, weight: str, keys: Sequence[str]) -> list[str]:
    """Return the keys in which records of one weight never differ.

    Keys without gaps are looked at like those of households, which ends at the first difference.
    """
    looked = engine.traits([weight, *keys])
    whole = [each.name for each in looked if each.records == engine.rows()]
    constant = [key for key in keys if key in whole] if weight in whole else []
    if constant:
        together = Scenario(keys=tuple(constant), household=weight)
        differing = {*constant} - {*engine.find_constant_keys(together)}
        keys = [key for key in keys if key not in differing]
    return [key for key in keys if _gives_away(engine, weight, key)]


def _gives_away(engine: Engine, weight: str, key: str) -> bool:
    """Whether records of one weight never differ in a key that does differ."""
    cells = engine.cells(Scenario(keys=(weight, key)))
    known = cells.codes[1] > 0
    one, other = cells.codes[0][known], cells.codes[1][known]
    return len(set(other.tolist())) > 1 and len(set(one.tolist())) == len(one)


def share_still_given_away(weights: Floats, codes: Codes, times: Codes | None = None) -> float:
    """Return the share of records whose category follows from a weight that was changed.

    Weights that differ by noise only tell as much as equal ones. So records count, too, if they are
    neighbours in the order of weights, all with one category, and more of them than chance would
    put there.

    Args:
        weights: Of the records.
        codes: Of their categories; 0 is missing.
        times: How many records are like that; each is one if None.
    """
    known = codes > 0
    if not known.any():
        return 0.0
    size = int(codes.max()) + 1
    values, group = np.unique(weights[known], return_inverse=True)
    pairs, place = np.unique(group.reshape(-1) * size + codes[known], return_inverse=True)
    count = np.bincount(place.reshape(-1), None if times is None else times[known])
    by, category = pairs // size, pairs % size
    if len(np.unique(category)) < 2:
        return 0.0
    commonest = np.bincount(category, count).max() / count.sum()
    least = max(2, math.ceil(math.log(_BY_CHANCE) / math.log(commonest)))
    kinds, records = np.bincount(by), np.bincount(by, count)
    one = np.where(kinds == 1, np.bincount(by, category) / kinds, -1 - np.arange(len(values)))
    run = np.concatenate([[0], np.cumsum(one[1:] != one[:-1])])
    long = np.bincount(run, records)[run] >= least
    told = (kinds == 1) & ((records > 1) | long)
    return float(records[told].sum() / records.sum())


def _known_pairs(cells: Cells) -> tuple[Codes, Codes, Codes]:
    """Codes of weight and category where both are known, and how many records have them."""
    known = (cells.codes[0] > 0) & (cells.codes[1] > 0)
    by, category = (codes[known].astype(np.int64) for codes in cells.codes)
    return by, category, cells.count[known]


def _share_alike(by: Codes, category: Codes, count: Codes) -> float:
    """Records of which several share a weight, all with one category; pairs occur once each."""
    if len(np.unique(category)) < 2:
        return 0.0
    categories, records = np.bincount(by), np.bincount(by, count)
    told = (categories == 1) & (records > 1)
    return float(records[told].sum() / records.sum())


def find_telling_weights(
    study: StudyState, traits: Sequence[Traits], *, weight: str | None = None
) -> tuple[Notice, ...]:
    """Return a notice for each weight that gives away what was left out or changed.

    Args:
        study: As it is now.
        traits: Of the weights at least, as they were.
        weight: The only one to look at; all of the scenarios if None.
    """
    start = study._before()
    weights = {scenario.weight for scenario in study.scenarios if scenario.weight in study.schema}
    asked = weights if weight is None else weights.intersection([weight])
    few = [trait.name for trait in traits if trait.name in asked and takes_few_values(trait)]
    used = weights.union(list_groups(study.scenarios))
    hidden = [name for name in _hidden(start, study) if name not in used] if few else []
    return tuple(
        notice for each in few if hidden for notice in _judge_weight(start, study, each, hidden)
    )


def _judge_weight(
    start: StudyState, study: StudyState, weight: str, hidden: Sequence[str]
) -> tuple[Notice, ...]:
    try:
        cells = {name: start.engine.cells(Scenario(keys=(weight, name))) for name in hidden}
    except InputError:  # all missing, or more combinations than can be counted
        return ()
    shares = {name: _share_alike(*_known_pairs(cell)) for name, cell in cells.items()}
    worst = max(shares, key=lambda name: shares[name])
    if shares[worst] < _WORTH_TELLING:
        return ()
    told: dict[str, Any] = {"weight": weight, "variable": worst, "share": shares[worst]}
    known = study._perturbation
    if known is None or weight not in known.weights:
        step = _suggest_step(start, weight, cells, study, worst)
        return (make_notice("weight-telling", **told, step=step),)
    try:
        after = _measure_released(start, study, weight, hidden)
    except (InputError, UsageError):  # too many records to look at, or they have no order
        return (make_notice("weight-telling-still", **told, after=Sentence("share-unknown")),)
    worst = max(after, key=lambda name: (after[name], shares[name]))
    told |= {"variable": worst, "share": shares[worst]}
    kind = "weight-telling-still" if after[worst] >= _WORTH_TELLING else "weight-telling-less"
    return (make_notice(kind, **told, after=after[worst]),)


def _measure_released(
    start: StudyState, study: StudyState, weight: str, hidden: Sequence[str]
) -> dict[str, float]:
    """Shares by the weights that are released, by variable as it was."""
    size = study.engine.rows() * _PER_RECORD
    study.engine.afford(size, "to see what weights give away", "Drop other variables first,")
    weights = _read(study.engine, weight, "number")
    return {
        name: share_still_given_away(weights, _read(start.engine, name, "code").astype(np.int64))
        for name in hidden
    }


def _read(engine: Engine, name: str, form: Form) -> NDArray[Any]:
    """A variable in the order of the records; what is missing has code 0."""
    batches = [column.columns[name] for column in engine.columns(Selection(forms={name: form}))]
    return np.concatenate([np.where(batch.missing, 0, batch.data) for batch in batches])


def suggest_weight_step(study: StudyState, weight: str, keys: Sequence[str]) -> str:
    """Return the step, in the words of plans, after which a weight tells little of keys."""
    cells = {key: study.engine.cells(Scenario(keys=(weight, key))) for key in keys}
    shares = {key: _share_alike(*_known_pairs(cell)) for key, cell in cells.items()}
    worst = max(shares, key=lambda key: shares[key])
    return _suggest_step(study, weight, cells, study, worst)


def _suggest_step(
    start: StudyState, weight: str, cells: Mapping[str, Cells], study: StudyState, variable: str
) -> str:
    """A step after which the weight no longer tells: the least rounding, or else averages."""
    pairs = [_known_pairs(cell) for cell in cells.values()]
    first = next(iter(cells.values()))
    name = shlex.quote(weight)
    numbers = np.array([np.nan, *map(float, first.categories[0])])
    for base in _bases(float(np.nanmax(numbers))):
        rounded = round_numbers(numbers, base)
        if np.nanmin(rounded) >= 1 and all(_tells_little(rounded, *pair) for pair in pairs):
            return f"round variable={name} base={base:g}"
    sizes = _count_sharing(start, weight, first)
    k = max(2, min(int(sizes.max()) + 1, int(sizes.sum()) // 2))
    by = f" strata={shlex.quote(variable)}" if variable in study.schema else ""
    return f"microaggregate variables={name} k={k}{by} small=merge"


def _count_sharing(start: StudyState, weight: str, cells: Cells) -> NDArray[Any]:
    """Records, or households whose members share a weight, by weight."""
    scenario = next((scenario for scenario in start.scenarios if scenario.weight == weight), None)
    home = None if scenario is None else shared_household(start.engine, scenario, weight)
    if home is None:
        return np.bincount(cells.codes[0], cells.count)[1:]
    return np.bincount(start.engine.cells(Scenario(keys=(weight, home))).codes[0])[1:]


def _bases(largest: float) -> Iterator[float]:
    """1, 2, 5, 10 and so on, from a thousandth up to the largest weight."""
    for power in range(-3, 16):
        for digit in (1, 2, 5):
            if (base := float(f"{digit}e{power}")) <= largest:
                yield base


def _tells_little(rounded: Floats, by: Codes, category: Codes, count: Codes) -> bool:
    """Whether weights that were rounded tell the category of few records."""
    return share_still_given_away(rounded[by], category, count) < _WORTH_TELLING


def _hidden(start: StudyState, study: StudyState) -> Iterator[str]:
    """Variables that are no longer there, have fewer categories, or were perturbed."""
    changed = {name: None for step in study.steps for name in step.step.changed_variables(step)}
    perturbed = () if study._perturbation is None else tuple(study._perturbation.transitions)
    for name in changed:
        if name not in start.schema or start.schema[name].kind == "other":
            continue
        (traits,) = start.engine.traits([name])
        before = traits.distinct
        if not 1 < before <= _MOST_CATEGORIES:
            continue
        gone = name not in study.schema or name in perturbed
        if gone or len(study.engine.categories(name)) < before:
            yield name
