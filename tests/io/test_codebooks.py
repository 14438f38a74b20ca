"""Codebooks: CSV for a spreadsheet, DDI-Codebook 2.5 and the `.rda` of mu-ARGUS."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from microsafe.errors import InputError, MicrosafeError, UnreadableFileError, UsageError
from microsafe.io import declare_schema, read, read_codebook, write_codebook
from microsafe.options.declaration import Declaration
from profiles import examples

ALL = {
    "region": Declaration(
        type="category",
        label="Region of residence; where people live",
        labels={"1": "North", "02": "South, coast", "9": "Refused", "X": 'so-called "other"'},
        missing=("X", "9"),
        role="geography",
        level=1,
    ),
    "age": Declaration(
        type="number", missing=(-8, -9), labels={-9: "refused"}, decimals=0, unit="years",
        role="key", level=3, cost=0.5, linked=("born", "a,b"), thousands=" ", decimal=",",
    ),
    "education": Declaration(
        type="category", labels={"b": "low", "a": "high"}, order=("b", "a"), role="key"
    ),
    "born": Declaration(type="date", dates="%d.%m.%Y", missing=(), household_level=False),
    "a,b": Declaration(type="text", label="Ärger mit dem Vermieter"),
    "w": Declaration(role="weight"),
    "hh": Declaration(role="household", household_level=True),
    "plain": Declaration(),
}  # fmt: skip


@pytest.mark.parametrize("name", ["book.csv", "book.xml"])
def test_all_that_can_be_said_comes_back(tmp_path: Path, name: str) -> None:
    write_codebook(tmp_path / name, ALL)
    assert read_codebook(tmp_path / name) == ALL
    assert list(read_codebook(tmp_path / name)) == list(ALL)
    first = (tmp_path / name).read_bytes()
    write_codebook(tmp_path / name, read_codebook(tmp_path / name))
    assert (tmp_path / name).read_bytes() == first


WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters="\ufeff"),
    min_size=1,
    max_size=8,
)
NUMBERS = st.one_of(
    st.integers(-(2**52), 2**52), st.floats(allow_nan=False, allow_infinity=False, width=32)
)


@st.composite
def declarations(draw: st.DrawFn) -> Declaration:
    kind = draw(st.sampled_from(["number", "category", "date", "text", None]))
    codes: st.SearchStrategy[Any] = NUMBERS if kind == "number" else WORDS
    labels = draw(st.dictionaries(codes, WORDS, max_size=4))
    some = st.lists(st.one_of(st.sampled_from([*labels] or ["1"]), codes), unique=True, max_size=3)
    if kind == "number" and not labels:
        some = st.lists(codes, unique=True, max_size=3)
    return Declaration(
        type=kind,  # type: ignore[arg-type]
        label=draw(st.none() | WORDS),
        labels=labels,
        missing=draw(st.none() | some.map(tuple)),
        order=draw(some.map(tuple)) if kind in ("category", None) else (),
        decimals=draw(st.none() | st.integers(0, 15)) if kind in ("number", None) else None,
        unit=draw(st.just("") | WORDS),
        dates=draw(st.sampled_from(["", "%Y"])) if kind in ("date", None) else "",
        role=draw(st.sampled_from([None, "key", "weight", "geography", "id", "other"])),
        level=draw(st.none() | st.integers(1, 9)),
        cost=draw(st.none() | st.floats(1e-3, 1e3)),
        linked=draw(st.lists(WORDS, unique=True, max_size=2).map(tuple)),
        household_level=draw(st.sampled_from([None, True, False])),
        identifying=draw(st.sampled_from([None, True, False])),
    )


@pytest.mark.parametrize("name", ["book.csv", "book.xml"])
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.dictionaries(WORDS, declarations(), min_size=1, max_size=3))
def test_round_trips_are_exact(tmp_path: Path, name: str, said: dict[str, Declaration]) -> None:
    write_codebook(tmp_path / name, said)
    assert read_codebook(tmp_path / name) == said


@pytest.mark.parametrize("extension", [".csv", ".xml", ".rda"])
@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(
        st.binary(min_size=1, max_size=80),
        st.lists(
            st.sampled_from(
                [*"\n\r\t\";,<>&'/= ", "variable", "code", "order", "missing", "var", "name", "1",
                 "<var name='a'>", "</var>", "<catgry>", "<codeBook>", "<IDLEVEL>", "\ufeff", "ä"]
            ),
            max_size=30,
        ).map(lambda parts: ("x" + "".join(parts)).encode()),
    )
)  # fmt: skip
def test_strange_files_are_read_or_refused_in_words(
    tmp_path: Path, extension: str, content: bytes
) -> None:
    path = tmp_path / f"strange{extension}"
    path.write_bytes(content)
    with suppress(MicrosafeError):
        read_codebook(path)


CELLS = {
    "variable;type\nage;numbr": ("line 2", "number"),
    "variable,typ\nage,number": ("line 1", "'type'"),
    "code,label\n1,x": ("line 1", "variable"),
    "variable,code,order\nage,1,x": ("line 2, column order", "whole number"),
    "variable,code,order\nage,1,1\nage,2,1": ("line 3, column order", "taken"),
    "variable,order\nage,1": ("line 2, column order", "own row"),
    "variable,missing\nage,9": ("line 2, column missing", "row"),
    "variable,code,missing\nage,9,perhaps": ("line 2, column missing", "yes or no"),
    "variable,code\nage,1\nage,1": ("line 3, column code", "line 2"),
    "variable\nage\nsex\nage": ("line 4, column variable", "line 2"),
    "variable,code,role\nage,1,key": ("line 2, column role", "row of the variable"),
    "variable,level\nage,one": ("line 2, column level", "whole number"),
    "variable,cost\nage,-1": ("line 2", "above 0"),
    "variable,code,type\nage,,number\nage,x,": ("line 3, column code", "number"),
    "variable\nage,1": ("line 2", "more cells"),
    "variable,code\n,1": ("line 2, column variable", "name"),
    "variable,variable\na,b": ("line 1", "Delete one"),
    'variable,label\nage,"open\n': ("line 2", "quotation"),
    "variable,household_level\nage,maybe": ("line 2, column household_level", "yes or no"),
    'variable,linked\nage,"""x"': ("line 2, column linked", "quotation"),
    " \n": ("no rows", "edit"),
}


