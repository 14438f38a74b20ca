"""Where ladders come from: the shape of the data, hierarchy files, `.grc`, lists, plans."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import InputError, MicrosafeError, UsageError
from microsafe.options.scenario import Scenario
from microsafe.plan.lines import PlanPosition
from microsafe.plan.sections import build_ladder_sources
from microsafe.propose.ladders.key_ladders import build_ladders
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.ladders.suggested import suggest_ladder
from microsafe.propose.ladders.user import LadderSource
from microsafe.schema import Variable
from microsafe.steps import Recode, TopCode

DEMO = ms.survey(1, households=400)
AGE = Variable(name="age", kind="integer")
REGION = Variable(name="region", kind="integer", labels={each: f"R{each}" for each in range(1, 7)})


def suggest(variable: Variable, categories: list[Any], count: list[int] | None = None) -> Ladder:
    """The ladder of categories with the same number of records, or those that are given."""
    records = np.array(count or [10] * len(categories), np.int64)
    return suggest_ladder(variable, [str(each) for each in categories], records)


def climb(variable: Variable, values: list[Any], source: LadderSource, **options: Any) -> Ladder:
    """The ladder that is given for a key."""
    kind = pl.Int64 if variable.kind == "integer" else pl.String
    study = ms.study(pl.DataFrame({variable.name: values}, schema={variable.name: kind}))
    scenarios = [Scenario(keys=(variable.name,))]
    found = build_ladders(study.engine, scenarios, given={variable.name: source}, **options)
    return found[variable.name]


def groups(ladder: Ladder, rung: int = -1) -> list[int]:
    return ladder.rungs[rung][1:].tolist()


# Numbers


def test_an_age_is_banded_whatever_the_file_declares() -> None:
    nominal = Variable(name="V12", label="Age in years", kind="integer", measure="nominal")
    assert suggest(nominal, list(range(100))).words == suggest(AGE, list(range(100))).words


def test_years_of_age() -> None:
    count = [100] * 90 + [5] * 10  # one in a hundred is 90 or older
    ladder = suggest(AGE, list(range(100)), count)
    assert ladder.words == (
        "as it is",
        "90 and over as one",
        "bins of 5",
        "bins of 10",
        "bins of 20",
    )
    assert ladder.steps[1] == TopCode(variable="age", limit=90, label="90 and over")
    assert ladder.labels[2][-3:] == ("80-84", "85-89", "90 and over")
    assert ladder.labels[4] == ("0-19", "20-39", "40-59", "60-79", "80 and over")


def test_decimals_as_text_are_numbers() -> None:
    ladder = suggest(Variable(name="temperature"), [f"{each / 10}" for each in range(350, 420)])
    assert ladder.words[1:] == ("bins of 0.5", "bins of 1", "bins of 2")
    few = suggest(Variable(name="temperature"), ["36.5", "36.6", "37.1"])
    assert few.words[1:] == ("neighbours in 2 groups",)


def test_both_tails() -> None:
    count = [1] * 5 + [100] * 60 + [1] * 5
    ladder = suggest(AGE, list(range(70)), count)
    assert ladder.words[1] == "4 and under and 65 and over as one"
    assert ladder.labels[1][:2] == ("4 and under", "5")
    assert ladder.labels[2][0], ladder.labels[2][-1] == ("under 5", "65 and over")
    assert ladder.labels[4] == ("under 20", "20-39", "40-59", "60 and over")


def test_numbers_as_text_get_bins_that_can_be_read() -> None:
    ladder = suggest(Variable(name="age"), list(range(50)), [100] * 48 + [1, 1])
    assert ladder.steps[1] == TopCode(variable="age", limit=48, code="48 and over")
    step = ladder.steps[2]
    assert isinstance(step, Recode)
    assert step.names[-2:] == ("40-44", "45 and over")


def test_units_follow_the_spread() -> None:
    amounts = suggest(Variable(name="rent", kind="integer"), list(range(0, 5000, 7)))
    assert amounts.words[-4:] == ("bins of 100", "bins of 500", "bins of 1000", "bins of 2000")
    metres = [each / 100 for each in range(150, 200)]
    heights = suggest(Variable(name="height", kind="number"), metres)
    assert heights.words == ("as it is", "bins of 0.05", "bins of 0.1", "bins of 0.2")
    assert heights.labels[3] == ("1.4-<1.6", "1.6-<1.8", "1.8-<2")


def test_units_do_not_follow_what_lies_far_out() -> None:
    count = [100] * 200 + [1, 1]
    ladder = suggest(Variable(name="pay", kind="integer"), [*range(200), 5000, 90000], count)
    assert ladder.words[-1] == "bins of 20"


def test_a_shorter_code_that_would_be_missing_is_left_out() -> None:
    codes = ["1111", "1112", "1120", "1211", "2111", "2112", "2310"]
    ladder = suggest(Variable(name="isco", missing=("2",)), codes)
    kept = [step.keep for step in ladder.steps if isinstance(step, Recode)]
    assert kept == [3, 2]


def test_a_bin_that_would_be_a_missing_code_is_called_otherwise() -> None:
    variable = Variable(name="age", kind="integer", missing=(0,))
    step = suggest(variable, list(range(1, 51))).steps[1]
    assert isinstance(step, Recode)
    assert step.names[0] == "0-4"


# Codes


@pytest.mark.parametrize(
    ("variable", "codes", "words", "last"),
    [
        ("isco08", ["1111", "1112", "1120", "2111", "2112", "2310"], "ISCO", ("1", "2")),
        ("job", ["0110", "1112", "1120", "2111", "2112", "2310"], "code", ("0", "1", "2")),
        ("zip", ["10115", "10117", "12345", "13000", "20095", "21000"], "ZIP", ("1", "2")),
        (
            "x",
            ["10115-0001", "10115-0002", "10211-0001", "12000-0001", "20095-0001"],
            "ZIP",
            ("1", "2"),
        ),
        ("x", ["AT111", "AT112", "AT121", "AT211", "DE212", "DE21A"], "NUTS", ("AT", "DE")),
        ("x", ["A01.11", "A01.12", "A02.10", "C10.11", "C10.12"], "NACE", ("A", "C")),
        ("x", ["A01", "A02", "C10", "C11"], "NACE", ("A", "C")),
        ("x", ["01.11", "01.12", "01.21", "02.10", "10.11"], "NACE", ("01", "02", "10")),
        (
            "x",
            ["1011 AB", "1011 AC", "1012 AB", "1100 AB", "1200 AB", "2511 XY"],
            "postcode",
            ("1", "2"),
        ),
        ("x", ["K1A 0B1", "K1A 0B2", "K2A 0B2", "M5V 3L9"], "postcode", ("K", "M")),
        ("x", ["1990-05-12", "1990-05-13", "1990-06-01", "1991-01-01"], "date", ("1990", "1991")),
    ],
)
def test_codes_are_shortened(
    variable: str, codes: list[str], words: str, last: tuple[str, ...]
) -> None:
    ladder = suggest(Variable(name=variable), codes)
    assert ladder.words[-1].endswith(f"the {words}")
    assert ladder.labels[-1] == last
    assert all(isinstance(step, Recode) and step.keep for step in ladder.steps[1:])


def test_british_postcodes() -> None:
    ladder = suggest(Variable(name="x"), ["SW1A 1AA", "SW1A 2AA", "SW2 1AB", "M1 1AE"])
    assert ladder.labels[1:] == (("SW1A", "SW2", "M1"), ("SW", "M"))


def test_codes_that_lost_their_zeros_as_numbers() -> None:
    variable = Variable(name="occ", label="Occupation (ISCO-08)", kind="integer")
    ladder = suggest(variable, [110, 1111, 1112, 1120, 2111, 2112, 2310])
    assert ladder.words[1:] == (
        "3 digits of the ISCO",
        "2 digits of the ISCO",
        "1 digit of the ISCO",
    )
    assert ladder.labels[-1] == ("0", "1", "2")
    assert groups(ladder) == [1, 2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("codes", [["AT", "DE", "FR", "FI"], ["004", "008", "276", "250"]])
def test_country_codes_are_not_cut(codes: list[str]) -> None:
    ladder = suggest(Variable(name="country"), codes, [5, 6, 7, 100])
    assert all(not isinstance(s, Recode) or s.keep is None for s in ladder.steps)


def test_many_digits_make_few_rungs() -> None:
    codes = sorted({f"{10**each:08d}" for each in range(8)} | {"00000000", "20000000"})
    ladder = suggest(Variable(name="municipality"), codes)
    kept = [step.keep for step in ladder.steps if isinstance(step, Recode)]
    assert kept == [6, 4, 2, 1]


# Labels


def test_bands_are_joined_to_wider_ones() -> None:
    bands = ["under 15", *(f"{low}-{low + 4}" for low in range(15, 80, 5)), "80+"]
    ladder = suggest(Variable(name="age"), bands)
    assert ladder.words == ("as it is", "bands of 10", "bands of 20")
    assert ladder.labels[1][:2] == ("up to 19", "20-29")
    assert ladder.labels[2] == ("up to 19", "20-39", "40-59", "60-79", "80+")


def test_bands_in_labels_go_by_their_numbers() -> None:
    names = ["20-24 years", "25-29 years", "30-34 years", "35 and over", "under 20 years"]
    variable = Variable(
        name="age", kind="integer", measure="nominal", labels=dict(enumerate(names, 1))
    )
    ladder = suggest(variable, [1, 2, 3, 4, 5])
    assert ladder.labels[1] == ("20-29", "30 and over", "under 20 years")


def test_bands_of_different_width_join_neighbours() -> None:
    ladder = suggest(
        Variable(name="age"), ["0-4", "5-14", "15-44", "45-64", "65+"], [1, 1, 9, 9, 9]
    )
    assert ladder.labels[1] == ("0-14", "15-44", "45-64", "65+")


def test_single_numbers_with_an_open_end_are_an_order() -> None:
    ladder = suggest(Variable(name="rooms"), ["1", "10+", *"23456789"], [9, 1, *[9] * 6, 2, 2])
    assert ladder.words[1] == "neighbours in 7 groups"
    assert "7 and over" in ladder.labels[1]


def test_names_with_a_common_beginning() -> None:
    names = ["Europe: France", "Europe: Spain", "Asia: China", "Asia: Japan", "stateless"]
    variable = Variable(name="born", kind="integer", labels=dict(enumerate(names, 1)))
    ladder = suggest(variable, [1, 2, 3, 4, 5])
    assert ladder.words[1] == "names before ':'"
    assert ladder.labels[1] == ("Europe", "Asia", "stateless")


def test_hyphens_inside_words_say_nothing() -> None:
    ladder = suggest(Variable(name="land"), ["South-Korea", "South-Africa", *"abcdef"])
    assert not any("names" in words for words in ladder.words)


# Orders, and rare categories


def test_ordered_categories_join_neighbours_that_lose_least() -> None:
    labels = dict(enumerate(["none", "primary", "lower", "upper", "master"]))
    variable = Variable(name="x", kind="integer", measure="ordinal", labels=labels)
    ladder = suggest(variable, range(5), [1, 50, 40, 60, 2])
    assert ladder.labels[1] == ("none or primary", "lower", "upper", "master")
    assert [int(each.max()) for each in ladder.rungs] == [5, 4, 3, 2]
    texts = Variable(name="x", measure="ordinal", labels={"low": "L", "mid": "M", "high": "H"})
    assert suggest(texts, ["high", "low", "mid"], [9, 1, 1]).labels[1] == ("H", "L or M")


def test_education_is_an_order_whatever_the_file_says() -> None:
    labels = dict(enumerate(["none", "primary", "secondary", "tertiary"]))
    variable = Variable(name="education", kind="integer", measure="nominal", labels=labels)
    assert suggest(variable, range(4)).words[1].startswith("neighbours")
    field = Variable(name="x", label="Field of education", kind="integer", labels=labels)
    assert not any(each.startswith("neighbours") for each in suggest(field, range(4)).words)


def test_rare_categories_are_pooled() -> None:
    ladder = suggest(Variable(name="born"), ["at", "be", "other", "dk"], [80, 2, 15, 3])
    assert ladder.labels[1] == ("at", "other (joined)", "other")
    assert ladder.words[1:] == ("rarest 5 % pooled", "rarest 25 % pooled")
    assert ladder.labels[2] == ("at", "other")


def test_two_categories_have_no_rung() -> None:
    assert len(suggest(Variable(name="sex"), [1, 2])) == 1


# Files

HIERARCHY = """code;district;part;all
01;North;N;*
2;North;N;*
3;South;S;*
4;Coast;S;*
9;Coast;S;*
"""


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_hierarchy_file(tmp_path: Path, separator: str) -> None:
    (tmp_path / "region.csv").write_text(HIERARCHY.replace(";", separator), "utf-8")
    ladder = climb(REGION, [1, 2, 3, 4, None], "region.csv", folder=tmp_path)
    levels = [f"level {level} of region.csv" for level in (1, 2, 3)]
    assert ladder.words == ("as it is", *levels[:2], f"{levels[2]}, all as one")
    assert ladder.labels[1:] == (("North", "South", "Coast"), ("N", "S"), ("*",))
    assert groups(ladder, 2) == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1;a;x\n2;a;y\n", "Rung 2 of 'region' .level 2 of h.csv. parts a group .* line 2 puts"),
        ("1;a;x\n1;b;x\n2;b;x", "h.csv line 2 has a code that stands further up"),
        ("1;a;x\n2;;x\n", "h.csv line 2 does not have 3 fields"),
        ("1;a;x\n2;a\n", "h.csv line 2 does not have 3 fields"),
        ("1\n2\n", "h.csv has a single column"),
        ("\n\n", "h.csv has no codes"),
        ("1;a;x\n", "Rung 1 of 'region' .level 1 of h.csv.: 1 codes of 'region' have no parent"),
    ],
)
def test_hierarchy_files_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "h.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(MicrosafeError, match=words):
        climb(REGION, [1, 2], path)


def test_files_of_mu_argus_are_rungs(tmp_path: Path) -> None:
    (tmp_path / "Fine.grc").write_text("1: -20\n2: 21-30\n3: 31-40\n4: 41-\n", "utf-8")
    (tmp_path / "Broad.GRC").write_text("1: -30\n2: 31-\n<MISSING> 99\n", "utf-8")
    ladder = climb(AGE, list(range(60)), ["Fine.grc", "Broad.GRC"], folder=tmp_path)
    assert ladder.words == ("as it is", "Fine.grc", "Broad.GRC")
    assert [int(each.max()) for each in ladder.rungs] == [60, 4, 2]
    with pytest.raises(UsageError, match=r"Rung 2 of 'age' \(Fine.grc\) parts 2 groups of rung 1"):
        climb(AGE, list(range(60)), ["Broad.GRC", "Fine.grc"], folder=tmp_path)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"nowhere.csv does not exist"):
        climb(AGE, [1, 2, 3], "nowhere.csv")


def test_files_of_the_demo_of_mu_argus(peers: Path) -> None:
    folder = peers / "muargus/demodata"
    study = ms.study(folder / "Demodata.asc")
    keys = Scenario(keys=("REGION", "SEX", "AGE", "MARSTAT"))
    five = Recode(variable="AGE", breaks=tuple(range(1, 100, 5)))
    given: dict[str, LadderSource] = {"REGION": "Region.grc", "AGE": [five, "Age.grc"]}
    found = build_ladders(study.engine, [keys], given=given, folder=folder)
    assert found["REGION"].words == ("as it is", "Region.grc")
    assert found["AGE"].words[1:] == ("recode AGE into bins of 5", "Age.grc")
    assert found["AGE"].labels[2][1] == "age 21-30"


# What a person lists


def test_widths() -> None:
    ladder = climb(AGE, list(range(100)), [1, 5, 10, 20])
    assert ladder.words == ("as it is", "bins of 5", "bins of 10", "bins of 20")
    assert ladder.labels[3] == ("0-19", "20-39", "40-59", "60-79", "80-99")
    assert climb(AGE, list(range(100)), 25).words == ("as it is", "bins of 25")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            [2, 5, 10],
            r"^Rung 2 of 'age' \(bins of 5\) parts groups of rung 1 \(bins of 2\). Give widths of "
            "which each is a multiple of the one before, such as 5, 10, 20.$",
        ),
        ([0], "the width of bins must be above 0"),
        ([True], "A rung of 'age' must be the width of bins, a step, a .grc file or"),
        ([[5]], "A rung of 'age' must be the width of bins, a step, a .grc file or"),
        ([Recode(variable="age", breaks=(0, 15)), 10], r"Rung 2 of 'age' \(bins of 10\) parts"),
    ],
)
def test_lists_that_are_refused(source: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        climb(AGE, list(range(30)), source)


def test_text_has_no_bins() -> None:
    with pytest.raises(UsageError, match=r"'x' holds text, which cannot be put into bins"):
        climb(Variable(name="x"), ["a", "b", "c"], 5)


def test_a_classification_has_a_rung_for_each_level() -> None:
    levels = ({"1": "a", "2": "a", "3": "b", "4": "c"}, {"a": "x", "b": "x", "c": "y"})
    whole = Recode(variable="region", classification=levels)
    ladder = climb(REGION, [1, 2, 3, 4], whole)
    assert ladder.words[1:] == ("level 1 of its classification", "level 2 of its classification")
    assert ladder.labels[1:] == (("a", "b", "c"), ("x", "y"))
    second = Recode(variable="region", classification=levels, level=2)
    assert len(climb(REGION, [1, 2, 3, 4], [second])) == 2


# The keys of a study


def open_demo(household: str | None = "household") -> tuple[Any, list[Scenario]]:
    """The survey; household size and household are in different scenarios."""
    study = ms.study(DEMO.frame)
    main = Scenario(keys=("hsize", "age", "sex"), weight="weight", estimator="cell")
    other = Scenario(keys=("age", "region"), household=household, name="neighbour")
    return study.engine, [main, other]


def test_every_key_has_a_ladder_but_what_is_counted_or_spared() -> None:
    engine, scenarios = open_demo()
    found = build_ladders(engine, scenarios, spare=["region"])
    assert {key: len(ladder) for key, ladder in found.items()} == {
        "hsize": 1, "age": 6, "sex": 2, "region": 1,
    }  # fmt: skip
    engine, scenarios = open_demo(household=None)
    assert len(build_ladders(engine, scenarios)["hsize"]) > 1
    assert len(build_ladders(engine, scenarios, given={"age": []})["age"]) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"given": {"aeg": 5}},
            "'aeg' is not a key, so it cannot have a ladder. Did you mean 'age'",
        ),
        ({"spare": ["income"]}, "'income' is not a key, so it cannot be spared."),
        (
            {"given": {"age": 5}, "spare": ["age"]},
            "'age' is spared and has a ladder. Leave out one",
        ),
        ({"given": {"hsize": 2}}, "'hsize' can be counted by 'household', so recoding it would"),
    ],
)
def test_ladders_for_what_cannot_have_one(options: Any, words: str) -> None:
    engine, scenarios = open_demo()
    with pytest.raises(UsageError, match=words):
        build_ladders(engine, scenarios, **options)


# Plans

PLAN = """
region = "regions.csv"
age = [5, { breaks = [0, 20, 40] }]
income = { do = "top_code", limit = 5000 }
sex = []
"""


def test_ladders_of_a_plan() -> None:
    assert build_ladder_sources(tomllib.loads(PLAN), "[propose.ladders]") == {
        "region": ("regions.csv",),
        "age": (5, Recode(variable="age", breaks=(0, 20, 40))),
        "income": (TopCode(variable="income", limit=5000),),
        "sex": (),
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age = [true]", r"\[propose.ladders\], line 3: rung 1 of 'age' must be the width of bins"),
        ("age = [5, { keeps = 2 }]", r"line 3: rung 2 of 'age': unknown field 'keeps'"),
        ("age = { do = 'suppress', variable = 'age' }", "rung 1 of 'age' must be the width"),
    ],
)
def test_ladders_of_a_plan_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        build_ladder_sources(tomllib.loads(text), PlanPosition("[propose.ladders]", {"age": 3}))
