"""The labour force survey is the same file in every format."""

from __future__ import annotations

from pathlib import Path

import pytest

import microsafe as ms
from files.labour_force import make_labour_force, write_labour_force


@pytest.mark.parametrize("extension", ["sav", "dta", "xlsx", "csv"])
def test_the_survey_opens_from_every_format(tmp_path: Path, extension: str) -> None:
    study = ms.study(write_labour_force(tmp_path / f"lfs.{extension}", persons=300))
    rows = ("row",) if extension == "csv" else ()  # names of rows, as R writes them
    assert len(study.schema.names) == 61 + len(rows)
    assert study.schema.names[: len(rows)] == rows
    assert study.engine.rows() == 300


def test_the_survey_has_what_a_messy_file_has() -> None:
    frame, schema = make_labour_force()
    assert frame.shape == (7_680, 61)
    assert frame.equals(make_labour_force()[0])
    assert frame["CASEID"].n_unique() == 7_680
    assert frame["OCCTEXT"].eq("NA").sum() > 100
    assert set(schema["WAGE"].missing) <= set(frame["WAGE"].unique())
