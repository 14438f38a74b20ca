"""Delimited text by pandas, Polars, PyArrow, Python's csv, and the bytes of others."""

from __future__ import annotations

import codecs
import csv
import gzip
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv

from corpus.case import MARK, Case
from corpus.readers import delimited
from corpus.values import Columns

Texts = dict[str, list[str]]
Write = Callable[[Path, Texts], object]

KINDS: dict[str, Texts] = {
    "text of any script": {"name": ["Zoë", "Łódź", "日本語", "😀"], "sex": ["m", "f", "x", "m"]},
    "empty fields": {"a": ["", "1", "", "2"], "b": ["x", "", "", "y"], "c": ["1", "2", "3", "4"]},
    "blanks around text": {"code": [" 1", "1 ", " 1 ", "1"], "n": ["1", "2", "3", "4"]},
    "leading zeros": {"nace": ["01", "001", "1", "0"], "n": ["1", "2", "3", "4"]},
    "line ends in text": {"note": ["one\ntwo", "\nfirst", "last\n", "a\n\nb"], "n": list("1234")},
    "quotation marks in text": {"note": ['say "a"', '"', '""', "it's"], "n": list("1234")},
    "separators in text": {"note": ["a,b", ",", "c;d", "e\tf|g"], "n": list("1234")},
    "very long text": {"note": ["x" * 70_000, "ü" * 40_000], "n": ["1", "2"]},
    "numbers of any size": {"n": ["9007199254740993", "-18446744073709551616", "1e-320", "inf"],
                            "m": ["0.1000000000000000055", "1,5", "-0", "+1"]},
}  # fmt: skip


def by_pandas(path: Path, texts: Texts, **options: Any) -> None:
    pd.DataFrame(texts).to_csv(path, index=False, **options)


def by_polars(path: Path, texts: Texts) -> None:
    pl.DataFrame(texts).with_columns(pl.all().replace("", None)).write_csv(path)


def by_arrow(path: Path, texts: Texts) -> None:
    pyarrow.csv.write_csv(pa.table(texts), path)


def by_python(path: Path, texts: Texts, **options: Any) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, **options)
        lines.writerow(texts)
        lines.writerows(zip(*texts.values(), strict=True))


WRITERS: dict[str, Write] = {
    "pandas": by_pandas,
    "polars": by_polars,
    "pyarrow": by_arrow,
    "python": by_python,
}


def by_bytes(content: str | bytes) -> Callable[[Path], object]:
    raw = content.encode() if isinstance(content, str) else content
    return lambda path: path.write_bytes(raw)


def line_ends(encoding: str = "utf-8") -> Callable[[Path], dict[str, Any]]:
    """Return a reader of how a text is written, besides what it says."""

    def look(path: Path) -> dict[str, Any]:
        raw = path.read_bytes()
        text = raw.decode(encoding)
        ends = ("\r\n", "\n", "\r")
        marks = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        return {
            "encoding and byte order mark": (encoding, [raw.startswith(each) for each in marks]),
            "line ends": next(each for each in ends if each in text),
        }

    return look


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".csv", "look": delimited(), **more}
    return Case(name=f"text-{name}", holds=holds, make=make, **more)


def gone(fact: str, sign: bytes) -> dict[str, Any]:
    """Say that a file has certain bytes, and what is written of it has not."""
    return {"facts": lambda path: {fact: sign in path.read_bytes()}, "lost": (fact,)}


def _kinds() -> list[Case]:
    return [
        case(
            f"{writer}-{kind.replace(' ', '-')}",
            kind,
            lambda path, write=write, texts=texts: write(path, texts),
        )
        for kind, texts in KINDS.items()
        for writer, write in WRITERS.items()
    ]


