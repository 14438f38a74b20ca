"""Bad input: one or two sentences, exit code 3, no value of a record, no file touched."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from microsafe.cli import main

SECRET = "Kowalski"
GOOD = {
    "sex": ["1", "2", "1", "2"],
    "name": [SECRET, "a", "b", "c"],
    "w": [12.5, 20.0, 30.0, 40.0],
    "hh": ["1", "1", "2", "3"],
}
Make = Callable[[Path], tuple[str, list[str]]]
CASES: dict[str, tuple[Make, str]] = {}


def case(named: str) -> Callable[[Make], Make]:
    """Register a maker of a bad file; the message must name `named`."""

    def keep(make: Make) -> Make:
        CASES[make.__name__] = (make, named)
        return make

    return keep


def csv(folder: Path, **columns: object) -> str:
    pl.DataFrame(GOOD | columns, strict=False).write_csv(folder / "file.csv")
    return "file.csv"


def text(folder: Path, content: str | bytes, name: str = "file.csv") -> str:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def weights(*values: object) -> Make:
    def make(folder: Path) -> tuple[str, list[str]]:
        return csv(folder, w=[SECRET if v == "text" else v for v in values]), ["--weight", "w"]

    return make


for label, values in {
    "weight_missing": (1.0, None, 2.0, 3.0),
    "weight_all_missing": (None, None, None, None),
    "weight_zero": (0.0, 2.0, 2.0, 2.0),
    "weight_negative": (-4.0, 2.0, 2.0, 2.0),
    "weight_below_one": (0.25, 2.0, 2.0, 2.0),
    "weight_infinite": (float("inf"), 2.0, 2.0, 2.0),
    "weight_nan": (float("nan"), 2.0, 2.0, 2.0),
    "weight_astronomic": (1e300, 2.0, 2.0, 2.0),
    "weight_text": ("text", "2", "2", "2"),
}.items():
    CASES[label] = (weights(*values), "'w'")


@case("'sx'")
def key_absent(folder: Path) -> tuple[str, list[str]]:
    return csv(folder), ["--keys", "sx"]


@case("'wt'")
def weight_absent(folder: Path) -> tuple[str, list[str]]:
    return csv(folder), ["--weight", "wt"]


@case("'house'")
def household_absent(folder: Path) -> tuple[str, list[str]]:
    return csv(folder), ["--household", "house"]


@case("'sex'")
def key_all_missing(folder: Path) -> tuple[str, list[str]]:
    return csv(folder, sex=[None] * 4), []


@case("'sex'")
def key_all_declared_missing(folder: Path) -> tuple[str, list[str]]:
    return csv(folder, sex=["9"] * 4), ["--na", "9"]


@case("file.csv")
def no_records(folder: Path) -> tuple[str, list[str]]:
    return text(folder, "sex,w\n"), []


@case("file.csv")
def empty_file(folder: Path) -> tuple[str, list[str]]:
    return text(folder, b""), []


@case("'sex'")
def duplicate_names(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex,sex\n{SECRET},2\n"), []


@case("file.csv")
def nameless_column(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex,,w\n1,{SECRET},3\n"), []


@case("file.csv")
def wrong_encoding(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex\n{SECRET}ł\n".encode("iso-8859-2")), ["--encoding", "utf-8"]


@case("file.csv")
def too_many_fields(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex,w\n1,2\n1,2,{SECRET}\n"), []


@case("file.csv")
def truncated_csv(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex,w,name\n1,2,{SECRET}\n2,3"), []


@case("file.csv")
def open_quote(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f'sex,w\n1,"2\n{SECRET}'), []


@case("file.csv")
def binary_rubbish(folder: Path) -> tuple[str, list[str]]:
    return text(folder, bytes(range(256)) * 4), []


@case("nosuch.csv")
def no_such_file(folder: Path) -> tuple[str, list[str]]:
    return "nosuch.csv", []


@case("folder.csv")
def a_folder(folder: Path) -> tuple[str, list[str]]:
    (folder / "folder.csv").mkdir()
    return "folder.csv", []


@case("file.docx")
def unknown_suffix(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET, "file.docx"), []


@case("file.parquet")
def truncated_parquet(folder: Path) -> tuple[str, list[str]]:
    pl.DataFrame(GOOD).write_parquet(folder / "whole.parquet")
    return text(folder, (folder / "whole.parquet").read_bytes()[:-20], "file.parquet"), []


@case("file.parquet")
def text_called_parquet(folder: Path) -> tuple[str, list[str]]:
    return text(folder, f"sex\n{SECRET}\n", "file.parquet"), []


@case("'sex'")
def lists_for_keys(folder: Path) -> tuple[str, list[str]]:
    pl.DataFrame({"sex": [[SECRET], ["2"]]}).write_parquet(folder / "file.parquet")
    return "file.parquet", []


@case("'w'")
def dates_for_weights(folder: Path) -> tuple[str, list[str]]:
    frame = pl.DataFrame({"sex": ["1", "2"], "w": ["2020-01-01", "2020-01-02"]})
    frame.with_columns(pl.col("w").str.to_date()).write_parquet(folder / "file.parquet")
    return "file.parquet", ["--weight", "w"]


@case("file.sav")
def truncated_sav(folder: Path) -> tuple[str, list[str]]:
    pyreadstat.write_sav(pl.DataFrame(GOOD), str(folder / "whole.sav"))
    return text(folder, (folder / "whole.sav").read_bytes()[:-40], "file.sav"), []


@case("file.dta")
def text_called_stata(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET * 50, "file.dta"), []


@case("file.xpt")
def text_called_xport(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET * 50, "file.xpt"), []


@case("file.sas7bdat")
def text_called_sas(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET * 50, "file.sas7bdat"), []


@case("file.xlsx")
def text_called_excel(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET * 50, "file.xlsx"), []


@case("'people'")
def no_such_sheet(folder: Path) -> tuple[str, list[str]]:
    pl.DataFrame(GOOD).write_excel(folder / "file.xlsx", worksheet="persons")
    return "file.xlsx", ["--sheet", "people"]


@case("file.asc")
def argus_without_metadata(folder: Path) -> tuple[str, list[str]]:
    return text(folder, SECRET, "file.asc"), []


@case("file.rda")
def argus_with_broken_metadata(folder: Path) -> tuple[str, list[str]]:
    text(folder, "sex one two\n  <RECODABLE>\n", "file.rda")
    return text(folder, f"1{SECRET}\n", "file.asc"), []


@case("file.asc")
def argus_with_short_lines(folder: Path) -> tuple[str, list[str]]:
    text(folder, "sex 1 1\nname 2 20\n", "file.rda")
    return text(folder, f"1{SECRET:20}\n2{SECRET}\n", "file.asc"), []


@case("nowhere")
def output_folder_absent(folder: Path) -> tuple[str, list[str]]:
    return csv(folder), ["--records", "nowhere/out.csv"]


@pytest.mark.parametrize("name", CASES)
def test_bad_input(
    name: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    make, named = CASES[name]
    file, options = make(tmp_path)
    (tmp_path / "out.csv").write_text("old")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    keys = [] if "--keys" in options else ["--keys", "sex"]
    records = [] if "--records" in options else ["--records", "out.csv"]

    code = main(["risk", file, *keys, *options, *records, "--json"])

    out, err = capfd.readouterr()
    assert (code, out) == (3, "")
    assert named in err
    assert SECRET not in err
    assert "Traceback" not in err
    assert err.startswith("microsafe: ")
    assert err.count("\n") == 1
    assert len(re.findall(r"[.?!](?:\s|$)", err)) <= 3
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_at_least_thirty_kinds() -> None:
    assert len(CASES) >= 30
