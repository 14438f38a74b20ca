"""One spelling of codes, and one rule for which of them mean missing."""

from __future__ import annotations

import numpy as np
import pytest

from microsafe.codes import (
    code_text,
    find_missing_code,
    missing_numbers,
    missing_texts,
    spell_code,
)
from microsafe.schema import Code, Variable

VARIABLE = Variable(name="v", missing=(" 8", "09", 9.0, 7), missing_ranges=((90.0, 99.0),))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (9, "9"),
        (9.0, "9"),
        (-0.0, "0"),
        (np.float64(2.5), "2.5"),
        (2.0**53 - 1, "9007199254740991"),
        (2.0**53, "9007199254740992.0"),
        (" 01 ", " 01 "),
    ],
)
def test_a_code_is_written_as_the_values_are(code: Code, text: str) -> None:
    assert code_text(code) == text
    assert spell_code(code) == text.strip()


def test_missing_codes_as_text_and_numbers() -> None:
    assert missing_texts(VARIABLE) == ["8", "09", "9", "7"]
    assert missing_numbers(VARIABLE) == [9.0, 7.0]


@pytest.mark.parametrize(
    ("code", "found"),
    [("8", " 8"), ("9", 9.0), (9, 9.0), (7.0, 7), (90, 90), (99.0, 99.0), (99.5, None),
     (89, None), ("95", None), ("", None)],
)  # fmt: skip
def test_a_missing_code_is_found_as_it_is_declared(code: Code, found: Code | None) -> None:
    assert find_missing_code(VARIABLE, code) == found
    assert type(find_missing_code(VARIABLE, code)) is type(found)
