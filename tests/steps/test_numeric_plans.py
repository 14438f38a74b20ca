"""Microaggregation, rank swapping and shuffling in plans, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.cli import main
from microsafe.errors import InputError, UsageError
from microsafe.plan.read import read_plan
from microsafe.steps import Microaggregate, RankSwap, Shuffle
from steps.test_numeric_steps import opened, people

REFUSED: dict[str, tuple[Callable[[ms.Study], object], type[Exception], str]] = {
    "k above n/2": (
        lambda study: study.microaggregate("wealth", k=121),
        InputError,
        "240 records .* do not make two groups of 121. Choose a k of at most 120",
    ),
    "k of 1": (lambda study: study.microaggregate("wealth", k=1), UsageError, "k of 2 or more"),
    "no variable": (lambda study: study.microaggregate([]), UsageError, "at least one variable"),
    "twice": (
        lambda study: study.microaggregate("wealth", strata="wealth"),
        UsageError,
        "'wealth' is named twice",
    ),
    "decimals": (
        lambda study: study.microaggregate("wealth", decimals=-1),
        UsageError,
        "from 0 to 15",
    ),
    "key": (
        lambda study: study.rank_swap("region", seed=1),
        UsageError,
        "is a key .* Recode it to bands instead, or leave it out",
    ),
    "weight": (lambda study: study.shuffle("weight", given="age", seed=1), UsageError, "weight"),
    "percent": (
        lambda study: study.rank_swap("wealth", percent=0, seed=1),
        UsageError,
        "above 0 and at most 100",
    ),
    "seed": (lambda study: study.rank_swap("wealth", seed=-1), UsageError, "seed of rank swapping"),
    "given nothing": (
        lambda study: study.shuffle("wealth", given=[], seed=1),
        UsageError,
        "at least one variable that the new order depends on",
    ),
    "unknown": (
        lambda study: study.microaggregate("welth"), InputError, "Did you mean 'wealth'"
    ),
    "unknown stratum": (
        lambda study: study.rank_swap("wealth", strata="regoin", seed=1),
        InputError,
        "Did you mean 'region'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str) -> None:
    act, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        act(opened())


TAKE: dict[str, Callable[[ms.Study, str], ms.Study]] = {
    "microaggregate": lambda study, name: study.microaggregate(name),
    "alone": lambda study, name: study.microaggregate(name, method="one"),
    "rank_swap": lambda study, name: study.rank_swap(name, seed=1),
    "shuffle": lambda study, name: study.shuffle(name, given="age", seed=1),
}


@pytest.mark.parametrize("take", TAKE.values(), ids=TAKE.keys())
def test_data_that_cannot_be_perturbed(take: Callable[[ms.Study, str], ms.Study]) -> None:
    frame = people().with_columns(
        pl.lit(None, pl.Float64).alias("empty"),
        pl.lit(7.5).alias("same"),
        pl.lit(math.inf).alias("endless"),
        pl.lit(-1e200).alias("vast"),
        pl.when(pl.int_range(pl.len()) == 0).then("wealth").alias("single"),
        pl.format("{} euro", "income").alias("words"),
    )
    for name, words in {
        "empty": "'empty' .* is missing in all records. Leave it out",
        "same": "'same' .* same value in all records.* Leave it out",
        "endless": "'endless' .* infinite",
        "vast": "'vast' .* beyond 1e\\+100",
        "single": "the file has 1",
        "words": "'words' .* holds text instead of a number in 218 records",
    }.items():
        with pytest.raises(InputError, match=words):
            take(opened(frame), name)


@pytest.mark.parametrize("take", TAKE.values(), ids=TAKE.keys())
def test_one_record(take: Callable[[ms.Study, str], ms.Study]) -> None:
    with pytest.raises(InputError, match="the file has 1"):
        take(opened(people(1)), "wealth")


PLAN = """
microsafe = 1
[input]
file = "people.csv"
[scenario]
keys = ["region"]
weight = "weight"
estimator = "cell"
[[step]]
do = "microaggregate"
variables = ["income"]
k = 4
strata = ["region"]
[[step]]
do = "rank_swap"
variables = ["wealth"]
percent = 10.5
seed = 918273645
[[step]]
do = "shuffle"
variables = ["rent"]
given = ["age", "income"]
why = "rents are known in the street"
[[step]]
do = "drop"
variables = ["id", "household"]
[[keep]]
variables = ["age"]
why = "bands are too coarse"
[output]
file = "safe.csv"
keep_order = "a test"
report = "board.html"
public_report = "public.html"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    people().write_csv(tmp_path / "people.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


@pytest.mark.slow
def test_plan_replay_script_and_reports(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["protect", str(plan)]) == 0
    shown = capsys.readouterr().out
    assert "1. microaggregate income in groups of 4 or more: " in shown
    assert "2. swap values of wealth within 10.5 % of ranks" in shown
    safe = plan.with_name("safe.csv").read_bytes()
    assert main(["replay", str(plan), "--check"]) == 0
    board, public = (plan.with_name(name).read_text() for name in ("board.html", "public.html"))
    assert "Variance lost" in board
    assert "10.5" in board
    assert "Values that changed places" in board
    assert "Variance lost" in public
    assert "Records in a group" in public
    assert "10.5" not in public
    assert "918273645" not in board + public + plan.with_suffix(".lock").read_text()
    capsys.readouterr()
    assert main(["protect", str(plan), "--script"]) == 0
    script = capsys.readouterr().out
    assert "study.microaggregate(variables=('income',), k=4, strata=('region',))" in script
    monkeypatch.chdir(plan.parent)
    Path("safe.csv").unlink()
    exec(compile(script, "script", "exec"), {})  # noqa: S102
    assert Path("safe.csv").read_bytes() == safe


@pytest.mark.slow
def test_what_rank_swapping_lost_is_not_published(plan: Path) -> None:
    swapped, _, rest = PLAN.replace("wealth", "rent").partition('[[step]]\ndo = "shuffle"')
    rest = rest.partition("[[step]]")[2].replace('"household"]', '"household", "wealth"]')
    plan.write_text(swapped + "[[step]]" + rest)
    assert main(["protect", str(plan)]) == 0
    board, public = (plan.with_name(name).read_text() for name in ("board.html", "public.html"))
    assert "not published" not in board
    # Neither the information lost nor the spread: they would tell how far values moved.
    assert public.count("not published") == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("k = 4", "k = 200", "do not make two groups"),
        ("k = 4", "k = 80", "Fewer than 80 records with values are in "),
        ('["wealth"]', '["region"]', "is a key"),
        ('variables = ["wealth"]', 'variables = ["name"]', "holds text instead of a number"),
    ],
)
def test_bad_plans_write_nothing(
    plan: Path, old: str, new: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = people().with_columns(pl.lit("Anna").alias("name"))
    frame.write_csv(plan.with_name("people.csv"))
    assert old in PLAN
    plan.write_text(PLAN.replace(old, new))
    there = {each.name for each in plan.parent.iterdir()}
    assert main(["protect", str(plan)]) == (2 if words == "is a key" else 3)
    assert words in capsys.readouterr().err
    assert {each.name for each in plan.parent.iterdir()} - there <= {"plan.seeds"}


def test_steps_of_a_plan_are_these(plan: Path) -> None:
    plan.write_text(PLAN.replace('[[step]]\ndo = "shuffle"', '[[step]]\ndo = "shuffle"\nseed = 5'))
    assert read_plan(plan).steps[:3] == (
        Microaggregate(variables=("income",), k=4, strata=("region",)),
        RankSwap(variables=("wealth",), percent=10.5, seed=918273645),
        Shuffle(
            variables=("rent",),
            given=("age", "income"),
            seed=5,
            why="rents are known in the street",
        ),
    )


@pytest.fixture
def page(plan: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setenv("XDG_STATE_HOME", str(plan.parent / "state"))
    with running(Session(Folders(roots=(plan.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "people.csv"})
        scenario = {"name": "main", "keys": ["region"], "weight": "weight"}
        page.ask("PUT /api/scenario", SCENARIO | scenario | {"household": None})
        yield page


@pytest.mark.parametrize(
    "body",
    [
        {"do": "microaggregate", "variables": ["income"], "k": 4},
        {"do": "microaggregate", "variables": ["income", "wealth"], "method": "one"},
        {"do": "rank_swap", "variables": ["income", "wealth"], "seed": 918273645},
        {"do": "shuffle", "variables": ["rent"], "given": ["age"], "seed": 918273645},
    ],
    ids=lambda body: body["do"],
)
def test_in_the_app(page: Page, body: dict[str, object]) -> None:
    kinds = {each["do"]: each for each in page.ask("GET /api/steps")["kinds"]}
    assert all(each["control"] for each in kinds[body["do"]]["fields"])  # a form asks for each
    shown = page.ask("POST /api/preview", body)
    assert {each["variable"] for each in shown["information"]} == {*body["variables"]}  # type: ignore[misc]
    taken = page.ask("POST /api/steps", body)["steps"]
    assert str(body["variables"][0]) in taken[0]["words"]  # type: ignore[index]
    texts = page.ask("GET /api/plan")
    assert f"study.{body['do']}(" in texts["script"]
    assert "918273645" not in str((shown, taken, texts))
