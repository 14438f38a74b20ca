"""Samples: drawn as the method says, evenly, whole households, the same by any batch."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.engine import Memory, memory
from microsafe.engine import slices as batches
from microsafe.engine.local import engine as local
from microsafe.engine.local import records
from microsafe.engine.local import sampling as drawing
from microsafe.engine.sampling import PRIME, Sampling
from microsafe.errors import CancelledError
from microsafe.io import Source
from microsafe.schema import Variable
from microsafe.steps import Sample

KEYS = ["region", "sex", "age"]
ROWS = 1 << 18


def drawn(number: int, fraction: float, seed: int) -> bool:
    """The method in Python's whole numbers, which have no end."""
    digest = hashlib.sha256(str(seed).encode()).digest()
    words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
    prime, other = 2**31 - 1, 2**31 - 19
    mixed = number % prime
    for a, b in zip(words[::2], words[1::2], strict=True):
        folded = mixed ^ (mixed // 2**15)
        mixed = (folded * (1 + a % (prime - 1)) + b % prime + number % other) % prime
    return mixed < round(fraction * prime)


def kept(homes: Sequence[object], fraction: float, seed: int) -> list[int]:
    """Places of the records of a sample, household by household."""
    first: dict[object, int] = {}
    for place, home in enumerate(homes):
        first.setdefault(place if home is None else (home,), place)
    return [
        place
        for place, home in enumerate(homes)
        if drawn(first[place if home is None else (home,)], fraction, seed)
    ]


def sampling(fraction: float, seed: int) -> Sampling:
    return Sampling(fraction=fraction, seed=seed, household=None, weight=Variable(name="w"))


def frame() -> pl.DataFrame:
    rows = pl.int_range(pl.len())
    return ms.survey(4, households=120).frame.with_columns(
        pl.when(rows % 11 != 0).then("household").alias("household"), (rows * 10).alias("place")
    )


@given(st.integers(0, 2**62), st.floats(0, 1), st.integers(0))
def test_numbers_are_drawn_as_the_method_says(number: int, fraction: float, seed: int) -> None:
    assert sampling(fraction, seed).draw(np.array([number]))[0] == drawn(number, fraction, seed)


def deviates(counts: Any, expected: float) -> float:
    """How many standard errors chi-square is from what chance gives."""
    freedom = len(counts) - 1
    chi = float(((counts - expected) ** 2 / expected).sum())
    return (chi - freedom) / math.sqrt(2 * freedom)


@pytest.mark.slow
@pytest.mark.parametrize("start", [0, 10**9, 3 * 10**9])
def test_numbers_are_drawn_evenly(start: int) -> None:
    """Consecutive numbers in 64 classes of what they are mixed to, and in pairs."""
    numbers = np.arange(start, start + ROWS)
    for seed in range(4):
        below = [sampling(share / 64, seed).draw(numbers) for share in range(1, 64)]
        place = 63 - np.sum(below, axis=0)
        assert abs(deviates(np.bincount(place, minlength=64), ROWS / 64)) < 5
        pairs = place[::2] * 64 + place[1::2]
        assert abs(deviates(np.bincount(pairs, minlength=4096), ROWS / 8192)) < 5


def test_neighbours_and_seeds_have_nothing_to_do_with_each_other() -> None:
    numbers = np.arange(ROWS)
    bound = 5 / math.sqrt(ROWS)
    for fraction in (0.02, 0.5):
        flags = [sampling(fraction, seed).draw(numbers) for seed in range(12)]
        for one in flags:
            for lag in (1, 2, 3, 64):
                assert abs(np.corrcoef(one[lag:], one[:-lag])[0, 1]) < bound
        assert np.abs(np.corrcoef(flags) - np.eye(len(flags))).max() < bound
    far = sampling(0.5, 1).draw(numbers + PRIME)  # the same remainder is another number
    assert abs(np.corrcoef(far, sampling(0.5, 1).draw(numbers))[0, 1]) < bound


@pytest.mark.parametrize("household", ["household", None])
@pytest.mark.parametrize("seed", [0, 7, 10**30])
def test_the_records_of_the_oracle_are_kept_in_their_order(
    household: str | None, seed: int
) -> None:
    data = frame()
    study = ms.study(data, keys=KEYS, weight="weight", estimator="cell", household="household")
    made = study.sample(0.3, seed=seed, household=household)
    homes = data["household"] if household else [None] * len(data)
    places = kept(homes, 0.3, seed)
    wanted = data[places].with_columns(pl.col("weight") * (1 / 0.3))
    assert made.engine.table().equals(wanted)  # type: ignore[attr-defined]
    found = made.steps[-1].drawn
    assert found is not None
    assert (found.records, found.of_records) == (len(places), len(data))
    alone = data["household"].null_count()
    if household:
        left = wanted["household"]
        assert found.households == left.drop_nulls().n_unique() + left.null_count()
        assert found.of_households == data["household"].drop_nulls().n_unique() + alone
        sizes = data.group_by("household").len().drop_nulls()
        assert set(left.drop_nulls().value_counts().rows()) <= set(sizes.rows())
    else:
        assert found.households is found.of_households is None
    assert made.undo() is study


def test_the_scenarios_household_is_drawn_unless_another_is_named() -> None:
    study = ms.study(frame(), keys=KEYS, weight="weight", estimator="cell", household="household")
    steps = [
        study.sample(0.3, seed=1),
        study.sample(0.3, seed=1, household="region"),
        ms.study(frame()).sample(0.3, seed=1),
    ]
    assert [each.steps[-1].step.household for each in steps] == ["household", "region", None]  # type: ignore[union-attr]


def test_a_weight_is_added_and_taken_by_the_scenarios() -> None:
    data = frame().drop("weight")
    study = ms.study(data, keys=KEYS).with_scenario("few", keys=["sex"])
    made = study.sample(0.25, seed=3)
    assert made.schema.names == (*data.columns, "weight")
    added = made.schema["weight"]
    assert (added.kind, added.label) == ("number", "Sampling weight")
    table = made.engine.table()  # type: ignore[attr-defined]
    assert table["weight"].to_list() == [4.0] * len(table)
    assert [each.weight for each in made.scenarios] == ["weight", "weight"]
    assert made.risk().measured.F.sum() == 4 * made.risk().measured.f.sum()
    assert made.engine.weight_facts(made.scenario()).median == 4  # type: ignore[union-attr]
    assert {each.name: each.role for each in made.describe()}["weight"] == "weight"
    assert made.drop("place").schema.names[-1] == "weight"


def test_only_the_weight_is_asked_for() -> None:
    made = ms.study(frame().drop("weight")).sample(0.25, seed=3)
    assert made.engine.values("weight").to_list() == [4.0]


@pytest.mark.parametrize(
    ("weights", "wanted"),
    [
        (["1,5", " 2", None, "-9"] * 100, {15.0, 20.0, None}),
        ([1, 2, 3, -9] * 100, {10.0, 20.0, 30.0, -90.0}),
        ([1.5, float("nan"), 2.0, 3.0] * 100, {15.0, 20.0, 30.0, None}),
    ],
)
def test_weights_of_every_kind(weights: list[Any], wanted: set[float | None]) -> None:
    data = pl.DataFrame({"k": ["a", "b"] * 200, "w": weights})
    schema = ms.study(data).schema
    schema = schema.with_missing(("-9",)) if isinstance(weights[0], str) else schema
    engine = local.LocalEngine(Source(schema=schema, load=data.select, columnar=True))
    made = ms.Study(engine=engine).sample(0.1, seed=2, weight="w")
    assert set(made.engine.table()["w"]) == wanted  # type: ignore[attr-defined]
    assert made.schema["w"].kind == "number"
    assert made.schema["w"].missing == ()


def test_faulty_weights_are_refused_as_elsewhere() -> None:
    data = frame().with_columns(pl.lit(0.5).alias("weight"), pl.lit("secret").alias("text"))
    whole = ms.study(data, keys=KEYS, weight="weight", estimator="cell")
    assert whole.sample(0.3, seed=1).risk().n > 0  # two and a half people are people
    small = ms.study(
        data.with_columns(pl.lit(0.1).alias("weight")), keys=KEYS, weight="weight", estimator="cell"
    )
    with pytest.raises(ms.InputError, match=r"'weight' .* below 1"):
        small.sample(0.3, seed=1).risk()
    with pytest.raises(ms.InputError, match="text instead of a number") as caught:
        ms.study(data).sample(0.3, seed=1, weight="text")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fraction": 0.0}, "above 0 and below 1"),
        ({"fraction": 1}, "above 0 and below 1"),
        ({"fraction": float("nan")}, "finite number"),
        ({"seed": -1}, "whole number"),
        ({"seed": True}, "whole number"),
        ({"seed": 1.5}, "whole number"),
        ({"weight": ""}, "needs a name"),
        ({"weight": "h", "household": "h"}, "both the weight and the household"),
    ],
)
def test_what_is_no_sample(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ms.UsageError, match=words):
        Sample(**({"fraction": 0.1, "seed": 1} | options))


