"""SAS: its calendar, its character sets, and the way back to a transport file."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import polars as pl
import pyreadstat
import pytest
from roundtrip import again, everything
from sas7bdat import make_sas7bdat

from microsafe import study
from microsafe.cli import main
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read, write
from microsafe.io.sas.sas_calendar import from_gregorian, to_gregorian
from microsafe.schema import Schema, Variable

# By SAS 9.4: '31DEC9999'd is 2936547, and 28FEB is followed by 01MAR in 4000 and 8000.
DAYS = {
    0: dt.date(1960, 1, 1),
    745_153: dt.date(4000, 2, 28),
    745_154: dt.date(4000, 3, 1),
    2_206_122: dt.date(8000, 2, 28),
    2_206_123: dt.date(8000, 3, 1),
    2_936_547: dt.date(9999, 12, 31),
}
FORMATS = {"day": "DATE", "moment": "DATETIME"}


def numbers():
    return {"day": [float(d) for d in DAYS], "moment": [d * 86_400.0 + 3600 for d in DAYS]}


def moments():
    return [dt.datetime(day.year, day.month, day.day, 1) for day in DAYS.values()]


def write_both(folder):
    (folder / "a.sas7bdat").write_bytes(make_sas7bdat(numbers(), formats=FORMATS))
    pyreadstat.write_xport(pl.DataFrame(numbers()), str(folder / "a.xpt"), variable_format=FORMATS)


@pytest.mark.parametrize("name", ["a.sas7bdat", "a.xpt"])
def test_years_4000_and_8000_have_no_leap_day(tmp_path, name):
    write_both(tmp_path)
    before, after = again(tmp_path / name, tmp_path / "b.xpt")
    for source in (before, after):
        assert everything(source)["day"].to_list() == list(DAYS.values())
        assert everything(source)["moment"].to_list() == moments()
    # What SAS sees in the file that was written.
    raw, _ = pyreadstat.read_xport(str(tmp_path / "b.xpt"), disable_datetime_conversion=True)
    assert raw.to_dict("list") == numbers()


def test_a_day_that_sas_does_not_know_is_refused(tmp_path):
    schema = Schema(source="x", variables=(Variable(name="day", kind="date"),))
    frame = pl.DataFrame({"day": [dt.date(4000, 2, 29)]})
    with pytest.raises(InputError, match=r"day holds 29 February of the year 4000 or 8000"):
        write(frame, schema, tmp_path / "a.xpt")
    assert not (tmp_path / "a.xpt").exists()


def test_dates_before_4000_stay():
    days = pl.Series([dt.date(1582, 1, 1), None, dt.date(3999, 12, 31)])
    assert to_gregorian(days).equals(days)
    assert from_gregorian(days).equals(days)


def test_a_day_beyond_9999_leaves_its_column_numbers(tmp_path):
    frame = pl.DataFrame({"day": [2_936_548.0]})
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"), variable_format={"day": "DATE9."})
    assert everything(read(tmp_path / "a.xpt"))["day"].to_list() == [2_936_548.0]


LONG = {"household_income": [1.0, 2.0], "sex": [1.0, 2.0]}


def test_long_names_are_written_in_version_8(tmp_path):
    (tmp_path / "a.sas7bdat").write_bytes(make_sas7bdat(LONG))
    source = read(tmp_path / "a.sas7bdat")
    (told,) = write(everything(source), source.schema, tmp_path / "b.xpt", origin=source)
    assert told.id == "sas-version"
    assert told.text.startswith(TOLD)
    assert b"LIBV8" in (tmp_path / "b.xpt").read_bytes()[:80]
    assert everything(read(tmp_path / "b.xpt")).equals(everything(source))


@pytest.mark.parametrize(
    ("name", "label", "text", "version"),
    [
        ("x" * 8, "l" * 40, "t" * 200, 5),
        ("x" * 9, "", "t", 8),
        ("x", "l" * 41, "t", 8),
        ("x", "", "t" * 201, 8),
    ],
)
def test_version_8_only_where_version_5_is_too_small(tmp_path, name, label, text, version):
    schema = Schema(source="a", variables=(Variable(name=name, label=label, kind="text"),))
    told = write(pl.DataFrame({name: [text]}), schema, tmp_path / "a.xpt")
    assert (b"LIBV8" in (tmp_path / "a.xpt").read_bytes()[:80]) == (version == 8)
    assert [each.id for each in told] == (["sas-version"] if version == 8 else [])
    after = read(tmp_path / "a.xpt")
    assert (after.schema.names, after.schema[name].label) == ((name,), label)
    if version == 5:
        assert pd.read_sas(tmp_path / "a.xpt", encoding="utf-8")[name].tolist() == [text]


def test_an_input_of_version_8_is_not_remarked_on(tmp_path):
    pyreadstat.write_xport(pl.DataFrame(LONG), str(tmp_path / "a.xpt"), file_format_version=8)
    source = read(tmp_path / "a.xpt")
    assert write(everything(source), source.schema, tmp_path / "b.xpt", origin=source) == ()


PLAN = """
microsafe = 1
[input]
file = "a.sas7bdat"
[scenario]
keys = ["sex"]
[policy]
override = { estimator = "it is a test" }
[[keep]]
variables = ["household_income"]
why = "it is a test"
[output]
file = "b.xpt"
keep_order = "it is a test"
report = "board.html"
"""
TOLD = "b.xpt is a SAS transport file of version 8: household_income does not fit into version 5."


def test_version_8_is_told_wherever_a_file_is_written(tmp_path, capsys):
    many = {name: values * 30 for name, values in LONG.items()}
    (tmp_path / "a.sas7bdat").write_bytes(make_sas7bdat(many))
    written = study(tmp_path / "a.sas7bdat").write(tmp_path / "b.xpt")
    assert [each.id for each in written.notices] == ["sas-version"]
    names = [str(tmp_path / "a.sas7bdat"), "-o", str(tmp_path / "b.xpt")]
    suppress = ["suppress", *names, "--keys", "sex", "--k", "2"]
    for command in (
        ["apply", *names, "--step", "round variable=household_income base=2"],
        ["recode", *names, "--variable", "sex", "--groups", "1=1|2"],
        ["sample", *names, "--fraction", "0.5", "--seed", "1234567890123"],
        suppress,
    ):
        assert main(command) == 0
        assert capsys.readouterr().err.count(TOLD) == 1
    assert main([*suppress, "--json"]) == 0
    assert TOLD in capsys.readouterr().out
    (tmp_path / "b.xpt").unlink()
    (tmp_path / "plan.toml").write_text(PLAN)
    assert main(["protect", str(tmp_path / "plan.toml")]) == 0
    assert capsys.readouterr().err.count(TOLD) == 1
    assert TOLD in (tmp_path / "board.html").read_text("utf-8")
    assert main(["replay", str(tmp_path / "plan.toml"), "--check"]) == 0


def test_display_formats_of_sas_are_kept(tmp_path):
    formats = {
        "a": "MONYY7",
        "b": "SEXFMT",
        "c": "WEEKDATE29",
        "d": "B8601DT19.3",
        "e": "$CHAR12",
        "f": "JULIAN7",
        "g": "8.2",
        "h": "TOD8",
    }
    frame = pl.DataFrame({name: ["x"] if name == "e" else [3.0] for name in formats})
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"), variable_format=formats)
    before, after = again(tmp_path / "a.xpt", tmp_path / "b.xpt")
    assert {v.name: v.format for v in before.schema} == formats
    assert {v.name: v.format for v in after.schema} == formats
    assert everything(after).equals(everything(before))


def test_a_format_of_numbers_does_not_stay_with_text(tmp_path):
    frame = pl.DataFrame({"a": [1.0]})
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"), variable_format={"a": "SEXFMT"})
    source = read(tmp_path / "a.xpt")
    write(pl.DataFrame({"a": ["one"]}), source.schema, tmp_path / "b.xpt", origin=source)
    assert read(tmp_path / "b.xpt").schema["a"].format in ("", "$1")


@pytest.mark.parametrize(("title", "kept"), [("T" * 40, True), ("T" * 41, False)])
def test_a_long_file_label_is_left_out_and_said(tmp_path, title, kept):
    pyreadstat.write_sav(pl.DataFrame({"a": [1.0]}), str(tmp_path / "a.sav"), file_label=title)
    source = read(tmp_path / "a.sav")
    told = write(everything(source), source.schema, tmp_path / "b.xpt", origin=source)
    assert [each.id for each in told] == ([] if kept else ["sas-label"])
    assert read(tmp_path / "b.xpt").schema.notes == ((title,) if kept else ())
    told = write(everything(source), source.schema, tmp_path / "b.xpt", origin=source, notes=False)
    assert told == ()


TOWNS = {"town": ["Zürich", "Basel"], "n": [1.0, 2.0]}


def test_an_unknown_character_set_can_be_named(tmp_path):
    path = tmp_path / "a.sas7bdat"
    path.write_bytes(make_sas7bdat(TOWNS, charset=71, encoding="latin-1"))
    with pytest.raises(UnreadableFileError, match=r"character set 71 of SAS.*Name the encoding"):
        read(path)
    for name in ("windows-1252", "latin-1", "latin_1"):
        assert everything(read(path, encoding=name)).to_dict(as_series=False) == TOWNS


def test_a_wrongly_declared_character_set_can_be_named(tmp_path):
    path = tmp_path / "a.sas7bdat"
    path.write_bytes(make_sas7bdat(TOWNS, charset=20, encoding="latin-1"))
    with pytest.raises(UnreadableFileError, match="not in the encoding that it declares"):
        everything(read(path))
    assert everything(read(path, encoding="latin-1")).to_dict(as_series=False) == TOWNS


@pytest.mark.slow
def test_a_damaged_file_is_not_taken_for_one_of_another_character_set(tmp_path):
    path = tmp_path / "a.sas7bdat"
    path.write_bytes(make_sas7bdat(TOWNS)[:5000])
    with pytest.raises(UnreadableFileError, match="may be damaged"):
        read(path)
