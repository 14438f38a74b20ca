"""describe: a first answer from the first records, then the exact one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import xlsxwriter
from test_progress_bar import EAGER, run_on_terminal

import microsafe as ms
from microsafe.cli import main, quick_look

LARGE = EAGER.replace(
    "sys.exit", "from microsafe.cli import quick_look\nquick_look.LARGE = 0\nsys.exit"
)


@pytest.fixture(params=["csv", "parquet"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    n = 20_000
    columns = {"region": rng.integers(1, 9, n), "sex": rng.integers(1, 3, n), "id": np.arange(n)}
    path = tmp_path / f"large.{request.param}"
    frame = pl.DataFrame(columns)
    frame.write_csv(path) if request.param == "csv" else frame.write_parquet(path)
    return path


def test_quick_tells_what_the_first_records_say(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_look, "LARGE", 0)
    monkeypatch.setattr(quick_look, "_ROWS", 1_000)
    monkeypatch.setattr(quick_look, "_BYTES", 10_000)
    assert main(["describe", str(file), "--quick"]) == 0
    assert "from a sample of 1," in capsys.readouterr().out
    assert main(["describe", str(file), "--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["records"] is None
    assert 900 < found["sample"] < 2_000
    assert [each["name"] for each in found["variables"]] == ["region", "sex", "id"]
    assert found["variables"][2]["categories"] == found["sample"]


def test_without_a_terminal_there_is_the_exact_answer_only(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_look, "LARGE", 0)
    assert main(["describe", str(file)]) == 0
    out = capsys.readouterr().out
    assert "sample of" not in out
    assert "20,000 records" in out
    assert main(["describe", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["records"], found["sample"]) == (20_000, None)
    assert {each["role"] for each in found["variables"]} <= {
        "key", "weight", "household", "identifier", "other"
    }  # fmt: skip


@pytest.mark.slow
def test_on_a_terminal_the_first_answer_is_replaced(file: Path) -> None:
    shown, code = run_on_terminal(LARGE, ["describe", str(file)], columns=120)
    assert code == 0
    first, replaced, exact = shown.partition("\x1b[J")
    assert "from a sample of" in first
    assert replaced
    assert "20,000 records" in exact
    assert "sample of" not in exact


def test_what_is_wrong_behind_the_first_lines_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.csv"
    path.write_text("a,b\n" + "1,2\n" * 5_000 + "1,2,3\n")
    monkeypatch.setattr(quick_look, "LARGE", 0)
    monkeypatch.setattr(quick_look, "_BYTES", 1_000)
    assert main(["describe", str(path), "--quick"]) == 0
    capsys.readouterr()
    assert main(["describe", str(path)]) == 3
    assert capsys.readouterr().out == ""


def test_several_columns_at_once_give_the_same_traits() -> None:
    """Reading in groups and one by one, with a limit on memory, tell the same."""
    frame = ms.survey(households=200).frame
    free, limited = (ms.study(frame, memory=each).engine.traits() for each in (None, "2GB"))
    assert free == limited


def _mixed(folder: Path) -> Path:
    """900 numbers, 60 words and 40 gaps; codes and words that are no numbers at all."""
    ages = ["Zq7"] * 60 + [""] * 40 + [f"{20 + k % 60}" for k in range(900)]
    path = folder / "mixed.csv"
    path.write_text("age,sex,code\n" + "".join(f"{a},m,{k % 7}\n" for k, a in enumerate(ages)))
    return path


def test_text_among_numbers_is_told_by_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _mixed(tmp_path)
    assert main(["describe", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["variables"]
    assert [(each["numbers"], each["texts"]) for each in found] == [(900, 60)] + [(None, None)] * 2
    for command in ("describe", "preview", "inventory"):
        assert main([command, str(path)]) == 0
        shown = "".join(capsys.readouterr())
        assert "900 numbers, 60 texts, 40 missing" in shown
        assert "Zq7" not in shown or command == "preview"  # whose first categories these may be
    assert main(["describe", str(path), "--na", "Zq7"]) == 0
    assert "Text among numbers" not in capsys.readouterr().out


def test_text_among_numbers_of_a_sheet_is_told_by_counts(tmp_path: Path) -> None:
    path = tmp_path / "mixed.xlsx"
    book = xlsxwriter.Workbook(path)
    page = book.add_worksheet()
    values: list[Any] = ["income", 1200, 850.5, "none at all", 900, None, 17]
    for row, value in enumerate(values):
        page.write(row, 0, row or "id")
        page.write(row, 1, value)
    book.close()
    found = ms.study(path).describe()[1]
    assert (found.numbers, found.texts, found.missing) == (4, 1, 1)


def test_few_numbers_among_words_are_no_mixture() -> None:
    frame = pl.DataFrame({"x": ["a", "b", "7"], "y": ["1", "2", "a"], "z": ["1", "2", "3"]})
    found = ms.study(frame).describe()
    assert [(each.numbers, each.texts) for each in found] == [(None, None), (2, 1), (None, None)]
