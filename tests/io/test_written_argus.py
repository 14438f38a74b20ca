"""mu-ARGUS data: what did not change is copied, character by character."""

from __future__ import annotations

import os

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from roundtrip import again, described, everything
from test_argus import LINES, RDA

from microsafe.errors import InputError, UsageError
from microsafe.io import digest, read, write
from microsafe.schema import Schema, Variable
from profiles import examples

# The name of a code list is that of its data.
WITHOUT = ("codelist",)
RAGGED = "\n".join(f"{line}tail{'é' * number}" for number, line in enumerate(LINES))


@pytest.fixture
def folder(tmp_path):
    rda = RDA.replace("  <COLOUR> red\n", "")
    (tmp_path / "survey.rda").write_text(rda, newline="\r\n")
    (tmp_path / "region.cdl").write_text('  1,North\n 12,"South, far"\n\x1a')
    return tmp_path


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize(
    "content",
    [
        "\r\n".join(LINES),
        "\n".join(LINES) + "\n\n",
        "\r\n".join(LINES) + "\r\n\x1a",
        "\r".join(LINES) + "\r",
        RAGGED,
    ],
)
def test_unchanged_data_are_the_same_bytes(folder, content, encoding):
    path = folder / "survey.asc"
    path.write_bytes(content.encode(encoding))
    before, after = again(path, folder / "safe.asc")
    assert (folder / "safe.asc").read_bytes() == content.encode(encoding)
    assert everything(after).equals(everything(before))
    assert described(after.schema, without=WITHOUT) == described(before.schema, without=WITHOUT)
    rda = (folder / "safe.rda").read_bytes().decode()
    assert rda.splitlines() == [
        line.replace("REGION.CDL", "safe_REGION.cdl") for line in sorted_like(RDA, rda)
    ]
    assert b"\r\n" in (folder / "safe.rda").read_bytes()


def sorted_like(rda, made):
    """Return the lines of the metadata with the code list right behind its variable."""
    lines = rda.splitlines()[:-1]
    lines.insert(1, lines.pop(2))
    assert len(lines) == len(made.splitlines())
    return lines


def test_only_changed_fields_differ(folder):
    path = folder / "survey.asc"
    path.write_text("\r\n".join(line + "|rest" for line in LINES), newline="")
    source = read(path)
    frame = everything(source).with_columns(
        REGION=pl.Series([None, "2", "999"]),
        hh=pl.Series([None, "1", "2"]),
        w=pl.Series([2.5, 3.0, None]),
        inc=pl.Series([None, None, 5.0]),
    )
    write(frame, source.schema, folder / "safe.dat", origin=source)
    assert (folder / "safe.dat").read_bytes().decode().split("\r\n") == [
        "999   2.50.99991|rest",  # missing codes, or blanks where none is declared
        "  2 1 3.00.   X2|rest",  # what was missing stays as it was
        "999 2     .   5 |rest",
    ]
    loaded = everything(read(folder / "safe.dat"))
    assert loaded["w"].to_list() == [2.5, 3.0, None]


def test_records_in_another_order_take_their_other_columns_along(folder):
    path = folder / "survey.asc"
    path.write_text("\r\n".join(f"{line}|{n}é" for n, line in enumerate(LINES)), newline="")
    source = read(path)
    order = [2, 0]
    frame = everything(source)[order].with_columns(hh=pl.Series(["7", "8"]))
    write(frame, source.schema, folder / "safe.asc", origin=source, rows=order)
    assert (folder / "safe.asc").read_bytes().decode() == (
        "999 7 1.00.9999 |2é\r\n  1 8 2.50. 1201|0é"
    )
    with pytest.raises(UsageError, match="rows"):
        write(frame, source.schema, folder / "safe.asc", origin=source)


