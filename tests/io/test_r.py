"""R data: read rightly, written so that R reads it, and refused if it is damaged or too much."""

from __future__ import annotations

import bz2
import datetime as dt
import gzip
import lzma
import math
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from roundtrip import described, everything

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, UnreadableFileError, UsageError
from microsafe.io import can_read, digest, list_sheets, read, write
from microsafe.io.r._serial import spell_double
from microsafe.io.r.write_r import make_name
from microsafe.schema import Schema, Variable

R = shutil.which("Rscript")
needs_r = pytest.mark.skipif(R is None, reason="R is not installed")
DAY = dt.date(2020, 1, 31)


# Bytes of R's format, by hand.


def ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


def chars(text: str | bytes | None, mark: int = 0) -> bytes:
    if text is None:
        return ints(9, -1)
    content = text.encode() if isinstance(text, str) else text
    return ints(9 | mark << 12, len(content)) + content


def texts(*values: str | None) -> bytes:
    return ints(16, len(values)) + b"".join(map(chars, values))


def doubles(*values: float) -> bytes:
    return ints(14, len(values)) + struct.pack(f">{len(values)}d", *values)


def pairs(**values: bytes) -> bytes:
    cells = (ints(2 | 0x400, 1) + chars(name) + each for name, each in values.items())
    return b"".join(cells) + ints(254)


def frame(columns: dict[str, bytes], rows: int) -> bytes:
    about = pairs(names=texts(*columns)).removesuffix(ints(254))
    about += pairs(**{"row.names": ints(13, 2, -(2**31), -rows), "class": texts("data.frame")})
    return ints(19 | 0x300, len(columns)) + b"".join(columns.values()) + about


def saved(content: bytes, version: int = 2) -> bytes:
    more = ints(5) + b"UTF-8" if version == 3 else b""
    return b"X\n" + ints(version, 0x00040202, 0x00020300) + more + content


def put(folder: Path, content: bytes, name: str = "a.rds") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def altrep(name: str, state: bytes) -> bytes:
    cell = ints(2)
    about = cell + ints(1) + chars(name) + cell + ints(1) + chars("base") + ints(254)
    return ints(238) + about + state + ints(254)


def test_vectors_that_are_only_described(tmp_path: Path) -> None:
    dotted = ints(2) + doubles(1.5, 1e5, 1e15, math.nan, 123456) + ints(13, 1, 0)
    columns = {
        "i": altrep("compact_intseq", doubles(5, 3, -1)),
        "r": altrep("compact_realseq", doubles(5, 1, 1)),
        "w": altrep("wrap_real", ints(19, 2) + doubles(1, 2, 3, 4, 5) + ints(13, 1, 0)),
        "d": altrep("deferred_string", dotted),
        "s": b"".join([ints(16, 5), chars("ä"), chars(b"\xe4", 4), chars("ä", 8), chars("x", 64)])
        + chars(None),
    }
    source = read(put(tmp_path, saved(frame(columns, 5), 3)))
    assert everything(source).to_dict(as_series=False) == {
        "i": [3, 2, 1, 0, -1],
        "r": [1.0, 2.0, 3.0, 4.0, 5.0],
        "w": [1.0, 2.0, 3.0, 4.0, 5.0],
        "d": ["1.5", "1e+05", "1e+15", None, "123456"],
        "s": ["ä", "ä", "ä", "x", None],
    }
    assert source.records == 5


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, bytes])
def test_however_it_is_packed(tmp_path: Path, pack: Any) -> None:
    content = saved(frame({"a": doubles(1, 2)}, 2))
    assert everything(read(put(tmp_path, pack(content)))).rows() == [(1.0,), (2.0,)]
    both = b"RDX3\n" + saved(pairs(x=frame({"a": doubles(1)}, 1), f=doubles(1)), 3)
    for name in ("a.RData", "a.rda"):
        path = put(tmp_path, pack(both), name)
        assert can_read(path)
        assert everything(read(path)).rows() == [(1.0,)]


