"""Roles that are declared are the defaults of verbs; whatever is given counts more."""

from __future__ import annotations

from typing import Any

import pytest

import microsafe as ms
from microsafe.options.declaration import find_defaults, merge_declarations
from microsafe.steps import Suppress

KEYS = ("region", "sex", "age", "education")


def open_survey(**said: dict[str, Any]) -> ms.Study:
    made = ms.survey(1, households=60)
    roles: dict[str, dict[str, Any]] = {
        **{key: {"role": "key"} for key in KEYS},
        "weight": {"role": "weight"},
        "household": {"role": "household"},
    }
    for name, each in said.items():
        roles[name] = {**roles.get(name, {}), **each}
    declared = {name: ms.Declaration(**each) for name, each in roles.items()}
    return ms.study(made.frame, variables=declared)


def last_step(study: ms.Study) -> Any:
    return study.steps[-1].step


def test_roles_are_the_scenario() -> None:
    (scenario,) = open_survey().scenarios
    assert scenario.keys == KEYS
    assert (scenario.weight, scenario.household) == ("weight", "household")


def test_costs_and_linked_variables_are_those_that_are_declared() -> None:
    study = open_survey(age={"cost": 2.5, "linked": ("income",)})
    step = last_step(study.suppress(k=2))
    assert isinstance(step, Suppress)
    assert (step.cost, step.linked) == ({"age": 2.5}, {"age": ("income",)})
    step = last_step(study.suppress(k=2, cost={"sex": 3}, linked={}))
    assert (step.cost, step.linked) == ({"sex": 3}, {})


def test_levels_hold_for_k_if_every_key_has_one() -> None:
    levels = dict(zip(KEYS, (1, 2, 2, 3), strict=True))
    study = open_survey(**{key: {"level": level} for key, level in levels.items()})
    assert last_step(study.suppress(k=2)).levels == levels
    assert last_step(study.suppress(k=2, levels={})).levels == {}
    assert last_step(study.suppress(k=2, up_to=2)).levels == {}
    assert last_step(study.suppress(above=0.1)).levels == {}
    some = open_survey(region={"level": 1})
    assert last_step(some.suppress(k=2)).levels == {}  # other keys would be left out


def test_strata_and_households() -> None:
    study = open_survey(sex={"role": "stratum"}, income={"household_level": True})
    assert last_step(study.rank_swap("income", seed=1)).strata == ("sex",)
    assert last_step(study.rank_swap("income", strata=(), seed=1)).strata == ()
    step = last_step(study.pram("sex", seed=1, keep=0.8))
    assert (step.strata, step.together) == ((), None)  # not within itself


def test_values_of_a_household_change_together() -> None:
    study = open_survey(region={"role": None, "household_level": True})
    assert last_step(study.pram("region", seed=1, keep=0.8)).together == "household"
    assert last_step(study.pram("region", seed=1, keep=0.8, together=None)).together is None


def test_sensitive_variables_are_those_of_diversity() -> None:
    study = open_survey(education={"role": "sensitive"})
    assert repr(study.diversity()) == repr(study.diversity("education"))


def test_geography_goes_from_coarse_to_fine() -> None:
    said = {
        "town": ms.Declaration(role="geography", level=3),
        "land": ms.Declaration(role="geography", level=1),
        "district": ms.Declaration(role="geography", level=2),
    }
    assert find_defaults(said).geography == ("land", "district", "town")
    assert find_defaults(said).levels == {}


def test_what_a_person_says_counts_more_than_the_file() -> None:
    below = {"a": ms.Declaration(role="key", level=2, cost=3.0, missing=("9",))}
    above = {"a": ms.Declaration(level=1, missing=()), "b": ms.Declaration(role="weight")}
    merged = merge_declarations(below, above)
    assert merged["a"] == ms.Declaration(role="key", level=1, cost=3.0, missing=())
    assert merged["b"].role == "weight"


def test_swapping_needs_a_household_and_areas() -> None:
    frame = ms.survey(1, households=60).frame
    with pytest.raises(ms.UsageError, match="declare them by their roles"):
        ms.study(frame, keys=["sex"]).swap(seed=1)


def test_two_weights_are_refused() -> None:
    with pytest.raises(ms.UsageError, match="declared the weight"):
        open_survey(income={"role": "weight"})
