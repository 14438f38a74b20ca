"""A codebook beside the safe file: what data users need, and nothing of what is gone."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.io import read, read_codebook
from microsafe.options.declaration import Declaration

DECLARED = {
    "region": Declaration(
        label="Region",
        labels={"1": "North", "2": "South", "3": "An island with one inhabitant"},
        role="key",
        level=1,
        cost=2.0,
        linked=("town",),
    ),
    "age": Declaration(
        type="number", missing=(-9, -8), unit="years", labels={-9: "refused", -8: "Unused label"}
    ),
    "town": Declaration(labels={"x": "Xton", "y": "Yton"}),
}


@pytest.fixture
def study(tmp_path: Path) -> ms.Study:
    frame = pl.DataFrame(
        {
            "region": [1, 1, 1, 2, 2, 2, 3],
            "town": ["x", "x", "x", "x", "y", "x", "y"],
            "age": [30, 30, -9, 40, 40, 40, 41],
            "sex": [1, 1, 1, 2, 2, 2, 1],
        }
    )
    frame.write_csv(tmp_path / "data.csv")
    opened = ms.study(tmp_path / "data.csv", variables=DECLARED)
    return opened.suppress(k=2, linked={"region": ("town",)}, levels={}, cost=None)


KEEP = dict.fromkeys(("age", "town", "sex"), "needed")


@pytest.mark.parametrize("name", ["data.xml", "codes.csv", "codes.rda"])
def test_labels_that_are_gone_are_not_told(study: ms.Study, tmp_path: Path, name: str) -> None:
    done = study.release(tmp_path / "out", keep=KEEP, codebook=name)
    assert done.allowed
    assert name in done.files
    found = read_codebook(tmp_path / "out" / name)
    assert list(found) == ["region", "town", "age", "sex"]
    assert found["region"].labels == {"1": "North", "2": "South"}
    told = [each.read_text("utf-8-sig") for each in (tmp_path / "out").glob("*.[cxr][sdm]*")]
    assert len(told) > 1  # the safe file, its codebook and its code lists
    assert not any(word in text for text in told for word in ("island", "Unused"))
    assert found["age"].type == "number"
    assert found["age"].missing == (-9,)
    # How the file was protected is not the business of its users.
    assert (found["region"].level, found["region"].cost, found["region"].linked) == (None, None, ())
    assert (tmp_path / "out" / "data-safe.toml").read_text().count(f'codebook = "{name}"') == 1
    if name.endswith(".rda"):
        source = read(tmp_path / "out" / "data-safe.csv", meta=tmp_path / "out" / name)
        assert source.schema["region"].labels == {"1": "North", "2": "South"}
        assert set(source.load(["town"])["town"]) == {"x", "y", None}


def test_places_in_an_order_that_are_gone_are_not_told(tmp_path: Path) -> None:
    levels = ["low", "low", "mid", "mid", "exorcist", "low"]
    pl.DataFrame({"edu": levels, "sex": [1, 1, 2, 2, 1, 2]}).write_csv(tmp_path / "data.csv")
    said = {"edu": Declaration(type="category", order=("low", "mid", "exorcist"))}
    study = ms.study(tmp_path / "data.csv", keys=["edu"], variables=said)
    study = study.recode("edu", groups={"high": ["mid", "exorcist"]})
    done = study.release(tmp_path / "out", keep={"sex": "needed"}, codebook="codes.csv")
    assert done.allowed
    assert read_codebook(tmp_path / "out" / "codes.csv")["edu"].order == ("low", "high")
    assert "exorcist" not in (tmp_path / "out" / "codes.csv").read_text("utf-8-sig")


def test_the_same_release_has_the_same_codebook(study: ms.Study, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        study.release(tmp_path / folder, keep=KEEP, codebook="c.xml", shuffle=1)
    one, other = ((tmp_path / folder / "c.xml").read_bytes() for folder in ("a", "b"))
    assert one == other


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("codes.pdf", None, r"\.csv, \.xml, \.rda"),
        ("data-safe.csv", None, "another file"),
        ("../codes.csv", None, "folder of the plan"),
        ("codes.rda", "safe.parquet", "delimited text"),
        ("safe.rda", "safe.asc", "has metadata"),
    ],
)
def test_names_that_cannot_be(
    study: ms.Study, tmp_path: Path, name: str, file: str | None, words: str
) -> None:
    with pytest.raises(ms.UsageError, match=words):
        study.release(tmp_path / "out", keep=KEEP, codebook=name, file=file)
    assert not (tmp_path / "out").exists()
