"""Recodes of mu-ARGUS: its own files, what it tolerates, and there and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.io.argus.grc import GrcRecode, read_grc, write_grc
from microsafe.steps import Recode
from microsafe.steps.recode import grc_from_recode, recode_from_grc

KEYS = ["REGION", "SEX", "AGE", "MARSTAT"]


def grc(folder: Path, text: str, name: str = "x.grc") -> GrcRecode:
    (folder / name).write_bytes(text.encode())
    return read_grc(folder / name)


def test_every_file_of_the_peer_is_read(peers: Path) -> None:
    found = {p.name: read_grc(p) for p in (peers / "muargus/demodata").glob("*.grc")}
    assert len(found) == 9
    assert not any(each.notices for each in found.values())
    assert found["Age.grc"].groups == {
        "1": (("", "20"),), "2": (("21", "30"),), "3": (("31", "40"),), "4": (("41", "50"),),
        "5": (("51", "60"),), "6": (("61", ""),),
    }  # fmt: skip
    assert found["Age.grc"].missing == ("8", "9") == found["Age3.grc"].missing
    assert found["Age.grc"].labels["6"] == "age 61 and over"
    assert found["Etnigr2.grc"].missing == ("98", "99")
    assert found["Etnigr2.grc"].groups["4"] == (("6", "6"), ("7", "7"), ("8", "8"))
    assert found["Marstat.grc"].missing is None
    # Two lines make one new code.
    assert found["Regioc.grc"].groups["21"] == (("9", "16"), ("17", "24"))
    assert found["Regioc.grc"].labels["21"] == "Corop 21"


def test_recoded_as_mu_argus_does(peers: Path) -> None:
    folder = peers / "muargus/demodata"
    study = ms.study(folder / "Demodata.asc", keys=KEYS, weight="WEIGHT", estimator="cell")
    done = study.recode("REGION", grc=folder / "Region.grc").recode("AGE", grc=folder / "Age.grc")
    risk = done.risk(limit=0.00125)
    assert risk.limit is not None
    assert risk.limit.unsafe == 397
    records = risk.records()
    eight = ms.individual_risk(records["f"], records["F"], approximation="series8")
    theirs = np.where(records["f"] <= 3, records["risk"], eight)
    assert round(100 * float(theirs.mean()), 6) == 0.124826
    wanted = pl.read_csv(peers / "muargus/demodata_key4_recoded_risk.csv")
    assert records["f"].to_list() == wanted["f"].to_list()
    assert done.schema["AGE"].labels["1"] == "age under 20"
    assert done.schema["AGE"].missing == ("8", "9")


def test_the_recoded_file_is_written_and_read_back(peers: Path, tmp_path: Path) -> None:
    folder = peers / "muargus/demodata"
    study = ms.study(folder / "Demodata.asc", keys=KEYS, weight="WEIGHT")
    done = study.recode("REGION", grc=folder / "Region.grc").recode("AGE", grc=folder / "Age.grc")
    done.write(tmp_path / "safe.asc")
    again = ms.study(tmp_path / "safe.asc", keys=KEYS, weight="WEIGHT")
    assert again.engine.table().equals(done.engine.table())
    assert again.schema["REGION"].labels == done.schema["REGION"].labels
    assert again.schema["REGION"].missing == done.schema["REGION"].missing


def test_missing_codes_fall_into_no_range(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text("12\n70\n99\n")
    (tmp_path / "a.rda").write_text("AGE 1 2 99\n")
    (tmp_path / "a.grc").write_text("1: -61\n2: 62-\n<MISSING> 9\n")
    done = ms.study(tmp_path / "a.asc", keys=["AGE"]).recode("AGE", grc=tmp_path / "a.grc")
    assert done.engine.table()["AGE"].to_list() == ["1", "2", "9"]
    assert done.describe()[0].missing == 1


def test_tolerance(tmp_path: Path) -> None:
    found = grc(
        tmp_path,
        ' 1 : 1 - 3 ,5\r\n\r\n"2":  7,9-\n<Missing> 8 , 9\n<codelist> "C:\\lists\\Gone.cdl"\n'
        "<NEW> x\n\x1a",
    )
    assert found.groups == {"1": (("1", "3"), ("5", "5")), "2": (("7", "7"), ("9", ""))}
    assert found.missing == ("8", "9")
    assert found.labels == {}
    assert len(found.notices) == 2
    (tmp_path / "gone.CDL").write_text("1,one\n3,three\n9,unknown\n")
    assert read_grc(tmp_path / "x.grc").labels == {"1": "one", "9": "unknown"}


@pytest.mark.parametrize("text", ["", "1\n", ":1\n", "1:\n", "1: 1-2-3\n", "1: -\n", "1: ,\n"])
def test_what_cannot_be_understood(text: str, tmp_path: Path) -> None:
    with pytest.raises(ms.InputError, match=r"\.grc"):
        grc(tmp_path, text)
    with pytest.raises(ms.InputError):
        read_grc(tmp_path / "none.grc")


CODE = st.text("abc019", min_size=1, max_size=3)
PART = CODE.map(lambda c: (c, c)) | st.tuples(CODE, CODE) | CODE.map(lambda c: ("", c))


@given(
    st.dictionaries(CODE, st.lists(PART, min_size=1, max_size=3).map(tuple), min_size=1),
    st.none() | st.lists(CODE, min_size=1, unique=True).map(tuple),
    st.text(min_size=1, max_size=9).filter(lambda t: t.strip() == t and t.isprintable()),
)
def test_there_and_back(
    tmp_path_factory: pytest.TempPathFactory,
    groups: dict[str, tuple[tuple[str, str], ...]],
    missing: tuple[str, ...] | None,
    label: str,
) -> None:
    path = tmp_path_factory.mktemp("grc") / "made.grc"
    recode = Recode(variable="x", groups=groups, missing=missing, labels={min(groups): label})
    write_grc(grc_from_recode(recode), path)
    assert recode_from_grc(read_grc(path), "x") == recode


def test_what_cannot_be_written(tmp_path: Path) -> None:
    for recode in (
        Recode(variable="x", keep=2),
        Recode(variable="x", groups={"a-b": ("1",)}),
        Recode(variable="x", groups={"a": ("1 2",)}),
        Recode(variable="x", groups={"a": ("1",)}, other="b"),
    ):
        with pytest.raises(ms.UsageError, match=r"\.grc"):
            write_grc(grc_from_recode(recode), tmp_path / "x.grc")
    assert not list(tmp_path.iterdir())


def test_a_file_or_other_means(tmp_path: Path) -> None:
    grc(tmp_path, "1: 1-2\n")
    study = ms.study(pl.DataFrame({"a": [1, 2, 3]}), keys=["a"])
    assert study.recode("a", grc=tmp_path / "x.grc").engine.table()["a"].to_list() == [1, 1, 3]
    with pytest.raises(ms.UsageError, match="in one way"):
        study.recode("a", grc=tmp_path / "x.grc", keep=1)
