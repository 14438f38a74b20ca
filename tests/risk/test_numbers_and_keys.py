"""Numbers and perturbed keys: linkage against all pairs of records and all sets of keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine.record_access import Selection
from microsafe.risk.numeric.pairs import NumberPairs, take_logarithms
from microsafe.steps.perturbation import find_subject
from microsafe.sums import Floats

KEYS = ("region", "sex", "age")
PEOPLE = (
    ms.survey(3, households=120)
    .frame.with_columns((pl.col("age") // 20).alias("age"), pl.col("income").fill_null(0))
    .select("household", *KEYS, "income", "weight")
)
Step = Callable[[ms.Study], ms.Study]


def opened(frame: pl.DataFrame = PEOPLE) -> ms.Study:
    return ms.study(frame, keys=KEYS, weight="weight", household="household", clip_weights=True)


def table(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    return engine.table()


def chances(study: ms.Study, keys: Sequence[str]) -> list[float]:
    """Chance of each record to keep some keys, as its risk has it."""
    subject = find_subject(study.engine, study._perturbation, study.scenario())
    assert subject.kept is not None
    frame: Any = subject.engine.records(subject.scenario, {"kept": subject.kept.chance(keys)}, {})
    return frame["kept"].to_list()


def by_all_sets(study: ms.Study, true: Mapping[str, list[Any]], perturbed: Sequence[str]) -> float:
    """Sum of the largest chance(S) linked(S) of every record, by differences or ratios."""
    old, new = (frame["income"].cast(pl.Float64).to_numpy() for frame in (PEOPLE, table(study)))
    pairs = NumberPairs(names="x", before=[old], after=[new])
    return max(
        _sum_links(study, true, perturbed, each.before[0] / spread, each.after[0] / spread)
        for each in (pairs, take_logarithms(pairs))
        for spread in each.spreads()
    )


def _sum_links(
    study: ms.Study,
    true: Mapping[str, list[Any]],
    perturbed: Sequence[str],
    old: Floats,
    new: Floats,
) -> float:
    best = np.zeros(len(old))
    gone = chain.from_iterable(combinations(perturbed, size) for size in range(len(perturbed) + 1))
    for left in gone:
        keys = [key for key in KEYS if key not in left]
        seen = list(zip(*(true[key] for key in keys), strict=True)) or [()] * len(old)
        chance = chances(study, keys)
        for i in range(len(old)):
            away = np.array([(new[i] - old[j]) ** 2 for j in range(len(old)) if seen[j] == seen[i]])
            own = (new[i] - old[i]) ** 2
            if own == away.min():
                best[i] = max(best[i], chance[i] / np.count_nonzero(away == own))
    return float(best.sum())


def noisy(study: ms.Study) -> ms.Study:
    return study.noise("income", variance=0.01, zeros="perturb", seed=5)


STEPS: dict[str, tuple[Step, tuple[str, ...]]] = {
    "one key": (lambda s: noisy(s.pram("region", keep=0.4, seed=1)), ("region",)),
    "after the numbers": (lambda s: noisy(s).pram("region", keep=0.9, seed=1), ("region",)),
    "two keys": (
        lambda s: noisy(s.pram("region", keep=0.7, seed=1).pram("age", keep=0.8, seed=1)),
        ("region", "age"),
    ),
    "all keys": (
        lambda s: noisy(
            s.pram("region", keep=0.3, seed=1)
            .pram("age", keep=0.3, seed=1)
            .pram("sex", keep=0.6, seed=1)
        ),
        KEYS,
    ),
    "strata": (lambda s: noisy(s.pram("region", keep=0.7, strata="sex", seed=1)), ("region",)),
    "above": (lambda s: noisy(s.pram("region", keep=0.5, above=0.02, seed=1)), ("region",)),
    "swap": (
        lambda s: noisy(s.swap("household", ["region"], k=2, rate=0.3, seed=2)),
        ("region",),
    ),
    "microaggregated": (
        lambda s: s.pram("age", keep=0.5, seed=2).microaggregate("income", k=3),
        ("age",),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_linkage_is_the_largest_over_all_sets_of_keys(name: str) -> None:
    perturb, perturbed = STEPS[name]
    done = perturb(opened())
    true = {key: PEOPLE[key].to_list() for key in KEYS}
    found = done.numeric_risk("income")
    assert found.linkage.all.expected == pytest.approx(by_all_sets(done, true, perturbed))
    assert found.perturbed
    assert found.summary()["perturbed"] == found.perturbed
    assert found.perturbed in repr(found)


def test_a_recode_and_blanks_after_it_apply_to_true_keys() -> None:
    done = opened().pram("region", keep=0.6, seed=4)
    done = noisy(done.recode("region", breaks=(4, 8)).suppress(k=5))
    true: dict[str, list[Any]] = {key: PEOPLE[key].to_list() for key in KEYS}
    true["region"] = pl.Series(np.digitize(PEOPLE["region"].to_numpy(), (4, 8))).to_list()
    (shown,) = done.engine.columns(Selection(forms=dict.fromkeys(KEYS, "code")))
    assert any(each.missing.any() for each in shown.columns.values())
    for key in KEYS:  # a blank is blank in both
        gaps = shown.columns[key].missing.tolist()
        true[key] = [None if gap else value for gap, value in zip(gaps, true[key], strict=True)]
    found = done.numeric_risk("income").linkage.all.expected
    assert found == pytest.approx(by_all_sets(done, true, ("region",)))


def test_a_perturbed_key_never_adds_risk_and_never_hides_the_numbers() -> None:
    plain = noisy(opened())
    fewer = ms.study(PEOPLE, keys=["sex", "age"], weight="weight", clip_weights=True)
    least = noisy(fewer).numeric_risk("income").linkage.all.expected
    for keep in (0.9, 0.4):
        done = noisy(opened().pram("region", keep=keep, seed=3))
        found = done.numeric_risk("income").linkage.all.expected
        assert least <= found <= plain.numeric_risk("income").linkage.all.expected


def test_repeats_draw_keys_and_numbers_anew() -> None:
    done = noisy(opened().pram("region", keep=0.6, seed=4))
    found = done.numeric_risk("income", repeats=3)
    assert found.perturbed == "PRAM of region"
    assert found.repeats == 3
