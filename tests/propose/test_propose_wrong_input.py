"""What `microsafe propose` says to wrong input: a sentence, an exit code, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from microsafe.cli.main import main

PLAN = """microsafe = 1
[input]
file = "people.parquet"
[scenario]
keys = ["a", "b"]
weight = "w"
estimator = "cell"
[policy]
record_risk = 0.02
[propose]
touched = 0.5
[propose.ladders]
[output]
file = "safe.csv"
"""
FILES = {"empty.csv": "", "part.csv": "x;north\n", "name.csv": "code;group\n", "empty.grc": ""}


def make_people() -> pl.DataFrame:
    rows = range(120)
    return pl.DataFrame(
        {
            "a": [each % 3 for each in rows],
            "b": ["xyzv"[each % 11 % 4] for each in rows],
            "w": [5.0 + each % 3 for each in rows],
        }
    )


def ask(folder: Path, text: str, people: pl.DataFrame) -> int:
    """Propose for a plan; whatever is asked, the folder holds nothing new unless it was found."""
    people.write_parquet(folder / "people.parquet")
    (folder / "plan.toml").write_text(text, "utf-8")
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")
    before = {path.name for path in folder.iterdir()}
    wanted = [str(folder / name) for name in ("plan.toml", "new.toml", "frontier.svg")]
    code = main(["propose", wanted[0], "-o", wanted[1], "--frontier", wanted[2]])
    made = {path.name for path in folder.iterdir()} - before
    assert made <= (set() if code > 1 else {"new.toml", "frontier.svg"})
    return code


LADDERS = [
    ('b = "empty.csv"', 3, "empty.csv is empty"),
    ('b = "part.csv"', 2, "Rung 1 of 'b' (level 1 of part.csv): 3 codes of 'b' have no parent"),
    ('b = "name.csv"', 2, "4 codes of 'b' have no parent"),
    ('b = "nowhere.csv"', 3, "nowhere.csv does not exist"),
    ('a = "empty.grc"', 3, "empty.grc is empty"),
    ("b = 5", 2, "'b' holds text, which cannot be put into bins"),
    ("a = [0]", 2, "the width of bins must be above 0"),
    ("a = [nan]", 2, "the width of bins must be above 0"),
    ("a = [2, 5]", 2, "Rung 2 of 'a' (bins of 5) parts groups of rung 1 (bins of 2)"),
    ("w = [5]", 2, "'w' is not a key, so it cannot have a ladder. Available: a, b."),
    ('a = [{ do = "drop" }]', 2, "rung 1 of 'a' must be the width of bins"),
    ('a = [{ do = "recod" }]', 2, "Did you mean 'recode'?"),
    ('a = [{ groups = { "1" = ["88"] } }]', 2, "'a' has no code '88'"),
]


@pytest.mark.parametrize(("ladder", "code", "said"), LADDERS)
def test_ladders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ladder: str, code: int, said: str
) -> None:
    text = PLAN.replace("[propose.ladders]", f"[propose.ladders]\n{ladder}")
    assert ask(tmp_path, text, make_people()) == code
    assert said in capsys.readouterr().err


WISHES = [
    ("touched = 0.5", "touched = 1.5", 2, "from 0 to 1"),
    ("touched = 0.5", "touched = nan", 2, "from 0 to 1"),
    ("touched = 0.5", 'spare = ["c"]', 2, "'c' is not a key"),
    ("touched = 0.5", 'spare = ["a", "b"]', 1, "records stay unsafe under the broadest recodes"),
    ("touched = 0.5", "seconds = 0", 2, "must be above 0"),
    ("record_risk = 0.02", "", 2, "asks for nothing that recodes and blanks can see to"),
    ("record_risk = 0.02", "record_risk = 1.5", 2, "above 0 and at most 1"),
    ("record_risk = 0.02", "rate = 0", 2, "No recodes and blanks bring rate to 0"),
    ("record_risk = 0.02", "k = 10_000", 1, "120 records stay unsafe"),
    ("record_risk = 0.02", "k = 1", 0, ""),
    ("record_risk = 0.02", "household_risk = 0.1", 2, "needs a scenario with households"),
    ('"a", "b"', '"a", "c"', 3, "has no variable 'c'"),
]


@pytest.mark.parametrize(("old", "new", "code", "said"), WISHES)
def test_wishes_and_policies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, code: int, said: str
) -> None:
    assert ask(tmp_path, PLAN.replace(old, new), make_people()) == code
    assert said in capsys.readouterr().err


def change_first(name: str, value: object) -> Callable[[pl.DataFrame], pl.DataFrame]:
    first = pl.int_range(pl.len()) == 0
    return lambda people: people.with_columns(
        pl.when(first).then(value).otherwise(name).alias(name)
    )


DATA: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], int, str]] = {
    "weight missing": (change_first("w", None), 3, "is missing in 1 record"),
    "weight not a number": (change_first("w", float("nan")), 3, "is missing in 1 record"),
    "weight negative": (change_first("w", -1.0), 3, "is negative in 1 record"),
    "weight infinite": (change_first("w", float("inf")), 3, "is infinite in 1 record"),
    "weight below 1": (change_first("w", 0.5), 3, "is below 1 in 1 record"),
    "key missing": (
        lambda people: people.with_columns(a=pl.lit(None, pl.Int64)),
        3,
        "Key variable 'a' is missing in every record",
    ),
    "no record": (lambda people: people.head(0), 3, "has no records"),
    "one record": (lambda people: people.head(1), 1, "1 record stays unsafe"),
    "not a number": (change_first("a", float("nan")), 0, ""),
    "infinite": (change_first("a", float("inf")), 0, ""),
    "one category": (lambda people: people.with_columns(a=1, b=pl.lit("x")), 0, ""),
    "huge whole numbers": (
        lambda people: people.with_columns(a=pl.int_range(pl.len()) % 40 + 2**62),
        1,
        "No plan keeps to 60 records with blanks",
    ),
    "huge numbers": (
        lambda people: people.with_columns(a=(pl.int_range(pl.len()) % 40 + 2**53) * 1e200),
        1,
        "No plan keeps to 60 records with blanks",
    ),
}


@pytest.mark.parametrize("case", DATA)
def test_data(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    make, code, said = DATA[case]
    assert ask(tmp_path, PLAN, make(make_people())) == code
    assert said in capsys.readouterr().err


def test_a_ladder_for_huge_numbers_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = make_people().with_columns(a=pl.int_range(pl.len()) + 2**62)
    text = PLAN.replace("[propose.ladders]", "[propose.ladders]\na = [5]")
    assert ask(tmp_path, text, people) == 2
    assert "numbers of 16 digits or more" in capsys.readouterr().err


def test_a_list_that_nobody_would_read_is_not_suggested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"n{each}" for each in range(6000)]
    people = pl.DataFrame({"a": names, "b": ["x"] * 6000, "w": [9.0] * 6000})
    assert ask(tmp_path, PLAN, people) == 1
    assert "No plan keeps to 3,000 records with blanks" in capsys.readouterr().err
