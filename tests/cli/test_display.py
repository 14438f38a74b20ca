"""Figures as people read and type them."""

from __future__ import annotations

import math

import pytest

from microsafe.cli import main
from microsafe.cli.parser import build_parser
from microsafe.display import (
    read_rate,
    show_number,
    show_odds,
    show_percent,
    show_rate,
    show_risk,
)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("0.01", 0.01),
        ("1%", 0.01),
        ("1 %", 0.01),
        ("0.7%", 0.007),
        ("100%", 1.0),
        ("1 in 100", 0.01),
        ("1 in 1,000", 0.001),
        (" 3 IN 4 ", 0.75),
        ("1e-3", 0.001),
    ],
)
def test_rates_are_read(text: str, rate: float) -> None:
    assert read_rate(text) == rate


@pytest.mark.parametrize("text", ["", "%", "1 in 0", "1 in", "one in ten", "1%%", "1 of 5"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_rate(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.0, "3"),
        (114.659, "114.7"),
        (0.0123456, "0.01235"),
        (0.00001234567, "0.00001235"),
        (1234.5678, "1,234.6"),
        (999.96, "1,000"),
        (1234567, "1,234,567"),
        (-0.5, "-0.5"),
        (1e-12, "1e-12"),
        (2e15, "2e+15"),
        (math.nan, "–"),
        (math.inf, "∞"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert show_number(value) == text


@pytest.mark.parametrize(
    ("risk", "text"),
    [
        (0.0, "0"),
        (1.0, "1 (1 in 1)"),
        (0.986, "0.986 (nearly 1 in 1)"),
        (0.143567, "0.144 (1 in 7)"),
        (0.372972, "0.373 (1 in 2.7)"),
        (0.01, "0.01 (1 in 100)"),
        (0.00012345, "0.000123 (1 in 8,100)"),
    ],
)
def test_risks(risk: float, text: str) -> None:
    assert show_risk(risk) == text


def test_odds_of_nothing() -> None:
    assert show_odds(0.0) == "none"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.642, "64.2 %"),
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.0001, "under 0.1 %"),
        (0.99999, "over 99.9 %"),
        (math.nan, "–"),
    ],
)
def test_shares(share: float, text: str) -> None:
    assert show_percent(share) == text


def test_rates_keep_three_digits() -> None:
    assert show_rate(0.000999) == "0.0999 %"
    assert show_rate(0.0194601) == "1.95 %"


@pytest.mark.parametrize("written", ["0.01", "1%", "1 in 100"])
def test_every_option_for_a_rate_takes_every_form(written: str) -> None:
    parse = build_parser().parse_args
    scenario = ["f.csv", "--keys", "a"]
    assert parse(["risk", *scenario, "--limit", written]).limit == 0.01
    assert parse(["limit", *scenario, "--rate", written]).rate == 0.01
    assert parse(["limit", *scenario, "--risk", written]).risk == 0.01
    assert parse(["combinations", *scenario, "--above", written]).above == 0.01
    suppress = parse(
        ["suppress", *scenario, "--k", "3", "--household-above", written, "-o", "o.csv"]
    )
    assert suppress.household_above == 0.01
    assert parse(["file-risk", *scenario, "--fraction", written]).fraction == 0.01
    assert (
        parse(["sample", "f.csv", "--fraction", written, "--seed", "1", "-o", "o"]).fraction == 0.01
    )


@pytest.mark.parametrize("written", ["2", "150%", "3 in 2", "nan"])
def test_rates_beyond_one_are_refused(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["risk", "f.csv", "--keys", "a", "--limit", written])
    assert end.value.code == 2
    assert "must lie between 0 and 1" in capsys.readouterr().err