@pytest.mark.parametrize("text", CELLS, ids=range(len(CELLS)))
def test_a_bad_cell_is_named_by_line_and_column(tmp_path: Path, text: str) -> None:
    (tmp_path / "book.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_codebook(tmp_path / "book.csv")
    for part in ("book.csv", *CELLS[text]):
        assert part in str(caught.value)


def test_data_that_is_taken_for_a_codebook_is_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "lfs.csv").write_text("850312-1234,Anna\n")
    with pytest.raises(InputError, match=r"no column such as its column 1\. Columns are") as caught:
        read_codebook(tmp_path / "lfs.csv")
    assert "850312" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "windows-1252", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_edited_in_a_spreadsheet_is_read(
    tmp_path: Path, encoding: str, separator: str
) -> None:
    rows = [
        ["Variable", "Code", "Label", "Missing", "Note", ""],
        ["größe", "", "Körpergröße", "", "ask Jürgen", ""],
        ["", "1", "klein", "", "", ""],  # the variable above is meant
        ["", "", "", "", "", ""],
        ["größe", "9", "unbekannt", "x"],
    ]
    text = "\r\n".join(separator.join(row) for row in rows)
    (tmp_path / "book.csv").write_bytes(text.encode(encoding))
    assert read_codebook(tmp_path / "book.csv") == {
        "größe": Declaration(
            label="Körpergröße", labels={"1": "klein", "9": "unbekannt"}, missing=("9",)
        )
    }


ARCHIVE = """<?xml version="1.0" encoding="ISO-8859-1"?>
<codeBook xmlns="http://www.icpsr.umich.edu/DDI" version="1.2.2">
  <dataDscr>
    <var ID="V1" name="SEX" intrvl="discrete" dcml="0">
      <location width="1"/>
      <labl>
        Sex of
        respondent
      </labl>
      <qstn><qstnLit>What is your sex?</qstnLit></qstn>
      <catgry><catValu>1</catValu><labl>M\xe4nnlich</labl><catStat type="freq">50</catStat></catgry>
      <catgry><catValu>2</catValu><labl>Weiblich</labl></catgry>
      <catgry missing="Y"><catValu>9</catValu><labl>Refused</labl></catgry>
      <catgry missing="Y"><catValu>Sysmiss</catValu></catgry>
      <varFormat type="numeric"/>
    </var>
    <var ID="V2" name="AGE" intrvl="contin" dcml="1" measUnit="years">
      <invalrng><range UNITS="INT" min="98" max="99"/><item VALUE="-1"/><item VALUE="."/></invalrng>
      <concept>Age in years</concept>
    </var>
    <var ID="V3" name="EDUC" nature="ordinal">
      <invalrng><range min="90"/></invalrng>
      <catgry><catValu>1</catValu></catgry><catgry><catValu>2</catValu></catgry>
      <catgry><catValu>97</catValu><labl>other</labl></catgry>
    </var>
    <var ID="V4" name="BORN"><varFormat type="character" category="date"/></var>
    <var ID="V5" name="W" wgt="wgt" intrvl="contin"/>
    <var ID="V6" name="TOWN" geog="Y"><varFormat type="character"/></var>
    <var ID="V7" name="N"><varFormat type="numeric"/></var>
  </dataDscr>
</codeBook>
"""


