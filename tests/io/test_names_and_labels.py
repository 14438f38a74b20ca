"""Names and labels that are far too long: refused by number, or cut before they are looked at."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main


def test_a_name_of_a_megabyte_is_refused_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.parquet"
    pl.DataFrame({"a": [1, 2], "b" * 150_000: [1, 2]}).write_parquet(path)
    assert main(["describe", str(path)]) == 3
    said = capsys.readouterr().err
    assert "The name of variable 2 of long.parquet has 150,000 characters, more than 300" in said
    assert len(said) < 200
    allowed = ms.study(pl.DataFrame({"a": [1, 2], "b" * 300: [1, 2]}))
    assert len(allowed.schema.names[1]) == 300


def test_a_label_of_200_kilobytes_is_looked_at_up_to_a_page() -> None:
    frame = pl.DataFrame({"a": [1, 2, 3] * 50, "b": ["x", "y", "z"] * 50})
    label = "q " * 100_000
    study = ms.study(frame, variables={"b": ms.Declaration(label=label)})
    assert study.inventory().rows[1].label == label  # it stays as it is
    assert study.roles is not None
