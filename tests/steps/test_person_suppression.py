"""Suppression of persons with several records: blanks by person, found in all their records."""

from __future__ import annotations

import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import UsageError
from person_oracle import CONSTANT, MOVING, make_panel, wide_keys, widen

KEYS = [*CONSTANT, "age", *MOVING]
ROLES = {"keys": KEYS, "weight": "w", "person": "pid", "wave": "wave"}


def shown_by(panel: pl.DataFrame, after: pl.DataFrame) -> dict[int, set[str]]:
    """Columns of the wide file that each person lost."""
    lost: dict[int, set[str]] = {}
    for before, now in zip(panel.rows(named=True), after.rows(named=True), strict=True):
        gone = lost.setdefault(before["pid"], set())
        for key in KEYS:
            if before[key] is not None and now[key] is None:
                gone.add(key if key not in MOVING else f"{key}@{before['wave']}")
    return lost


@pytest.mark.parametrize("guarantee", ["own", "strict"])
@pytest.mark.parametrize("absent", [0.0, 0.3])
def test_blanks_are_those_of_the_wide_file(guarantee, absent) -> None:
    panel = make_panel(11, absent=absent)
    wide = widen(panel)
    limit = 0.02
    safe = ms.study(panel, **ROLES, estimator="cell").suppress(limit, guarantee=guarantee)
    other = ms.study(wide, keys=wide_keys(), weight="w", estimator="cell").suppress(
        limit, guarantee=guarantee
    )
    lost = shown_by(panel, safe.frame)
    for before, after in zip(wide.rows(named=True), other.frame.rows(named=True), strict=True):
        gone = {key for key in wide_keys() if before[key] is not None and after[key] is None}
        assert lost[before["pid"]] == gone
    assert safe.steps[-1].total == int(
        sum(panel[key].is_not_null().sum() - safe.frame[key].is_not_null().sum() for key in KEYS)
    )
    # A key that enters once is blank in all records of a person or in none.
    for key in (*CONSTANT, "age"):
        each = safe.frame.group_by("pid").agg(pl.col(key).is_null().mean())
        assert set(each[key]) <= {0.0, 1.0}


def test_risk_after_suppression_is_within_the_limit() -> None:
    panel = make_panel(12, absent=0.2, persons=120)
    study = ms.study(panel, **ROLES, estimator="model")
    safe = study.suppress(0.04)
    found = safe.risk(limit=0.04, one_estimator=True)
    assert found.limit.unsafe == 0
    assert safe.steps[-1].facts["persons_changed"] > 0
    assert {row.name: row.now.above for row in safe.intruders() if row.name == "keys"} == {
        "keys": None
    }
    # Blanks are no part of the model, and a later suppression finds nothing to do.
    assert safe.suppress(0.04).steps[-1].total == 0
    assert safe.undo().frame.equals(panel)


def test_a_recode_between_two_suppressions_is_followed() -> None:
    panel = make_panel(13)
    study = ms.study(panel, **ROLES, estimator="cell").suppress(0.03)
    coarse = study.recode("age", breaks=[25, 30, 35])
    assert coarse.risk(one_estimator=True).max <= study.risk(one_estimator=True).max + 1e-12
    again = coarse.suppress(0.02)
    assert again.risk(limit=0.02, one_estimator=True).limit.unsafe == 0
    assert again.frame["age"].null_count() >= study.frame["age"].null_count()


def test_linked_variables_lose_their_value_with_a_key() -> None:
    panel = make_panel(14).with_columns(district=pl.col("region") * 10)
    safe = ms.study(panel, **ROLES, estimator="cell").suppress(
        0.02, linked={"region": ["district"]}
    )
    gone = safe.frame["region"].is_null()
    assert gone.any()
    assert (safe.frame["district"].is_null() == gone).all()
    with pytest.raises(UsageError, match="is a key, and cannot be linked"):
        ms.study(panel, **ROLES, estimator="cell").suppress(0.02, linked={"region": ["work"]})


def test_what_persons_do_not_have_is_refused() -> None:
    study = ms.study(make_panel(1), **ROLES, estimator="cell")
    with pytest.raises(UsageError, match="Households of a panel"):
        study.suppress(0.05, household=0.1)
    with pytest.raises(UsageError, match="Households of a panel"):
        study.risk(household_limit=0.1)
    with pytest.raises(UsageError, match="would part the records of a person"):
        study.apply(ms.Sample(fraction=0.5, seed=1, weight="w"))
    drawn = study.sample(0.5, seed=1, weight="w")  # by persons
    assert drawn.risk(one_estimator=True).n < study.risk(one_estimator=True).n