def test_several_data_frames_are_chosen_from(tmp_path: Path) -> None:
    one, two = frame({"a": doubles(1)}, 1), frame({"b": doubles(2)}, 1)
    path = put(tmp_path, b"RDX2\n" + saved(pairs(one=one, f=texts("x"), two=two)), "a.RData")
    assert list_sheets(path) == ("one", "two")
    with pytest.raises(InputError, match=r"a\.RData has 2 data frames: one, two\. Name the one"):
        read(path)
    assert everything(read(path, sheet="two")).columns == ["b"]
    with pytest.raises(UsageError, match=r"no data frame 'tow'. Did you mean 'two'"):
        read(path, sheet="tow")
    with pytest.raises(InputError, match="has no data frame"):
        read(put(tmp_path, saved(texts("x"))))
    with pytest.raises(UsageError, match="sheet does not apply"):
        read(put(tmp_path, saved(one)), sheet="one")


def test_the_other_rda_is_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Metadata of mu-ARGUS have the same extension, and either may lie beside the other's data."""
    (tmp_path / "a.asc").write_text("1 2\n2 1\n")
    path = put(tmp_path, b"region 1 1\n  <RECODABLE>\nsex 3 1\n", "a.rda")
    assert not can_read(path)
    assert read(tmp_path / "a.asc").schema.names == ("region", "sex")
    with pytest.raises(UnreadableFileError, match="metadata of mu-ARGUS, name the data file"):
        read(path)
    put(tmp_path, gzip.compress(b"RDX2\n" + saved(pairs(x=frame({"a": doubles(1)}, 1)))), "b.rda")
    (tmp_path / "b.txt").write_text("c,d\n1,2\n")
    assert read(tmp_path / "b.txt").schema.names == ("c", "d")
    with pytest.raises(UnreadableFileError, match=r"needs its \.rda metadata"):
        read(put(tmp_path, b"1\n", "b.asc"))
    with pytest.raises(UsageError, match=r"Use \.rdata instead"):
        write(pl.DataFrame({"a": [1]}), Schema(source="x", variables=(Variable(name="a"),)), path)
    assert main(["describe", str(path)]) == 3
    assert "mu-ARGUS" in capsys.readouterr().err


def deep(depth: int) -> bytes:
    return ints(19, 1) * depth + ints(254)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"X\n", "cannot be read as R data"),
        (saved(frame({"a": doubles(1)}, 1))[:-9], "cannot be read as R data"),
        (saved(frame({"a": doubles(1)}, 2)), "cannot be read as R data"),
        (saved(ints(14, 2**31 - 1)), "cannot be read as R data"),
        (saved(ints(14, -1, 2**30, 5)), "cannot be read as R data"),
        (saved(ints(16, 2**30) + bytes(64)), "cannot be read as R data"),
        (saved(deep(100_000)), "cannot be read as R data"),
        (saved(ints(6) * 100_000), "cannot be read as R data"),
        (saved(frame({"a": altrep("compact_intseq", doubles(1e12, 1, 1))}, 5)), "cannot be read"),
        (saved(frame({"a": altrep("mmap_real", doubles(1))}, 1)), "cannot be read as R data"),
        (saved(ints(0xFF | 7 << 8)), "cannot be read as R data"),
        (saved(ints(99)), "cannot be read as R data"),
        (saved(b"", version=1), "cannot be read as R data"),
        (b"A\n2\n197123\n", "in a form that is not read"),
        (b"RDA2\nA\n", "in a form that is not read"),
        (gzip.compress(saved(texts("x")), mtime=0)[:-12], "cannot be read as R data"),
        (b"PK\3\4", "cannot be read as R data"),
        (saved(frame({"a": doubles()}, 0)), "has no records"),
        (saved(frame({"": doubles(1)}, 1)), "no name for the variable in column 1"),
        (saved(frame({"a": ints(16, 1) + chars(b"\xff\xfe", 8)}, 1)), "cannot be read as R data"),
    ],
)
def test_damage_is_told_and_bounded(tmp_path: Path, content: bytes, words: str) -> None:
    path = put(tmp_path, content)
    with pytest.raises(InputError, match=words) as caught:
        everything(read(path))
    assert caught.value.__context__ is None
    assert main(["describe", str(path)]) == 3


