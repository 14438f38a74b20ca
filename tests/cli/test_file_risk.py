from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microsafe.cli import main


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    columns = {f"k{j}": rng.integers(0, 3 + j, 300) for j in range(4)}
    path = tmp_path / "data.csv"
    pl.DataFrame({**columns, "w": np.full(300, 20.0)}).write_csv(path)
    return path


COMMON = ["--keys", "k0,k1,k2,k3"]


def asked(file: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    assert main(["file-risk", str(file), *COMMON, *more, "--json"]) == 0
    told: dict[str, object] = json.loads(capsys.readouterr().out)
    return told


def test_json_has_what_scripts_rely_on(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = asked(file, capsys, "--weight", "w")
    assert {
        "model", "sample_uniques", "tau1", "tau2", "share_unique", "level", "cells",
        "average_cell_size", "fit", "interval",
    } <= set(told)  # fmt: skip
    assert told["level"] in ("very low", "low", "moderate", "high")
    assert set(told["interval"]) == {"tau1", "tau2"}  # type: ignore[call-overload]
    assert asked(file, capsys, "--fraction", "0.05")["tau2"] == pytest.approx(told["tau2"])


@pytest.mark.parametrize("interactions", ["1", "2", "auto", "k0*k1,k2*k3"])
def test_interactions(file: Path, capsys: pytest.CaptureFixture[str], interactions: str) -> None:
    told = asked(file, capsys, "--weight", "w", "--interactions", interactions, "--pi", "file")
    fit = told["fit"]
    assert isinstance(fit, dict)
    assert fit["converged"]
    assert fit["used"] == "file"


def test_text_records_and_plot(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records, plot = file.with_name("records.csv"), file.with_name("plot.svg")
    more = ["--weight", "w", "--records", str(records), "--plot", str(plot)]
    more += ["--opinions", "pitman,benedetti-franconi", "--bands", "0.1,0.2,0.3", "--seed", "3"]
    assert main(["file-risk", str(file), *COMMON, *more]) == 0
    told = capsys.readouterr().out
    assert "population uniques among them (tau1)" in told
    assert "by pitman" in told
    assert pl.read_csv(records).height == 300
    first = plot.read_bytes()
    assert main(["file-risk", str(file), *COMMON, *more]) == 0
    assert plot.read_bytes() == first


def test_impossible(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pl.read_csv(file).filter(~((pl.col("k0") == 1) & (pl.col("k1") == 2)))
    frame.write_csv(file)
    told = asked(file, capsys, "--weight", "w", "--impossible", "k0=1,k1=2")
    assert told["cells"] == 360 - 30


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ([], 2, "is missing"),
        (["--weight", "w", "--fraction", "0.1"], 2, "not allowed"),
        (["--fraction", "2"], 2, "fraction"),
        (["--weight", "none"], 3, "no variable"),
        (["--weight", "w", "--model", "magic"], 2, "not one of the choices"),
        (["--weight", "w", "--interactions", "k0*k7"], 2, "not a key"),
        (["--weight", "w", "--impossible", "k0"], 2, "KEY=VALUE"),
        (["--weight", "w", "--impossible", "k0=1,k1=2"], 3, "impossible"),
        (["--weight", "w", "--opinions", "magic"], 2, "Unknown model"),
        (["--weight", "w", "--bands", "0.3,0.2,0.1"], 2, "ascending"),
        (["--weight", "w", "--plot", "picture.txt"], 2, "must have the extension"),
    ],
)
def test_wrong_wishes(
    file: Path, capsys: pytest.CaptureFixture[str], more: list[str], code: int, words: str
) -> None:
    try:
        got = main(["file-risk", str(file), *COMMON, *more])
    except SystemExit as stopped:
        got = int(str(stopped.code))
    assert got == code
    assert words in capsys.readouterr().err