def test_recoded_and_dropped_variables(folder):
    path = folder / "survey.asc"
    path.write_text("\n".join(LINES))
    source = read(path)
    variables = {v.name: v for v in source.schema}
    schema = Schema(
        source="x",
        variables=(
            Variable(name="REGION", labels={"N": "Nörth, all", "S": "South"}, missing=("Z",)),
            variables["w"],
            Variable(name="inc", kind="text", labels={"lo": "low"}),
        ),
    )
    frame = pl.DataFrame({"REGION": ["N", "S", None], "w": [2.5, 10.25, 1.0], "inc": ["lo"] * 3})
    write(frame, schema, folder / "safe.asc", origin=source)
    assert (folder / "safe.asc").read_text().split("\n") == [
        "  N   2.50.  lo ",
        "  S  10.25.  lo ",
        "  Z   1.00.  lo ",
    ]
    assert (folder / "safe.rda").read_text().splitlines() == [
        'REGION 1 3 "Z"',
        '  <CODELIST> "safe_REGION.cdl"',
        "  <RECODABLE>",
        "  <IDLEVEL> 1",
        "  <SUPPRESSWEIGHT> 50",
        "  <TRUNCABLE>",
        "w 6 5",
        "  <numeric>",
        "  <DECIMALS> 2",
        "  <WEIGHT>",
        "inc 12 4",
        '  <CODELIST> "safe_inc.cdl"',
    ]
    after = read(folder / "safe.asc")
    assert after.schema["REGION"].labels == {"N": "Nörth, all", "S": "South"}
    assert after.notices == ()
    assert everything(after)["inc"].to_list() == ["lo"] * 3


def test_values_too_wide_for_their_place(folder):
    path = folder / "survey.asc"
    path.write_text("\n".join(LINES))
    source = read(path)
    frame = everything(source)
    for name, value in (("REGION", "4711"), ("w", 4711.25), ("size", "a\n")):
        changed = frame.with_columns(pl.lit(value).alias(name))
        with pytest.raises(InputError, match=name) as caught:
            write(changed, source.schema, folder / "safe.asc", origin=source)
        assert "4711" not in str(caught.value)
    assert not (folder / "safe.asc").exists()
    assert not (folder / "safe.rda").exists()


def test_signs_that_the_encoding_lacks(tmp_path):
    (tmp_path / "a.rda").write_text("town 1 3\nsex 4 1\n")
    (tmp_path / "a.dat").write_bytes("Zür1\nUlm2\n".encode("cp1252"))
    source = read(tmp_path / "a.dat")
    frame = everything(source).with_columns(town=pl.lit("Łód"))
    with pytest.raises(InputError, match="town") as caught:
        write(frame, source.schema, tmp_path / "b.dat", origin=source)
    assert caught.value.__context__ is None  # it would hold the codes
    write(frame.with_columns(town=pl.lit("ö")), source.schema, tmp_path / "b.dat", origin=source)
    assert (tmp_path / "b.dat").read_bytes() == b"  \xf61\n  \xf62\n"


def test_ascii_may_become_more(tmp_path):
    (tmp_path / "a.rda").write_text("town 1 3\nsex 4 1\n")
    (tmp_path / "a.dat").write_text("Bon1\nUlm2\n")
    source = read(tmp_path / "a.dat")
    frame = everything(source).with_columns(town=pl.Series(["Łód", "Ulm"]))
    write(frame, source.schema, tmp_path / "b.dat", origin=source)
    assert (tmp_path / "b.dat").read_text() == "Łód1\nUlm2\n"


def test_fields_that_share_columns(tmp_path):
    (tmp_path / "a.rda").write_text("region 1 4 9999\nprovince 1 2\nsex 5 1\n")
    (tmp_path / "a.asc").write_text("12341\n")
    source = read(tmp_path / "a.asc")
    frame = everything(source)
    with pytest.raises(InputError, match="region and province"):
        write(
            frame.with_columns(region=pl.lit(None, dtype=pl.String)),
            source.schema,
            tmp_path / "b.asc",
            origin=source,
        )
    kept = Schema(source="x", variables=(source.schema["province"], source.schema["sex"]))
    write(frame.drop("region"), kept, tmp_path / "b.asc", origin=source)
    assert (tmp_path / "b.asc").read_text() == "12  1\n"