@pytest.mark.slow
def test_far_too_much_is_refused_before_it_is_there(tmp_path: Path) -> None:
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        path = put(tmp_path, pack(bytes(210_000_000)))
        with pytest.raises(UnreadableFileError, match=r"unpacks to more than 0\.2 GB"):
            read(path)


def test_text_of_old_versions(tmp_path: Path) -> None:
    path = put(tmp_path, saved(frame({"a": ints(16, 1) + chars("Größe".encode("cp1252"))}, 1)))
    found = read(path)
    assert everything(found).rows() == [("Größe",)]
    assert [each.id for each in found.notices] == ["file-encoding"]
    assert read(path, encoding="cp1252").notices == ()
    with pytest.raises(UnreadableFileError, match="or its text is not in ascii"):
        read(path, encoding="ascii")


def test_what_holds_no_simple_values_is_left_out(tmp_path: Path) -> None:
    matrix = ints(13 | 0x200, 2, 1, 2) + pairs(dim=ints(13, 2, 1, 2))
    columns = {"a": doubles(1), "m": matrix, "l": ints(19, 1) + doubles(1), "n": ints(254)}
    source = read(put(tmp_path, saved(frame(columns, 1))))
    assert source.schema.names == ("a",)
    assert [each.text for each in source.notices] == [
        "'m', 'l', 'n' of a.rds hold no simple values and were left out. Make plain vectors of "
        "them in R if they are needed."
    ]


FRAME = pl.DataFrame(
    {
        "text": ["a", None, "ü"],
        "grade": ["low", "high", None],
        "kind": ["x", None, "y"],
        "small": [1, None, -3],
        "large": [2**40, None, 1],
        "huge": [2**60 + 1, None, -5],
        "number": [1.5, None, math.inf],
        "code": [1.0, 2.0, -9.0],
        "whole": pl.Series([1, 9, None], dtype=pl.Int32),
        "letter": ["m", "f", "z"],
        "yes": [True, None, False],
        "day": [DAY, None, dt.date(9999, 12, 31)],
        "moment": [dt.datetime(2020, 1, 31, 1, 2, 3, 456_000), None, dt.datetime(1900, 1, 1)],
        "clock": [dt.time(9, 30, 1), None, dt.time(0)],
        "spell": [dt.timedelta(hours=30), None, dt.timedelta(seconds=-1)],
    }
)
MORE: dict[str, Any] = {
    "text": {"label": "Größe"},
    "grade": {"order": ("low", "middle", "high"), "measure": "ordinal"},
    "kind": {"order": ("y", "x"), "measure": "nominal"},
    "code": {
        "labels": {1.0: "one", 2.5: "more"},
        "missing": (-9.0, -8.0),
        "missing_ranges": ((-100.0, -50.0),),
        "label": "A code",
    },
    "whole": {"labels": {1: "eins"}, "missing": (9,)},
    "letter": {"labels": {"m": "male", "f": "female"}, "missing": ("z",)},
}
KINDS: dict[str, Any] = {
    **dict.fromkeys(("text", "grade", "kind", "letter"), "text"),
    **dict.fromkeys(("small", "huge", "whole"), "integer"),
    **dict.fromkeys(("large", "number", "code"), "number"),
    **dict.fromkeys(("day", "moment"), "date"),
    "yes": "boolean",
}


def schema_of(source: str) -> Schema:
    from microsafe.io.column_types import kind_of

    return Schema(
        source=source,
        variables=tuple(
            Variable(name=n, kind=KINDS.get(n, kind_of(FRAME[n].dtype)), **MORE.get(n, {}))
            for n in FRAME.columns
        ),
        notes=("A survey", "of many"),
    )


