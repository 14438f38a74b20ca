"""Proposals by uses that matter: what the search weighs, what it finds, and what is told."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli.main import main
from microsafe.compare.step_loss import measure_information
from microsafe.datasets import survey
from microsafe.errors import UsageError
from microsafe.options.uses import ModelUse, TableUse, Uses
from microsafe.plan.read import read_plan
from microsafe.plan.run import run

KEYS = ("region", "age", "marital")
POLICY = ms.Policy(record_risk=0.02)
USES = Uses(
    variables={"age": 2, "income": 4},
    others=0.5,
    tables=(TableUse(of=("region", "sex"), weight=3),),
    models=(ModelUse(formula="income ~ sex + marital", weight=1.5),),
)


@pytest.fixture(scope="module")
def study() -> ms.Study:
    return ms.study(survey(households=300).frame, keys=KEYS, weight="weight", estimator="cell")


def lose(start: ms.Study, done: ms.Study, key: str) -> float:
    found = {each.variable: each.share_lost for each in measure_information(start, done)}
    return found.get(key, 0.0)


@pytest.mark.parametrize("key", ["region", "age"])
def test_what_matters_more_loses_less(study: ms.Study, key: str) -> None:
    losses = {}
    for weight in (0.05, 1.0, 20.0):
        best = study.propose(policy=POLICY, touched=0.1, utility={key: weight}).best
        assert best is not None
        losses[weight] = lose(study, best.study, key)
    assert losses[20.0] <= losses[1.0] <= losses[0.05]
    assert losses[20.0] < losses[0.05]


@pytest.mark.parametrize("by", ["table", "model"])
def test_keys_of_a_table_or_model_that_matters_lose_less(study: ms.Study, by: str) -> None:
    table, model = (
        TableUse(of=("age", "sex"), weight=40),
        ModelUse(formula="income ~ age", weight=40),
    )
    uses = Uses(tables=(table,)) if by == "table" else Uses(models=(model,))
    few = {"region": []}  # left out for all it would lose more than the uses weigh
    plain = study.propose(policy=POLICY, touched=0.1, ladders=few).best
    best = study.propose(policy=POLICY, touched=0.1, ladders=few, utility=uses).best
    assert plain is not None
    assert best is not None
    assert lose(study, best.study, "age") < lose(study, plain.study, "age")
    other = plain.study.compare(uses=uses).uses
    assert other is not None
    assert best.loss_by_uses is not None
    assert best.loss_by_uses < other.loss
    assert best.loss > plain.loss


@pytest.mark.slow
def test_no_combination_of_recodes_does_better_by_the_weights() -> None:
    rng = np.random.default_rng(5)
    rows = 250
    frame = pl.DataFrame(
        {
            name: np.floor(size * rng.random(rows) ** 1.5).astype(int)
            for name, size in (("a", 6), ("b", 4), ("c", 30), ("y", 90))
        }
        | {"w": rng.uniform(3, 40, rows).round(1)}
    )
    study = ms.study(frame, keys=["a", "b", "c"], weight="w", estimator="cell")
    uses = Uses(
        variables={"c": 2},
        others=0.5,
        tables=(TableUse(of=("a", "b"), weight=3),),
        models=(ModelUse(formula="y ~ a + c", weight=1.5),),
    )
    weights = {"a": 0.5 + 3 / 2 + 1.5 / 3, "b": 0.5 + 3 / 2, "c": 2 + 1.5 / 3}
    found = study.propose(
        policy=ms.Policy(record_risk=0.03), touched=0.3, ladders={"c": [5, 10]}, utility=uses
    )
    assert found.best is not None
    posed = found.best.posed
    assert posed.blanking
    losses = []
    for steps in product(*(ladder.steps for ladder in posed.lattice.problem.ladders)):
        done = study
        for step in filter(None, steps):
            done = done.apply(step)
        for step in posed.blanking:
            done = done.apply(step)
        if done.steps[-1].records <= 0.3 * rows and not done.steps[-1].stuck:
            lost = sum(weight * lose(study, done, key) for key, weight in weights.items())
            losses.append(lost / sum(weights.values()))
    assert found.best.plan.loss == pytest.approx(min(losses), rel=1e-9)
    assert found.status == "proved"


def test_candidates_tell_both_losses(study: ms.Study) -> None:
    found = study.propose(policy=POLICY, touched=0.1, utility=USES)
    assert found.best is not None
    for each in found.candidates[:3]:
        told = each.study.compare(uses=USES).uses
        assert told is not None
        assert each.loss_by_uses == told.loss
        assert each.loss == told.plain
        assert each.loss != each.loss_by_uses
    assert "loss by uses" in found.words
    assert "plain loss" in found.words
    page = repr(found)
    assert "age 2" in page
    assert "region 2" in page  # 0.5 + 3 / 2
    assert "marital 1" in page  # 0.5 + 1.5 / 3
    assert "income, sex are no part of the search" in page
    summary = found.summary()
    assert summary["uses"]["loss_by_uses"] == found.best.loss_by_uses
    assert summary["uses"]["plain_loss"] == summary["loss"]
    assert {"loss", "loss_by_uses"} <= set(summary["frontier"][0])
    assert found.plot().get_ylabel() == "loss by uses, %"
    assert "as they were weighed" in found.best.steps[0].why


def test_weights_of_keys_alone_are_proved(study: ms.Study) -> None:
    found = study.propose(policy=POLICY, touched=0.1, utility={"age": 3})
    assert found.best is not None
    assert found.best.loss_by_uses == pytest.approx(found.best.plan.loss, rel=1e-9)
    assert "The search weighs keys (region 1, age 3, marital 1)." in found.notes
    assert not any("measured on each plan" in note for note in found.notes)


@pytest.mark.parametrize(
    ("uses", "said"),
    [
        ({"regoin": 3.0}, "Did you mean 'region'"),
        ({"age": -1.0}, "weight of 'age' must be a finite number"),
        ({"age": float("inf")}, "weight of 'age' must be a finite number"),
        (dict.fromkeys(KEYS, 0.0), "No use that matters is of a key"),
        (Uses(variables={"income": 2}, others=0), "No use that matters is of a key"),
    ],
)
def test_uses_that_cannot_be_searched_by_are_refused(
    study: ms.Study, uses: Uses | dict[str, float], said: str
) -> None:
    with pytest.raises(ms.MicrosafeError, match=said):
        study.propose(policy=POLICY, utility=uses)


def test_uses_that_cannot_be_measured_are_refused_before_the_search(study: ms.Study) -> None:
    uses = Uses(tables=(TableUse(of=("age", "income")),))
    with pytest.raises(UsageError, match="'income' of the table age x income"):
        study.noise("income", seed=1).propose(policy=POLICY, utility=uses)
    named = study.engine.table().with_columns(pl.lit("x").alias("word"))  # type: ignore[attr-defined]
    other = ms.study(named, keys=KEYS, weight="weight", estimator="cell")
    with pytest.raises(ms.InputError, match="'word' has 1 categories"):
        other.propose(policy=POLICY, utility=Uses(models=(ModelUse(formula="word ~ age"),)))


PLAN = """microsafe = 1

