"""Codes: natural order, missing as zero, the same for every way a file may store a value."""

from __future__ import annotations

import datetime as dt
import gc
import math
from decimal import Decimal
from weakref import ref

import numpy as np
import polars as pl
import pytest

from microsafe.engine.coding import Coder, TextNumbers, code_column, read_numbers
from microsafe.errors import InputError
from microsafe.schema import Variable


def decode(values: pl.Series, **about: object) -> list[str | None]:
    result = code_column(values, Variable(name="v", **about), source="f.csv")  # type: ignore[arg-type]
    return [result.categories[code - 1] if code else None for code in result.codes.tolist()]


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (pl.Series(["10", "9", "1", None]), ["1", "9", "10"]),
        (pl.Series(["b", "10", "a"]), ["10", "a", "b"]),
        (pl.Series(["01", "1", "-3"]), ["-3", "01", "1"]),
        (pl.Series([10, 9, -1, None]), ["-1", "9", "10"]),
        (pl.Series([2**63, 5, 2**64 - 1], dtype=pl.UInt64), ["5", str(2**63), str(2**64 - 1)]),
        (pl.Series([-(2**63), 2**63 - 1, 0]), [str(-(2**63)), "0", str(2**63 - 1)]),
        (pl.Series([2.0, 1.0, math.nan, None]), ["1", "2"]),
        (pl.Series([2.5, 1.0, math.inf]), ["1", "2.5", "inf"]),
        (pl.Series([1e300, 1.0]), ["1", "1e+300"]),
        (pl.Series([True, False, None]), ["false", "true"]),
        (pl.Series([dt.date(2020, 1, 2), dt.date(1999, 5, 5)]), ["1999-05-05", "2020-01-02"]),
        (pl.Series([Decimal("1.50"), Decimal("0.25")]), ["0.25", "1.50"]),
        (pl.Series(["b", "a"], dtype=pl.Enum(["b", "a", "z"])), ["a", "b"]),
        (pl.Series(["y", None, "x"], dtype=pl.Categorical), ["x", "y"]),
        (pl.Series([None, None]), []),
        (pl.Series([None, None], dtype=pl.Int64), []),
        (pl.Series([None, None], dtype=pl.Float64), []),
    ],
    ids=str,
)
def test_categories_in_natural_order(values: pl.Series, order: list[str]) -> None:
    result = code_column(values, Variable(name="v"), source="f")
    assert list(result.categories) == order
    assert [bool(code) for code in result.codes] == [
        v is not None and v == v for v in values.to_list()
    ]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([2.5, None, 0.0, -0.0, math.inf, -1e300, math.nan, 5e-324]),
        pl.Series([2.5, None, -0.25, 3e38], dtype=pl.Float32),
        pl.Series([2**63, 5, None, 2**64 - 1], dtype=pl.UInt64),
        pl.Series([-(2**63), 2**63 - 1, None, 0]),
        pl.Series([None, None], dtype=pl.Float64),
    ],
    ids=str,
)
def test_numbers_that_repeat_are_coded_like_others(values: pl.Series) -> None:
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(len(values)), 50))
    once = code_column(values, Variable(name="v"), source="f")
    often = code_column(values.gather(order), Variable(name="v"), source="f")
    assert list(often.categories) == list(once.categories)
    assert np.array_equal(often.codes, once.codes[order])


def test_large_numbers_of_several_batches_stay_apart() -> None:
    coder = Coder(Variable(name="v"), source="f")
    for numbers in ([1, 2, 3, 4] * 5, [2**60 + 1, 2**60 + 2, 5, 7]):
        coder.add(pl.Series(numbers, dtype=pl.UInt64))
    column = coder.column()
    assert list(column.categories) == ["1", "2", "3", "4", "5", "7", str(2**60 + 1), str(2**60 + 2)]
    assert column.parts[1].tolist() == [7, 8, 5, 6]


@pytest.mark.parametrize(
    "dtype", [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt64, pl.Float32]
)
def test_narrow_numbers_do_not_wrap(dtype: type[pl.DataType]) -> None:
    low = 0 if dtype in (pl.UInt8, pl.UInt16, pl.UInt64) else -100
    numbers = [low] * 60 + [100] * 60 + [46] * 5 + [8 + low] * 3
    assert decode(pl.Series(numbers, dtype=dtype)) == [str(number) for number in numbers]


