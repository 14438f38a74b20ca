"""SPSS, Stata and SAS: what is written is what was read."""

from __future__ import annotations

import datetime as dt
import struct
import time

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from roundtrip import again, described, everything

from microsafe.errors import InputError, UsageError
from microsafe.io import digest, read, write
from microsafe.schema import Schema, Variable
from profiles import examples

FRAME = pl.DataFrame(
    {
        "id": [1.0, 2.0, 3.0],
        "sex": [1.0, 9.0, None],
        "town": [None, "a", "bé"],
        "born": [dt.date(1980, 5, 1), None, dt.date(1999, 12, 31)],
        "seen": [dt.datetime(2020, 1, 1, 3, 4, 5), None, dt.datetime(1850, 1, 1)],
        "far": [1e15, 1.0, None],
        "none": pl.Series([None] * 3, dtype=pl.Float64),
        "never": pl.Series([None] * 3, dtype=pl.String),
    }
)


@pytest.fixture(params=[".sav", ".zsav"])
def sav(request, tmp_path):
    path = tmp_path / f"survey{request.param}"
    pyreadstat.write_sav(
        FRAME.with_columns(town=pl.Series(["x" * 300, "a", "bé"])),
        str(path),
        compress=request.param == ".zsav",
        file_label="Survey 2020",
        note=["first", "", "second" * 13],
        column_labels={"sex": "Sex of the person", "town": "Where"},
        variable_value_labels={"sex": {1: "male", 9: "refused"}, "town": {"a": "A town"}},
        missing_ranges={
            "sex": [9, {"lo": 97, "hi": 99}],
            "town": ["zz", "yy"],
            "id": [{"lo": float("-inf"), "hi": 0}],
        },
        variable_measure={"sex": "nominal", "id": "scale"},
        variable_display_width={"sex": 12},
        variable_format={"id": "F6.1", "born": "ADATE10", "far": "DATETIME20", "none": "MOYR8"},
    )
    return path


def test_spss_keeps_everything(sav, tmp_path):
    before, after = again(sav, tmp_path / f"safe{sav.suffix}")
    assert everything(after).equals(everything(before))
    assert described(after.schema) == described(before.schema)
    assert after.schema.notes == before.schema.notes == ("Survey 2020", "first", "second" * 13)
    assert after.schema["town"].width == 300
    assert after.schema["born"].format == "ADATE10"


def test_spss_without_notes(sav, tmp_path):
    source = read(sav)
    out = tmp_path / "safe.sav"
    write(everything(source), source.schema, out, origin=source, notes=False)
    assert read(out).schema.notes == ()
    assert b"Survey 2020" not in out.read_bytes()
    assert b"second" not in out.read_bytes()


def test_a_first_note_is_no_file_label(tmp_path):
    pyreadstat.write_sav(FRAME, str(tmp_path / "a.sav"), note=["only a note"])
    _, after = again(tmp_path / "a.sav", tmp_path / "b.sav")
    assert after.schema.notes == ("only a note",)
    assert after.dialect.title == ""


def test_spss_blanks_become_a_declared_code(sav, tmp_path):
    source = read(sav)
    frame = everything(source).with_columns(town=pl.lit(None, dtype=pl.String))
    out = tmp_path / "safe.sav"
    write(frame, source.schema, out, origin=source, blanks={"sex": 98, "town": "yy", "id": -5})
    loaded = read(out).load(["sex", "town", "far"])
    assert loaded["sex"].to_list() == [1.0, 9.0, 98.0]
    assert loaded["town"].to_list() == ["yy"] * 3
    assert loaded["far"].to_list() == FRAME["far"].to_list()
    with pytest.raises(UsageError, match=r"town.*zz, yy"):
        write(frame, source.schema, out, blanks={"town": "xx"})
    with pytest.raises(UsageError, match=r"far.*Leave it out"):
        write(frame, source.schema, out, blanks={"far": 9})


def stata(path, release=118):
    """Write a file with all storage types, tagged missing values and notes, not by ReadStat."""
    frame = pd.DataFrame(
        {
            "b": np.array([1, 100, -127], np.int8),
            "i": np.array([1, 32740, -5], np.int16),
            "l": np.array([1, 2147483620, -7], np.int32),
            "f": np.array([0.1, np.nan, 2.5], np.float32),
            "d": [0.1, np.nan, 1e300],
            "s": ["ab", "", "bé"],
            "day": pd.to_datetime(["1980-05-01", None, "1999-12-31"]),
            "moment": pd.to_datetime(["1980-05-01 01:02:03", None, "1850-01-01 00:00:00"]),
            "essay": ["x" * 3000, "", "y"],
        }
    )
    frame.to_stata(
        path,
        version=release,
        write_index=False,
        data_label="Panel",
        variable_labels={"b": "A byte", "f": "Größe"},
        value_labels={"b": {1: "one", 100: "hundred"}},
        convert_dates={"day": "td", "moment": "tc"},
        convert_strl=["essay"],
    )
    return path