def test_variables_without_a_place(folder):
    (folder / "survey.asc").write_text("\n".join(LINES))
    source = read(folder / "survey.asc")
    schema = Schema(source="x", variables=(*source.schema, Variable(name="new")))
    frame = everything(source).with_columns(new=pl.lit("1"))
    with pytest.raises(UsageError, match="new"):
        write(frame, schema, folder / "safe.asc", origin=source)


def test_never_onto_the_metadata_of_the_origin(folder):
    (folder / "survey.asc").write_text("\n".join(LINES))
    source = read(folder / "survey.asc")
    before = (folder / "survey.rda").read_bytes()
    with pytest.raises(UsageError, match=r"survey\.rda"):
        write(everything(source), source.schema, folder / "survey.dat", origin=source)
    os.rename(folder / "region.cdl", folder / "safe_REGION.cdl")
    (folder / "survey.rda").write_bytes(before.replace(b"REGION.CDL", b"safe_REGION.cdl"))
    source = read(folder / "survey.asc")
    with pytest.raises(UsageError, match=r"safe_REGION\.cdl"):
        write(everything(source), source.schema, folder / "safe.asc", origin=source)
    assert not (folder / "safe.asc").exists()


def test_the_data_are_replaced_last(folder, monkeypatch):
    (folder / "survey.asc").write_text("\n".join(LINES))
    source = read(folder / "survey.asc")
    order = []
    real = os.replace

    def replace(old, new):
        order.append(os.path.basename(new))
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    write(everything(source), source.schema, folder / "safe.asc", origin=source)
    assert order == [".microsafe-journal", "safe.rda", "safe_REGION.cdl", "safe.asc"]


FREE = [
    ('<SEPARATOR> ","\r\n', " 1,F, 2\n10,M,\n", ["99,F, 2", "10,M,5"]),
    ('<SEPARATOR> ";"\r\n', " 1;F;2\r\n10;M;\r\n", ["99;F;2", "10;M;5"]),
    ('<NAMESINFRONT>\r\n<SEPARATOR> ","\r\n', "Sex,age,n\nF,1,2\nM,10,\n", ["F,99,2", "M,10,5"]),
]


@pytest.mark.parametrize(("head", "data", "changed"), FREE)
def test_free_format(tmp_path, head, data, changed):
    (tmp_path / "a.rda").write_text(f"{head}age 3 99\r\nsex 1\r\nn 2\r\n<NUMERIC>\r\n", newline="")
    path = tmp_path / "a.asc"
    path.write_text(data, newline="")
    before, after = again(path, tmp_path / "b.asc")
    assert (tmp_path / "b.asc").read_bytes().decode() == data
    assert (tmp_path / "b.rda").read_bytes() == (tmp_path / "a.rda").read_bytes()
    assert described(after.schema) == described(before.schema)
    frame = everything(before).with_columns(age=pl.Series([None, "10"]), n=pl.Series([2, 5]))
    write(frame, before.schema, tmp_path / "b.asc", origin=before)
    assert (tmp_path / "b.asc").read_text().splitlines()[-2:] == changed
    fewer = Schema(source="x", variables=(before.schema["sex"], before.schema["n"]))
    write(frame.select("sex", "n")[[1]], fewer, tmp_path / "b.asc", origin=before, rows=[1])
    assert everything(read(tmp_path / "b.asc")).rows() == [("M", 5.0)]
    with pytest.raises(InputError, match="age"):
        write(
            frame.with_columns(age=pl.lit("4711")),
            before.schema,
            tmp_path / "b.asc",
            origin=before,
        )


