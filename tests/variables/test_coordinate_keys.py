"""Coordinates are no keys, unless they are a coarse grid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

ROWS = 2000
RNG = np.random.default_rng(5)
PLACES = pl.DataFrame(
    {
        "lat": np.round(RNG.uniform(47, 55, ROWS), 5),
        "easting": RNG.integers(4_000_000, 4_600_000, ROWS),
        "sex": RNG.choice(["f", "m"], ROWS),
        "late": np.round(RNG.uniform(0, 90, ROWS), 5),  # no name of a coordinate
        "coordinator": RNG.integers(100_000, 100_050, ROWS),
        "gps": RNG.choice(["yes", "no"], ROWS),  # not the values of one
        "w": np.full(ROWS, 20.0),
    }
)


@pytest.mark.parametrize(("name", "base"), [("lat", 0.1), ("easting", 10000)])
def test_refused_until_they_are_a_grid(name: str, base: float) -> None:
    with pytest.raises(ms.InputError, match=r"cannot be a key.*leave it out of the keys") as error:
        ms.study(PLACES, keys=["sex", name], weight="w")
    assert f"round variable={name} base={base}" in str(error.value)
    assert not any(str(value) in str(error.value) for value in PLACES[name].head(50))
    made = ms.study(PLACES).round(name, base).with_scenario("main", keys=["sex", name], weight="w")
    assert made.risk().n == ROWS
    few = PLACES.head(50)  # fewer values, but nobody shares one
    with pytest.raises(ms.InputError, match="cannot be a key"):
        ms.study(few, keys=["sex", name])


def test_other_variables_are_left_alone() -> None:
    study = ms.study(PLACES, keys=["sex", "late", "coordinator", "gps"], weight="w")
    assert study.risk().n == ROWS


def test_the_remedy_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, grid = tmp_path / "places.csv", tmp_path / "grid.csv"
    PLACES.write_csv(source)
    assert main(["risk", str(source), "--keys", "sex,lat", "--weight", "w"]) == 3
    text = capsys.readouterr().err
    step = text.partition('--step "')[2].partition('"')[0].replace("\n", " ")
    assert main(["apply", str(source), "--step", step, "-o", str(grid)]) == 0
    assert main(["risk", str(grid), "--keys", "sex,lat", "--weight", "w"]) == 0
    capsys.readouterr()