@pytest.mark.parametrize("release", [117, 118])
def test_stata_keeps_everything(tmp_path, release):
    before, after = again(stata(tmp_path / "panel.dta", release), tmp_path / "safe.dta")
    assert everything(after).equals(everything(before))
    # Release 117 has text in latin-1, and UTF-8 needs more bytes for some letters.
    without = ("storage_width",) if release == 117 else ()
    assert described(after.schema, without=without) == described(before.schema, without=without)
    assert after.schema.notes == ("Panel",)
    assert after.schema["i"].extra["storage_type"] == "int16"
    assert "storage_width" not in after.schema["essay"].extra  # that is how ReadStat says strL
    seen = pd.read_stata(tmp_path / "safe.dta", convert_categoricals=False)
    assert seen.equals(pd.read_stata(tmp_path / "panel.dta", convert_categoricals=False))
    with pd.read_stata(tmp_path / "safe.dta", iterator=True) as reader:
        assert reader.value_labels() == {"b": {1: "one", 100: "hundred"}}
        assert reader.variable_labels()["f"] == "Größe"
        assert reader.data_label == "Panel"


def test_stata_notes(tmp_path):
    schema = Schema(
        source="x", variables=(Variable(name="x", kind="integer"),), notes=("Panel", "one", "zwö")
    )
    write(pl.DataFrame({"x": [1]}), schema, tmp_path / "a.dta")
    _, after = again(tmp_path / "a.dta", tmp_path / "b.dta")
    assert after.schema.notes == ("Panel", "one", "zwö")
    write(pl.DataFrame({"x": [1]}), schema, tmp_path / "a.dta", notes=False)
    assert read(tmp_path / "a.dta").schema.notes == ()


@pytest.fixture
def tagged(tmp_path):
    path = tmp_path / "tagged.dta"
    frame = pd.DataFrame(
        {
            "x": pd.Series([1.0, "a", None, "z"], dtype=object),
            "n": pd.Series([1, "b", 2, None], dtype=object),
            "plain": [1.5, 2.5, 3.5, 4.5],
        }
    )
    pyreadstat.write_dta(
        frame,
        str(path),
        missing_user_values={"x": ["a", "z"], "n": ["b"]},
        variable_value_labels={"x": {1: "one", "a": "refused"}, "n": {"b": "not asked"}},
    )
    return path


def tags(path):
    frame, _ = pyreadstat.read_dta(str(path), user_missing=True, output_format="dict")
    return {name: list(values) for name, values in frame.items()}


def test_stata_tagged_missing_values_survive(tagged, tmp_path):
    before, after = again(tagged, tmp_path / "safe.dta")
    assert tags(tmp_path / "safe.dta") == tags(tagged)
    assert described(after.schema) == described(before.schema)


def test_stata_blanks_and_tags_in_another_order(tagged, tmp_path):
    source = read(tagged)
    frame = everything(source)[[3, 1, 0]].with_columns(plain=pl.lit(None, dtype=pl.Float64))
    out = tmp_path / "safe.dta"
    options = {"origin": source, "rows": [3, 1, 0]}
    write(frame, source.schema, out, blanks={"n": ".b", "x": ".a"}, **options)
    assert tags(out) == {"x": ["z", "a", 1.0], "n": ["b", "b", 1], "plain": [None] * 3}
    with pytest.raises(UsageError, match="rows"):
        write(frame, source.schema, out, origin=source)
    with pytest.raises(UsageError, match="plain"):
        write(frame, source.schema, out, blanks={"plain": ".c"}, **options)


def test_stata_widens_what_does_not_fit(tmp_path):
    source = read(stata(tmp_path / "panel.dta"))
    frame = everything(source).with_columns(
        b=pl.Series([101, None, 1]),
        i=pl.Series([2**40, None, 1]),
        l=pl.Series([1.5, None, 1.0]),
        f=pl.Series([0.1, None, 1.0]),
        s=pl.Series(["longer", None, "é" * 1500]),
    )
    out = tmp_path / "safe.dta"
    write(frame, source.schema, out, origin=source)
    after = read(out)
    kinds = [after.schema[name].extra["storage_type"] for name in ("b", "i", "l", "f")]
    assert kinds == ["int16", "double", "double", "double"]
    assert everything(after)["s"].to_list() == frame["s"].to_list()
    assert everything(after)["i"].to_list() == [2.0**40, None, 1.0]


