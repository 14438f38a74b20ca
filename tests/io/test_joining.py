"""Persons and households in two files: joined by a key, nobody lost, nobody doubled."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.engine import Memory
from microsafe.errors import InputError, UnknownVariableError, UsageError
from microsafe.io import join_sources, read, read_frame
from microsafe.io.codebook import declare_schema

PERSONS = "pid,hid,age\n1,01,30\n2,01,41\n3,02,52\n"
HOUSEHOLDS = "hid,region,w\n01,N,10.5\n02,S,20\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path, PERSONS, HOUSEHOLDS)


def write(folder: Path, persons: str, households: str) -> tuple[Path, Path]:
    paths = folder / "persons.csv", folder / "households.csv"
    for path, text in zip(paths, (persons, households), strict=True):
        path.write_text(text)
    return paths


def opened(files: tuple[Path, Path], **options: Any) -> ms.Study:
    return ms.study(files[0], join=files[1], on="hid", **options)


def test_each_person_gets_what_its_household_has(files: tuple[Path, Path]) -> None:
    study = opened(files)
    assert study.frame.rows() == [
        ("1", "01", "30", "N", "10.5"),
        ("2", "01", "41", "N", "10.5"),
        ("3", "02", "52", "S", "20"),
    ]
    assert study.notices == ()
    assert study.schema.source == "persons.csv"
    assert study.roles.household == "hid"
    assert study.roles.shared == ("region", "w")
    found = {each.name: each.role for each in study.describe()}
    assert (found["hid"], found["w"]) == ("household", "weight")
    measured = opened(files, keys=["region"], weight="w", household="hid").risk()
    assert measured.household is not None
    assert measured.household.risk.shape == (2,)


@pytest.mark.parametrize("seed", range(4))
def test_as_a_loop_would_join_them(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    homes = [(f"h{number:03d}", draw.choice("abc"), draw.random()) for number in range(50)]
    draw.shuffle(homes)
    people = [(str(number), draw.choice(homes)[0]) for number in range(300)]
    known = {name: rest for name, *rest in homes}
    expected = [(*person, *known[person[1]]) for person in people]
    persons = pl.DataFrame(people, schema=["pid", "hid"], orient="row")
    households = pl.DataFrame(homes, schema=["hid", "x", "y"], orient="row")
    paths = tmp_path / "persons.parquet", tmp_path / "households.parquet"
    persons.write_parquet(paths[0])
    households.write_parquet(paths[1])
    source = join_sources(read(paths[0]), read(paths[1]), "hid")
    assert source.records == 300
    assert source.load(source.schema.names).rows() == expected
    assert source.load(["y", "pid"]).rows() == [(row[3], row[0]) for row in expected]
    assert source.load(["x"])["x"].to_list() == [row[2] for row in expected]
    assert source.scan is not None
    parts = list(source.scan(["y", "hid"], 7))
    assert {part.height for part in parts[:-1]} == {7}
    assert pl.concat(parts).rows() == [(row[3], row[1]) for row in expected]
    unused = 50 - len({person[1] for person in people})
    assert [each.id for each in source.notices] == ["join-unused"] * bool(unused)
    frames = ms.study(persons, join=households, on="hid")
    assert frames.frame.rows() == expected


def test_households_without_persons_are_told(tmp_path: Path) -> None:
    study = opened(write(tmp_path, PERSONS, HOUSEHOLDS + "03,S,1\n04,S,1\n"))
    assert study.engine.rows() == 3
    assert [each.text for each in study.notices] == [
        "2 households of households.csv have no person in persons.csv and were left out. Check "
        "that no person is missing."
    ]
    one = opened(write(tmp_path, PERSONS, HOUSEHOLDS + "03,S,1\n"))
    assert one.notices[0].text.startswith("One household of households.csv has no person")


@pytest.mark.parametrize(
    ("persons", "households", "words"),
    [
        (
            PERSONS + "4,077,1\n5,,1\n",
            HOUSEHOLDS,
            "2 records of persons.csv have no household in households.csv by 'hid', 1 of them "
            "because 'hid' is missing. Add their households, or remove the records.",
        ),
        (PERSONS + "4,077,1\n", HOUSEHOLDS, "1 record of persons.csv has no household"),
        (
            PERSONS,
            HOUSEHOLDS + "02,N,3\n01,S,077\n",
            "'hid' does not tell the records of households.csv apart: 2 records repeat",
        ),
        (PERSONS, HOUSEHOLDS + ",N,077\n", "'hid' is missing in 1 record of households.csv"),
        (
            PERSONS,
            "hid,age,pid\n01,077,1\n02,2,2\n",
            "persons.csv and households.csv both have 'age', 'pid'. Only 'hid' may be in both",
        ),
    ],
)
def test_what_would_lose_or_double_somebody_is_refused(
    tmp_path: Path, persons: str, households: str, words: str
) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")) as caught:
        opened(write(tmp_path, persons, households))
    assert "077" not in str(caught.value)


def test_the_key_must_be_in_both(files: tuple[Path, Path]) -> None:
    with pytest.raises(UnknownVariableError, match=r"households.csv has no variable 'age'"):
        ms.study(files[0], join=files[1], on="age")
    with pytest.raises(UnknownVariableError, match=r"persons.csv has no variable 'hdi'\. Did you"):
        ms.study(files[0], join=files[1], on="hdi")
    with pytest.raises(UsageError, match=r"tells households apart in both files \(on\)"):
        ms.study(files[0], join=files[1])
    for half in ({"on": "hid"}, {"join_sheet": "a"}):
        with pytest.raises(UsageError, match=r"Name the file of households to be joined \(join\)"):
            ms.study(files[0], **half)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"sheet does not apply to households.csv"):
        ms.study(files[0], join=files[1], on="hid", join_sheet="a")


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (["1", "2"], [1, 2], "ab"),
        (["1", "2"], [2.0, 1.0], "ba"),
        ([1, 2], [2.0, 1.0], "ba"),
        ([1.0, 2.5], [1.0, 2.5], "ab"),
        ([1, 2], pl.Series([1, 2], dtype=pl.Int8), "ab"),
        ([True, False], [False, True], "ba"),
    ],
)
def test_keys_that_are_spelled_alike_are_alike(one: Any, other: Any, wanted: str) -> None:
    households = pl.DataFrame({"hid": other, "x": ["a", "b"]})
    found = ms.study(pl.DataFrame({"hid": one, "y": [1, 2]}), join=households, on="hid").frame
    assert "".join(found["x"]) == wanted


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (["01", "02"], [1, 2], "is text there and a number in .* so that 01 is not 1"),
        ([1, 2], ["1.0", "2"], "1 record of .* is a number there and text"),
        ([1.5, 2.0], [1, 2], "1 record of .* Add their households"),
        ([1, 2], [True, False], "is a number in .* Store it alike in both files"),
        ([[1], [2]], [[1], [2]], "cannot be compared"),
    ],
)
def test_keys_of_other_kinds_are_never_guessed(one: Any, other: Any, words: str) -> None:
    households = pl.DataFrame({"hid": other, "x": ["a", "b"]})
    with pytest.raises(InputError, match=words):
        ms.study(pl.DataFrame({"hid": one, "y": [1, 2]}), join=households, on="hid")


def test_two_sheets_of_one_workbook(tmp_path: Path) -> None:
    path = tmp_path / "survey.xlsx"
    import xlsxwriter

    with xlsxwriter.Workbook(path) as book:
        pl.DataFrame({"hid": [1, 1, 2], "age": [3, 4, 5]}).write_excel(book, "persons")
        pl.DataFrame({"hid": [1, 2], "w": [7, 8]}).write_excel(book, "homes")
    study = ms.study(path, sheet="persons", join=path, on="hid", join_sheet="homes")
    assert study.frame["w"].to_list() == [7, 7, 8]


def test_reading_options_hold_for_both(tmp_path: Path) -> None:
    files = write(tmp_path, "hid|ort\n1|x\n", "hid|größe|m\n1|NA|ä\n")
    for path in files:
        path.write_bytes(path.read_text().encode("latin-1"))
    study = opened(files, encoding="latin-1", separator="|", na=["NA"])
    assert study.frame.rows() == [("1", "x", "NA", "ä")]
    assert [each.missing for each in study.schema] == [("NA",)] * 4
    pl.DataFrame({"hid": [1], "w": [2]}).write_parquet(tmp_path / "homes.parquet")
    assert ms.study(
        files[0], join=tmp_path / "homes.parquet", on="hid", separator="|"
    ).frame.rows() == [("1", "x", 2)]


@pytest.mark.parametrize("suffix", [".csv", ".dta", ".sav", ".xpt", ".parquet", ".asc", ".xlsx"])
def test_written_and_read_again(tmp_path: Path, suffix: str) -> None:
    start, other = tmp_path / f"p{suffix}", tmp_path / f"h{suffix}"
    ms.study(pl.DataFrame({"hid": [1.0, 1.0, 2.0], "age": [3.0, None, 5.0]}))._write_file(start)
    ms.study(pl.DataFrame({"hid": [2.0, 1.0], "w": [8.0, None]}))._write_file(other)
    study = ms.study(start, join=other, on="hid")
    study.write(tmp_path / f"both{suffix}", keep={"hid": "a test"})
    again = ms.study(tmp_path / f"both{suffix}").frame
    numbers = again.select(pl.all().cast(pl.String).str.strip_chars().cast(pl.Float64))
    assert numbers.rows() == [(1, 3, None), (1, None, None), (2, 5, 8)]


def test_neither_input_is_written_onto(files: tuple[Path, Path]) -> None:
    study = opened(files)
    before = [path.read_bytes() for path in files]
    for path in files:
        with pytest.raises(UsageError, match="is the file that the data were read from"):
            study.write(path, keep={"hid": "a test", "pid": "a test"})
    assert [path.read_bytes() for path in files] == before


def test_a_file_that_grew_is_noticed() -> None:
    frame = pl.DataFrame({"hid": [1]})
    persons = replace(read_frame(frame), load=lambda names: frame.select(names))
    source = join_sources(persons, read_frame(pl.DataFrame({"hid": [1], "w": [2]})), "hid")
    assert source.load(["w"]).rows() == [(2,)]
    frame = pl.DataFrame({"hid": [1, 1]})
    with pytest.raises(InputError, match="changed while it was read"):
        source.load(["w"])


def test_what_metadata_say_goes_with_the_variables(tmp_path: Path) -> None:
    persons, households = tmp_path / "p.sav", tmp_path / "h.sav"
    says = {"hid": ms.Declaration(label="Household"), "age": ms.Declaration(label="Age")}
    ms.study(pl.DataFrame({"hid": [1, 1], "age": [3, 4]}), variables=says)._write_file(persons)
    says = {"hid": ms.Declaration(label="Number"), "m": ms.Declaration(labels={1: "one"})}
    ms.study(pl.DataFrame({"hid": [1], "m": [1]}), variables=says)._write_file(households)
    schema = ms.study(persons, join=households, on="hid").schema
    found = declare_schema(schema)
    assert [found[name].label for name in ("hid", "age")] == ["Household", "Age"]
    assert found["m"].labels == {"1": "one"}


def test_memory_counts_the_households(files: tuple[Path, Path]) -> None:
    persons, households = map(read, files)
    held = join_sources(persons, households, "hid").held - persons.held
    assert held >= len("NS10.520") + 3 * 4  # values, and the place of each person
    with pytest.raises(InputError, match="to hold the households that are joined"):
        opened(files, memory=Memory(1, "persons.csv"))
    assert opened(files, memory="1GB").engine.rows() == 3