PLAIN: Texts = {"town": ["Köln", "Århus", "Nîmes"], "n": ["1", "02", ""], "sex": ["m", "f", "m"]}
# Name for Python, what has to be said at opening, and texts of those letters.
ENCODINGS: tuple[tuple[str, dict[str, str], Texts], ...] = (
    ("utf-8", {}, PLAIN),
    ("utf-8-sig", {}, PLAIN),
    ("utf-16", {}, PLAIN),
    ("utf-32", {}, PLAIN),
    ("cp1252", {}, {**PLAIN, "town": ["5 €", "Århus", "œuvre"]}),
    ("latin-1", {"encoding": "latin-1"}, PLAIN),
    ("iso8859-15", {"encoding": "iso8859-15"}, {**PLAIN, "town": ["5 €", "Århus", "œuvre"]}),
    ("cp1250", {"encoding": "cp1250"}, {**PLAIN, "town": ["Łódź", "Győr", "Plzeň"]}),
    ("cp437", {"encoding": "cp437"}, PLAIN | {"town": ["Köln", "a", "b"]}),
    ("mac-roman", {"encoding": "mac-roman"}, PLAIN),
    ("koi8-r", {"encoding": "koi8-r"}, {**PLAIN, "town": ["Москва", "Тверь", "Орёл"]}),
    ("shift_jis", {"encoding": "shift_jis"}, {**PLAIN, "town": ["東京", "大阪", "ソウル"]}),
    ("gb18030", {"encoding": "gb18030"}, {**PLAIN, "town": ["北京", "上海", "€"]}),
)


def _encodings() -> list[Case]:
    return [
        case(
            f"encoding-{name}",
            "encoding and byte order mark",
            lambda path, name=name, texts=texts: by_pandas(path, texts, encoding=name),
            look=delimited(name),
            options=options,
            facts=line_ends(name),
        )
        for name, options, texts in ENCODINGS
    ]


SEPARATORS = {";": {}, "\t": {}, "|": {}, "^": {"separator": "^"}, " ": {"separator": " "}}
STYLES: dict[str, dict[str, Any]] = {
    "all quoted": {"quoting": csv.QUOTE_ALL},
    "text quoted": {"quoting": csv.QUOTE_NONNUMERIC},
}


def _dialects() -> list[Case]:
    found = [
        case(
            f"separator-{ord(separator)}",
            "separator",
            lambda path, s=separator: by_pandas(path, PLAIN, sep=s),
            look=delimited(separator=separator),
            options=options,
        )
        for separator, options in SEPARATORS.items()
    ]
    found += [
        case(
            f"quoting-{name.replace(' ', '-')}",
            "quotation marks without need",
            lambda path, style=style: by_pandas(path, PLAIN, **style),
            **gone("quotation marks without need", b'"'),
        )
        for name, style in STYLES.items()
    ]
    found += [
        case(
            f"line-ends-{name}",
            "line ends",
            lambda path, end=end: by_pandas(path, PLAIN, lineterminator=end),
            facts=line_ends(),
        )
        for name, end in {"lf": "\n", "crlf": "\r\n", "cr": "\r"}.items()
    ]
    found.append(
        case("tsv", "separator", lambda path: by_pandas(path, PLAIN, sep="\t"),
             extension=".tsv", look=delimited(separator="\t")),
    )  # fmt: skip
    found.append(
        case("txt", "separator", lambda path: by_pandas(path, PLAIN, sep=";"),
             extension=".txt", look=delimited(separator=";")),
    )  # fmt: skip
    return found