@pytest.mark.parametrize("version", [5, 8])
def test_sas_transport_keeps_what_it_can(tmp_path, version):
    path = tmp_path / "survey.xpt"
    name = "sex" if version == 5 else "sex_of_the_person"
    pyreadstat.write_xport(
        FRAME.rename({"sex": name}),
        str(path),
        file_label="AE",
        table_name="PERSONS",
        column_labels={name: "Sex"},
        file_format_version=version,
        variable_format={"born": "DDMMYY10", "id": "BEST12", "seen": "DATETIME20"},
    )
    before, after = again(path, tmp_path / "safe.xpt")
    assert everything(after).equals(everything(before))
    assert described(after.schema) == described(before.schema)
    assert after.schema.notes == ("AE",)
    assert after.schema["id"].extra["table"] == "PERSONS"


def test_sas_transport_keeps_width_and_numbers(tmp_path):
    values = [0.1, 1 / 3, -123456789.123, 2.0**53, 1e74, 1e-78, 0.0, None]
    frame = pl.DataFrame({"x": values, "s": [None, "b", *["c"] * 6]})
    schema = Schema(
        source="x",
        variables=(Variable(name="x", kind="number"), Variable(name="s", width=20)),
    )
    out = tmp_path / "safe.xpt"
    write(frame, schema, out)
    assert everything(read(out)).equals(frame)
    assert read(out).schema["s"].extra["storage_width"] == "20"


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".xpt"])
def test_between_packages(tagged, tmp_path, suffix):
    source = read(tagged)
    out = tmp_path / f"other{suffix}"
    write(everything(source), source.schema, out, origin=source)
    after = read(out)
    assert (
        everything(after)
        .select(pl.all().cast(pl.Float64))
        .equals(everything(source).select(pl.all().cast(pl.Float64)))
    )
    assert [v.label for v in after.schema] == [v.label for v in source.schema]


def test_plain_frames_become_files_of_packages(tmp_path):
    frame = pl.DataFrame({"i": [1, None], "n": [1.5, 2.0], "yes": [True, None], "s": ["a", None]})
    schema = Schema(
        source="x",
        variables=(
            Variable(name="i", kind="integer", labels={1: "one"}, missing=(98,)),
            Variable(name="n", kind="number"),
            Variable(name="yes", kind="boolean"),
            Variable(name="s", missing=("NA", ".")),
        ),
    )
    for suffix in (".sav", ".dta", ".xpt"):
        out = tmp_path / f"made{suffix}"
        write(frame, schema, out)
        loaded = everything(read(out))
        assert [row[0] for row in loaded.rows()] == [1, None]
        assert loaded["n"].to_list() == [1.5, 2.0]
        assert loaded["yes"].to_list() == [1, None]
        assert loaded["s"].to_list() == ["a", None]
    sav = read(tmp_path / "made.sav").schema
    assert (sav["i"].format, sav["n"].format, sav["s"].missing) == ("F8.0", "F8.2", ("NA", "."))
    assert sav["i"].labels == {1.0: "one"}
    assert read(tmp_path / "made.dta").schema["i"].extra["storage_type"] == "int8"


def test_the_time_of_writing_leaves_no_trace(tmp_path):
    schema = Schema(source="x", variables=tuple(Variable(name=n) for n in FRAME.columns))
    paths = [tmp_path / f"safe{suffix}" for suffix in (".sav", ".zsav", ".dta", ".xpt")]
    digests = []
    for _ in range(2):
        for path in paths:
            write(FRAME, schema, path)
        digests.append([digest(path) for path in paths])
        time.sleep(1.1)  # stamps have seconds
    assert digests[0] == digests[1]
    assert b"<timestamp>\0</timestamp>" in paths[2].read_bytes()


def single(name="x", **changes):
    return Schema(source="x", variables=(Variable(name=name, **changes),))


