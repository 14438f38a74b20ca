"""The loss by uses: against counting by hand, beside the plain loss, and never mixed up with it."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli.main import main
from microsafe.compare.use_loss import tell_table
from microsafe.errors import InputError, UsageError
from microsafe.options.uses import ModelUse, TableUse, Uses

Capture = pytest.CaptureFixture[str]


def make_study(rows: int = 400, seed: int = 3) -> ms.Study:
    rng = np.random.default_rng(seed)
    region = rng.integers(1, 9, rows)
    age = rng.integers(20, 70, rows)
    frame = pl.DataFrame(
        {
            "region": [None if rng.random() < 0.05 else int(each) for each in region],
            "age": age,
            "sex": rng.integers(1, 3, rows),
            "income": (1000 + 20 * age + 50 * region + rng.normal(0, 200, rows)).round(),
            "weight": rng.uniform(2, 60, rows).round(1),
        }
    )
    return ms.study(frame, keys=["region", "age"], weight="weight", estimator="cell")


def read(study: ms.Study, *names: str) -> list[tuple[object, ...]]:
    return study.engine.table().select(names).rows()  # type: ignore[attr-defined, no-any-return]


def lose_by_hand(
    start: ms.Study, recoded: ms.Study, done: ms.Study, names: tuple[str, ...]
) -> float:
    """Share of information on a joint value that recodes and blanks lose, record by record."""
    rows = [
        (old, group, new)
        for old, group, new in zip(*(read(s, *names) for s in (start, recoded, done)), strict=True)
        if None not in old
    ]
    x, g = Counter(row[0] for row in rows), Counter(row[1] for row in rows)
    n = len(rows)
    lost = sum(math.log2((n if None in new else g[group]) / x[old]) for old, group, new in rows)
    return lost / sum(math.log2(n / x[old]) for old, _, _ in rows)


@pytest.fixture(scope="module")
def states() -> tuple[ms.Study, ms.Study, ms.Study]:
    start = make_study()
    recoded = start.recode("age", breaks=[20, 30, 40, 50, 60])
    return start, recoded, recoded.suppress(k=15, cost={"age": 2})


def test_variables_and_tables_by_hand(states: tuple[ms.Study, ms.Study, ms.Study]) -> None:
    start, _, done = states
    tables = (TableUse(of=("region", "age"), weight=2), TableUse(of=("age", "sex"), weight=0.5))
    found = done.compare(uses=Uses(variables={"region": 3, "sex": 1.5}, others=2, tables=tables))
    assert found.uses is not None
    own = {name: lose_by_hand(*states, (name,)) for name in ("region", "age", "sex")}
    joint = [lose_by_hand(*states, each.of) for each in tables]
    assert [(each.kind, each.name, each.weight) for each in found.uses.parts] == [
        ("variable", "region", 3),
        ("variable", "sex", 1.5),
        ("variable", "age", 2),
        ("table", "region x age", 2),
        ("table", "age x sex", 0.5),
    ]
    hand = [own["region"], own["sex"], own["age"], *joint]
    assert [each.loss for each in found.uses.parts] == pytest.approx(hand, rel=1e-12)
    weights = [3, 1.5, 2, 2, 0.5]
    assert found.uses.loss == pytest.approx(np.average(hand, weights=weights), rel=1e-12)
    assert found.uses.plain == pytest.approx((own["region"] + own["age"]) / 2, rel=1e-12)
    losses = {each.name: each.lost_share for each in found.losses}
    assert found.uses.parts[0].loss == losses["region"]
    assert own["region"] > 0
    assert joint[0] > joint[1] > 0
    assert start.compare(uses=Uses(tables=tables)).uses.loss == 0  # type: ignore[union-attr]


def test_equal_weights_of_keys_are_the_plain_loss(
    states: tuple[ms.Study, ms.Study, ms.Study],
) -> None:
    found = states[2].compare(uses=Uses()).uses
    assert found is not None
    assert found.loss == pytest.approx(found.plain, rel=1e-15)
    again = states[0].preview(states[2], uses=Uses(others=7)).uses
    assert again is not None
    assert again.loss == pytest.approx(found.plain, rel=1e-15)


def test_losses_of_steps_add_up(states: tuple[ms.Study, ms.Study, ms.Study]) -> None:
    start, recoded, done = states
    uses = Uses(variables={"region": 2}, tables=(TableUse(of=("region", "age")),))
    whole, first, second = (
        found.uses
        for found in (
            done.compare(uses=uses),
            recoded.compare(uses=uses),
            done.compare(1, uses=uses),
        )
    )
    assert whole is not None
    assert first is not None
    assert second is not None
    assert whole.loss == pytest.approx(first.loss + second.loss, rel=1e-12)
    assert whole.plain == pytest.approx(first.plain + second.plain, rel=1e-12)
    assert start.preview(recoded, uses=uses).uses == first


def test_a_table_of_one_variable_is_the_variable(
    states: tuple[ms.Study, ms.Study, ms.Study],
) -> None:
    start, _, done = states
    for name, loss in ((each.name, each) for each in done.compare().losses):
        told = tell_table(start.engine, done.engine, (name,))
        assert told.bits == pytest.approx(loss.entropy, rel=1e-12)
        assert told.lost == pytest.approx(loss.lost, rel=1e-12)


def test_a_blank_is_any_in_tables_too() -> None:
    """Merge a and b, blank every a: the rest still means both."""
    rows = [("a", "x"), ("b", "x"), ("b", "x"), ("c", "y"), ("a", "y"), ("b", "y")]
    start = ms.study(pl.DataFrame(rows, schema=["u", "v"], orient="row"), keys=["u", "v"])
    merged = start.recode("u", groups={"ab": ["a", "b"]})
    values = [None if u == "a" else "ab" if u == "b" else u for u, _ in rows]
    blanked = merged.engine.table().with_columns(pl.Series("u", values))  # type: ignore[attr-defined]
    after = ms.study(blanked, keys=["u", "v"])
    renew = lambda name, texts: ["ab" if text in "ab" else text for text in texts]  # noqa: E731
    told = tell_table(start.engine, after.engine, ("u", "v"), renew)
    ax = math.log2(6 / 1), math.log2(3 / 2)  # (a, x) is blank; (b, x) means one of three
    y = math.log2(6 / 1) + math.log2(2 / 1)
    assert told.lost == pytest.approx((ax[0] + 2 * ax[1] + y) / 6, rel=1e-12)


def test_dropping_a_variable_loses_its_tables(
    states: tuple[ms.Study, ms.Study, ms.Study],
) -> None:
    done = states[0].drop("sex")
    uses = Uses(others=0, tables=(TableUse(of=("age", "sex")),))
    found = done.compare(uses=uses).uses
    assert found is not None
    assert found.loss == 1.0
    assert found.plain == 0.0


def test_models_lose_what_intervals_no_longer_share() -> None:
    start = make_study()
    done = start.noise("income", kind="additive", variance=0.5, seed=1)
    formula = "income ~ age + sex"
    found = done.compare(models=[formula], uses=Uses(others=0, models=(ModelUse(formula=formula),)))
    assert found.uses is not None
    assert found.utility is not None
    weighted = [each for each in found.utility.models if each.weighted]
    assert found.uses.loss == pytest.approx(1 - weighted[0].overlap, rel=1e-9)
    assert 0 < found.uses.loss < 1
    assert found.uses.notes == []
    apart = start.noise("income", kind="additive", variance=10.0, seed=1)
    kept = apart.compare(uses=Uses(others=0, models=(ModelUse(formula="age ~ income"),))).uses
    assert kept is not None
    assert 0 <= kept.loss <= 1


def test_a_recode_costs_a_model_the_detail_that_went() -> None:
    start = make_study()
    formula = "income ~ age + sex"
    uses = Uses(others=0, models=(ModelUse(formula=formula),))
    lost = []
    for width in (5, 10, 30):
        done = start.recode("age", breaks=range(0, 120, width))
        found = done.compare(models=[formula], uses=uses)
        assert found.uses is not None
        assert found.utility is not None
        assert found.utility.models[-1].overlap == pytest.approx(1.0)  # by released categories
        age = next(each for each in found.losses if each.name == "age")
        assert found.uses.loss == pytest.approx(age.lost_share / 3, rel=1e-9)
        lost.append(found.uses.loss)
    assert 0 < lost[0] < lost[1] < lost[2] < 1


def test_a_model_that_cannot_be_fitted_any_more_is_lost() -> None:
    start = make_study()
    formula = "income ~ region + sex"
    uses = Uses(others=0, models=(ModelUse(formula=formula),))
    found = start.drop("sex").compare(uses=uses).uses
    assert found is not None
    assert found.loss == 1.0
    assert found.notes == [
        f"The model {formula} is counted as lost: it cannot be fitted any more: 'sex' was dropped."
    ]
    text = start.engine.table().with_columns(pl.lit("x").alias("word"))  # type: ignore[attr-defined]
    wrong = ms.study(text, keys=["region", "age"]).drop("sex")
    with pytest.raises(InputError, match="'word' has 1 categories"):
        wrong.compare(uses=Uses(models=(ModelUse(formula="word ~ age"),)))


def test_numbers_lose_by_correlation() -> None:
    done = make_study().noise("income", kind="additive", variance=0.5, seed=1)
    found = done.compare(uses={"income": 2.0})
    assert found.uses is not None
    assert found.utility is not None
    income = next(each for each in found.uses.parts if each.name == "income")
    assert income.loss == pytest.approx(found.utility.numbers[0].unexplained, rel=1e-9)
    assert found.uses.loss == pytest.approx(2 * income.loss / 4, rel=1e-12)
    assert found.uses.plain == 0.0


def test_moved_numbers_make_no_table() -> None:
    done = make_study().noise("income", seed=1)
    with pytest.raises(UsageError, match=r"'income' of the table age x income .* Recode it"):
        done.compare(uses=Uses(tables=(TableUse(of=("age", "income")),)))


def test_an_exchange_is_not_undone_by_a_sparse_table() -> None:
    start = make_study()
    done = start.pram("sex", keep=0.7, seed=2)
    loss = next(each for each in done.compare().losses if each.name == "sex")
    found = done.compare(uses=Uses(others=0, tables=(TableUse(of=("sex", "income")),))).uses
    assert found is not None
    bits = tell_table(start.engine, done.engine, ("sex", "income")).bits
    assert found.loss == pytest.approx(loss.lost / bits, rel=1e-9)


@pytest.mark.parametrize(
    ("uses", "said"),
    [
        ({"regoin": 1.0}, "Did you mean 'region'"),
        ({"region": math.nan}, "weight of 'region' must be a finite number"),
        ({"region": 0, "age": 0}, "has a weight above 0"),
    ],
)
def test_wrong_uses_are_refused(uses: dict[str, float], said: str) -> None:
    with pytest.raises(ms.MicrosafeError, match=said):
        make_study(50).compare(uses=uses)


@pytest.fixture
def files(states: tuple[ms.Study, ms.Study, ms.Study], tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "before.parquet", tmp_path / "after.parquet"
    for path, each in zip(paths, (states[0], states[2]), strict=True):
        each.engine.table().write_parquet(path)  # type: ignore[attr-defined]
    return paths


USES = ("--use", "region=3", "--use", "region,age=2", "--use", "income ~ sex=0.5")
ROLES = ("--keys", "region,age", "--weight", "weight")


def test_two_files_by_uses(
    files: tuple[Path, Path], states: tuple[ms.Study, ms.Study, ms.Study], capsys: Capture
) -> None:
    command = ["compare", *map(str, files), *ROLES, *USES]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["uses"]
    uses = Uses(
        variables={"region": 3},
        tables=(TableUse(of=("region", "age"), weight=2),),
        models=(ModelUse(formula="income ~ sex", weight=0.5),),
    )
    expected = states[2].compare(uses=uses).uses
    assert expected is not None
    assert found["loss_by_uses"] == pytest.approx(expected.loss, rel=1e-9)
    assert found["plain_loss"] == pytest.approx(expected.plain, rel=1e-9)
    assert [each["name"] for each in found["uses"]] == [each.name for each in expected.parts]
    assert main(command) == 0
    page = capsys.readouterr().out
    assert "loss by uses" in page
    assert "plain loss (mean of the keys, all alike)" in page


def test_uses_from_a_plan(files: tuple[Path, Path], capsys: Capture) -> None:
    plan = files[0].with_name("plan.toml")
    text = 'microsafe = 1\n[input]\nfile = "before.parquet"\n[scenario]\nkeys = ["age"]\n'
    text += '[output]\nfile = "x.csv"\nkeep_order = "test"\n'
    plan.write_text(text, "utf-8")
    command = ["compare", *map(str, files), *ROLES, "--json", "--uses", str(plan)]
    assert main(command) == 2
    assert "plan.toml does not say which uses matter" in capsys.readouterr().err
    plan.write_text(text + "[utility]\nvariables = { region = 3 }\nothers = 0\n", "utf-8")
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)["uses"]
    assert [each["name"] for each in found["uses"]] == ["region"]


def run(command: list[str]) -> int | str | None:
    try:
        return main(command)
    except SystemExit as left:  # of the parser
        return left.code


@pytest.mark.parametrize(
    ("use", "code", "said"),
    [
        ("region=much", 2, "must be WHAT=WEIGHT"),
        ("=3", 2, "must be WHAT=WEIGHT"),
        ("regoin=3", 3, "Did you mean 'region'?"),
        ("region=-3", 2, "The weight of 'region' must be a finite number of at least 0."),
        ("region=nan", 2, "The weight of 'region' must be a finite number of at least 0."),
        ("region=inf", 2, "The weight of 'region' must be a finite number of at least 0."),
        ("region,age=0", 2, "The weight of the table region x age is 0."),
        ("region,region=1", 2, "A table names 'region' twice."),
        ("income ~ =1", 2, "is no formula. Write it as 'y ~ a + b'"),
    ],
)
def test_wrong_options_are_refused(
    files: tuple[Path, Path], capsys: Capture, use: str, code: int, said: str
) -> None:
    command = ["compare", *map(str, files), *ROLES, "--use", use]
    assert run(command) == code
    assert said in capsys.readouterr().err
