"""`microsafe propose -o`: the new plan is the old one, in its words, with other steps."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from microsafe.cli.main import main
from microsafe.datasets import survey
from microsafe.plan.read import read_plan
from microsafe.plan.run import run

PLAN = """# What the board agreed on, 3 May
microsafe = 1   # the format

[input]
file = "people.csv"  # from the survey

[scenario]
keys = ["region", "age",
  "marital",  # asked in person
]
weight = "weight"
estimator = "cell"

[[step]]
do = "suppress"
above = 0.5  # a first try
  [step.cost]
  age = 2.0

# Nobody needs the true one.
[[step]]
do = "pram"
variable = "sex"
keep = 0.8

# Blank what is left:
# not too much.
[[step]]
do = "suppress"
above = 0.02

[policy]
record_risk = "2%"  # as always

[[keep]]
variables = ["income"]
why = '''
[not a table]
[[step]]
'''

# The end.
[output]
file = "safe.csv"
keep_order = "test"
# really
"""
STEPS = PLAN[PLAN.index("[[step]]") : PLAN.index("[policy]")]
WISH = "[propose]\ntouched = 0.1 # a tenth\n\n"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    names = ["region", "age", "marital", "weight", "sex", "income"]
    survey(households=300).frame.select(names).write_csv(tmp_path / "people.csv")
    return tmp_path / "plan.toml"


def check_promise(path: Path) -> None:
    made = read_plan(path)
    done = run(made, path.parent)
    assert made.propose is not None
    assert made.propose.result is not None
    assert made.propose.result.taken is not None
    assert done.study.steps[-1].records == made.propose.result.taken.touched


def test_a_new_plan_keeps_comments_and_order_and_gets_no_seeds(plan: Path) -> None:
    plan.write_text(PLAN, "utf-8")
    new, again = plan.with_name("new.toml"), plan.with_name("again.toml")
    assert main(["propose", str(plan), "-o", str(new)]) == 0
    lines, left = PLAN.splitlines(), new.read_text("utf-8").splitlines()
    gone = [line for line in lines if line.strip() and line not in left]
    assert gone == ["above = 0.5  # a first try", "  [step.cost]", "  age = 2.0"]
    assert [line for line in left if line.startswith("#")] == [
        line for line in lines if line.startswith("#")
    ]
    steps = tomllib.loads("\n".join(left))["step"]
    assert steps[0] == {"do": "pram", "variable": "sex", "keep": 0.8}
    assert [each["do"] for each in steps].count("suppress") == 1
    seeds = json.loads(new.with_suffix(".seeds").read_text("utf-8"))
    assert list(seeds) == ["1 pram seed"]
    check_promise(new)
    assert main(["propose", str(new), "-o", str(again)]) == 0
    assert again.read_text("utf-8") == new.read_text("utf-8")
    assert json.loads(again.with_suffix(".seeds").read_text("utf-8")) == seeds


@pytest.mark.parametrize(
    "text",
    [
        PLAN.replace("[[step]]\ndo", "[[ step ]]\ndo"),
        PLAN.replace(STEPS, ""),
        PLAN.replace(STEPS, WISH),
        PLAN.replace("[policy]", f"{WISH}[policy]"),
        PLAN.replace("[policy]", f"{WISH}[propose.ladders]\nage = [\n5, 10]\n[policy]"),
        PLAN.replace(STEPS, "").replace("[input]", 'step = [{ do = "suppress", k = 2 }]\n[input]'),
    ],
    ids=["spaces", "none", "wish", "wish between", "ladders", "in a line"],
)
def test_plans_of_any_layout_can_be_proposed_for(plan: Path, text: str) -> None:
    text = text if "pram" in text else text.replace('["income"]', '["income", "sex"]')
    plan.write_text(text, "utf-8")
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new)]) == 0
    assert [step.do for step in read_plan(new).steps].count("suppress") == 1
    check_promise(new)
    words = new.read_text("utf-8")
    assert ("# as always" in words) == ("step = [" not in text)