def test_a_codebook_of_an_archive_is_read(tmp_path: Path) -> None:
    (tmp_path / "study.xml").write_bytes(ARCHIVE.encode("latin-1"))
    assert read_codebook(tmp_path / "study.xml") == {
        "SEX": Declaration(
            type="category",
            label="Sex of respondent",
            labels={"1": "Männlich", "2": "Weiblich", "9": "Refused"},
            missing=("9",),
        ),
        "AGE": Declaration(
            type="number", label="Age in years", missing=(-1, 98, 99), decimals=1, unit="years"
        ),
        "EDUC": Declaration(
            type="category", labels={"97": "other"}, missing=("97",), order=("1", "2")
        ),
        "BORN": Declaration(type="date"),
        "W": Declaration(type="number", role="weight"),
        "TOWN": Declaration(role="geography"),
        "N": Declaration(type="number"),
    }


def test_written_ddi_follows_the_schema(tmp_path: Path) -> None:
    write_codebook(tmp_path / "book.xml", ALL, title="Survey & more")
    root = ET.fromstring((tmp_path / "book.xml").read_bytes())  # noqa: S314
    at = "{ddi:codebook:2_5}"
    assert (root.tag, root.get("version")) == (f"{at}codeBook", "2.5")
    assert [child.tag for child in root] == [f"{at}stdyDscr", f"{at}dataDscr"]
    assert root.findtext(f".//{at}titl") == "Survey & more"
    # The order of varType and the values that attributes may have, as in codebook.xsd.
    sequence = ["labl", "catgry", "varFormat", "notes"]
    allowed = {
        "ID", "name", "wgt", "dcml", "intrvl", "measUnit", "nature", "geog", "representationType"
    }  # fmt: skip
    for var in root.iter(f"{at}var"):
        places = [sequence.index(child.tag.removeprefix(at)) for child in var]
        assert places == sorted(places)
        assert len(var.findall(f"{at}varFormat")) < 2
        assert set(var.attrib) <= allowed
        assert var.get("representationType", "text") in ("text", "numeric", "code", "datetime")
        assert all(
            child.get("type") in ("numeric", "character") for child in var.iter(f"{at}varFormat")
        )
        for category in var.iter(f"{at}catgry"):
            assert [c.tag.removeprefix(at) for c in category][:1] == ["catValu"]
    identities = [var.get("ID") for var in root.iter(f"{at}var")]
    assert len(set(identities)) == len(ALL)


BAD = {
    '<!DOCTYPE x [<!ENTITY a "aaaa">]><codeBook><var name="a">&a;</var></codeBook>': "Delete it",
    "<codeBook><var></codeBook>": "line 1",
    "<codeBook/>": "no variable",
    "<codeBook>\n<var/></codeBook>": "line 2",
    '<codeBook>\n<var name="a" dcml="x" intrvl="contin"/></codeBook>': "whole number",
    '<codeBook><var name="a"/>\n<var name="a"><labl>b</labl></var></codeBook>': "another file",
    '<?xml version="1.0" encoding="nonsense"?><codeBook/>': "line 1",
    '<codeBook><var name="a"><notes type="microsafe" subject="role">kee</notes></var></codeBook>':
        "'key'",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_xml_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "book.xml").write_text(text)
    with pytest.raises(InputError, match=r"book\.xml") as caught:
        read_codebook(tmp_path / "book.xml")
    assert BAD[text] in str(caught.value)


def test_what_xml_cannot_hold_is_left_out(tmp_path: Path) -> None:
    said = {"a": Declaration(label="bell\x07", labels={"1": "x\x00y"})}
    write_codebook(tmp_path / "book.xml", said)
    assert read_codebook(tmp_path / "book.xml")["a"].label == "bell?"
    for name in ("", " a", "a\x01"):
        with pytest.raises(InputError, match="Rename"):
            write_codebook(tmp_path / "book.xml", {name: Declaration()})


