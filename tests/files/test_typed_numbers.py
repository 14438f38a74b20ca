"""Plain numbers of a file of text are numbers where a format has types."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.engine.declarations import type_plain_numbers
from profiles import examples

TEXT = """region,sex,age,income,phone_code,exact,wave,note,empty_code
01,1,34,1200.50,007,12345.12345678901,1,7,
02,2,40,NA,012,12345.12345678902,2,8a,
01,1,7,-3,013,12345.12345678903,1,9,
02,2,12,0,099,12345.12345678904,2,10,
"""


@pytest.fixture
def survey(tmp_path: Path) -> ms.Study:
    path = tmp_path / "lfs.csv"
    path.write_text(TEXT, "utf-8")
    return ms.study(path, keys=["region", "age"], na=["NA"], estimator="cell")


def write(study: ms.Study, path: Path) -> pl.DataFrame:
    """What is in a file that was written, and what was said of it."""
    told = study.write(path).notices
    said = [notice for notice in told if notice.id == "numbers-typed"]
    assert len(said) == 1
    assert "income" in said[0].text
    return pl.read_parquet(path)


def test_plain_numbers_become_numbers_and_codes_stay(survey: ms.Study, tmp_path: Path) -> None:
    made = write(survey, tmp_path / "out.parquet")
    assert made["income"].to_list() == [1200.5, None, -3.0, 0.0]
    assert made["sex"].to_list() == [1, 2, 1, 2]
    assert made["wave"].dtype == pl.Int64
    for key in ("region", "age"):  # as they are spelled
        assert made[key].dtype == pl.String
    for code in ("phone_code", "exact", "note"):  # zeros before, too many digits, a letter
        assert made[code].dtype == pl.String


def test_text_to_text_returns_the_same_characters(survey: ms.Study, tmp_path: Path) -> None:
    found = survey.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text("utf-8").splitlines() == TEXT.splitlines()
    assert not [notice for notice in found.notices if notice.id == "numbers-typed"]


def test_what_is_declared_text_stays_text(survey: ms.Study, tmp_path: Path) -> None:
    said = survey.declare({"wave": ms.Declaration(type="category")})
    assert write(said, tmp_path / "out.parquet")["wave"].dtype == pl.String


def test_what_was_recoded_stays_text(survey: ms.Study, tmp_path: Path) -> None:
    made = write(survey.recode("wave", groups={"one": ["1"]}), tmp_path / "out.parquet")
    assert made["wave"].to_list() == ["one", "2", "one", "2"]


def is_plain(text: str) -> bool:
    """Whether a text is the one way to write a number; by hand, digit by digit."""
    bare = text.removeprefix("-")
    whole, point, rest = bare.partition(".")
    if not whole.isdecimal() or not whole.isascii() or (len(whole) > 1 and whole[0] == "0"):
        return False
    if point and not (rest.isdecimal() and rest.isascii()):
        return False
    return len(whole) + len(rest) <= 15


@examples(100)
@given(st.lists(st.text("0123456789.-+e ", min_size=1, max_size=18), min_size=1, max_size=4))
def test_columns_are_typed_if_all_their_texts_are_plain_numbers(texts: list[str]) -> None:
    known = [text.strip() for text in texts if text.strip()]
    study = ms.study(pl.DataFrame({"x": texts, "y": ["a"] * len(texts)}))
    engine, typed = type_plain_numbers(study.engine, ["x", "y"])
    assert (typed == ("x",)) == (bool(known) and all(map(is_plain, known)))
    if typed:
        assert set(engine.values("x").drop_nulls()) == {float(text) for text in known}


def test_places_and_trades_are_not_averaged() -> None:
    rows = 600
    frame = pl.DataFrame(
        {
            "sex": ["m", "f"] * (rows // 2),
            "age": [n % 90 for n in range(rows)],
            "district": [str(100 + n % 70) for n in range(rows)],
            "psu": [1000 + n // 2 for n in range(rows)],
            "occupation": [2000 + 7 * (n % 300) for n in range(rows)],
            "wage": [f"{1000 + 3 * n}.5" for n in range(rows)],
            "spent": [10.5 * n for n in range(rows)],
        }
    )
    study = ms.study(frame, keys=["sex", "age"], estimator="cell")
    means = {mean.name for mean in study.recode("age", breaks=[20, 40]).compare().means}
    assert means == {"wage", "spent"}