def test_spaced_and_plain_numbers_stay_apart() -> None:
    assert decode(pl.Series(["a", "a ", "A"])) == ["a", "a ", "A"]


@pytest.mark.parametrize(
    ("values", "about", "left"),
    [
        (pl.Series(["1", " 9", "9", "2"]), {"missing": ("9",)}, ["1", None, None, "2"]),
        (pl.Series([1, 9, 95, 99]), {"missing": (9,), "missing_ranges": ((95.0, 99.0),)},
         ["1", None, None, None]),
        (pl.Series([1.0, 9.0, 1.5]), {"missing": (9.0,)}, ["1", None, "1.5"]),
        (pl.Series([7, 2**40]), {"missing": (7,)}, [None, str(2**40)]),
    ],
)  # fmt: skip
def test_declared_codes_are_missing(
    values: pl.Series, about: dict[str, object], left: list[str | None]
) -> None:
    assert decode(values, **about) == left


def test_codes_take_the_fewest_bytes() -> None:
    for categories, dtype in ((255, np.uint8), (256, np.uint16), (70_000, np.uint32)):
        result = code_column(pl.Series(range(categories)), Variable(name="v"), source="f")
        assert result.codes.dtype == dtype


def test_compound_values_are_refused() -> None:
    with pytest.raises(InputError, match=r"'v' of f\.csv holds lists"):
        decode(pl.Series([[1], [2]]))


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (pl.Series(["1.5", " 2", "", None]), [1.5, 2.0, math.nan, math.nan]),
        (pl.Series(["1,5", "2"]), [1.5, 2.0]),
        (pl.Series(["1e3", "-9"]), [1000.0, math.nan]),
        (pl.Series([1, -9], dtype=pl.Int16), [1.0, math.nan]),
        (pl.Series([Decimal("2.5"), None]), [2.5, math.nan]),
        (pl.Series([None]), [math.nan]),
    ],
)
def test_numbers(values: pl.Series, numbers: list[float]) -> None:
    variable = Variable(name="w", missing=("-9",) if values.dtype == pl.String else (-9,))
    np.testing.assert_array_equal(read_numbers(values, variable, source="f"), numbers)


def test_text_for_a_number_is_refused_without_quoting_it() -> None:
    with pytest.raises(InputError, match=r"'w' of f\.csv holds text .* in 2 records") as caught:
        read_numbers(pl.Series(["1", "secret", "x"]), Variable(name="w"), source="f.csv")
    assert "secret" not in str(caught.value)
    with pytest.raises(InputError, match="does not hold numbers"):
        read_numbers(pl.Series([True]), Variable(name="w"), source="f.csv")


def test_a_text_may_have_a_lower_number_than_those_before_it() -> None:
    """As it happens where threads number the texts of a block that two batches share."""
    numbers = TextNumbers()
    block = pl.Series(["late", "early", "first"]).cast(numbers.none.dtype)
    found = [numbers.number_texts(block.gather(rows)) for rows in ([2, 1, 2], [1, 0], [0, 2])]
    spelled = numbers.table()
    assert [spelled.gather(each).to_list() for each in found] == [
        ["first", "early", "first"],
        ["early", "late"],
        ["late", "first"],
    ]


def test_a_coder_is_gone_with_its_texts_as_soon_as_nobody_holds_it() -> None:
    coder = Coder(Variable(name="x"), source="f")
    coder.add(pl.Series("x", ["b", "a"]))
    gone = ref(coder)
    gc.disable()
    try:
        del coder
        assert gone() is None
    finally:
        gc.enable()


def test_texts_that_are_too_many_are_refused_before_they_are_gathered() -> None:
    def refuse(count: int) -> None:
        raise InputError(f"{count} are too many.")

    numbers = TextNumbers()
    with pytest.raises(InputError, match="3 are too many"):
        numbers.number_texts(pl.Series(["a", "b", "c", "a"]), refuse)
    assert numbers.texts == []