def test_what_is_refused() -> None:
    study = ms.study(frame(), keys=KEYS, weight="weight", estimator="cell")
    for late in (study.round("age", 10), study.sample(0.5, seed=1)):
        with pytest.raises(ms.UsageError, match=r"Take the sample before other steps: .*rollback"):
            late.sample(0.5, seed=1)
    with pytest.raises(
        ms.UsageError, match="'main' uses the weight 'weight', but the sample uses 'w'"
    ):
        study.sample(0.5, seed=1, weight="w")
    with pytest.raises(
        ms.UsageError, match="'age' is a key of scenario 'main' and cannot be changed"
    ):
        ms.study(frame(), keys=KEYS).sample(0.5, seed=1, weight="age")
    with pytest.raises(ms.InputError, match="no variable 'housedold'"):
        study.sample(0.5, seed=1, household="housedold")
    with pytest.raises(ms.InputError, match=r"No record .* Raise the fraction"):
        study.sample(1e-9, seed=1)


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (batches, records):
        monkeypatch.setattr(module, "BATCH", size)


def everything(path: Path, **options: Any) -> list[Any]:
    """All that is said of a sample and made of it."""
    study = ms.study(
        path, keys=KEYS, weight="weight", estimator="cell", household="household", **options
    )
    found: list[Any] = []
    for household in ("household", None):
        made = study.sample(0.4, seed=9, household=household)
        safe = made.suppress(above=0.0002, spare=("sex", "region")).round("income", 100)
        risk = safe.risk()
        safe.write(path.with_name("safe.parquet"))
        found += [
            made.steps,
            made.risk().summary(),
            list(made.describe()),
            safe.steps,
            risk.summary(),
            pl.concat(risk.record_batches()).rows(),
            safe.engine.table().rows(),  # type: ignore[attr-defined]
            path.with_name("safe.parquet").read_bytes(),
        ]
    return found


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("size", [pytest.param(8, marks=pytest.mark.slow), 64])
def test_batches_and_memory_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, limited: bool, size: int
) -> None:
    path = tmp_path / f"survey.{suffix}"
    getattr(frame(), f"write_{suffix}")(path)
    wanted = everything(path)
    cut(monkeypatch, size)
    options: dict[str, Any] = {}
    if limited:
        monkeypatch.setattr(memory, "OWN", 0)
        monkeypatch.setattr(Memory, "need", lambda self, *_: self._limit and self.settle())
        options["memory"] = 10**6
        for module, name in ((local, "PER_CELL"), (drawing, "_PER_HOUSEHOLD")):
            monkeypatch.setattr(module, name, 0)
    assert everything(path, **options) == wanted


