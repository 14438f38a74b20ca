"""Nothing of what was suppressed or recoded is left in a released file, whatever its format.

Files are searched byte by byte, after whatever they hold was unpacked: for texts in every encoding
that a format has, and for numbers as text and as every kind of number that a format stores.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.io import write
from microsafe.schema import Schema, Variable

RARE = 31999  # a category that one record has
TOWN = "Xyzzyville"
TEXTS = (TOWN, "Zanzibar label", "Refusal label", "Unused label", "Secret note", "Author of it")
NUMBERS = (RARE, 27182, 16161)
FORMATS = ("sav", "zsav", "dta", "xpt", "xlsx", "parquet", "csv", "asc", "dat")


def survey() -> pl.DataFrame:
    rows = 240
    return pl.DataFrame(
        {
            "region": [RARE if i == 100 else 1 + i % 3 for i in range(rows)],
            "town": [TOWN if i == 50 else ("Aldea", "Burgo")[i % 2] for i in range(rows)],
            "status": [27182 if i % 60 == 7 else 1 + i % 2 for i in range(rows)],
            "income": [float(100 * (i % 7)) for i in range(rows)],
        }
    )


SCHEMA = Schema(
    source="survey",
    variables=(
        Variable(
            name="region",
            kind="integer",
            labels={
                1: "North",
                2: "South",
                3: "East",
                RARE: "Zanzibar label",
                16161: "Unused label",
            },
        ),
        Variable(name="town", kind="text", width=12),
        Variable(
            name="status",
            kind="integer",
            labels={1: "at work", 2: "at home", 27182: "Refusal label"},
            missing=(27182,),
        ),
        Variable(name="income", kind="number"),
    ),
    notes=("Secret note", "Author of it"),
)
PLAN = """microsafe = 1

[input]
file = "survey.{before}"

[scenario]
keys = ["region", "town"]

[[step]]
do = "recode"
variable = "status"
groups = {{ "2" = ["27182"] }}
other = "1"
labels = {{ "1" = "at work", "2" = "not" }}

[[step]]
do = "suppress"
k = 3

[[keep]]
variables = ["income"]
why = "a test"

[output]
file = "safe.{after}"
shuffle = 5
"""


def forms(text: str) -> Iterator[bytes]:
    yield from (text.encode(each) for each in ("utf-8", "utf-16-le", "utf-16-be", "cp500"))


def number_forms(number: int, *, short: bool) -> Iterator[bytes]:
    """Two bytes may stand anywhere by chance: only Stata has numbers so short."""
    yield str(number).encode()
    for kind in ("d", "f", "i", "q", *("h" if short else "")):
        yield struct.pack(f"<{kind}", number)
        yield struct.pack(f">{kind}", number)
    yield ibm_float(number)


def ibm_float(number: int) -> bytes:
    """As SAS transport files have it: base 16, exponent first."""
    exponent, mantissa = 64, float(number)
    while mantissa >= 1:
        mantissa, exponent = mantissa / 16, exponent + 1
    return bytes([exponent]) + int(mantissa * 2**56).to_bytes(7, "big").rstrip(b"\0")


def contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and whatever is packed into it."""
    content = path.read_bytes()
    yield content
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            yield from (book.read(name) for name in book.namelist())
    if path.suffix == ".zsav":
        for place in range(len(content)):
            if content[place : place + 1] == b"\x78":
                try:
                    yield zlib.decompressobj().decompress(content[place:])
                except zlib.error:
                    continue
    if path.suffix == ".parquet":
        # Pages are packed, footers are not.
        yield pl.read_parquet(path).write_csv().encode()
        uncompressed = path.with_suffix(".plain")
        pl.read_parquet(path).write_parquet(uncompressed, compression="uncompressed")
        yield uncompressed.read_bytes()
        uncompressed.unlink()


def found_in(folder: Path, stem: str) -> set[object]:
    """Which of the secrets the files of a stem hold."""
    found: set[object] = set()
    for path in sorted(folder.glob(f"{stem}*")):
        for content in contents(path):
            found |= {text for text in TEXTS if any(form in content for form in forms(text))}
            short = path.suffix == ".dta"
            found |= {
                n for n in NUMBERS if any(form in content for form in number_forms(n, short=short))
            }
    return found


def written(folder: Path, before: str) -> None:
    write(survey(), SCHEMA, folder / f"survey.{before}")


def released(folder: Path, before: str, after: str, more: str = "") -> None:
    (folder / "plan.toml").write_text(PLAN.format(before=before, after=after) + more)
    assert main(["protect", str(folder / "plan.toml")]) == 0


