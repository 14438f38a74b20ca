"""Persons with several records: risk by one row for each, made here with plain dictionaries."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.local import engine as local
from microsafe.errors import InputError, UsageError
from person_oracle import CONSTANT, MOVING, make_panel, wide_keys, widen

KEYS = [*CONSTANT, "age", *MOVING]
ROLES = {"keys": KEYS, "weight": "w", "person": "pid", "wave": "wave"}


def count_alike(wide: pl.DataFrame, keys: list[str]) -> tuple[list[int], list[float]]:
    """Persons whom nothing that both show tells apart, and the sum of their weights."""
    rows, weights = wide.select(keys).rows(), wide["w"].to_list()
    f, F = [1] * len(rows), list(weights)
    for (i, one), (j, other) in combinations(enumerate(rows), 2):
        if all(a == b for a, b in zip(one, other, strict=True) if None not in (a, b)):
            for mine, yours in ((i, j), (j, i)):
                f[mine] += 1
                F[mine] += weights[yours]
    return f, F


@pytest.mark.parametrize("by_wave", [True, False])
@pytest.mark.parametrize(("absent", "gaps"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.1)])
def test_frequencies_of_persons_are_those_of_one_row_each(absent, gaps, by_wave) -> None:
    panel = make_panel(1, absent=absent, gaps=gaps)
    wide = widen(panel, by_wave=by_wave)
    study = ms.study(panel, **ROLES, estimator="cell", person_weights="wave" if by_wave else "file")
    found = study.risk(one_estimator=True)
    assert (found.n, found.unit) == (len(wide), "persons")
    f, F = count_alike(wide, wide_keys())
    of = dict(zip(wide["pid"], zip(f, F, strict=True), strict=True))
    shown = found.records(id="pid")
    assert shown["pid"].to_list() == panel["pid"].to_list()
    assert shown["f"].to_list() == [of[person][0] for person in panel["pid"]]
    assert shown["F"].to_numpy() == pytest.approx([of[person][1] for person in panel["pid"]])


@pytest.mark.parametrize("absent", [0.0, 0.3])
@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_risk_of_persons_is_that_of_the_wide_file(absent, estimator) -> None:
    panel = make_panel(2, absent=absent, persons=80)
    one = ms.study(panel, **ROLES, estimator=estimator).risk(one_estimator=True)
    other = ms.study(widen(panel), keys=wide_keys(), weight="w", estimator=estimator).risk(
        one_estimator=True
    )
    assert one.expected == pytest.approx(other.expected)
    assert one.max == pytest.approx(other.max)
    assert one.sample_uniques == other.sample_uniques


def test_order_of_records_does_not_matter() -> None:
    panel = make_panel(3, absent=0.2)
    shuffled = panel.sample(fraction=1.0, shuffle=True, seed=4)
    one, other = (ms.study(each, **ROLES).risk(one_estimator=True) for each in (panel, shuffled))
    assert one.expected == other.expected


def test_without_a_wave_the_order_of_the_file_counts() -> None:
    panel = make_panel(5)
    named = ms.study(panel, **ROLES).risk(one_estimator=True)
    renamed = panel.rename({"wave": "t"})
    roles = {name: value for name, value in ROLES.items() if name != "wave"}
    plain = ms.study(renamed, **roles).risk(one_estimator=True)
    assert plain.expected == pytest.approx(named.expected)
    assert "persons-in-order" in {notice.id for notice in plain.notices}
    by_name = ms.study(panel, **roles).risk(one_estimator=True)  # a variable that is called so
    assert by_name.expected == named.expected
    assert "persons" in {notice.id for notice in by_name.notices}


def test_events_are_measured_by_what_never_changes() -> None:
    panel = pl.concat([make_panel(6).with_columns(wave=pl.col("wave") + 3 * n) for n in range(5)])
    study = ms.study(panel, **ROLES, estimator="cell")
    found = study.risk()
    f, _ = count_alike(widen(panel), list(CONSTANT))
    assert found.expected < len(f)
    assert sorted(found.records().unique("f")["f"].to_list()) == sorted(set(f))
    assert "persons-events" in {notice.id for notice in found.notices}


def test_all_measures_that_count_are_of_persons() -> None:
    panel = make_panel(7, absent=0.2)
    study = ms.study(panel, **ROLES, estimator="cell")
    wide = ms.study(widen(panel), keys=wide_keys(), weight="w", estimator="cell")
    assert (
        study.combinations(k=2, max_size=2).summary()
        == wide.combinations(k=2, max_size=2).summary()
    )
    assert study.uniques(max_size=2).summary() == wide.uniques(max_size=2).summary()
    one, other = (each.file_risk(interactions=1).summary() for each in (study, wide))
    assert one["tau2"] == pytest.approx(other["tau2"])
    assert study.limit(unsafe=10).limit == pytest.approx(wide.limit(unsafe=10).limit)
    table = study.intruders()
    row = next(row for row in table if row.name == "keys")
    assert (row.unit, row.now.expected) == (
        "persons",
        pytest.approx(wide.risk(one_estimator=True).expected),
    )
    assert next(row for row in table if row.name == "family").now.not_tried


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (pl.lit(1).alias("pid"), "is the same in all records"),
        (pl.int_range(pl.len()).alias("pid"), "is different in every record"),
        (pl.when(pl.col("wave") > 1).then("pid").alias("pid"), "is missing in 60 records"),
        (pl.lit(1).alias("wave"), "never differs between records of a person"),
        (pl.when(pl.col("wave") > 1).then("wave").alias("wave"), "Fill it in, or leave the wave"),
        (pl.col("wave").clip(1, 2).alias("wave"), "60 persons .* several records of one 'wave'"),
        (
            pl.col("wave").replace_strict({1: "spring", 2: "autumn", 3: "later"}).alias("wave"),
            "have no order.* Declare it",
        ),
    ],
)
def test_persons_and_waves_that_tell_nothing_apart_are_refused(change, words) -> None:
    panel = make_panel(8).with_columns(change)
    with pytest.raises(InputError, match=words):
        ms.study(panel, **ROLES, estimator="cell").risk()


def test_a_declared_order_tells_which_wave_is_first() -> None:
    panel = make_panel(9)
    words = panel.with_columns(
        pl.col("wave").replace_strict({1: "spring", 2: "autumn", 3: "after"})
    )
    order = {"wave": ms.Declaration(order=("spring", "autumn", "after"))}
    named = ms.study(words, **ROLES, variables=order).risk(one_estimator=True)
    assert named.expected == pytest.approx(
        ms.study(panel, **ROLES).risk(one_estimator=True).expected
    )


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"wave": "wave"}, "name the variable that tells persons apart"),
        ({"person": "sex"}, "cannot be both a key variable and the person"),
        ({"person": "pid", "wave": "pid"}, "both the person and the wave"),
        ({"person": "pid", "attack": "ratio"}, "attacked all alike"),
        ({"person": "pid", "person_weights": "mean"}, "Unknown rule for the weights"),
    ],
)
def test_roles_that_contradict_each_other_are_refused(roles, words) -> None:
    with pytest.raises(UsageError, match=words):
        ms.study(make_panel(1), keys=KEYS, weight="w", **roles)


def test_what_goes_by_record_is_refused() -> None:
    study = ms.study(make_panel(1), **ROLES)
    for ask in (study.suggest, study.family_measures, lambda: study.diversity("work")):
        with pytest.raises(UsageError, match="Leave the person out"):
            ask()
    with pytest.raises(UsageError, match="same person"):
        study.with_scenario("other", keys=["sex"], person=None, wave=None)
    with pytest.raises(UsageError, match="Renumber it instead"):
        study.drop(["pid"])
    with pytest.raises(UsageError, match="tells records of a person apart"):
        study.drop(["wave"])
    with pytest.raises(UsageError, match="was perturbed"):
        study.pram("work", seed=1).risk()


def test_households_are_those_of_the_first_wave() -> None:
    panel = make_panel(1)
    homes = panel.with_columns(home=pl.col("pid") // 3 + 1000 * (pl.col("wave") > 2))
    found = ms.study(homes, **ROLES, household="home").risk()
    assert found.household is None
    told = {notice.id: notice for notice in found.notices}
    assert told["persons-households"].figures["count"] == panel["pid"].n_unique()


def test_weights_below_one_count_as_one() -> None:
    panel = make_panel(1, absent=0.3).with_columns(w=pl.lit(1.5))
    found = ms.study(panel, **ROLES, estimator="cell").risk(one_estimator=True)
    assert float(found.measured.F.min()) >= 1.0
    assert np.isfinite(found.expected)


def test_rows_that_repeat_persons_are_noticed_without_an_identifier() -> None:
    rng = np.random.default_rng(1)
    one = pl.DataFrame({f"k{j}": rng.integers(1, 7, 400) for j in range(5)})
    one = one.with_columns(w=pl.lit(25.0))
    roles = {"keys": [f"k{j}" for j in range(5)], "weight": "w", "estimator": "model"}

    def ids(frame: pl.DataFrame) -> set[str]:
        return {notice.id for notice in ms.study(frame, **roles).risk(one_estimator=True).notices}

    assert "rows-seem-repeated" not in ids(one)
    repeated = pl.concat([one.with_columns(person=pl.int_range(pl.len()))] * 3)
    assert "rows-seem-repeated" in ids(repeated)
    told = ms.study(repeated, **roles, person="person").risk(one_estimator=True)
    assert "rows-seem-repeated" not in {notice.id for notice in told.notices}


def test_a_variable_that_is_called_a_wave_is_asked_about() -> None:
    panel = make_panel(1)
    roles = {"keys": KEYS, "weight": "w", "estimator": "model"}
    alone = ms.study(panel.filter(pl.col("wave") == 1), **roles).risk(one_estimator=True)
    both = ms.study(panel, **roles).risk(one_estimator=True)
    named = ms.study(panel, **ROLES, estimator="model").risk(one_estimator=True)
    asked = [
        "waves-in-file" in {notice.id for notice in each.notices} for each in (alone, both, named)
    ]
    assert asked == [False, True, False]


def test_engines_that_keep_records_apart_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    spark = pytest.importorskip(
        "microsafe.engine.spark.engine_gaps", reason="Spark is not installed"
    )
    monkeypatch.setattr(local.LocalEngine, "gaps", {NO_RECORDS: spark.GAPS[NO_RECORDS]})
    with pytest.raises(UsageError, match=r"Persons of .*: .* Open a random sample"):
        ms.study(make_panel(1), **ROLES, estimator="cell").risk()


def test_split_weights_may_be_below_one_and_wrong_ones_are_refused() -> None:
    panel = make_panel(2).with_columns(w=pl.lit(0.75))
    found = ms.study(panel, **ROLES, estimator="cell", person_weights="file").risk(
        one_estimator=True
    )
    assert float(found.measured.cells.weight.sum()) == pytest.approx(0.75 * len(panel))
    for wrong in (pl.lit(-1.0), pl.when(pl.col("wave") > 1).then("w")):
        with pytest.raises(InputError):
            ms.study(panel.with_columns(w=wrong), **ROLES, estimator="cell").risk()


@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_a_sparse_panel_has_a_figure_and_no_warning_of_numbers() -> None:
    panel = make_panel(1, absent=0.5)
    found = ms.study(panel, **ROLES, estimator="model").risk(one_estimator=True)
    assert 0.5 * found.n < found.expected < found.n  # nearly all are alone with what they show
    assert 0.0 < found.max <= 1.0


def make_wide_panel(seed: int, **options) -> tuple[pl.DataFrame, pl.DataFrame, list[str]]:
    """A panel with 17 keys of a person, the same with one row each, and the keys of records."""
    panel = make_panel(seed, **options)
    more = {f"region{n}": (pl.col("region") + n) % 3 for n in range(3)}
    wide = widen(panel)
    for name, new in more.items():
        panel = panel.with_columns(new.alias(name))
    other = {
        f"{name}@{wave}": (pl.col(f"region@{wave}") + n) % 3
        for n, name in enumerate(more)
        for wave in (1, 2, 3)
    }
    return panel, wide.with_columns(**other), [*KEYS, *more]


def keys_of_wave(wide: pl.DataFrame, wave: int) -> list[str]:
    return [
        name
        for name in wide.columns
        if name not in ("pid", "w") and ("@" not in name or name.endswith(f"@{wave}"))
    ]


def find_chances(wide: pl.DataFrame, name: str, **options) -> np.ndarray:
    """Chance of each person in the riskiest wave, each of which is a study of its own."""
    found = []
    for wave in (1, 2, 3):
        study = ms.study(wide, keys=keys_of_wave(wide, wave), weight="w", **options)
        row = next(row for row in study.intruders() if row.name == name)
        of_each = study.engine.membership(replace(study.scenario(), household="pid")).cell
        found.append(row.now.chances[of_each])
    return np.max(found, axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_many_keys_are_measured_in_the_riskiest_wave(estimator) -> None:
    panel, wide, keys = make_wide_panel(3, absent=0.2)
    study = ms.study(panel, **(ROLES | {"keys": keys}), estimator=estimator)
    found = study.risk(limit=0.1)
    alone = [
        ms.study(wide, keys=keys_of_wave(wide, wave), weight="w", estimator=estimator).risk(
            limit=0.1
        )
        for wave in (1, 2, 3)
    ]
    each = np.stack([one.records()["risk"].to_numpy() for one in alone])
    most = dict(zip(wide["pid"], each.max(axis=0), strict=True))
    assert found.expected == pytest.approx(each.max(axis=0).sum())
    assert found.limit.unsafe == int((each.max(axis=0) > 0.1).sum())
    shown = found.records(id="pid")
    assert shown["risk"].to_numpy() == pytest.approx([most[person] for person in panel["pid"]])
    other = f"risk_{found.other_estimator}"
    beside = np.stack([one.records()[other].to_numpy() for one in alone]).max(axis=0)
    assert found.other.expected == pytest.approx(beside.sum())
    told = {notice.id: notice for notice in found.notices}["persons-by-wave"]
    assert (told.figures["count"], told.figures["waves"]) == (18, 3)
    assert "missing-answer" not in {notice.id for notice in found.notices}
    row = next(row for row in study.intruders() if row.name == "keys")
    assert row.now.expected == pytest.approx(found.expected)
    row = next(row for row in study.intruders() if row.name == "participant")
    worst = find_chances(wide, "participant", estimator=estimator).sum()
    assert (row.scenario, row.now.expected) == ("main", pytest.approx(worst))


@pytest.mark.slow
@pytest.mark.parametrize("absent", [0.0, 0.3])
def test_rules_for_missing_keys_are_compared_in_the_riskiest_wave_by_each(absent) -> None:
    panel, wide, keys = make_wide_panel(5, absent=absent)
    hidden = pl.int_range(pl.len()) % 7 == 0  # a key of one wave
    panel = panel.with_columns(region0=pl.when(~(hidden & (pl.col("wave") == 2))).then("region0"))
    gone = panel.filter(pl.col("region0").is_null(), pl.col("region").is_not_null())["pid"]
    wide = wide.with_columns(
        **{"region0@2": pl.when(~pl.col("pid").is_in(gone.to_list())).then("region0@2")}
    )
    found = ms.study(panel, **(ROLES | {"keys": keys}), estimator="cell").risk(limit=0.1)
    assert set(found.gaps) == {"wildcard", "category", "expected"}
    for rule, figures in found.gaps.items():
        alone = [
            ms.study(
                wide, keys=keys_of_wave(wide, wave), weight="w", missing=rule, estimator="cell"
            ).risk(one_estimator=True)
            for wave in (1, 2, 3)
        ]
        most = np.max([one.records()["risk"].to_numpy() for one in alone], axis=0)
        assert figures.expected == pytest.approx(most.sum())
        assert (figures.max, figures.rate) == pytest.approx((most.max(), most.mean()))
        assert figures.above_limit == int((most > 0.1).sum())
    assert found.n_cells == max(one.n_cells for one in alone)


@pytest.mark.slow
def test_notices_on_waves_say_what_the_joined_figures_say() -> None:
    panel, _, keys = make_wide_panel(3, absent=0.5, persons=200)
    for limit in (None, 0.05):
        found = ms.study(panel, **(ROLES | {"keys": keys}), estimator="cell").risk(limit=limit)
        ids = [notice.id for notice in found.notices]
        told = {notice.id: notice.figures for notice in found.notices}
        assert ids.count("model-higher") == 1
        assert told["model-higher"]["times"] == found.ratio
        assert told["model-higher"]["expected"] == found.other.expected
        measured = found.measured
        if limit is None:
            owing = measured.gapless > 2 * measured.risk
        else:
            owing = (measured.gapless > limit) & (measured.risk <= limit)
        name = "missing-half" if limit is None else "missing-limit"
        assert ids.count(name) == 1  # though waves differ
        assert told[name]["count"] == measured.count(owing)


@pytest.mark.slow
def test_intruders_find_each_person_in_the_riskiest_wave_before_and_after() -> None:
    panel, wide, keys = make_wide_panel(6, persons=150)
    study = ms.study(panel, **(ROLES | {"keys": keys}), estimator="model")
    expected = {
        name: find_chances(wide, name, estimator="model") for name in ("participant", "method")
    }
    policy = ms.Policy(intruders={"method": 0.03}, k=2)
    for protected in (study, study.suppress(0.05, guarantee="view"), study.suppress(0.05)):
        rows = {row.name: row for row in protected.intruders(policy=policy)}
        for name, chances in expected.items():
            if protected is not study and rows[name].not_tried:
                assert name == "method"
                assert "Blanks were chosen wave by wave" in rows[name].not_tried
                continue
            start = rows[name].now if protected is study else rows[name].before
            assert start.expected == pytest.approx(chances.sum())
            assert start.largest == pytest.approx(chances.max())
            now = rows[name].now
            limit = {"participant": 1 / 2, "method": 0.03}[name]
            assert now.above == int((now.chances > limit).sum())
            assert now.figures[rows[name].rule] == pytest.approx(
                now.largest if name == "method" else 1 / now.largest
            )
        if not rows["method"].not_tried:
            assert rows["method"].now.expected >= rows["keys"].now.expected * (1 - 1e-12)


def test_what_a_key_adds_to_the_riskiest_wave() -> None:
    panel, wide, keys = make_wide_panel(4)
    study = ms.study(panel, **(ROLES | {"keys": keys}), estimator="cell")
    added = {each.key: each.without for each in study.risk(one_estimator=True).contributions()}
    for key in ("born", "work"):
        each = [
            ms.study(
                wide,
                keys=[k for k in keys_of_wave(wide, wave) if k.partition("@")[0] != key],
                weight="w",
                estimator="cell",
            )
            .risk(one_estimator=True)
            .records()["risk"]
            .to_numpy()
            for wave in (1, 2, 3)
        ]
        assert added[key] == pytest.approx(np.max(each, axis=0).sum())


def test_keys_that_no_wave_has_are_all_compared() -> None:
    panel = make_panel(5)
    same = {f"sex{n}": pl.col("sex") for n in range(16)}
    keys = ["sex", "born", *same]
    study = ms.study(panel.with_columns(**same), **(ROLES | {"keys": keys}), estimator="cell")
    wide = widen(panel).with_columns(**same)
    other = ms.study(wide, keys=keys, weight="w", estimator="cell").risk(one_estimator=True)
    assert study.risk(one_estimator=True).expected == pytest.approx(other.expected)


def test_persons_who_change_their_sex_or_birth_are_noticed() -> None:
    panel = make_panel(6).rename({"born": "year_of_birth"})
    keys = ["sex", "year_of_birth", "age", *MOVING]
    roles = ROLES | {"keys": keys, "estimator": "cell"}

    def told(frame: pl.DataFrame) -> dict[str, dict]:
        found = ms.study(frame, **roles).risk(one_estimator=True)
        return {notice.id: notice.figures for notice in found.notices}

    assert "persons-change" not in told(panel)
    first = panel["pid"].unique().sort()[:3].to_list()
    other = (pl.col("wave") == 2) & pl.col("pid").is_in(first)
    wrong = panel.with_columns(sex=pl.when(other).then(3 - pl.col("sex")).otherwise("sex"))
    found = told(wrong)["persons-change"]
    assert (found["name"], found["count"], list(found["names"])) == ("pid", 3, ["sex"])
    missing = panel.with_columns(sex=pl.when(~other).then("sex"))
    assert "persons-change" not in told(missing)  # a gap is no change


@pytest.mark.parametrize("column", ["person_id", "nummer"])  # of which one is called so
@pytest.mark.parametrize("shared", [False, True])
def test_what_repeats_is_a_person_if_sex_stays(column, shared) -> None:
    rng = np.random.default_rng(2)
    people = pl.DataFrame({f"k{j}": rng.integers(1, 7, 400) for j in range(4)})
    people = people.with_columns(sex=pl.Series(rng.integers(1, 3, 400)), w=pl.lit(25.0))
    number = rng.permutation(400) // 2 if shared else rng.permutation(400)
    frame = pl.concat([people.with_columns(pl.Series(number).alias(column))] * 3)
    roles = {"keys": ["k0", "k1", "k2", "k3", "sex"], "weight": "w", "estimator": "model"}
    found = ms.study(frame, **roles).risk(one_estimator=True)
    names = [n.figures["name"] for n in found.notices if n.id == "file-rows-repeat"]
    assert names == ([] if shared else [column])