def test_costs_and_spared_keys_are_those_of_all_columns() -> None:
    panel = make_panel(15)
    study = ms.study(panel, **ROLES, estimator="cell")
    safe = study.suppress(0.03, spare=["region", "age"], cost={"work": 5.0})
    assert safe.steps[-1].blanks["region"] == safe.steps[-1].blanks["age"] == 0
    wide = ms.study(widen(panel), keys=wide_keys(), weight="w", estimator="cell").suppress(
        0.03,
        spare=[key for key in wide_keys() if key.startswith(("region", "age"))],
        cost={f"work@{wave}": 5.0 for wave in (1, 2, 3)},
    )
    assert safe.steps[-1].facts["persons_changed"] == wide.steps[-1].records


@pytest.mark.parametrize("guarantee", ["own", "view", "strict"])
def test_every_wave_is_safe_where_keys_are_many(guarantee) -> None:
    panel = make_panel(16, absent=0.2, persons=150)
    more = {f"region{n}": (pl.col("region") + n) % 3 for n in range(3)}
    roles = ROLES | {"keys": [*KEYS, *more]}
    study = ms.study(panel.with_columns(**more), **roles, estimator="model")
    safe = study.suppress(0.05, guarantee=guarantee)
    found = safe.risk(limit=0.05, one_estimator=True)
    assert study.risk(limit=0.05, one_estimator=True).limit.unsafe > 0
    assert found.limit.unsafe == safe.steps[-1].stuck == 0
    assert safe.steps[-1].facts["persons_changed"] > 0
    for key in (*CONSTANT, "age"):
        each = safe.frame.group_by("pid").agg(pl.col(key).is_null().mean())
        assert set(each[key]) <= {0.0, 1.0}
    if guarantee == "view":
        policy = ms.Policy(record_risk=0.05, intruders={"method": 0.05})
        rows = {row.name: row.met for row in safe.intruders(policy=policy)}
        assert rows["method"] is True
        assert float(found.views.max()) <= 0.05


def test_limits_by_scenario_hold_in_every_wave() -> None:
    panel = make_panel(17, persons=150)
    more = {f"region{n}": (pl.col("region") + n) % 3 for n in range(3)}
    roles = ROLES | {"keys": [*KEYS, *more]}
    study = ms.study(panel.with_columns(**more), **roles, estimator="cell")
    study = study.with_scenario("few", keys=["sex", "age", "work"])
    safe = study.suppress({"main": 0.05, "few": 0.02})
    assert safe.risk("main", limit=0.05, one_estimator=True).limit.unsafe == 0
    assert safe.risk("few", limit=0.02, one_estimator=True).limit.unsafe == 0
    only = study.suppress({"few": 0.02})
    assert only.risk("few", limit=0.02, one_estimator=True).limit.unsafe == 0
    assert only.steps[-1].blanks["region"] == 0


def make_many_keys(seed: int, **options) -> tuple[pl.DataFrame, dict]:
    """A panel whose waves are protected one by one, and its roles."""
    more = {f"region{n}": (pl.col("region") + n) % 3 for n in range(3)}
    panel = make_panel(seed, persons=150, **options).with_columns(**more)
    return panel, ROLES | {"keys": [*KEYS, *more]}


@pytest.mark.parametrize("seed", [18, 19])
@pytest.mark.parametrize("guarantee", ["own", "strict"])
def test_who_stays_unsafe_in_several_waves_is_one_person(guarantee, seed) -> None:
    panel, roles = make_many_keys(seed)
    study = ms.study(panel, **roles, estimator="cell")
    spare = [key for key in roles["keys"] if key not in ("work", "region")]
    safe = study.suppress(0.012, guarantee=guarantee, spare=spare)
    taken, found = safe.steps[-1], safe.risk(limit=0.012, one_estimator=True)
    unsafe = found.records(id="pid").filter(pl.col("risk") > 0.012)["pid"].unique()
    assert 0 < len(unsafe) == found.limit.unsafe == taken.stuck
    assert taken.stuck < sum(each.stuck for each in taken._by_person)
    numbers = {pid: number for number, pid in reversed(list(enumerate(panel["pid"], 1)))}
    assert set(taken.examples) <= {numbers[pid] for pid in unsafe}


def test_where_all_keys_of_one_scenario_are_spared_its_persons_stay_unsafe() -> None:
    panel, roles = make_many_keys(20)
    spare = ["sex", "born", "age"]
    study = ms.study(panel, **roles, estimator="cell").with_scenario("few", keys=spare)
    safe = study.suppress({"main": 0.03, "few": 0.01}, spare=spare)
    unsafe = {}
    for name, limit in (("main", 0.03), ("few", 0.01)):
        shown = safe.risk(name, one_estimator=True).records(id="pid")
        unsafe[name] = set(shown.filter(pl.col("risk") > limit)["pid"])
    assert 0 < len(unsafe["few"]) < panel["pid"].n_unique()
    assert safe.steps[-1].stuck == len(unsafe["main"] | unsafe["few"])
    with pytest.raises(UsageError, match="All keys are spared"):
        study.suppress({"few": 0.01}, scenarios=["few"], spare=spare)
    with pytest.raises(UsageError, match="All keys are spared"):
        study.suppress({"main": 0.03, "few": 0.01}, spare=roles["keys"])