[input]
file = "people.csv"

[scenario]
keys = ["region", "age", "marital"]
weight = "weight"
estimator = "cell"

[policy]
record_risk = 0.02
override = { estimator = "a test" }

[utility]
variables = { age = 2, income = 4 }
others = 0.5

[[utility.tables]]
of = ["region", "sex"]
weight = 3

[[utility.models]]
formula = "income ~ sex + marital"
weight = 1.5

[propose]
touched = "10%"

[[keep]]
variables = ["sex", "income"]
why = "it is what the file is for"

[output]
file = "safe.csv"
report = "report.html"
public_report = "public.html"
keep_order = "test"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    names = [*KEYS, "weight", "sex", "income"]
    survey(households=300).frame.select(names).write_csv(tmp_path / "people.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    return path


@pytest.mark.slow
def test_a_release_tells_the_promised_loss_by_uses(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    made = read_plan(new)
    assert made.utility == USES
    assert made.propose is not None
    assert made.propose.result is not None
    assert made.propose.result.taken is not None
    by_uses = found["uses"]["loss_by_uses"]
    assert made.propose.result.taken.loss_by_uses == pytest.approx(by_uses, rel=1e-5)
    assert made.propose.result.taken.loss == pytest.approx(found["loss"], rel=1e-5)
    assert main(["protect", str(new), "--json"]) == 0
    lock = json.loads(capsys.readouterr().out)
    assert lock["loss"]["loss_by_uses"] == pytest.approx(by_uses, abs=1e-8)
    assert lock["loss"]["plain_loss"] == pytest.approx(found["loss"], abs=1e-8)
    assert main(["replay", str(new), "--check"]) == 0
    board = plan.with_name("report.html").read_text("utf-8")
    assert "Loss by the uses that matter." in board
    assert "Loss by uses" in board
    assert "Plain loss" in board
    assert "income ~ sex + marital" in board
    public = plan.with_name("public.html").read_text("utf-8")
    assert "Loss by uses:" in public
    assert f"{100 * by_uses:.1f} %" in board
    assert f"{100 * by_uses:.1f} %" not in public


@pytest.mark.slow
def test_the_board_reads_it_in_german(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new)]) == 0
    page = plan.with_name("deutsch.html")
    assert main(["report", str(new), "-o", str(page), "--language", "de"]) == 0
    told = page.read_text("utf-8")
    assert "Verlust nach den wichtigen Nutzungen." in told
    assert "Einfacher Verlust" in told
    assert "Loss by uses" not in told
    capsys.readouterr()


@pytest.mark.slow
def test_the_public_does_not_learn_how_far_numbers_were_moved(plan: Path) -> None:
    step = '[[step]]\ndo = "noise"\nvariables = ["income"]\nseed = 3\n\n'
    text = PLAN.replace("[[keep]]", f'{step}[[step]]\ndo = "suppress"\nabove = 0.02\n\n[[keep]]')
    plan.write_text(text, "utf-8")
    done = run(read_plan(plan), plan.parent)
    assert done.allowed
    assert done.uses is not None
    assert "Loss by uses:" in plan.with_name("report.html").read_text("utf-8")
    assert "Loss by uses" not in plan.with_name("public.html").read_text("utf-8")


def test_a_release_from_python_keeps_the_uses_of_its_proposal(plan: Path) -> None:
    study = ms.study(plan.parent / "people.csv", keys=KEYS, weight="weight", estimator="cell")
    found = study.propose(policy=POLICY, touched=0.1, utility=USES)
    assert found.best is not None
    made = found.best.study.plan(plan.parent / "safe.csv", policy=POLICY, proposal=found)
    assert made.utility == USES


def test_what_a_step_has_dropped_cannot_matter_to_a_proposal() -> None:
    study = ms.study(
        survey(households=100).frame, keys=["age", "sex"], weight="weight", estimator="cell"
    )
    with pytest.raises(UsageError, match="'income' is a use that matters, but a step has dropped"):
        study.drop("income").propose(policy=ms.Policy(record_risk=0.03), utility={"income": 1})