def test_households_that_do_not_fit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame().write_parquet(tmp_path / "survey.parquet")
    study = ms.study(tmp_path / "survey.parquet", memory="500MB")
    monkeypatch.setattr(drawing, "_PER_HOUSEHOLD", 10**7)
    with pytest.raises(ms.InputError, match=r"of memory for .* households.* Draw records instead"):
        study.sample(0.4, seed=9, household="household")
    assert study.sample(0.4, seed=9).steps[-1].drawn is not None


def test_records_are_listed_by_their_numbers_in_the_input() -> None:
    study = ms.study(frame(), keys=KEYS, weight="weight", estimator="cell").sample(0.4, seed=9)
    done = study.suppress(above=1e-9).steps[-1]
    table = study.engine.table()  # type: ignore[attr-defined]
    assert len(done.examples) == 5
    assert set(done.examples) <= {place // 10 + 1 for place in table["place"]}
    assert done.examples[0] == table["place"][0] // 10 + 1


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    data, there = frame(), [0]

    def load(names: Sequence[str]) -> pl.DataFrame:
        return data.select(names).head(len(data) - there[0])

    engine = local.LocalEngine(Source(schema=ms.study(data).schema, load=load, columnar=True))
    study = ms.Study(engine=engine).sample(0.4, seed=9)
    there[0] = 9
    with pytest.raises(ms.InputError, match="changed while it was read"):
        study.engine.table()  # type: ignore[attr-defined]


def test_drawing_tells_how_far_it_is_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    cut(monkeypatch, 64)
    told: list[tuple[str, float]] = []
    study = ms.study(frame(), keys=KEYS, weight="weight", estimator="cell")
    study.sample(0.4, seed=9, progress=lambda stage, share: told.append((stage, share)))
    shares = [share for stage, share in told if stage == "drawing the sample"]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def stop(_: str, __: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        study.sample(0.4, seed=9, progress=stop)


def test_protection_is_compared_with_the_sample() -> None:
    study = ms.study(frame(), keys=KEYS, weight="weight", estimator="cell")
    made = study.sample(0.4, seed=9)
    safe = made.suppress(k=2)
    assert safe._before() is safe._before(1) is made
    assert safe._before(2) is safe
    assert made._before() is made
    assert study._before() is study
    assert study.round("age", 10)._before() is study
    cost = safe.compare()
    assert cost.records == made.engine.rows()
    assert cost.blanks == safe.steps[-1].total > 0
    assert made.compare().blanks == made.compare().touched.records == 0
    seen = study.preview(Sample(fraction=0.4, seed=9))
    assert seen.information == ()
    assert repr(seen).startswith("Preview: sample of 40 % of records\n")
    assert seen.after.expected == made.risk().expected


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt", "xlsx", "csv", "parquet"])
@pytest.mark.parametrize("shuffle", [None, 5])
def test_samples_are_written_in_every_format(
    tmp_path: Path, suffix: str, shuffle: int | None
) -> None:
    data = frame().drop("education")  # SAS: names of at most 8 characters are another test
    data = data.rename({"household": "hh", "occupation": "job", "citizenship": "nation"})
    path = tmp_path / f"in.{suffix}"
    ms.study(data).write(path)
    made = ms.study(path, keys=KEYS, weight="weight", estimator="cell", household="hh").sample(
        0.4, seed=9
    )
    made.write(tmp_path / f"out.{suffix}", shuffle=shuffle)
    again = ms.study(
        tmp_path / f"out.{suffix}", keys=KEYS, weight="weight", estimator="cell", household="hh"
    )
    assert again.risk().summary()["risk"] == made.risk().summary()["risk"]
    places = [int(float(each)) // 10 for each in again.engine.table()["place"]]  # type: ignore[attr-defined]
    wanted = kept(data["hh"].to_list(), 0.4, 9)
    assert (sorted(places) if shuffle else places) == wanted
    assert (places == wanted) == (shuffle is None)


def test_tagged_missing_values_of_stata_follow_their_records(tmp_path: Path) -> None:
    tags = ["a" if place % 3 == 0 else float(place) for place in range(300)]
    table = pl.DataFrame({"place": range(300)}).to_pandas()
    table["x"] = tags
    pyreadstat.write_dta(table, str(tmp_path / "in.dta"), missing_user_values={"x": ["a"]})
    made = ms.study(tmp_path / "in.dta").sample(0.4, seed=9)
    for shuffle in (None, 3):
        made.write(tmp_path / "out.dta", shuffle=shuffle)
        out, _ = pyreadstat.read_dta(str(tmp_path / "out.dta"), user_missing=True)
        assert len(out) == made.engine.rows()
        assert [each == "a" for each in out["x"]] == [place % 3 == 0 for place in out["place"]]


def test_lines_of_mu_argus_follow_their_records(tmp_path: Path) -> None:
    lines = [f"{place:4d}{place % 7}  1.0  free text {place}" for place in range(300)]
    (tmp_path / "in.asc").write_text("\n".join(lines) + "\n")
    (tmp_path / "in.rda").write_text(
        "place 1 4\n  <NUMERIC>\nkey 5 1\n  <RECODABLE>\nweight 6 5\n  <NUMERIC>\n"
        "  <DECIMALS> 1\n  <WEIGHT>\n"
    )
    made = ms.study(tmp_path / "in.asc", keys=["key"], weight="weight", estimator="cell").sample(
        0.1, seed=9
    )
    made.write(tmp_path / "out.asc")
    wanted = kept([None] * 300, 0.1, 9)
    assert (tmp_path / "out.asc").read_text().splitlines() == [
        lines[place].replace("  1.0", " 10.0") for place in wanted
    ]
