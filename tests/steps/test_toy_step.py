"""A toy step moves in: one class, registered, works everywhere with nothing else changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from engine import test_common as on_engines
from engine.conftest import spark  # noqa: F401  # a fixture
from microsafe.app import page_types as types
from microsafe.app.folders import Folders
from microsafe.app.journal import read_journal, state_folder
from microsafe.app.session import Session
from microsafe.cli import main
from microsafe.engine.transformations import Lookup, Transformation
from microsafe.errors import UsageError
from microsafe.options.parameter import Chosen, Parameter, Why
from microsafe.plan.read import read_plan
from microsafe.schema import Variable
from microsafe.steps import STEPS, Suppress, register
from microsafe.steps.base import AppliedStep, GlossaryTerm, Step
from microsafe.steps.change import Change
from microsafe.steps.changed_variable import DistinctValues, remake_variable
from microsafe.steps.glossary import glossary_section
from steps import test_recode as common

pytestmark = on_engines.pytestmark
SEED = 918273645546372819


# The toy: this is all that a kind of step needs, and one line in the registry.
@dataclass(frozen=True, slots=True, kw_only=True)
class Shout(Change):
    """Replace all values of a variable by one loud word."""

    do = "shout"
    title = "Shouting"
    public = "Shouting. All values of a variable were replaced by one loud word."
    term = GlossaryTerm(
        name="shouting", meaning="One loud word for all values.", sdcmicro="`shout`"
    )

    variable: Chosen
    word: Annotated[str, Parameter(label="Word", words=str.upper)] = "hey"
    seed: Annotated[int, Parameter(label="Seed", control="seed")] = field(repr=False)
    why: Why = ""

    def in_words(self, taken: AppliedStep | None = None) -> str:
        return f"shout {self.word} in {self.variable}"

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        loud = self.word.upper() + "!" * (1 + self.seed % 3)
        known = DistinctValues.of(values, before)
        after, moved = remake_variable(before, known, lambda _: loud, [loud], labels={})
        rule = Lookup(table={}, other=loud)
        return Transformation(rule=rule, before=before, after=after, missing=moved)


STEP = Shout(variable="marital", seed=SEED, why="for fun")
LOUD = "HEY!"
PLAN = f"""
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age", "marital"]
weight = "weight"
estimator = "cell"
household = "household"
[policy]
override = {{ estimator = "it is a toy", telling = "it is a toy" }}
[[step]]
do = "shout"
variable = "marital"
seed = {SEED}
why = "for fun"
[[step]]
do = "suppress"
k = 2
[[keep]]
variables = ["household", "hsize", "education", "occupation", "citizenship", "income"]
why = "nobody knows them"
[output]
file = "safe.csv"
keep_order = "it is a toy"
report = "board.html"
public_report = "public.html"
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(STEPS, "shout", register([Shout])["shout"])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    ms.survey(1, households=250).frame.write_csv(tmp_path / "survey.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_in_python() -> None:
    start = common.opened()
    done = start.apply(STEP)
    assert done.engine.table()["marital"].unique().to_list() == [LOUD]
    assert done.undo() is start
    assert str(SEED) not in repr(done.steps)


def test_it_is_told_what_it_may_touch() -> None:
    for name, words in {"weight": "is the weight of", "household": "would mix households"}.items():
        with pytest.raises(UsageError, match=words):
            common.opened().apply(Shout(variable=name, seed=1))


def test_what_it_costs() -> None:
    start = common.opened()
    (found,) = start.preview(STEP).information
    assert (found.variable, found.share_lost, found.categories_after) == ("marital", 1.0, 1)
    assert start.apply(STEP).compare().touched.values == start.engine.rows()


SUITE = [
    test
    for test in vars(common).values()
    if any(mark.args[:1] == ("step",) for mark in getattr(test, "pytestmark", ()))
]


@pytest.mark.parametrize("test", SUITE, ids=lambda test: test.__name__)
def test_the_common_suite(test: Callable[..., None]) -> None:
    extra = [mark.args for mark in test.pytestmark if mark.args[0] != "step"]  # type: ignore[attr-defined]
    for name, values in extra:
        for value in values:
            test(STEP, **{name: value})
    if not extra:
        test(STEP)


opened = on_engines.opened  # the embedded engine and Spark in turn


def test_both_engines_release_the_same_file(opened: on_engines.Open) -> None:
    on_engines.test_every_step_releases_the_same_file(opened, STEP)


@pytest.mark.slow
def test_plan_replay_and_script(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_plan(plan).steps[0] == STEP
    assert main(["protect", str(plan)]) == 0
    assert "1. shout hey in marital" in capsys.readouterr().out
    safe = (plan.parent / "safe.csv").read_bytes()
    assert LOUD.encode() in safe
    assert main(["replay", str(plan), "--check"]) == 0
    capsys.readouterr()
    assert main(["protect", str(plan), "--script"]) == 0
    script = capsys.readouterr().out
    step = f"STEPS['shout'](variable='marital', seed={SEED}, why='for fun')"
    assert f"study = study.apply({step})" in script
    monkeypatch.chdir(plan.parent)
    Path("safe.csv").unlink()
    exec(compile(script, "script", "exec"), {})  # noqa: S102
    assert Path("safe.csv").read_bytes() == safe


def test_both_reports_and_no_seed(plan: Path) -> None:
    assert main(["protect", str(plan)]) == 0
    board, public, lock = (
        (plan.parent / name).read_text("utf-8")
        for name in ("board.html", "public.html", "plan.lock")
    )
    assert "1. Shouting: <bdi>marital</bdi>" in board
    assert "HEY" in board
    assert "for fun" in board
    assert "1. Shouting: <bdi>marital</bdi>" in public
    assert Shout.public.removeprefix("Shouting. ") in public
    assert json.loads(lock)["steps"][0]["do"] == "shout"
    for text in (board, public, lock):
        assert str(SEED) not in text


@pytest.mark.slow
def test_a_seed_beside_the_plan(plan: Path) -> None:
    plan.write_text(PLAN.replace(f"seed = {SEED}\n", ""))
    with pytest.raises(UsageError, match="lacks 'seed'"):
        read_plan(plan)
    assert main(["protect", str(plan)]) == 0
    beside = plan.with_suffix(".seeds")
    assert beside.stat().st_mode & 0o077 == 0
    (seed,) = json.loads(beside.read_text()).values()
    assert str(seed) not in plan.with_suffix(".lock").read_text()
    assert main(["replay", str(plan), "--check"]) == 0
    beside.unlink()
    assert main(["replay", str(plan), "--check"]) == 2


@pytest.fixture
def page(plan: Path) -> Iterator[Page]:
    with running(Session(Folders(roots=(plan.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_in_the_app(page: Page) -> None:
    kinds = {each["do"]: each for each in page.ask("GET /api/steps")["kinds"]}
    assert kinds["shout"]["term"] == "shouting"
    assert kinds["shout"]["meaning"] == "One loud word for all values."
    controls = {each["name"]: each["control"] for each in kinds["shout"]["fields"]}
    assert controls == {"variable": "variable", "word": "text", "seed": "seed"}
    body = {"do": "shout", "variable": "marital", "seed": SEED}
    shown = page.ask("POST /api/preview", body)
    assert [each["code"] for each in shown["variable"]["categories"]] == [LOUD]
    taken = page.ask("POST /api/steps", body)["steps"]
    assert taken[0]["words"] == "shout hey in marital"
    texts = page.ask("GET /api/plan")
    assert "study.apply(STEPS['shout'](variable='marital'" in texts["script"]
    for answer in (shown, taken, texts):
        assert str(SEED) not in json.dumps(answer)
    (journal,) = state_folder().glob("*.json")
    assert read_journal(journal).plan.steps == (Shout(variable="marital", seed=SEED),)


def test_types_of_the_page_and_glossary() -> None:
    text = types.make_module()
    assert 'readonly do: "shout";' in text
    assert 'Given<Shout, "do" | "variable" | "seed">' in text
    assert (
        "| shouting | `shout` | One loud word for all values. | `shout` | – |" in glossary_section()
    )


SEEDED = {"why": Why, "seed": Annotated[int, Parameter(label="Seed", control="seed")]}


# What is lacking is refused before anything can fall back silently.


def test_a_kind_that_lacks_a_part_is_refused() -> None:
    names = ("title", "public", "term", "in_words", "transformation")
    parts = {name: getattr(Shout, name) for name in names}
    parts |= {"do": "mute", "__doc__": "Say nothing.", "__annotations__": {"why": Why}}
    type("Whole", (Change,), dict(parts))
    for name in (*names, "__doc__"):
        with pytest.raises(TypeError, match=f"lacks {name}"):
            type("Mute", (Change,), {key: part for key, part in parts.items() if key != name})
    with pytest.raises(TypeError, match=r"lacks.* apply, in_words"):
        type("Mute", (Step,), {"do": "mute"})
    for hints, words in (
        ({}, "lacks why"),
        ({"why": Why, "volume": int}, "lacks words for 'volume'"),
        (SEEDED, "shows its secret 'seed'"),
    ):
        kind = type("Mute", (Change,), parts | {"__annotations__": hints})
        with pytest.raises(TypeError, match=words):
            register([dataclass(frozen=True)(kind)])
    with pytest.raises(TypeError, match="Two steps"):
        register([Suppress, Suppress])


def test_a_step_that_stands_last_has_no_follower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shout, "place", "last")
    done = common.opened().round("age", 5).apply(STEP)
    with pytest.raises(UsageError, match="No step can follow 'shout'"):
        done.round("age", 10)
    monkeypatch.setattr(Shout, "place", "first")
    with pytest.raises(UsageError, match="Take the shout before other steps"):
        common.opened().round("age", 5).apply(STEP)