@pytest.mark.parametrize("form", FORMATS)
def test_the_search_finds_what_is_there(form: str, tmp_path: Path) -> None:
    written(tmp_path, form)
    found = found_in(tmp_path, "survey")
    assert {RARE, TOWN} <= found
    if form in ("sav", "zsav", "dta"):
        assert found >= {"Zanzibar label", "Unused label", "Secret note", 27182, 16161}
    if form == "asc":
        assert found >= {"Zanzibar label", "Unused label", 16161}


@pytest.mark.parametrize("after", FORMATS)
@pytest.mark.parametrize("before", ["sav", "asc"])
def test_nothing_is_left(before: str, after: str, tmp_path: Path) -> None:
    written(tmp_path, before)
    released(tmp_path, before, after)
    assert found_in(tmp_path, "safe") == set()


@pytest.mark.parametrize("form", ["dta", "xpt", "xlsx", "parquet", "csv", "dat"])
def test_nothing_is_left_of_ones_own_format(form: str, tmp_path: Path) -> None:
    written(tmp_path, form)
    released(tmp_path, form, form)
    assert found_in(tmp_path, "safe") == set()


def test_notes_are_kept_by_decision(tmp_path: Path) -> None:
    written(tmp_path, "sav")
    released(tmp_path, "sav", "sav", "notes = true\n")
    assert found_in(tmp_path, "safe") == {"Secret note", "Author of it"}


def test_what_occurs_keeps_its_label(tmp_path: Path) -> None:
    written(tmp_path, "sav")
    released(tmp_path, "sav", "sav")
    safe = ms.study(tmp_path / "safe.sav").schema
    assert safe["region"].labels == {1: "North", 2: "South", 3: "East"}
    assert safe["status"].labels == {1: "at work", 2: "not"}
    assert safe["status"].missing == ()


def test_missing_codes_that_occur_or_stand_for_blanks_stay(tmp_path: Path) -> None:
    variables = tuple(
        replace(
            v, missing=(99, 98, 97), labels={**v.labels, 99: "suppressed", 98: "refused", 97: "x"}
        )
        if v.name == "region"
        else v
        for v in SCHEMA
    )
    frame = survey().with_columns(
        region=pl.when(pl.int_range(pl.len()) % 50 == 3).then(98).otherwise("region")
    )
    for prune in (False, True):
        path = tmp_path / f"{prune}.sav"
        write(
            frame.with_columns(region=pl.when(pl.col("region") != RARE).then("region")),
            replace(SCHEMA, variables=variables),
            path,
            blanks={"region": 99},
            prune=prune,
        )
    whole, pruned = (ms.study(tmp_path / f"{each}.sav").schema["region"] for each in (False, True))
    assert set(whole.missing) == {97, 98, 99}
    assert set(pruned.missing) == {98, 99}
    assert set(pruned.labels) == {1, 2, 3, 98, 99}


def test_columns_that_nobody_named_are_blank(tmp_path: Path) -> None:
    """A fixed-width file may hold more than its metadata say."""
    written(tmp_path, "asc")
    data = tmp_path / "survey.asc"
    lines = data.read_text().splitlines()
    data.write_text("".join(f"{line}Secret note {n}\r\n" for n, line in enumerate(lines)))
    released(tmp_path, "asc", "asc")
    assert "Secret note" not in (tmp_path / "safe.asc").read_text()


def test_labels_of_tagged_missing_values_are_pruned(tmp_path: Path) -> None:
    region = replace(
        SCHEMA["region"], extra={"missing.a": "Tagged label", "missing.b": "suppressed"}
    )
    variables = tuple(region if v.name == "region" else v for v in SCHEMA)
    frame = survey().with_columns(region=pl.when(pl.col("region") != RARE).then("region"))
    for prune in (False, True):
        write(
            frame,
            replace(SCHEMA, variables=variables, notes=()),
            tmp_path / f"{prune}.dta",
            blanks={"region": ".b"},
            prune=prune,
        )
    whole, pruned = ((tmp_path / f"{each}.dta").read_bytes() for each in (False, True))
    assert [text in whole for text in (b"suppressed", b"Tagged label")] == [True, True]
    assert [text in pruned for text in (b"suppressed", b"Tagged label")] == [True, False]


def test_a_script_writes_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "sav")
    released(tmp_path, "sav", "sav")
    wanted = (tmp_path / "safe.sav").read_bytes()
    monkeypatch.chdir(tmp_path)
    from microsafe.plan.read import read_plan
    from microsafe.plan.script import script

    text = script(read_plan(Path("plan.toml")))
    (tmp_path / "safe.sav").unlink()
    exec(compile(text, "script", "exec"), {})  # noqa: S102
    assert (tmp_path / "safe.sav").read_bytes() == wanted
    assert json.loads((tmp_path / "plan.lock").read_text())["files"]
