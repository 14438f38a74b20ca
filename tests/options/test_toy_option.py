"""A toy option moves in: one field, and it is found everywhere with nothing else changed.

Options are fields of dataclasses that others are made of when they are imported. So the toy is
written into a copy of the package, and a fresh interpreter looks for it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIELD = """
    mood: Annotated[
        Literal["calm", "grim"],
        Parameter(
            label="Mood of the intruder",
            help="Nobody knows it.",
            choices={"calm": "thinks twice", "grim": "does not think"},
        ),
    ] = "calm"
"""
HEAD = """
import contextlib, inspect, io, json, re, sys
from pathlib import Path
sys.path.insert(0, "docs/reference")
import make_options
import microsafe as ms
from microsafe.app.page_types import make_module
from microsafe.cli import main
from microsafe.errors import UsageError
from microsafe.options.release import Output
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan

frame = ms.survey(1, households=20).frame
frame.write_csv("survey.csv")

def run(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            main(words)
        except SystemExit:
            pass
    return " ".join(out.getvalue().split())

def assert_asked(command, unset="calm"):
    "Look for the toy among the options of a command."
    words = command.split()
    default = f" (default: {unset})" if unset else ""
    told = "mood of the intruder (calm: thinks twice; grim: does not think): nobody knows it"
    everything = run(*words, "--help-all")
    assert f"--mood calm|grim {told}{default}" in everything, everything
    assert "--mood" in run(*words, "--help")
    wrong = "'grimm' is not one of the choices. Did you mean 'grim'?"
    assert wrong in run(*words, "survey.csv", "--mood", "grimm")

def in_form(form, *kinds):
    "Look for the toy in the types of the page, and in a form."
    made = make_module()
    for kind in kinds:
        (fields,) = re.findall(rf"export interface {kind} {{(.*?)}}", made, re.DOTALL)
        assert 'readonly mood: "calm" | "grim"' in fields, fields
    (fields,) = re.findall(rf"^  {form}: {{$(.*?)^  }},$", made, re.DOTALL | re.MULTILINE)
    (told,) = re.findall("^    mood: (.*),$", fields, re.MULTILINE)
    told = json.loads(told)
    assert told["control"] == "choice" and told["label"] == "Mood of the intruder", told
    assert told["choices"] == {"calm": "thinks twice", "grim": "does not think"}, told

def new_plan(*options):
    "Return the text of a plan that the command line writes."
    Path("new.toml").unlink(missing_ok=True)
    said = run("plan", "new", "survey.csv", "--keys", "sex,region", "-o", "new.toml", *options)
    assert "Plan written" in said, said
    return Path("new.toml").read_text()

def read(plan, table):
    "Read a plan with a mood in a table, and refuse another one with its line."
    text = plan_text(plan)
    assert f"[{table}]" in text, text
    at = text.index("\\n", text.index(f"[{table}]")) + 1
    for mood in ("grim", "grimm"):
        Path("plan.toml").write_text(f'{text[:at]}mood = "{mood}"\\n{text[at:]}')
        if mood == "grim":
            made = read_plan(Path("plan.toml"))
            assert 'mood = "grim"' in plan_text(made)
        else:
            try:
                read_plan(Path("plan.toml"))
            except UsageError as error:
                line = 1 + text[:at].count("\\n")
                assert f"line {line}" in str(error) and "Did you mean 'grim'?" in str(error), error
            else:
                raise AssertionError("grimm was taken")
    return made

def shown(page, mark):
    "Return whether the table of a page has the toy."
    made = make_options.make_page(make_options.DOCS / page)
    (table,) = re.findall(rf"<!-- {mark}: begin -->(.*?)<!-- end -->", made, re.DOTALL)
    row = r"`(--)?mood\\b.*Mood of the intruder: `calm`: thinks twice; .*Nobody"
    assert re.search(row, table), table

study = ms.study(frame, keys=["sex", "region"], weight="weight")
plan = study.plan("safe.csv", keep={"hsize": "toy"})
"""


@dataclass(frozen=True)
class Toy:
    """Where a toy option lives, and where it must be found.

    Attributes:
        module: File of the dataclass.
        before: Field or method before which it is written.
        uses: Looks for it.
    """

    module: str
    before: str
    uses: str


TOYS = {
    "scenario": Toy(
        "options/scenario.py",
        "    why: Why",
        """
assert ms.Scenario(keys=("sex",), mood="grim").mood == "grim"
assert ms.study(frame, keys=["sex"], mood="grim").scenario().mood == "grim"
assert "mood: Mood of the intruder. Nobody knows it." in ms.study.__doc__
assert inspect.signature(ms.study).parameters["mood"].default == "calm"
assert read(plan, "scenario").scenarios[0].mood == "grim"
in_form("scenario", "Scenario")
shown("reference/plans.md", "words of Scenario but name")
shown("reference/cli.md", "options of Assumptions but why")
for command in ("risk", "suppress", "limit", "plan new"):
    assert_asked(command)
assert 'mood = "grim"' in new_plan("--mood", "grim")
""",
    ),
    "reading": Toy(
        "options/reading.py",
        "    sheet: Annotated",
        """
assert "mood: Mood of the intruder. Nobody knows it." in ms.study.__doc__
assert inspect.signature(ms.study).parameters["mood"].default is None
assert read(plan, "input").input.mood == "grim"
for command in ("risk", "describe", "plan new"):
    assert_asked(command, unset="")
shown("reference/plans.md", "words of Input")
shown("reference/cli.md", "options of FileOptions")
in_form("reading", "ReadingOptions", "OpenRequest")
""",
    ),
    "policy": Toy(
        "options/policy.py",
        "    publish_matrix: Annotated",
        """
assert ms.Policy(mood="grim").mood == "grim"
assert "mood: Mood of the intruder. Nobody knows it." in ms.Policy.__doc__
limited = study.plan("safe.csv", policy=ms.Policy(k=1))
assert read(limited, "policy").policy.mood == "grim"
shown("reference/plans.md", "words of Policy")
shown("reference/cli.md", "options of Policy")
in_form("policy", "Policy")
assert_asked("plan new")
assert "[policy]\\nmood = \\"grim\\"" in new_plan("--mood", "grim")
""",
    ),
    "release": Toy(
        "options/release.py",
        '    codebook: OutputCodebook = ""\n    notes: Annotated',
        """
assert Output(file="safe.csv", mood="grim").mood == "grim"
assert read(plan, "output").output.mood == "grim"
shown("reference/plans.md", "words of Output")
shown("reference/cli.md", "options of Output but file-name")
in_form("output", "ReleaseRequest")
assert_asked("plan new")
assert 'mood = "grim"' in new_plan("--mood", "grim").partition("[output]")[2]
""",
    ),
    "proposal": Toy(
        "options/proposal.py",
        "    guarantee: Annotated",
        """
assert "mood: Mood of the intruder. Nobody knows it." in ms.Study.propose.__doc__
assert inspect.signature(study.propose).parameters["mood"].default == "calm"
shown("reference/plans.md", "words of ProposalTerms")
shown("reference/cli.md", "options of ProposalTerms")
in_form("proposal", "ProposeRequest")
assert_asked("propose", unset="as the plan says")
new_plan("--above", "90%", "--estimator", "cell")
said = run("propose", "new.toml", "--mood", "grim", "-o", "next.toml")
assert "Plan written" in said, said
assert '[propose]\\nmood = "grim"' in Path("next.toml").read_text()
""",
    ),
    "declaration": Toy(
        "options/declaration.py",
        "    decimals: Annotated",
        """
declared = ms.Declaration(mood="grim")
assert study.declare({"sex": declared}).declarations["sex"].mood == "grim"
assert read(study.declare({"sex": ms.Declaration(label="Sex")}).plan("safe.csv"), "variables.sex")
in_form("declaration", "Declaration")
shown("reference/plans.md", "words of Declaration")
""",
    ),
    "step": Toy(
        "options/suppression.py",
        "    scenarios: Annotated",
        """
assert ms.Suppress(0.1, mood="grim").mood == "grim"
assert study.suppress(0.1, mood="grim").steps[-1].step.mood == "grim"
assert "mood: Mood of the intruder. Nobody knows it." in ms.Study.suppress.__doc__
assert inspect.signature(study.suppress).parameters["mood"].default == "calm"
(done,) = read(study.suppress(0.1).plan("safe.csv"), "[step]").steps
assert done.mood == "grim"
assert_asked("suppress")
shown("reference/cli.md", "options of Suppress but why,scenarios")
said = run("apply", "survey.csv", "--step", "suppress k=2 mood=grimm", "-o", "x.csv")
assert "Did you mean 'grim'?" in said
assert 'readonly mood: "calm" | "grim";' in make_module()
assert 'mood="calm"' in make_options.make_page(make_options.DOCS / "reference/python.md")
""",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("toy", TOYS.values(), ids=list(TOYS))
def test_one_field_is_found_everywhere(toy: Toy, tmp_path: Path) -> None:
    package = tmp_path / "src" / "microsafe"
    shutil.copytree(ROOT / "src" / "microsafe", package, ignore=shutil.ignore_patterns("static"))
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    module = package / toy.module
    text = module.read_text("utf-8")
    assert text.count(toy.before) == 1
    field = FIELD.lstrip("\n")
    if toy is TOYS["reading"]:  # None leaves it to the file
        field = field.replace('"grim"],', '"grim"] | None,').replace('= "calm"', "= None")
    text = text.replace(toy.before, field + toy.before)
    module.write_text(
        re.sub(r"import Annotated(?!.*Literal)", "import Annotated, Literal", text, count=1)
    )
    done = subprocess.run(
        [sys.executable, "-c", HEAD + toy.uses],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin", "COLUMNS": "400"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