def _shapes() -> list[Case]:
    wide = {f"v{k}": [str(k), str(-k)] for k in range(300)}
    return [
        case("one-record", "one record", lambda p: by_pandas(p, {"a": ["1"], "b": ["2"]})),
        case("one-variable", "one variable", lambda p: by_pandas(p, {"a": ["x", "y", "x"]})),
        case("300-variables", "300 variables", lambda p: by_pandas(p, wide)),
        case("nothing-in-a-variable", "variable without a value",
             lambda p: by_pandas(p, {"a": ["1", "2"], "none": ["", ""]})),
        case("no-end-of-last-line", "line ends", by_bytes("a,b\n1,2\n3,4"), facts=line_ends()),
        case("one-value-and-blank-lines", "variable without a value",
             by_bytes("a\n1\n\n3\n"), look=delimited(skip_blank_lines=False)),
        case("blank-lines", "empty lines", by_bytes("a,b\n1,2\n\n3,4\n\n\n"),
             **gone("empty lines", b"\n\n")),
        case("blanks-around-names", "blanks around names", by_bytes("a , b\n1,2\n3,4\n"),
             **gone("blanks around names", b"a , b")),
        case("dates", "dates",
             by_bytes("born,seen\n31.12.1899,1900-02-29\n9999-12-31,0001-01-01\n")),
        case("words-for-missing", "words such as NA",
             by_bytes("a,b\nNA,1\nnull,.\nN/A,nan\n-,None\n")),
        case("names-with-blanks", "names of any script",
             by_bytes("net income,größe,a.b\n1,2,3\n4,5,6\n")),
    ]  # fmt: skip


def without_empty(path: Path) -> Columns:
    return {name: values for name, values in delimited()(path).items() if name}


def pack(path: Path, separator: str) -> None:
    """Pack a text by the extension, as people do before they send it."""
    content = f"town{separator}n\nKöln{separator}01\nNîmes{separator}\n".encode()
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(content))
        return
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("inside.csv", content)


def _packed() -> list[Case]:
    kinds = {"gz": "gzip", "zip": "zip"}
    found = [
        case(
            f"packed{inner}.{kind}",
            "gzip and zip",
            partial(pack, separator=separator),
            extension=f"{inner}.{kind}",
            look=delimited(compression=how, separator=separator),
        )
        for inner, separator in ((".csv", ","), (".tsv", "\t"), (".txt", ";"))
        for kind, how in kinds.items()
    ]
    found += [
        case(
            f"packed.{kind}",
            "gzip and zip",
            partial(pack, separator=","),
            extension=f".{kind}",
            look=delimited(compression=how),
            to=".csv.zip",
            look_back=delimited(compression="zip"),
        )
        for kind, how in kinds.items()
    ]
    return found


def _exports() -> list[Case]:
    numbered = pd.DataFrame({"town": ["Köln", "Bonn"], "n": [1, 2]})
    return [
        case("pandas-index", "nameless first column", numbered.to_csv),
        case("trailing-separators", "empty nameless columns at the end",
             by_bytes("a,b,,\n1,2,,\n3,4,,\n"), look=without_empty,
             **gone("empty nameless columns at the end", b",,\n")),
        case("years-as-names", "years as names", by_bytes("town,2019,2020\nA,1,2\nB,3,4\n")),
        case("comment-lines", "comment lines", by_bytes("# made by x\na,b\n1,2\n# so\n3,4\n"),
             **gone("comment lines", b"# so"),
             look=delimited(comment="#"), options={"comment": "#"}),
    ]  # fmt: skip


def _refused() -> list[Case]:
    def refuse(name: str, content: str | bytes, says: str) -> Case:
        return case(f"refused-{name}", name.replace("-", " "), by_bytes(content), refused=says)

    return [
        refuse("two-variables-of-one-name", f"a,a\n{MARK},2\n", "two variables named 'a'"),
        refuse("lines-of-other-length", f"a,b\n1,2\n{MARK}\n", r"line 3"),
        refuse(
            "quotation-mark-never-closed", f'a,b\n"{MARK},2\n3,4\n', "quotation mark|never closed"
        ),
        refuse("NUL-bytes", f"a,b\n{MARK}\0,2\n".encode(), "NUL"),
        refuse("no-records", "a,b\n", "no records"),
        refuse("no-content", b"", "empty|no names|no records"),
        refuse("no-names", f"{MARK},34\n{MARK},35\n", "first line"),
    ]


CASES = [*_kinds(), *_encodings(), *_dialects(), *_shapes(), *_exports(), *_packed(), *_refused()]
