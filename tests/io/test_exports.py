"""Tables as other programs export them: row names, empty columns, years as names, comments."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, UnreadableFileError, UsageError
from microsafe.io import read, write
from microsafe.io.source import Source
from microsafe.io.text._comments import CommentFilter
from microsafe.io.text._lines import number_line
from microsafe.io.text.packed import pack_pieces
from microsafe.schema import Schema, Variable

FRAME = pd.DataFrame({"sex": ["m", "f", "f"], "age": [34, 51, 28]})
R_WAYS = {
    "write.csv": '"","sex","age"\n"1","m",34\n"2","f",51\n"3","f",28\n',
    "write.csv2": '"";"sex";"age"\n"1";"m";34\n"2";"f";51\n"3";"f";28\n',
    "write.table": '"sex" "age"\n"1" "m" 34\n"2" "f" 51\n"3" "f" 28\n',
    "write.table, tabs": "sex\tage\n1\tm\t34\n2\tf\t51\n3\tf\t28\n",
    "write.table, commas": '"sex","age"\r\n"1","m",34\r\n"2","f",51\r\n"3","f",28\r\n',
}


def opened(path: Path, content: str | bytes, **options: Any) -> Source:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(path, **options)


def columns(source: Source) -> dict[str, list[str | None]]:
    return source.load(source.schema.names).to_dict(as_series=False)


def notices(source: Source) -> list[str]:
    return [each.id for each in source.notices]


def sheet(rows: list[list[object]]) -> bytes:
    memory = io.BytesIO()
    book = xlsxwriter.Workbook(memory)
    page = book.add_worksheet()
    for place, row in enumerate(rows):
        for column, value in enumerate(row):
            if value is not None:
                page.write(place, column, value)
    book.close()
    return memory.getvalue()


@pytest.mark.parametrize("way", R_WAYS)
def test_row_names_of_r_get_a_name(tmp_path: Path, way: str) -> None:
    source = opened(tmp_path / "lfs.csv", R_WAYS[way])
    assert columns(source) == {
        "row": ["1", "2", "3"],
        "sex": ["m", "f", "f"],
        "age": ["34", "51", "28"],
    }
    assert notices(source) == ["file-row-names"]
    assert "lfs.csv" in source.notices[0].text
    assert source.schema["row"].role == "identifier"


def test_the_index_of_pandas_gets_a_name_and_comes_back(tmp_path: Path) -> None:
    source = opened(tmp_path / "lfs.csv", FRAME.to_csv())
    out = tmp_path / "safe.csv"
    write(source.load(source.schema.names), source.schema, out, origin=source)
    pd.testing.assert_frame_equal(
        pd.read_csv(out, index_col="row"), FRAME, check_names=False, check_dtype=False
    )
    FRAME.to_excel(tmp_path / "lfs.xlsx", engine="xlsxwriter")
    source = read(tmp_path / "lfs.xlsx")
    assert source.schema.names == ("row", "sex", "age")
    assert source.schema["row"].role == "identifier"
    assert notices(source) == ["file-row-names"]


def test_a_first_column_that_repeats_is_no_record_number(tmp_path: Path) -> None:
    source = opened(tmp_path / "lfs.csv", ",row,Row_1\n1,a,b\n1,c,d\n")
    assert source.schema.names == ("row_2", "row", "Row_1")
    assert source.schema["row_2"].role is None


def test_row_names_are_proposed_as_identifier(tmp_path: Path) -> None:
    path = tmp_path / "lfs.csv"
    path.write_text(pd.concat([FRAME] * 20, ignore_index=True).to_csv())
    found = ms.study(path)
    assert {each.name: each.role for each in found.describe()}["row"] == "identifier"
    assert [n.name for row in found.inventory().rows for n in [row] if row.findings] == ["row"]


@pytest.mark.parametrize(
    "content",
    [
        "sex,age\nm,34,\nf,51,\n",  # a separator at the end of records
        "sex,age\n1,m,34\n1,f,51\n",  # row names of R differ
        "sex,age\n,m,34\n2,f,51\n",  # and are never missing
        "sex,age\n1,m,34\nf,51\n3,f,28\n",
    ],
)
def test_too_few_names_for_other_reasons_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(UnreadableFileError, match=r"3 fields on line 2, where 2 fields"):
        opened(tmp_path / "lfs.csv", content)


def test_a_separator_inside_of_fields_makes_no_row_names(tmp_path: Path) -> None:
    source = opened(tmp_path / "names.csv", "name\nDoe, Jane\nPoe, John\n")
    assert columns(source) == {"name": ["Doe, Jane", "Poe, John"]}
    source = opened(tmp_path / "marks.csv", "x, y;z\n1,5;2,5\n2,5;3,5\n")
    assert columns(source) == {"x, y": ["1,5", "2,5"], "z": ["2,5", "3,5"]}


@pytest.mark.parametrize(
    ("content", "left"), [("a,b,,\n1,2,,\n3,4,, \n", 2), ("a,,b\n1,,2\n3,,4\n", 1)]
)
def test_empty_columns_without_a_name_are_left_out(tmp_path: Path, content: str, left: int) -> None:
    source = opened(tmp_path / "lfs.csv", content)
    assert columns(source) == {"a": ["1", "3"], "b": ["2", "4"]}
    assert source.scan is not None
    assert next(source.scan(["b"], 1)).to_dict(as_series=False) == {"b": ["2"]}
    (notice,) = source.notices
    assert f" {left} column" in notice.text


@pytest.mark.parametrize("content", ["a,b,\n1,2,\n3,4,x\n", "a,,b\n1,,2\n3,x,4\n"])
def test_a_nameless_column_with_values_is_refused(tmp_path: Path, content: str) -> None:
    place = content.split("\n", maxsplit=1)[0].split(",").index("") + 1
    with pytest.raises(InputError, match=f"no name for the variable in column {place}"):
        opened(tmp_path / "lfs.csv", content)
    with pytest.raises(InputError, match=r"in column 2. Give it one in the first row"):
        opened(tmp_path / "lfs.xlsx", sheet([["a", None], [1, 2]]))


YEARS = [
    ["region", 2019, 2020],
    ["Bern", 15, 1999],
    ["Basel", 7, None],
    ["Biel", 9, 1],
    ["Thun", 2, 3],
]


@pytest.mark.parametrize("first", ["region", ""])
@pytest.mark.parametrize("years", [("2019", "2020"), ("2021", "2011"), ("1848", "1850")])
def test_years_are_names_above_other_figures(
    tmp_path: Path, first: str, years: tuple[str, ...]
) -> None:
    rows = [[first, *years], *YEARS[1:]]
    text = "".join(",".join("" if v is None else str(v) for v in row) + "\n" for row in rows)
    source = opened(tmp_path / "wide.csv", text)
    assert source.schema.names == (first or "row", *years)
    assert source.load([years[1]])[years[1]].to_list() == ["1999", None, "1", "3"]
    assert "file-years" in notices(source)
    rows = [[first or None, *map(int, years)], *YEARS[1:]]
    source = opened(tmp_path / "wide.xlsx", sheet(rows))
    assert source.schema.names == (first or "row", *years)
    assert "file-years" in notices(source)


RECORDS = [
    "Bern,1975,1980\nThun,1966,2001\nBiel,1990,1988\n",  # years below years
    "Bern,1975,1980\nThun,12,15\nBern,9,8\n",  # a word that comes again
    "Bern,1975,1980\nThun,yes,15\n",  # words below years
    "Bern,1975\nThun,12\n",  # one year
    "Bern,1975,1995\nThun,12,1\n",  # far apart
    "Bern,1975,1975\nThun,12,1\n",
    "Bern,1980,1975,1977\nThun,12,1,1\n",
    "Bern,1975,1976,34\nThun,12,1,1\n",  # another number
    "2019,2020\n1,2\n",
    "?,2019,2020\nx,1,2\n",
]


@pytest.mark.parametrize("content", RECORDS)
def test_years_of_a_record_are_no_names(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="does not look like names") as caught:
        opened(tmp_path / "wide.csv", content)
    assert not any(each in str(caught.value) for each in ("Bern", "1975", "2019"))
    rows = [[int(v) if v.isdigit() else v for v in row.split(",")] for row in content.split()]
    with pytest.raises(InputError, match="does not look like names"):
        opened(tmp_path / "wide.xlsx", sheet(rows))


def test_years_are_not_written_where_they_would_be_a_record(tmp_path: Path) -> None:
    frame = pl.DataFrame({"2019": [1, 2], "2020": [3, 4]})
    schema = Schema(
        source="x", variables=tuple(Variable(name=n, kind="integer") for n in frame.columns)
    )
    with pytest.raises(InputError, match=r"numbers or dates for names .* such as \.parquet"):
        write(frame, schema, tmp_path / "safe.csv")
    write(frame, schema, tmp_path / "safe.parquet")
    assert [each.name for each in tmp_path.iterdir()] == ["safe.parquet"]


COMMENTS = '# by "x\n\n#\na,b\n1,2\n#,,\n"x\n# y",4\n\n# end'


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_comments_are_left_out(tmp_path: Path, end: str) -> None:
    content = COMMENTS.replace("\n", end).encode()
    source = opened(tmp_path / "lfs.csv", content, comment="#")
    assert columns(source) == {"a": ["1", f"x{end}# y"], "b": ["2", "4"]}
    assert source.records == 2
    assert not source.notices


def test_comments_in_a_file_of_one_variable_are_no_records(tmp_path: Path) -> None:
    source = opened(tmp_path / "lfs.csv", "%c\na\n1\n\n%c\n2", comment="%")
    assert columns(source) == {"a": ["1", None, "2"]}


@pytest.mark.parametrize(
    ("content", "line"),
    [("#c\na,b\n#d\n1,2\n1\n", 5), ('#c\na,b\n#d\n1,2\n"1,2\n', 5), ("a,b\n1\n#c\n", 2)],
)
def test_lines_are_numbered_as_in_the_file(tmp_path: Path, content: str, line: int) -> None:
    with pytest.raises(UnreadableFileError, match=f"line {line}"):
        # Blocks are told by their first line.
        opened(tmp_path / "lfs.csv", content.replace('"1,2\n', '"1,2'), comment="#")


@pytest.mark.parametrize(
    "content",
    [
        "# Exported in 2020\na,b\n1,2\n",
        "# Exported\na,b\n1,2\n",
        "# Exported\na\n1\n",
        "# Exported, by me\na,b\n1,2\n",
        "#a,b\n#x,y\n1,2\n",
        "a,b\n1,2\n# end\n",
    ],
)
def test_comments_that_are_not_declared_get_a_hint(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"\(--comment '#'\)") as caught:
        opened(tmp_path / "lfs.csv", content)
    assert caught.value.__context__ is None


def test_names_may_begin_with_a_number_sign(tmp_path: Path) -> None:
    source = opened(tmp_path / "lfs.csv", "#id,b\n1,2\n")
    assert source.schema.names == ("#id", "b")
    assert notices(source) == ["file-comment"]


@pytest.mark.parametrize("mark", ["", "##", "a", '"', " ", "-", ";", "é", "\n"])
def test_marks_that_cannot_begin_a_comment(tmp_path: Path, mark: str) -> None:
    with pytest.raises(UsageError, match="comment"):
        opened(tmp_path / "lfs.csv", "a;b\n1;2\n", comment=mark, separator=";")


def test_a_comment_mark_is_not_the_separator(tmp_path: Path) -> None:
    source = opened(tmp_path / "lfs.csv", ";c;c;c\na,b\n1,2\n;c;c;c\n", comment=";")
    assert columns(source) == {"a": ["1"], "b": ["2"]}
    with pytest.raises(UsageError, match="comment does not apply"):
        opened(tmp_path / "lfs.xlsx", sheet([["a"], [1]]), comment="#")


PIECES = st.lists(st.sampled_from(["#", "a", '"', "\n", "\r\n", "#x\n", '#"\n']), max_size=30)


@given(pieces=PIECES, size=st.integers(1, 7))
def test_comments_do_not_depend_on_the_chunks(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    chunks = [text[at : at + size].encode() for at in range(0, len(text), size)]
    found = CommentFilter("#")
    left = b"".join(found.filter(chunks)).decode()
    kept: list[str] = []
    dropped, quoted = [], False
    for number, line in enumerate(io.StringIO(text, newline="\n"), 1):
        if not quoted and (line.startswith("#") or (not kept and not line.strip("\r\n"))):
            dropped.append(number)
            continue
        quoted ^= line.count('"') % 2 == 1
        kept.append(line)
    assert left == "".join(kept)
    assert found.dropped == dropped
    rest = [n for n in range(1, text.count("\n") + 2) if n not in dropped]
    assert [number_line(n, found.dropped) for n in range(1, len(rest) + 1)] == rest


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv.zip"])
def test_a_plan_keeps_comments_and_packing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lfs{suffix}"
    by = "\t" if ".tsv" in suffix else ","
    # A safe file has no comments, so its values may begin with the mark.
    rows = [by.join((f'"%{k % 2}"', str(20 + k % 3), str(k % 2))) for k in range(60)]
    names, lines = by.join(("sex", "age", "town")), "%d\n".join(f"{row}\n" for row in rows)
    pack_pieces(path, [f"%c\n{names}\n{lines}".encode()])
    found = ms.study(path, keys=["sex", "age"], comment="%")
    assert found.engine.rows() == 60
    done = found.release(tmp_path / "out", keep={"town": "Known to all"}, shuffle=1)
    safe = tmp_path / "out" / f"lfs-safe{suffix}"
    assert done.allowed
    plan = tmp_path / "out" / "lfs-safe.toml"
    assert 'comment = "%"' in plan.read_text()
    assert sorted(read(safe).load(["sex"])["sex"]) == sorted(f"%{k % 2}" for k in range(60))
    before = safe.read_bytes()
    assert main(["replay", str(plan)]) == 0
    assert safe.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a;b\n1,5;1,25\n2;NA\n", ["a, b"]),
        ("a\tb\n1,5\tx,5\n2\t1\n", ["a"]),
        ("a;b\n1,500;1.5\n2,250;1,5\n", []),  # thousands, perhaps
        ("a;b\n1,5,7;1\n2;2\n", []),
        ('a,b\n"1,5",1\n"2,5",2\n', []),  # several answers, perhaps
    ],
)
def test_a_decimal_comma_is_noticed(tmp_path: Path, content: str, told: list[str]) -> None:
    source = opened(tmp_path / "lfs.csv", content)
    texts = [each.text for each in source.notices if each.id == "decimal-comma"]
    assert [text.split(": ")[1].split(". ")[0] for text in texts] == told
    assert "decimal-comma" not in notices(read(tmp_path / "lfs.csv", decimal=","))


def test_marks_serve_weights_recodes_and_numeric_steps(tmp_path: Path) -> None:
    path, plain = tmp_path / "marks.csv", tmp_path / "plain.csv"
    rows = [(k % 3, 1_000_000 * k + 200_500 + k / 4, 1000 + k + 0.5) for k in range(1, 61)]
    plain.write_text("region;income;w\n" + "".join(f"{a};{b:.2f};{c:.1f}\n" for a, b, c in rows))
    swap = str.maketrans(",.", ".,")
    path.write_text(
        "region;income;w\n"
        + "".join(f"{a};{f'{b:,.2f}'.translate(swap)};{f'{c:,.1f}'.translate(swap)}\n"
                  for a, b, c in rows)
    )  # fmt: skip
    marked = ms.study(path, keys=["region"], weight="w", decimal=",", thousands=".")
    usual = ms.study(plain, keys=["region"], weight="w", decimal=".")
    assert marked.risk().expected == usual.risk().expected
    for take in (
        lambda s: s.round("income", base=1000),
        lambda s: s.top_code("income", 40_000_000),
        lambda s: s.microaggregate(["income"], k=3),
        lambda s: s.recode("income", breaks=[0, 10_000_000, 30_000_000]),
    ):
        made, other = (take(s).engine.values("income").to_list() for s in (marked, usual))
        assert made == other
