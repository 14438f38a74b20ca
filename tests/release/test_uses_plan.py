"""`[utility]` of plans: uses that matter, read, refused with the line, and written."""

from __future__ import annotations

from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli.main import main
from microsafe.errors import UsageError
from microsafe.options.uses import ModelUse, TableUse, Uses
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan

PLAN = """microsafe = 1

[input]
file = "people.csv"

[scenario]
keys = ["region", "age"]
weight = "weight"

[utility]
variables = { region = 3, income = 2 }
others = 0.5

[[utility.tables]]
of = ["region", "age"]
weight = 2

[[utility.models]]
formula = "income ~ age + sex"

[output]
file = "safe.csv"
keep_order = "test"
"""

USES = Uses(
    variables={"region": 3, "income": 2},
    others=0.5,
    tables=(TableUse(of=("region", "age"), weight=2),),
    models=(ModelUse(formula="income ~ age + sex"),),
)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    frame = ms.survey(households=100).frame
    frame.select("region", "age", "sex", "weight", "income").write_csv(tmp_path / "people.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    return path


def test_uses_are_read_and_written(plan: Path) -> None:
    found = read_plan(plan)
    assert found.utility == USES
    plan.write_text(plan_text(found), "utf-8")
    assert read_plan(plan) == found
    assert plan_text(read_plan(plan)) == plan_text(found)
    assert "[[utility.models]]\nformula =" in plan_text(found)


def test_uses_may_be_written_under_headings_or_in_one_line(plan: Path) -> None:
    inline = PLAN.replace("variables = { region = 3, income = 2 }\n", "")
    inline = inline.replace(
        "[[utility.tables]]", "[utility.variables]\nregion = 3\nincome = 2\n\n[[utility.tables]]"
    )
    plan.write_text(inline, "utf-8")
    assert read_plan(plan).utility == USES


def test_a_plan_without_uses_has_none(plan: Path) -> None:
    text = PLAN[: PLAN.index("[utility]")] + PLAN[PLAN.index("[output]") :]
    plan.write_text(text, "utf-8")
    found = read_plan(plan)
    assert found.utility is None
    assert "utility" not in plan_text(found)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("others = 0.5", "other = 1", "[utility], line 12: unknown field 'other'. Did you mean"),
        ("region = 3", "region = -3", "line 11: The weight of 'region' must be a finite number"),
        ("region = 3", "region = inf", "line 11: The weight of 'region' must be a finite number"),
        ("region = 3", "region = nan", "line 11: The weight of 'region' must be a finite number"),
        ("region = 3", "region = true", "line 11: The weight of 'region' must be a finite number"),
        ("region = 3", 'region = "3"', "line 11: The weight of 'region' must be a finite number"),
        ("others = 0.5", "others = -1", "not named (others) must be a finite number"),
        ('of = ["region", "age"]', 'of = ["region"]', "1, line 14: A table has two or more"),
        ('of = ["region", "age"]', "of = 7", "1, line 15: 'of' has a value of the wrong kind"),
        (
            'of = ["region", "age"]',
            'of = ["region", "region"]',
            "[[utility.tables]] 1, line 14: A table names 'region' twice",
        ),
        ("weight = 2", "weight = 0", "1, line 14: The weight of the table region x age is 0."),
        ("income ~ age + sex", "income age", "1, line 18: 'income age' is no formula. Write it as"),
        ("formula =", "formla =", "[[utility.models]] 1, line 19: unknown field 'formla'"),
        ("[[utility.models]]", "[utility.models]", "'models' must be a list of tables"),
    ],
)
def test_wrong_uses_are_refused_with_the_line(
    plan: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    plan.write_text(PLAN.replace(old, new, 1), "utf-8")
    assert main(["plan", "check", str(plan)]) == 2
    assert said in capsys.readouterr().err


def test_a_weight_under_a_heading_is_named_by_its_own_line(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PLAN.replace("variables = { region = 3, income = 2 }\n", "")
    text = text.replace(
        "[[utility.tables]]", "[utility.variables]\nage = 1\nregion = -1\n\n[[utility.tables]]"
    )
    plan.write_text(text, "utf-8")
    assert main(["plan", "check", str(plan)]) == 2
    assert "[utility.variables], line 15: The weight of 'region'" in capsys.readouterr().err


def test_a_list_in_one_line_is_named_by_the_line_of_the_list(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start, end = PLAN.index("[[utility.tables]]"), PLAN.index("[[utility.models]]")
    text = PLAN[:start] + PLAN[end:]
    text = text.replace("others = 0.5", 'tables = [{ of = ["age"] }]')
    plan.write_text(text, "utf-8")
    assert main(["plan", "check", str(plan)]) == 2
    assert "[[utility.tables]] 1, line 12: A table has two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("region = 3", "regoin = 3", "[utility], line 11: people.csv has no variable 'regoin'."),
        ('of = ["region"', 'of = ["regoin"', "[[utility.tables]] 1, line 15: people.csv has no"),
        ("~ age", "~ agee", "[[utility.models]] 1, line 19: people.csv has no variable 'agee'."),
    ],
)
@pytest.mark.parametrize("verb", ["protect", "propose"])
def test_a_use_of_no_variable_is_refused_with_the_line(
    plan: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str, verb: str
) -> None:
    plan.write_text(PLAN.replace(old, new, 1), "utf-8")
    assert main([verb, str(plan)]) == 3
    told = capsys.readouterr().err
    assert said in told
    assert "Did you mean" in told


def test_weights_of_which_none_counts_are_refused_with_the_line(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start, end = PLAN.index("[utility]"), PLAN.index("[output]")
    nothing = "[utility]\nvariables = { region = 0 }\nothers = 0\n\n"
    plan.write_text(PLAN[:start] + nothing + PLAN[end:], "utf-8")
    assert main(["protect", str(plan)]) == 2
    assert "[utility], line 10: All weights of uses are 0" in capsys.readouterr().err
    no_key = "[utility]\nvariables = { income = 2 }\nothers = 0\n\n"
    plan.write_text(PLAN[:start] + no_key + PLAN[end:], "utf-8")
    assert main(["propose", str(plan)]) == 2
    assert "[utility], line 10: No use that matters is of a key" in capsys.readouterr().err


def test_uses_count_for_keys() -> None:
    keys = ("region", "age", "sex")
    assert USES.weigh_variables(keys) == {"region": 3.0, "income": 2.0, "age": 0.5, "sex": 0.5}
    assert USES.weigh_keys(keys) == pytest.approx(
        {"region": 3 + 2 / 2, "age": 0.5 + 2 / 2 + 1 / 3, "sex": 0.5 + 1 / 3}
    )
    assert USES.names == ("region", "income", "age", "sex")


def test_uses_from_python_are_checked() -> None:
    assert Uses.of({"age": 2}) == Uses(variables={"age": 2})
    assert Uses.of({}) is Uses.of(None) is None
    with pytest.raises(UsageError, match="All weights of uses are 0"):
        Uses(variables={"age": 0}, others=0)
    with pytest.raises(UsageError, match="Table 2 is named already"):
        Uses(tables=(TableUse(of=("a", "b")), TableUse(of=("b", "a"))))
    with pytest.raises(UsageError, match="Model 2 is named already"):
        Uses(models=(ModelUse(formula="y ~ a"), ModelUse(formula="y~a")))
    with pytest.raises(UsageError, match="list of names"):
        TableUse(of="region")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="given with their weights"):
        Uses(variables=["age"])  # type: ignore[arg-type]


def test_a_plan_made_from_python_keeps_uses(plan: Path) -> None:
    study = ms.study(plan.parent / "people.csv", keys=["region", "age"], weight="weight")
    made = study.plan(plan.parent / "safe.csv", utility=USES, keep_order="test")
    assert made.utility == USES
    with pytest.raises(ms.InputError, match="no variable 'regoin'"):
        study.plan(plan.parent / "safe.csv", utility={"regoin": 2})