def test_data_that_had_no_layout(tmp_path):
    schema = Schema(
        source="x",
        variables=(
            Variable(name="region", labels={1: "North", 12: "Söuth"}, missing=(99,), role="key"),
            Variable(name="hh", kind="integer", role="household"),
            Variable(name="w", kind="number", role="weight"),
            Variable(name="age", kind="integer", missing=(999,)),
            Variable(name="town"),
        ),
    )
    frame = pl.DataFrame(
        {
            "region": [1.0, 12.0, None],
            "hh": [1, 1, 2],
            "w": [2.5, 10.0, 1e-7],
            "age": [30, None, 5],
            "town": ["é", None, "Ulm"],
        }
    )
    out = tmp_path / "made.asc"
    write(frame, schema, out)
    first = [digest(p) for p in sorted(tmp_path.iterdir())]
    after = read(out)
    assert after.notices == ()
    assert everything(after).rows() == [
        ("1", "1", 2.5, 30.0, "é"),
        ("12", "1", 10.0, 999.0, None),
        ("99", "2", 1e-7, 5.0, "Ulm"),
    ]
    assert [v.role for v in after.schema] == ["key", "household", "weight", None, None]
    assert [v.decimals for v in after.schema] == [None, None, 7, 0, None]
    assert after.schema["region"].labels == {"1": "North", "12": "Söuth"}
    assert after.schema["age"].missing == (999.0,)
    write(frame, schema, out)
    assert [digest(p) for p in sorted(tmp_path.iterdir())] == first
    with pytest.raises(InputError, match="'a b'"):
        write(
            pl.DataFrame({"a b": [1]}),
            Schema(source="x", variables=(Variable(name="a b"),)),
            out,
        )


@pytest.mark.parametrize(
    "name",
    ["demodata/Demodata.asc", "demodata/Demofree.asc", "hhdata/Samhh.asc"],
)
def test_data_that_come_with_mu_argus(peers, tmp_path, name):
    path = peers / "muargus" / name
    before, after = again(path, tmp_path / "safe.asc")
    assert (tmp_path / "safe.asc").read_bytes() == path.read_bytes()
    assert everything(after).equals(everything(before))
    assert described(after.schema, without=WITHOUT) == described(before.schema, without=WITHOUT)


def test_text_beside_metadata_stays_fixed_width(folder):
    (folder / "survey.txt").write_text("\n".join(LINES))
    again(folder / "survey.txt", folder / "safe.txt")
    assert (folder / "safe.txt").read_text() == "\n".join(LINES)


def test_labels_of_alike_names_have_lists_of_their_own(tmp_path):
    variables = tuple(Variable(name=n, labels={"1": n}) for n in ("a", "A", "a/b", "a_b"))
    frame = pl.DataFrame({v.name: ["1"] for v in variables})
    write(frame, Schema(source="x", variables=variables), tmp_path / "x.asc")
    after = read(tmp_path / "x.asc")
    assert [v.labels["1"] for v in after.schema] == ["a", "A", "a/b", "a_b"]


code = st.none() | st.text("aé1", min_size=1, max_size=3)


@given(st.lists(st.tuples(code, code, code, code), min_size=1, max_size=6), st.data())
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_change_is_read_back(tmp_path, rows, data):
    (tmp_path / "a.rda").write_text("x 2 3 99\ny 6 4\n")
    lines = [f".{x or '':>3}-{y or '':<4}{u or ''}" for x, y, u, _ in rows]
    (tmp_path / "a.asc").write_text("\r\n".join(lines), newline="")
    if not "".join(lines).strip(" "):
        return
    source = read(tmp_path / "a.asc")
    order = data.draw(st.permutations(range(len(rows))))
    frame = everything(source)[list(order)].with_columns(x=pl.Series([rows[i][3] for i in order]))
    frame = frame.with_columns(pl.col("x").cast(pl.String))
    write(frame, source.schema, tmp_path / "b.asc", origin=source, rows=order)
    after = everything(read(tmp_path / "b.asc"))
    was = everything(source)["x"].to_list()
    assert after["y"].to_list() == frame["y"].to_list()
    assert after["x"].to_list() == [rows[i][3] or (None if was[i] is None else "99") for i in order]
    made = (tmp_path / "b.asc").read_bytes().decode().split("\r\n")
    assert [line[:1] + line[4:] for line in made] == [lines[i][:1] + lines[i][4:] for i in order]