TOO_MUCH = [
    (".dta", [1], single("n" * 33), "nnn"),
    (".dta", [1], single("a b"), "a b"),
    (".dta", [1], single("if"), "'if'"),
    (".dta", [1], single(label="l" * 81), "x has a label"),
    (".dta", [1], single(labels={1.5: "a"}), "x has labels"),
    (".dta", [float("inf")], single(), "x holds infinite"),
    (".sav", [1.7976931348623157e308], single(), "x holds the largest number"),
    (".dta", [2**60], single(), "x holds whole"),
    (".dta", [[1]], single(), "x holds lists"),
    (".dta", [1.0e308], single(), "x holds numbers"),
    (".dta", [1], single(labels={"a": "b"}), "x holds numbers"),
    (".xpt", [1], single("n" * 33), "nnn"),
    (".xpt", [1], single("größe"), "größe"),
    (".xpt", ["s" * 32_768], single(), "x holds text of more than 32767"),
    (".xpt", [1], single(label="l" * 257), "x has a label"),
    (".xpt", [1.0e75], single(), "x holds numbers"),
    (".xpt", ["a", None], single(), "safe.xpt would end"),
    (".sav", [1], single("n" * 65), "nnn"),
    (".sav", [1], single("1x"), "1x"),
    (".sav", [1], single("ALL"), "ALL"),
    (".sav", ["s" * 32768], single(), "x holds text of more than 32767"),
    (".sav", [1], single(label="l" * 256), "x has a label"),
    (".sav", [1], single(labels={1: "l" * 121}), "x has a value label"),
    (".sav", [1, 2, 3, 4], single(missing=(1, 2, 3, 4)), "x has more missing"),
    (".sav", ["123456789"], single(missing=("123456789",)), "x has a missing code"),
    (".sav", ["a\0b"], single(), "x holds NUL"),
]