@pytest.mark.parametrize("suffix", [".rds", ".RData"])
def test_written_and_read_again(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"my data{suffix}"
    write(FRAME, schema_of("x"), path)
    found = read(path)
    assert everything(found).rows() == FRAME.rows()
    assert described(found.schema) == described(schema_of("x"))
    assert [each.order for each in found.schema] == [each.order for each in schema_of("x")]
    assert found.schema.notes == ("A survey", "of many")
    before = digest(path)
    write(FRAME, schema_of("x"), path)
    assert digest(path) == before
    write(FRAME, schema_of("x"), path, notes=False)
    assert read(path).schema.notes == ()
    if suffix == ".RData":
        assert list_sheets(path) == ("my.data",)


def test_what_r_cannot_hold_is_refused(tmp_path: Path) -> None:
    for column, more, words in (
        ([[1]], {}, "a holds values that R data cannot hold"),
        (["x\0y"], {}, "a holds NUL characters"),
        ([1.0], {"missing_ranges": ((1, 2), (3, 4))}, "several ranges of missing codes"),
        ([2**60], {"labels": {1: "x"}}, "16 digits or more"),
    ):
        schema = Schema(source="x", variables=(Variable(name="a", **more),))  # type: ignore[arg-type]
        with pytest.raises(InputError, match=words):
            write(pl.DataFrame({"a": column}), schema, tmp_path / "a.rds")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("survey", "survey"),
        ("my data-2020", "my.data.2020"),
        ("2020", "X2020"),
        ("_a", "X_a"),
        (".5", "X.5"),
        (".a", ".a"),
        ("TRUE", "TRUE."),
        ("NA_integer_", "NA_integer_."),
        ("größe", "gr..e"),
        ("", "X"),
    ],
)
def test_names_that_r_takes(text: str, name: str) -> None:
    assert make_name(text) == name


def test_a_release_in_r_data(tmp_path: Path) -> None:
    path = tmp_path / "survey.rds"
    found = ms.survey(1, households=60)
    write(found.frame, found.schema, path)
    study = ms.study(path, keys=["region", "sex"], weight="weight").suppress(k=3)
    study.write(tmp_path / "safe.rds", keep={"household": "a test"})
    assert read(tmp_path / "safe.rds").schema["region"].labels == found.schema["region"].labels


# What R itself makes of it.


