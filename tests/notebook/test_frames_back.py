"""Frames in, protected frames of the same kind out: what `write` writes and reads back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import microsafe as ms

KEYS = ["region", "sex", "age"]
KINDS = {
    "polars": (lambda frame: frame, pl.DataFrame),
    "pandas": (lambda frame: frame.to_pandas(), pd.DataFrame),
    "arrow": (lambda frame: frame.to_arrow(), pa.Table),
}


@pytest.fixture(scope="module")
def survey() -> pl.DataFrame:
    return ms.survey(1, households=120).frame


def protect(data: object) -> ms.Study:
    """Steps of every way to change a record: a sample, a rule, a draw, blanks, a variable gone."""
    study = ms.study(data, keys=KEYS, weight="weight")
    study = study.sample(0.8, seed=4).recode("age", breaks=range(0, 100, 10))
    study = study.noise("income", seed=3).pram("marital", seed=2).suppress(above=0.02)
    return study.drop("citizenship").renumber("household", seed=5)


def read_back(study: ms.Study, path: Path) -> pl.DataFrame:
    study.write(path)
    return pl.read_parquet(path)


@pytest.mark.parametrize("kind", KINDS)
def test_the_frame_is_of_the_kind_that_came_in(survey: pl.DataFrame, kind: str) -> None:
    turn, expected = KINDS[kind]
    study = ms.study(turn(survey), keys=KEYS)
    assert isinstance(study.frame, expected)
    assert isinstance(study.recode("age", [0, 30, 60]).frame, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_is_what_write_writes(survey: pl.DataFrame, kind: str, tmp_path: Path) -> None:
    study = protect(KINDS[kind][0](survey))
    written = read_back(study, tmp_path / "safe.parquet")
    assert 0 < written.height < survey.height
    assert any(written[key].null_count() for key in KEYS)
    assert_frame_equal(study.to_polars(), written)
    assert study.to_arrow().equals(written.to_arrow())
    again = ms.study(study.to_pandas()).to_polars()
    assert_frame_equal(again, written, check_dtypes=False)  # pandas has fewer kinds of integers
    assert_frame_equal(ms.study(study.frame).to_polars(), written, check_dtypes=False)


def test_a_file_comes_back_as_a_polars_frame(survey: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    survey.write_csv(path)
    study = protect(path)
    study.write(tmp_path / "safe.csv")
    assert isinstance(study.frame, pl.DataFrame)
    ms.study(study.frame).write(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "safe.csv").read_bytes()
    assert isinstance(study.to_pandas(), pd.DataFrame)
    assert isinstance(study.to_arrow(), pa.Table)


def test_pandas_rows_keep_their_labels(survey: pl.DataFrame) -> None:
    frame = survey.to_pandas().set_axis([f"r{n}" for n in range(survey.height)])
    study = ms.study(frame, keys=KEYS).recode("age", [0, 30, 60]).suppress(k=3)
    for made in (study.frame, study.to_pandas()):
        assert made.index.equals(frame.index)
    sample = ms.study(frame, keys=KEYS).sample(0.5, seed=1).to_pandas()
    kept = frame.loc[sample.index]
    assert kept["income"].tolist() == sample["income"].tolist()


def test_nothing_that_came_in_changes_and_no_two_frames_share(survey: pl.DataFrame) -> None:
    frame = survey.to_pandas()
    before = frame.copy()
    study = ms.study(frame, keys=KEYS)
    made = study.to_pandas()
    made["sex"] = "z"
    pd.testing.assert_frame_equal(frame, before)
    assert "z" not in set(study.to_pandas()["sex"])


def test_a_working_frame_may_hold_identifiers_that_no_file_may(tmp_path: Path) -> None:
    frame = pl.DataFrame({"name": ["Anna Ek", "Ole Ek", "Eva Ek"] * 40, "sex": [1, 2, 1] * 40})
    mails = [f"someone{n}@example.org" for n in range(120)]
    study = ms.study(frame.with_columns(pl.Series("email", mails)), keys=["sex"])
    assert "email" in study.to_polars().columns
    with pytest.raises(ms.InputError, match="email"):
        study.write(tmp_path / "out.csv")


def test_a_library_that_is_not_there_is_named(
    survey: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = ms.study(survey, keys=KEYS)
    for module, verb in (("pandas", "to_pandas"), ("pyarrow", "to_arrow")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ms.UsageError, match=rf"{module} is not installed"):
                getattr(study, verb)()


def test_records_that_do_not_fit_are_refused(survey: pl.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "large.parquet"
    pl.concat([survey] * 3000).write_parquet(path)
    study = ms.study(path, memory="520MB")
    with pytest.raises(ms.InputError, match=r"hold all records at once.*Write them to a file,"):
        study.to_polars()


def test_natural_first_arguments(survey: pl.DataFrame) -> None:
    study = ms.study(survey, keys=KEYS, weight="weight")

    def steps(made: ms.Study) -> list[Any]:
        return [each.step for each in made.steps]

    assert steps(study.suppress(0.01)) == steps(study.suppress(above=0.01))
    assert steps(study.suppress({"main": 0.05})) == steps(study.suppress(above={"main": 0.05}))
    bands = study.recode("age", [0, 30, 60])
    assert steps(bands) == steps(study.recode("age", breaks=[0, 30, 60]))
    assert steps(study.recode("age", range(0, 90, 10))) == steps(
        study.recode("age", breaks=range(0, 90, 10))
    )
    groups = {"young": [(None, 29)], "old": [(30, None)]}
    assert steps(study.recode("age", groups)) == steps(study.recode("age", groups=groups))
    with pytest.raises(ms.UsageError, match="bounds of bands or groups"):
        study.recode("age", 10)  # type: ignore[arg-type]
    with pytest.raises(ms.UsageError, match="one way"):
        study.recode("age", [0, 30], keep=1)
