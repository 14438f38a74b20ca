"""Steps that change whole variables: a suite that each must pass, and values by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.engine.local import LocalEngine
from microsafe.io import Source
from microsafe.steps import (
    STEPS,
    BottomCode,
    Drop,
    Microaggregate,
    Noise,
    Pram,
    RankSwap,
    Recode,
    Renumber,
    Round,
    Sample,
    Shuffle,
    Step,
    Suppress,
    Swap,
    TopCode,
)
from profiles import examples

KEYS = ["region", "age", "sex", "education"]
SURVEY = ms.survey(1, households=150)

CASES: dict[str, Step] = {
    "groups": Recode(variable="region", groups={"1": ("1", "2", ("3", "5")), "9": (("9", ""),)}),
    "other": Recode(variable="region", groups={"7": ("7",)}, other="99"),
    "breaks": Recode(variable="age", breaks=(15, 30, 65)),
    "keep": Recode(variable="age", keep=1),
    "classification": Recode(
        variable="region",
        classification=({str(r): "NS"[r % 2] for r in range(1, 13)}, {"N": "0", "S": "0"}),
        level=1,
    ),
    "top": TopCode(variable="age", limit=75, label="75 and over"),
    "bottom": BottomCode(variable="age", limit=15, code="up to 15"),
    "top share": TopCode(variable="income", share=0.05),
    "bottom mean": BottomCode(variable="income", limit=500, replace="mean"),
    "round": Round(variable="age", base=5),
    "round at random": Round(variable="income", base=500, random=True, seed=7),
    "noise": Noise(variables=("income",), strata=("sex",), seed=7),
    "drop": Drop(variables=("income",)),
    "drop key": Drop(variables=("education",), from_keys=True),
    "renumber": Renumber(variable="household", seed=7),
    "renumber key": Renumber(variable="region", seed=7),
    "pram": Pram(variable="region", keep=0.8, strata=("sex",), seed=7),
    "suppress": Suppress(k=2),
    "microaggregate": Microaggregate(variables=("income",), strata=("sex",), weights=True),
    "rank swap": RankSwap(variables=("income", "occupation"), seed=7),
    "shuffle": Shuffle(variables=("income",), given=("age", "sex"), seed=7),
    "swap": Swap(household="household", areas=("region",), carry=("hsize",), k=2, seed=7),
}
every = pytest.mark.parametrize("step", CASES.values(), ids=CASES.keys())


def opened(frame: pl.DataFrame = SURVEY.frame, **changes: Any) -> ms.Study:
    """The survey with its labels and missing codes."""
    schema = replace(
        SURVEY.schema, variables=tuple(v for v in SURVEY.schema if v.name in frame.columns)
    )
    engine = LocalEngine(
        Source(schema=schema, load=lambda names: frame.select(names), columnar=True)
    )
    study = ms.Study(engine=engine)
    named = {"keys": KEYS, "weight": "weight", "household": "household", "estimator": "cell"}
    options: dict[str, Any] = named | changes
    return study.with_scenario("main", **options)


def one(values: list[Any], **about: Any) -> ms.Study:
    """A study of one variable, of which something is known."""
    frame = pl.DataFrame({"x": values}, strict=False)
    kinds = {pl.String: "text", pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "boolean"}
    kind = kinds.get(frame["x"].dtype, "date")  # type: ignore[call-overload]
    schema = ms.Schema(source="x", variables=(ms.Variable(name="x", kind=kind, **about),))
    study = ms.Study(
        engine=LocalEngine(
            Source(schema=schema, load=lambda names: frame.select(names), columnar=True)
        )
    )
    return study.with_scenario("main", keys=["x"])


def values(study: ms.Study) -> list[Any]:
    return study.engine.table()["x"].to_list()


def figures(study: ms.Study) -> tuple[Any, ...]:
    """All that a measurement says, to the last bit."""
    risk = study.risk()
    assert risk.household is not None
    cells = risk.cells()
    return risk.summary(), cells.to_dict(as_series=False), risk.household.risk.tolist()


@every
def test_deterministic(step: Step) -> None:
    once, again = opened().apply(step), opened().apply(step)
    assert once.engine.table().equals(again.engine.table())
    assert once.schema == again.schema
    assert figures(once) == figures(again)
    shuffled = SURVEY.frame.sample(fraction=1.0, shuffle=True, seed=5)
    if not isinstance(step, Suppress):  # the first records of a cell are blanked
        assert opened(shuffled).apply(step).risk().expected == once.risk().expected


@every
def test_undoable_and_the_original_does_not_change(step: Step) -> None:
    study = opened()
    before, table, schema = figures(study), study.engine.table(), study.schema
    done = study.apply(step)
    figures(done)
    assert done.undo() is study
    assert done.rollback(0) is study
    assert figures(study) == before
    assert study.engine.table().equals(table)
    assert study.schema == schema
    assert figures(done.undo()) == before == figures(opened())
    assert done.steps[-1].step == step
    assert figures(study.apply(step)) == figures(done)


@every
def test_leaves_weights_and_other_variables_alone(step: Step) -> None:
    done = opened().apply(step)
    touched = _touched(step)
    left = [name for name in SURVEY.frame.columns if name not in touched]
    assert done.engine.table().select(left).equals(SURVEY.frame.select(left))
    assert [done.schema[name] for name in left] == [SURVEY.schema[name] for name in left]
    assert done.engine.table().columns == list(done.schema.names)


def _touched(step: Step) -> set[str]:
    return {*step.targets} or {*KEYS}


@every
@pytest.mark.parametrize("measured_first", [True, False])
def test_blanks_stay_blank(step: Step, measured_first: bool) -> None:
    blanked = opened().suppress(k=3)
    if measured_first:
        blanked.risk()
    done = blanked.apply(step)
    before, after = blanked.engine.table(), done.engine.table()
    for name in [name for name in KEYS if name in after.columns]:
        assert not (before[name].is_null() & after[name].is_not_null()).any()
        if not isinstance(step, Suppress):
            assert after[name].null_count() == before[name].null_count()
    if "education" in after.columns:  # a frame knows nothing of missing codes
        after = after.with_columns(pl.col("education").replace(98, None))
    if isinstance(step, Pram | Swap):  # risk is that of the truth
        return
    fresh = ms.study(after, keys=list(done.scenario().keys), weight="weight", estimator="cell")
    assert fresh.risk().expected == done.risk().expected


@every
def test_the_table_measures_as_the_study(step: Step) -> None:
    done = opened().apply(step)
    engine = LocalEngine(
        Source(
            schema=done.schema, load=lambda names: done.engine.table().select(names), columnar=True
        )
    )
    again = replace(done, engine=engine)
    assert figures(again) == figures(done)


@every
def test_preview_is_what_happens(step: Step) -> None:
    study = opened()
    preview = study.preview(step, limit=0.01)
    done = study.apply(step)
    risk = done.risk(limit=0.01)
    assert risk.limit is not None
    assert preview.after.expected == pytest.approx(risk.expected, rel=1e-12)
    assert preview.after.unsafe == risk.limit.unsafe
    assert preview.after.sample_uniques == risk.sample_uniques
    assert preview.after.max == risk.max
    assert preview.before.rate == pytest.approx(study.risk().rate, rel=1e-12)
    assert study.preview(done, limit=0.01) == preview
    assert study.steps == ()
    assert "expected re-identifications" in repr(preview)
    assert "<table>" in preview._repr_html_()
    if not isinstance(step, Suppress | Renumber):
        assert preview.lost > 0


def test_every_kind_of_step_is_in_the_suite() -> None:
    # Others change which records there are: engine/test_sampling.py, steps/test_members.py.
    others = {Sample, ms.Members}
    assert {type(step) for step in CASES.values()} | others == set(STEPS.values())
    for name, kind in STEPS.items():
        assert callable(getattr(ms.Study, name))
        assert kind.do == name


TAKEN = CASES | {"sample": Sample(fraction=0.5, seed=1, household="household")}
ACTS = st.lists(st.sampled_from([*TAKEN, "undo"]), max_size=6)


@pytest.mark.slow
@given(ACTS)
@examples(40)
def test_verbs_and_undos_equal_the_verbs_that_remain(acts: list[str]) -> None:
    study, left = opened(), []
    for act in acts:
        if act == "undo":
            if left:
                study = study.undo()
                left.pop()
            continue
        try:
            study = study.apply(TAKEN[act])
        except (ms.UsageError, ms.InputError):  # such as dropping what is gone
            continue
        left.append(act)
    again = opened()
    for act in left:
        again = again.apply(TAKEN[act])
    assert [done.step for done in study.steps] == [TAKEN[act] for act in left]
    assert study.engine.table().equals(again.engine.table())
    assert study.schema == again.schema
    assert figures(study) == figures(again)


# Values by brute force.

CODES = st.lists(st.none() | st.integers(-3, 40), min_size=1, max_size=30).filter(any)


@given(CODES, st.lists(st.integers(-5, 45), min_size=1, max_size=5, unique=True))
def test_bins(codes: list[int | None], breaks: list[int]) -> None:
    breaks = sorted(breaks)

    def name(value: int | None) -> str | None:
        if value is None:
            return None
        below = [b for b in breaks if b <= value]
        if not below:
            return f"under {breaks[0]}"
        if len(below) == len(breaks):
            return f"{breaks[-1]}+"
        low, high = below[-1], breaks[len(below)] - 1
        return f"{low}-{high}" if low < high else str(low)

    done = one(codes).recode("x", breaks=breaks)
    assert values(done) == [name(value) for value in codes]
    texts = [None if value is None else str(value) for value in codes]
    assert values(one(texts).recode("x", breaks=breaks)) == values(done)
    numbered = one(codes).recode("x", breaks=breaks, names=range(len(breaks) + 1))
    assert values(numbered) == [None if v is None else sum(b <= v for b in breaks) for v in codes]
    assert numbered.schema["x"].kind == "integer"


@given(CODES, st.integers(-5, 45))
def test_tails(codes: list[int | None], limit: int) -> None:
    top = one(codes).top_code("x", limit)
    assert values(top) == [None if v is None else min(v, limit) for v in codes]
    bottom = one(codes).bottom_code("x", limit, code=-9)
    assert values(bottom) == [None if v is None else (-9 if v <= limit else v) for v in codes]
    texts = one([None if v is None else str(v) for v in codes]).top_code("x", limit, code="many")
    assert values(texts) == [
        None if v is None else ("many" if v >= limit else str(v)) for v in codes
    ]


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20),
    st.sampled_from([1, 5, 10, 0.5, 0.25, 2.5, 1000]),
)
def test_rounding(numbers: list[float], base: float) -> None:
    got = values(one(numbers).round("x", base))
    for before, after in zip(numbers, got, strict=True):
        assert abs(after - before) <= base / 2
        assert after / base == round(after / base)
    halves = [base * (k + 0.5) for k in range(4)]
    assert values(one(halves).round("x", base)) == [0.0, 2 * base, 2 * base, 4 * base]


def test_rounding_to_decimals_leaves_no_dust() -> None:
    assert values(one([0.31, 0.29, 1.16]).round("x", 0.1)) == [0.3, 0.3, 1.2]
    assert values(one([3, 14, 15, None]).round("x", 10)) == [0, 10, 20, None]
    zeros = values(one([-0.4, -0.2, 0.3, -3.0]).round("x", 1.0))
    assert [str(zero) for zero in zeros] == ["0.0", "0.0", "0.0", "-3.0"]  # no negative zero
    small = values(one([-0.004, 0.004]).round("x", 0.01))
    assert [str(zero) for zero in small] == ["0.0", "0.0"]
    assert values(one(["3", "14", "x"], missing=("x",)).round("x", 10)) == ["0", "10", "x"]


@given(
    st.lists(st.none() | st.sampled_from("abcdef"), min_size=1, max_size=20).filter(any),
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("XYa"), max_size=4),
    st.none() | st.just("Z"),
)
def test_groups(codes: list[str | None], into: dict[str, str], other: str | None) -> None:
    into = {old: new for old, new in into.items() if old in codes}
    groups: dict[str, tuple[str, ...]] = {}
    for old, new in into.items():
        groups[new] = (*groups.get(new, ()), old)
    if not groups:
        return
    done = one(codes).recode("x", groups=groups, other=other)
    wanted = [None if c is None else into.get(c, c if other is None else other) for c in codes]
    assert values(done) == wanted
    assert done.risk().n_cells == len(set(wanted))


@given(CODES, st.integers(0, 5))
def test_renumbering(codes: list[int | None], seed: int) -> None:
    got = values(one(codes, missing=(2, 7)).renumber("x", seed=seed))
    pairs = {(a, b) for a, b in zip(codes, got, strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    for old, new in pairs:
        assert (new == old) if old in (None, 2, 7) else new not in (2, 7) and new >= 1
    kept = len({old for old, _ in pairs} - {None, 2, 7})
    assert all(new <= kept + 2 for old, new in pairs if old not in (None, 2, 7))


def test_renumbering_texts_and_orders() -> None:
    names = [f"id-{k:03}" for k in range(200)] * 2
    got = values(one(names).renumber("x", seed=1))
    assert got[:200] == got[200:]
    assert sorted(map(int, got[:200])) == list(range(1, 201))
    assert got != values(one(names).renumber("x", seed=2))
    assert got[::-1] == values(one(names[::-1]).renumber("x", seed=1))  # rows do not matter
    assert sorted(map(int, got[:200])) != list(map(int, got[:200]))


def test_hierarchies() -> None:
    nace = ["0111", "0112", "0210", "1011", None]
    assert values(one(nace).recode("x", keep=2)) == ["01", "01", "02", "10", None]
    levels = [{c: c[:2] for c in nace if c}, {"01": "A", "02": "A", "10": "C"}]
    study = one(nace)
    assert values(study.recode("x", classification=levels)) == ["A", "A", "A", "C", None]
    assert values(study.recode("x", classification=levels, level=1))[2] == "02"
    assert values(study.recode("x", classification=levels[0])) == ["01", "01", "02", "10", None]
    with pytest.raises(ms.UsageError, match="1 codes of 'x' have no parent on level 2"):
        study.recode("x", classification=[levels[0], {"01": "A", "02": "A"}])
    short = study.recode("x", classification=[levels[0], {"01": "A", "02": "A"}], other="?")
    assert values(short) == ["A", "A", "A", "?", None]
    assert values(one([101, 102, 215]).recode("x", keep=1)) == [1, 1, 2]


def test_dates_and_truths_become_text() -> None:
    from datetime import date

    days = [date(1990, 5, 1), date(1990, 7, 2), date(1991, 1, 1), None]
    assert values(one(days).recode("x", keep=4)) == ["1990", "1990", "1991", None]
    truths = one([True, False, None]).recode("x", groups={"no": ["false"]})
    assert values(truths) == ["true", "no", None]


# What is known of the variable follows.

LABELS = {1: "one", 2: "two", 3: "three", 4: "four", 8: "refused", 9: "unknown"}


def test_labels_follow() -> None:
    study = one([1, 2, 3, 8, 9], labels=LABELS, missing=(8, 9), measure="nominal")
    done = study.recode("x", groups={1: [1, 2]}, labels={1: "one or two"})
    assert done.schema["x"] == replace(
        study.schema["x"],
        labels={1: "one or two", 3: "three", 4: "four", 8: "refused", 9: "unknown"},
    )
    assert values(done) == [1, 1, 3, 8, 9]
    assert done.describe()[0].missing == 2
    silent = study.recode("x", groups={1: [1, 2]}).schema["x"]
    assert silent.labels == {3: "three", 4: "four", 8: "refused", 9: "unknown"}
    new = study.recode("x", groups={1: [1, 2, 3]}, missing=[99])
    assert values(new) == [1, 1, 1, 99, 99]
    assert new.schema["x"].missing == (99,)
    assert new.schema["x"].labels == {4: "four", 99: "refused"}
    freed = study.recode("x", groups={5: [8]}, labels={5: "no answer"})
    assert values(freed) == [1, 2, 3, 5, 9]
    assert freed.schema["x"].missing == (9,)
    assert freed.describe()[0].missing == 1
    top = study.top_code("x", 3, label="three and over").schema["x"]
    assert top.labels == {1: "one", 2: "two", 3: "three and over", 8: "refused", 9: "unknown"}
    assert study.renumber("x", seed=1).schema["x"].labels == {8: "refused", 9: "unknown"}


def test_kinds_follow() -> None:
    study = one([1.0, 2.0, 98.0, 97.5, None], labels={1.0: "a"}, missing_ranges=((97.0, 99.0),))
    text = study.recode("x", groups={"low": [1, 2]})
    assert text.schema["x"].kind == "text"
    assert values(text) == ["low", "low", "98", "97.5", None]
    assert text.schema["x"].missing_ranges == ()
    assert set(text.schema["x"].missing) == {"98", "97.5"}
    assert text.describe()[0].missing == 3
    number = study.recode("x", groups={"3": [1, 2]})
    assert number.schema["x"].kind == "number"
    assert number.schema["x"].missing_ranges == ((97.0, 99.0),)
    assert values(number) == [3.0, 3.0, 98.0, 97.5, None]
    gone = study.recode("x", groups={"3": [1, 2]}, missing=[])
    assert values(gone) == [3.0, 3.0, None, None, None]
    half = one([1, 2]).recode("x", groups={"1.5": [1, 2]})
    assert half.schema["x"].kind == "number"
    assert values(half) == [1.5, 1.5]
    bins = one([1.5, 12.25]).recode("x", breaks=[0, 10, 20])
    assert values(bins) == ["0-<10", "10-<20"]
    assert bins.schema["x"].measure == "ordinal"


def test_labels_in_missing_ranges_stay() -> None:
    labels = {1: "one", 97: "not asked", 98: "refused"}
    study = one([1, 2, 3, 98], labels=labels, missing=(), missing_ranges=((97, 99),))
    for done in (
        study.top_code("x", 2),
        study.recode("x", breaks=[1, 2], names=[1, 2]),
        study.recode("x", groups={2: [(2, None)]}),
        study.round("x", 2),
        study.renumber("x", seed=1),
    ):
        assert done.schema["x"].missing_ranges == ((97, 99),)
        assert {97: "not asked", 98: "refused"}.items() <= done.schema["x"].labels.items()
        assert values(done)[3] == 98
        assert done.describe()[0].missing == 1
    text = study.recode("x", keep=1, labels={"1": "uno"}, missing=["no"]).schema["x"]
    assert (text.labels, text.missing) == ({"1": "uno", "no": "not asked"}, ("no",))
    freed = study.recode("x", groups={4: [98]})
    assert values(freed) == [1, 2, 3, 4]


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".csv", ".parquet", ".xlsx"])
def test_written_files_hold_what_was_done(suffix: str, tmp_path: Path) -> None:
    done = (
        opened()
        .recode("region", groups={1: [(1, 6)], 2: [(7, None)]}, labels={1: "west", 2: "east"})
        .recode("age", breaks=range(0, 100, 20))
        .top_code("education", 6, label="bachelor and over")
        .round("income", 100)
        .renumber("household", seed=3)
        .drop(["hsize", "occupation"])
    )
    path = tmp_path / f"safe{suffix}"
    done.write(path)
    again = ms.study(path, keys=KEYS, weight="weight", estimator="cell", household="household")
    assert again.schema.names == done.schema.names
    table = again.engine.table()
    for name in ("region", "age", "education", "income", "household"):
        column = table[name]
        wanted = done.engine.table()[name]
        if wanted.dtype != pl.String:
            column, wanted = column.cast(pl.Float64), wanted.cast(pl.Float64)
        assert column.to_list() == wanted.to_list(), name
    if suffix in (".sav", ".dta"):
        assert again.schema["region"].labels == {1: "west", 2: "east"}
        assert again.schema["education"].labels[6] == "bachelor and over"
        assert 7 not in again.schema["education"].labels
    if suffix == ".sav":
        assert again.risk().expected == done.risk().expected


# What is refused.

Act = Callable[[ms.Study], object]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda s: s.recode("regoin", keep=1), "Did you mean 'region'"),
        (lambda s: s.recode("region"), "by one of groups"),
        (lambda s: s.recode("region", keep=1, breaks=[1]), "by one of groups"),
        (lambda s: s.recode("region", groups={}), "no group"),
        (lambda s: s.recode("region", groups={1: [2], 3: [2]}), "'2' of 'region' is in two"),
        (lambda s: s.recode("region", groups={1: [(1, 3)], 2: [(3, 4)]}), "overlap"),
        (lambda s: s.recode("region", groups={1: [()]}), "pair"),
        (lambda s: s.recode("region", groups={1: [(None, None)]}), "pair"),
        (lambda s: s.recode("region", groups={1: [2]}, labels={3: "x", 77: "y"}), "'77'"),
        (lambda s: s.recode("education", groups={98: [1]}), "missing codes"),
        (lambda s: s.recode("education", groups={1: [2]}, missing=[3]), "missing codes"),
        (lambda s: s.top_code("education", 5, code=98), "missing codes"),
        (lambda s: s.recode("region", keep=0), "at least 1"),
        (lambda s: s.recode("region", keep=1, other=3), "other applies only to"),
        (lambda s: s.recode("region", keep=1, level=3), "level applies only to"),
        (lambda s: s.recode("region", keep=1, names=[3]), "names applies only to"),
        (lambda s: s.recode("region", classification=[{}], level=2), "1 levels"),
        (lambda s: s.recode("age", breaks=[]), "ascending"),
        (lambda s: s.recode("age", breaks=[3, 3]), "ascending"),
        (lambda s: s.recode("age", breaks=[0, math.inf]), "finite"),
        (lambda s: s.recode("age", breaks=[0, 9], names=["a"] * 4), "2 breaks"),
        (lambda s: s.recode("age", breaks=[50], names=["a"]), "below its first break"),
        (lambda s: s.top_code("age", math.nan), "finite"),
        (lambda s: s.top_code("age", "old"), "finite"),
        (lambda s: s.round("age", 0), "above 0"),
        (lambda s: s.round("age", math.inf), "finite"),
        (lambda s: s.renumber("household", seed=-1), "seed"),
        (lambda s: s.drop([]), "at least one"),
        (lambda s: s.drop("age"), "scenario 'main'"),
        (lambda s: s.drop("weight", from_keys=True), "weight of scenario 'main'"),
        (lambda s: s.drop(KEYS, from_keys=True), "No key of scenario 'main'"),
        (lambda s: s.top_code("weight", 10), "weight of scenario 'main'"),
        (lambda s: s.renumber("weight", seed=1), "weight of scenario 'main'"),
        (lambda s: s.recode("household", keep=1), "Renumber it"),
        (lambda s: s.suggest(most=0), "at least 1"),
        (lambda s: s.preview(opened().round("age", 5).undo()), "not made from this study"),
    ],
)  # fmt: skip
def test_refused_with_a_sentence(act: Act, words: str) -> None:
    study = opened()
    with pytest.raises((ms.UsageError, ms.InputError), match=words) as refused:
        act(study)
    assert "\n" not in str(refused.value)


def test_unknown_codes_are_refused_without_telling_others() -> None:
    secret = one(["secret", "secreu", "public"], labels={"public": "Public"})
    with pytest.raises(ms.UsageError, match="no code 'secre'") as refused:
        secret.recode("x", groups={"a": ["secre"]})
    assert "secret" not in str(refused.value)
    with pytest.raises(ms.UsageError, match="Did you mean 'public'"):
        secret.recode("x", groups={"a": ["publik"]})
    for act in (lambda s: s.round("x", 5), lambda s: s.recode("x", breaks=[1])):
        with pytest.raises(ms.UsageError, match="text") as refused:
            act(secret)
        assert "secret" not in str(refused.value)


def test_rounding_into_missing_codes_is_refused() -> None:
    with pytest.raises(ms.UsageError, match="missing codes"):
        one([1, 97, 100], missing=(100,)).round("x", 10)
    with pytest.raises(ms.UsageError, match="missing codes"):
        one([1, 97], missing_ranges=((99, 105),)).round("x", 10)


# Suggestions.


@pytest.mark.parametrize("attack", ["all", "weight"])
@pytest.mark.parametrize("missing", ["wildcard", "category"])
def test_suggestions_are_what_their_steps_do(attack: str, missing: str) -> None:
    study = opened(attack=attack, missing=missing)
    found = study.suggest(limit=0.01, most=1000)
    assert found == study.suggest(limit=0.01, most=1000)
    assert found[:3] == tuple(study.suggest(limit=0.01, most=3))
    assert [each.fall_per_loss for each in found] == sorted(
        (each.fall_per_loss for each in found), reverse=True
    )
    assert {type(each.step) for each in found} >= {Recode, TopCode, BottomCode, Drop}
    for each in found:
        done = study.preview(each.step, limit=0.01)
        assert each.after.expected == pytest.approx(done.after.expected, rel=1e-12)
        assert (each.after.unsafe, each.after.sample_uniques) == (
            done.after.unsafe,
            done.after.sample_uniques,
        )
        assert each.lost == pytest.approx(done.lost, rel=1e-9)
        assert each.information[0].categories_after == done.information[0].categories_after
    assert repr(found).count("\n") == len(found)


def test_nominal_keys_are_shortened_or_dropped_only() -> None:
    frame = pl.DataFrame({"nuts": ["AT11", "AT12", "DE11", "DE21", "DE22"] * 4, "b": ["x"] * 20})
    steps = [each.step for each in ms.study(frame, keys=["nuts", "b"]).suggest()]
    assert Recode(variable="nuts", keep=3) in steps
    assert Drop(variables=("nuts",), from_keys=True) in steps
    assert len(steps) == 2  # b tells nothing, so dropping it helps nobody


def test_entropy_by_hand() -> None:
    preview = one(["a", "a", "b", "c", None]).preview(
        Recode(variable="x", groups={"b": ("b", "c")})
    )
    (info,) = preview.information
    assert info.bits_before == pytest.approx(1.5)
    assert info.bits_after == pytest.approx(1.0)
    assert info.share_lost == pytest.approx(1 / 3)
    assert (info.categories_before, info.categories_after) == (3, 2)
    gone = opened().preview(Drop(variables=("income",)))
    assert gone.information[0].bits_after == 0.0
    assert gone.fall == 0.0
    assert gone.fall_per_bit == 0.0


def test_only_the_changed_variable_is_read_again() -> None:
    asked: list[str] = []

    def load(names: Any) -> pl.DataFrame:
        asked.extend(names)
        return SURVEY.frame.select(names)

    engine = LocalEngine(Source(schema=SURVEY.schema, load=load, columnar=True))
    study = ms.Study(engine=engine).with_scenario(
        "main", keys=KEYS, weight="weight", estimator="cell"
    )
    study.risk()
    asked.clear()
    done = study.top_code("age", 80)
    done.risk()
    assert set(asked) == {"age", "weight"}  # as categories, to see what they tell
    asked.clear()
    done.top_code("age", 70).risk()
    assert set(asked) == {"age"}
    assert np.shares_memory(
        done.engine._records.coded["region"].parts[0],  # type: ignore[attr-defined]
        study.engine._records.coded["region"].parts[0],  # type: ignore[attr-defined]
    )
