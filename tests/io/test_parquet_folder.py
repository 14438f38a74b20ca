"""Folders of Parquet files, opened as one file."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, MicrosafeError, UnreadableFileError, UsageError
from microsafe.io import digest, read

PEOPLE = pl.DataFrame(
    {
        "age": [20 + k % 5 for k in range(60)],
        "sex": ["fm"[k % 2] for k in range(60)],
        "weight": [10.5 + k % 3 for k in range(60)],
    }
)


def fill(folder: Path, parts: dict[str, pl.DataFrame]) -> Path:
    for name, frame in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(folder / name)
    return folder


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """As Spark writes it: in parts, one of them empty, with marks and checksums."""
    made = fill(
        tmp_path / "survey",
        {
            "part-1.parquet": PEOPLE[:7],
            "part-2.parquet": PEOPLE[7:20].select("weight", "sex", "age"),
            "part-3.parquet": PEOPLE[:0],
            "part-10.parquet": PEOPLE[20:],
        },
    )
    (made / "_SUCCESS").touch()
    (made / "_metadata").write_bytes(b"PAR1")
    (made / ".part-1.parquet.crc").write_bytes(b"crc")
    return made


def refused(path: Path, kind: type[MicrosafeError] = InputError) -> str:
    with pytest.raises(kind) as caught:
        read(path)
    return str(caught.value)


def test_the_parts_are_one_file_in_natural_order(survey: Path) -> None:
    source = read(survey)
    assert source.schema.source == "survey"
    assert source.records == 60
    assert source.load(source.schema.names).equals(PEOPLE)
    assert source.load(["sex"]).equals(PEOPLE.select("sex"))
    assert source.scan is not None
    for size in (1, 9, 59, 1000):
        frames = list(source.scan(["weight", "age"], size))
        assert pl.concat(frames).equals(PEOPLE.select("weight", "age"))
        assert {each.height for each in frames[:-1]} <= {size}
    names = [each.name for each in source.paths]
    assert names == ["part-1.parquet", "part-2.parquet", "part-10.parquet", "survey"]


def test_types_that_differ_within_a_kind_are_joined(tmp_path: Path) -> None:
    small = PEOPLE.with_columns(pl.col("age").cast(pl.Int8), pl.col("sex").cast(pl.Categorical))
    gaps = PEOPLE.with_columns(sex=pl.lit(None), weight=pl.lit(None))
    source = read(fill(tmp_path / "s", {"a.parquet": small, "b.parquet": PEOPLE, "c.pq": gaps}))
    frame = source.load(source.schema.names)
    assert frame.schema == PEOPLE.schema
    assert frame[:120].equals(pl.concat([PEOPLE, PEOPLE]))
    assert frame[120:]["weight"].null_count() == 60
    assert [v.kind for v in source.schema] == ["integer", "text", "number"]


def test_folders_of_values_become_variables(tmp_path: Path) -> None:
    folder = tmp_path / "survey"
    fill(
        folder,
        {
            "year=2020/region=North%20West/p.parquet": PEOPLE[:10],
            "year=2020/region=05/p.parquet": PEOPLE[10:20],
            "year=2021/region=__HIVE_DEFAULT_PARTITION__/p.parquet": PEOPLE[20:],
        },
    )
    source = read(folder)
    assert source.schema.names == ("age", "sex", "weight", "year", "region")
    assert source.schema["year"].kind == "integer"
    assert source.schema["region"].kind == "text"
    frame = source.load(source.schema.names)
    assert frame["year"].to_list() == [2020] * 20 + [2021] * 40
    assert frame["region"].to_list() == ["05"] * 10 + ["North West"] * 10 + [None] * 40
    assert source.load(["region"])["region"].equals(frame["region"])
    assert source.scan is not None
    assert pl.concat(source.scan(["year"], 7)).equals(frame.select("year"))
    expected = pl.read_parquet(folder, hive_partitioning=True).sort("age", "sex", "weight", "year")
    assert frame.sort("age", "sex", "weight", "year")["year"].equals(expected["year"])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (PEOPLE.drop("sex"), "b.parquet has no 'sex', but a.parquet has"),
        (PEOPLE.with_columns(more=1), "a.parquet has no 'more', but b.parquet has"),
        (
            PEOPLE.with_columns(age=pl.col("age").cast(pl.String)),
            "differ in the kind of 'age': that of b.parquet is not that of a.parquet",
        ),
    ],
)
def test_parts_that_differ_are_refused_by_name(
    tmp_path: Path, other: pl.DataFrame, said: str
) -> None:
    assert said in refused(fill(tmp_path / "s", {"a.parquet": PEOPLE, "b.parquet": other}))


def test_what_does_not_belong_there_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "survey"
    folder.mkdir()
    assert "without Parquet files" in refused(folder, UnreadableFileError)
    (folder / "notes.txt").write_text("x")
    assert "without Parquet files" in refused(folder, UnreadableFileError)
    (folder / "notes.txt").unlink()
    fill(folder, {"a.parquet": PEOPLE[:0]})
    assert "has no records" in refused(folder)
    fill(folder, {"a.parquet": PEOPLE})
    (folder / "notes.txt").write_text("x")
    assert "notes.txt in it is none" in refused(folder, UnreadableFileError)
    (folder / "notes.txt").unlink()
    fill(folder, {"older/b.parquet": PEOPLE})
    assert "older in it is none" in refused(folder, UnreadableFileError)
    shutil.rmtree(folder / "older")
    (folder / "b.parquet").write_bytes(b"PAR1")
    assert "b.parquet cannot be read" in refused(folder, UnreadableFileError)
    (folder / "b.parquet").write_bytes(b"")
    assert "b.parquet is empty" in refused(folder, UnreadableFileError)
    (folder / "b.parquet").unlink()
    fill(folder, {"age=3/b.parquet": PEOPLE.drop("age")})
    assert "'age' is a variable of the files" in refused(folder)
    with pytest.raises(UsageError, match="sheet does not apply to survey"):
        read(folder, sheet="x")


def test_a_plan_for_a_folder_is_replayed(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ms.study(survey, keys=["age", "sex"], weight="weight").release(
        tmp_path / "out", keep={"weight": "needed"}, keep_order="test"
    )
    assert done.allowed
    assert pl.read_parquet(tmp_path / "out" / "survey-safe.parquet").equals(PEOPLE)
    plan = str(tmp_path / "out" / "survey-safe.toml")
    assert main(["replay", plan, "--check"]) == 0
    before = digest(survey)
    shutil.copy(survey / "part-1.parquet", survey / "part-4.parquet")
    assert digest(survey) != before
    capsys.readouterr()
    assert main(["replay", plan, "--check"]) == 3
    assert "its checksum differs" in capsys.readouterr().err


def test_nothing_is_written_into_the_folder(survey: Path) -> None:
    study = ms.study(survey, keys=["age", "sex"], weight="weight")
    before = sorted(survey.iterdir())
    with pytest.raises(UsageError, match="would lie in the folder that the data were read from"):
        study.write(survey / "safe.parquet")
    assert sorted(survey.iterdir()) == before


def test_what_was_read_as_text_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "survey").mkdir()
    frame = pl.DataFrame({"a": [1, 2], "town": [b"Ulm", b"Bonn"]})
    for name in ("a", "b"):
        frame.write_parquet(tmp_path / "survey" / f"{name}.parquet")
    source = read(tmp_path / "survey")
    (notice,) = source.notices
    assert notice.text.startswith("town of survey is declared as bytes")
    assert source.load(["town"])["town"].to_list() == ["Ulm", "Bonn"] * 2


def test_memory_is_bounded_by_batches(survey: Path) -> None:
    small = ms.study(survey, keys=["age", "sex"], weight="weight", memory="1GB")
    whole = ms.study(PEOPLE, keys=["age", "sex"], weight="weight")
    assert small.risk().expected == whole.risk().expected