@pytest.mark.parametrize(("suffix", "values", "schema", "words"), TOO_MUCH)
def test_limits_of_packages(tmp_path, suffix, values, schema, words):
    out = tmp_path / f"safe{suffix}"
    out.write_bytes(b"old")
    frame = pl.DataFrame({schema.names[0]: values}, strict=False)
    with pytest.raises(InputError) as caught:
        write(frame, schema, out)
    assert words in str(caught.value)
    assert out.read_bytes() == b"old"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_missing_codes_that_do_not_occur_are_left_out_where_there_are_too_many(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,NA\n2,999999999\n")
    source = read(tmp_path / "a.csv", na=("NA", "-1", "-2", ".", "-1", "not applicable"))
    write(everything(source), source.schema, tmp_path / "a.sav", origin=source)
    after = read(tmp_path / "a.sav").schema
    assert (after["a"].missing, after["b"].missing) == ((), ("NA",))


def test_names_that_differ_in_case_only(tmp_path):
    frame = pl.DataFrame({"a": [1], "A": [2]})
    schema = Schema(source="x", variables=(Variable(name="a"), Variable(name="A")))
    for suffix in (".sav", ".xpt"):
        with pytest.raises(InputError, match="'A'"):
            write(frame, schema, tmp_path / f"safe{suffix}")
    write(frame, schema, tmp_path / "safe.dta")
    assert everything(read(tmp_path / "safe.dta")).rows() == [(1, 2)]


def test_long_notes_are_wrapped(tmp_path):
    schema = Schema(
        source="x", variables=(Variable(name="x"),), notes=("t" * 65, "é" * 50 + "a" * 20)
    )
    write(pl.DataFrame({"x": ["a"]}), schema, tmp_path / "a.sav")
    assert "".join(read(tmp_path / "a.sav").schema.notes) == "".join(schema.notes)


def test_dates_are_the_same_for_other_readers(tmp_path):
    days = [dt.date(1582, 10, 15), dt.date(1960, 1, 1), dt.date(2999, 12, 31)]
    schema = Schema(source="x", variables=(Variable(name="day", kind="date"),))
    for suffix, number in ((".sav", 86400.0), (".dta", -137774), (".xpt", -137774.0)):
        out = tmp_path / f"days{suffix}"
        write(pl.DataFrame({"day": days}), schema, out)
        assert everything(read(out))["day"].to_list() == days
        reader = {".sav": "read_sav", ".dta": "read_dta", ".xpt": "read_xport"}[suffix]
        raw, _ = getattr(pyreadstat, reader)(str(out), disable_datetime_conversion=True)
        assert raw["day"].iloc[0] == number


def test_the_map_of_a_stata_file_points_at_its_sections(tmp_path):
    content = stata(tmp_path / "panel.dta") and tmp_path / "safe.dta"
    again(tmp_path / "panel.dta", content)
    whole = content.read_bytes()
    start = whole.index(b"<map>")
    places = struct.unpack_from("<14Q", whole, start + 5)
    names = [whole[p : p + 5] for p in places[:13]]
    assert names == [
        b"<stat", b"<map>", b"<vari", b"<varn", b"<sort", b"<form", b"<valu", b"<vari", b"<char",
        b"<data", b"<strl", b"<valu", b"</sta",
    ]  # fmt: skip
    assert places[13] == len(whole)


number = st.none() | st.floats(
    allow_nan=False, allow_infinity=False, min_value=-1e70, max_value=1e70
)
KINDS = {
    pl.Float64: number.filter(lambda v: not v or abs(v) > 1e-70),
    pl.Int64: st.none() | st.integers(-(2**53), 2**53) | st.sampled_from([100, 101, 32741, 2**31]),
    pl.String: st.none() | st.text("aé 1", min_size=1, max_size=40).map(lambda v: v.rstrip() + "."),
    pl.Date: st.none() | st.dates(dt.date(1600, 1, 1)),
    pl.Datetime: st.none()
    | st.datetimes(dt.datetime(1700, 1, 1)).map(lambda v: v.replace(microsecond=0)),
}


@given(st.data(), st.sampled_from([".sav", ".zsav", ".dta", ".xpt"]), st.integers(1, 5))
@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_values_come_back(tmp_path, data, suffix, height):
    kinds = data.draw(st.lists(st.sampled_from([*KINDS]), min_size=1, max_size=4))
    column = {k: st.lists(v, min_size=height, max_size=height) for k, v in KINDS.items()}
    frame = pl.DataFrame(
        [pl.Series(f"v{i}", data.draw(column[k]), dtype=k) for i, k in enumerate(kinds)]
    )
    assume(suffix != ".xpt" or any(v is not None for v in frame.row(-1)))
    schema = Schema(source="x", variables=tuple(Variable(name=n) for n in frame.columns))
    write(frame, schema, tmp_path / f"a{suffix}")
    before, after = again(tmp_path / f"a{suffix}", tmp_path / f"b{suffix}")
    assert everything(before).cast(dict(frame.schema)).equals(frame)
    assert everything(after).equals(everything(before))
    assert described(after.schema) == described(before.schema)


def test_stata_keeps_types_and_labels_up_to_their_limits(tmp_path):
    largest = np.uint32(0x7EFFFFFF).view(np.float32)
    frame = pd.DataFrame(
        {
            "f": np.array([largest, -largest], np.float32),
            "d": [np.uint64(0x7FDFFFFFFFFFFFFF).view(np.float64), -np.finfo(float).max],
            "l": np.array([-2_147_483_647, 2_147_483_620], np.int32),
        }
    )
    labels = {-2_147_483_647: "least", 2_147_483_620: "most"}
    frame.to_stata(tmp_path / "a.dta", write_index=False, value_labels={"l": labels}, version=118)
    before, after = again(tmp_path / "a.dta", tmp_path / "b.dta")
    assert described(after.schema) == described(before.schema)
    assert before.schema["l"].labels == labels
    assert everything(after).equals(everything(before))
    other = pd.read_stata(tmp_path / "b.dta", convert_categoricals=False)
    pd.testing.assert_frame_equal(other, frame)


@pytest.mark.parametrize("code", [0.5, -2_147_483_648, 2_147_483_621])
def test_stata_refuses_labels_of_other_numbers(tmp_path, code):
    schema = Schema(source="x", variables=(Variable(name="a", kind="number", labels={code: "x"}),))
    with pytest.raises(InputError, match="a has labels of numbers that are not whole or too large"):
        write(pl.DataFrame({"a": [1.0]}), schema, tmp_path / "a.dta")


def test_spss_keeps_the_alignment(tmp_path):
    """Of each variable, behind a text that takes several variables of the file, too."""
    frame = pl.DataFrame({"a": [1.0], "t": ["x" * 600], "b": [1.0], "s": ["p"]})
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"))
    content = bytearray((tmp_path / "a.sav").read_bytes())
    start = content.index(struct.pack("=3i", 7, 11, 4)) + 16
    for place, code in enumerate((2, 2, 2, 2, 0, 1)):  # centre, four times; left; right
        struct.pack_into("=i", content, start + 12 * place + 8, code)
    (tmp_path / "a.sav").write_bytes(content)
    before, after = again(tmp_path / "a.sav", tmp_path / "b.sav")
    shown = [v.extra["alignment"] for v in before.schema]
    assert shown == ["center", "center", "left", "right"]
    assert described(after.schema) == described(before.schema)
    assert everything(after).equals(everything(before))


@pytest.mark.parametrize("name", ["latin-1", "latin_1", "cp1252", "mac-roman", "koi8_r", "euc_jp"])
def test_every_name_of_an_encoding_will_do(tmp_path, name):
    path = tmp_path / "a.dta"
    frame = pd.DataFrame({"a": ["plain"]})
    frame.to_stata(path, write_index=False, version=117)
    assert everything(read(path, encoding=name))["a"].to_list() == ["plain"]