def test_a_large_codebook_is_read(tmp_path: Path) -> None:
    codes = {str(code): f"label of {code}" for code in range(20_000)}
    said = {f"v{place}": Declaration(type="category", labels=codes) for place in range(2)}
    for name in ("book.xml", "book.csv"):
        write_codebook(tmp_path / name, said)
        assert read_codebook(tmp_path / name) == said


RDA = """region 1 2 "99"
  <RECODABLE>
  <CODELIST> "region.cdl"
  <IDLEVEL> 1
  <SUPPRESSWEIGHT> 100
  <RELATED> TOWN w gone
town 3 2
  <RECODABLE>
  <IDLEVEL> 0
age 5 2 "99"
  <RECODABLE>
  <IDLEVEL> 3
  <SUPPRESSPRIORITY> 0
income 7 6 "-1" "X"
  <NUMERIC>
  <DECIMALS> 2
  <IDLEVEL> five
hh 13 3
  <HOUSE_ID>
size 16 1
  <HOUSEHOLD>
w 17 5
  <NUMERIC>
  <WEIGHT>
"""
DECLARED = {
    "region": Declaration(
        type="category", labels={"01": "North", "2": "South"}, missing=("99",), role="key",
        level=1, cost=2.0, linked=("town",),
    ),
    "town": Declaration(type="category"),
    "age": Declaration(type="category", missing=("99",), role="key", level=3, cost=0.01),
    "income": Declaration(type="number", missing=(-1, "X"), decimals=2),
    "hh": Declaration(role="household"),
    "size": Declaration(household_level=True),
    "w": Declaration(type="number", role="weight"),
}  # fmt: skip


def test_metadata_of_mu_argus_declare_levels_costs_and_linked_variables(tmp_path: Path) -> None:
    (tmp_path / "demo.rda").write_text(RDA)
    (tmp_path / "region.cdl").write_text("01,North\n2,South\n")
    assert read_codebook(tmp_path / "demo.rda") == DECLARED
    (tmp_path / "demo.asc").write_text("0101 34 12.50 01112.00\n" * 3)
    source = read(tmp_path / "demo.asc")
    assert source.declarations == DECLARED
    assert [each.text for each in source.notices] == [
        "region: the related variable gone does not exist, so nothing is linked to it. Check its "
        "spelling in the metadata."
    ]


def test_of_two_weights_none_is_the_weight(tmp_path: Path) -> None:
    (tmp_path / "two.rda").write_text("a 1 1\n<WEIGHT>\nb 2 1\n<WEIGHT>\nc 3 1\n<HOUSE_ID>\n")
    found = read_codebook(tmp_path / "two.rda")
    assert [each.role for each in found.values()] == [None, None, "household"]


def test_metadata_of_mu_argus_are_written_for_delimited_text(tmp_path: Path) -> None:
    data = tmp_path / "release.asc"
    data.write_text("region;town;age;income;hh;size;w\n01;x;34;12.50;001;2;1.5\n" * 1)
    write_codebook(tmp_path / "release.rda", DECLARED, separator=";", widths={"hh": 3})
    assert read_codebook(tmp_path / "release.rda") == DECLARED
    source = read(data)
    assert source.declarations == DECLARED
    assert source.load(["region", "income"]).row(0) == ("01", 12.5)
    with pytest.raises(InputError, match=r"\.csv or \.xml"):
        write_codebook(tmp_path / "release.rda", {"two words": Declaration()})


def test_a_schema_is_declared(tmp_path: Path) -> None:
    (tmp_path / "demo.rda").write_text(RDA)
    (tmp_path / "region.cdl").write_text("01,North\n2,South\n")
    (tmp_path / "demo.asc").write_text("0101 34 12.50 01112.00\n" * 3)
    source = read(tmp_path / "demo.asc")
    plain = declare_schema(source.schema)
    assert plain["region"].labels == DECLARED["region"].labels
    assert plain["region"].level is None
    assert declare_schema(source.schema, source.declarations)["region"] == DECLARED["region"]


@pytest.mark.parametrize("call", [read_codebook, lambda path: write_codebook(path, ALL)])
def test_other_extensions_are_no_codebooks(tmp_path: Path, call: Any) -> None:
    with pytest.raises(UsageError, match=r"\.csv, \.xml, \.rda"):
        call(tmp_path / "book.pdf")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="does not exist"):
        read_codebook(tmp_path / "book.csv")
    write_codebook(tmp_path / "book.csv", {})
    assert read_codebook(tmp_path / "book.csv") == {}