def run_r(script: str, folder: Path) -> str:
    assert R is not None
    (folder / "script.R").write_text(script)
    done = subprocess.run([R, "script.R"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_r
def test_numbers_are_spelled_as_r_does(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    values = [*draw.normal(size=300) * 10.0 ** draw.integers(-20, 20, size=300)]
    values += [float(f"{v:.3g}") for v in values] + [0.0, 1e5, 1e15, 123456.0, 1e-4, 1e-5, -1e300]
    (tmp_path / "in.txt").write_text("\n".join(repr(float(v)) for v in values))
    out = run_r('writeLines(as.character(scan("in.txt", quiet=TRUE)), "out.txt")', tmp_path)
    assert out == ""
    told = (tmp_path / "out.txt").read_text().split("\n")[:-1]
    differing = [i for i, v in enumerate(values) if spell_double(float(v)) != told[i]]
    assert len(differing) <= len(values) // 100  # the last of 15 digits is not always R's


@needs_r
def test_files_that_r_writes(tmp_path: Path) -> None:
    run_r(
        """
        f <- function(x, ...) { y <- x + 1; if (y > 2) y else -y }
        environment(f) <- new.env()
        for (k in 1:3) f(k)
        d <- data.frame(n = 1:1000, r = as.numeric(1:1000), c = as.character(1:1000))
        d$s <- sort(d$c); d$o <- factor(rep(c("b", "a"), 500), levels = c("b", "a"), ordered = TRUE)
        d$day <- as.Date("2020-01-31") + 0:999; d$l <- d$n %% 2 == 0; d$l[3] <- NA
        d$t <- as.POSIXct(0:999, origin = "1970-01-01", tz = "Europe/Berlin")
        attr(d, "made") <- f; attr(d, "how") <- quote(a + b); attr(d, "e") <- globalenv()
        g <- compiler::cmpfun(f)
        save(f, g, d, file = "v3.RData"); save(d, f, file = "v2.RData", version = 2)
        for (p in c("gzip", "bzip2", "xz")) saveRDS(d, paste0(p, ".rds"), compress = p)
        saveRDS(d[d$n > 500, ], "some.rds"); saveRDS(mtcars, "names.rds")
        """,
        tmp_path,
    )
    for name in ("v3.RData", "v2.RData", "gzip.rds", "bzip2.rds", "xz.rds"):
        source = read(tmp_path / name)
        table = everything(source)
        numbers = list(range(1, 1001))
        assert table["n"].to_list() == table["r"].to_list() == numbers, name
        assert table["c"].to_list() == [str(n) for n in numbers]
        assert table["s"].to_list() == sorted(str(n) for n in numbers)
        assert table["o"].to_list() == ["b", "a"] * 500
        assert source.schema["o"].order == ("b", "a")
        assert table["day"].to_list() == [DAY + dt.timedelta(days=n) for n in range(1000)]
        assert table["l"].to_list()[:4] == [False, True, None, True]
        assert table["t"][999] == dt.datetime(1970, 1, 1, 0, 16, 39)
        assert source.notices == ()
    assert everything(read(tmp_path / "some.rds"))["n"].to_list() == list(range(501, 1001))
    names = read(tmp_path / "names.rds")
    assert [each.id for each in names.notices] == ["r-row-names"]
    assert names.records == 32


SEEN_BY_R = [
    "identical(a, d)",
    "nrow(d) == 3",
    'identical(as.vector(d$text), c("a", NA, intToUtf8(252)))',
    "utf8ToInt(attr(d$text, 'label'))[3] == 246",
    "is.ordered(d$grade)",
    'identical(levels(d$grade), c("low", "middle", "high"))',
    "is.factor(d$kind) && !is.ordered(d$kind)",
    "identical(as.integer(d$kind), c(2L, NA, 1L))",
    "identical(d$small, c(1L, NA, -3L))",
    "identical(d$large, c(2^40, NA, 1))",
    'identical(as.character(d$huge), c("1152921504606846977", NA, "-5"))',
    "identical(d$number, c(1.5, NA, Inf)) && !is.nan(d$number[2])",
    "identical(d$code, labelled_spss(c(1, 2, -9), c(one = 1, more = 2.5), c(-9, -8), "
    'c(-100, -50), "A code"))',
    "identical(is.na(d$code), c(FALSE, FALSE, TRUE))",
    "identical(d$whole, labelled_spss(c(1L, 9L, NA), c(eins = 1L), 9L))",
    'identical(d$letter, labelled_spss(c("m", "f", "z"), c(male = "m", female = "f"), "z"))',
    "identical(d$yes, c(TRUE, NA, FALSE))",
    'identical(d$day, as.Date(c("2020-01-31", NA, "9999-12-31")))',
    'identical(format(d$moment, "%Y-%m-%d %H:%M", tz = "UTC"), '
    'c("2020-01-31 01:02", NA, "1900-01-01 00:00"))',
    "abs(as.numeric(d$moment[1]) %% 60 - 3.456) < 1e-6",
    'inherits(d$clock, "hms") && as.numeric(d$clock[1]) == 34201',
    'identical(as.numeric(d$spell, units = "hours")[1], 30)',
]


@needs_r
def test_files_that_r_reads(tmp_path: Path) -> None:
    packages = ("haven", "bit64", "hms")
    there = run_r(
        f"cat(sapply(c{packages}, function(p) nzchar(system.file(package = p))))", tmp_path
    )
    if "FALSE" in there:
        pytest.skip("the packages haven, bit64 and hms of R are not installed")
    write(FRAME, schema_of("x"), tmp_path / "a.rds")
    write(FRAME, schema_of("x"), tmp_path / "a.RData")
    seen = "".join(f"stopifnot({each});" for each in SEEN_BY_R)
    start = 'library(haven); library(bit64); d <- readRDS("a.rds"); load("a.RData");'
    run_r(f'{start} {seen} write_sav(d["whole"], "a.sav")', tmp_path)
    again = read(tmp_path / "a.sav").schema["whole"]
    assert (dict(again.labels), again.missing) == ({1: "eins"}, (9,))
