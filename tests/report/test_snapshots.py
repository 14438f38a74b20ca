"""Both reports of three plans in every language, as text, against what they said before.

After a change that is meant, write them anew and read the difference before you commit it:

    UPDATE_SNAPSHOTS=1 uv run pytest tests/report/test_snapshots.py
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.io import write
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input, Plan
from microsafe.plan.release import Release
from microsafe.plan.reports import report_of
from microsafe.plan.run import run
from microsafe.report import Audience, ReportCover
from microsafe.report.texts import LANGUAGES
from microsafe.steps import (
    STEPS,
    BottomCode,
    Drop,
    Members,
    Microaggregate,
    Noise,
    Pram,
    RankSwap,
    Recode,
    Renumber,
    Round,
    Sample,
    Shuffle,
    Suppress,
    Swap,
    TopCode,
)
from microsafe.variables.decide import Keep

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "UPDATE_SNAPSHOTS"
KEYS = ("region", "hsize", "sex", "age")

MET = Plan(
    input=Input(file="survey.sav"),
    scenarios=(
        Scenario(
            keys=KEYS, weight="weight", estimator="cell", household="household", why="Neighbours"
        ),
        Scenario(
            name="register",
            keys=("region", "sex", "age", "marital"),
            weight="weight",
            household="household",
            attack="random",
            estimator="model",
        ),
    ),
    policy=Policy(record_risk=0.02, household_risk=0.1, rate=0.01),
    steps=(
        Recode(variable="age", breaks=(0, 20, 40, 60), why="Neighbours know the age"),
        Recode(
            variable="region",
            groups={1: ["1", ("3", "5")], 2: ["2", ("6", "8")], 9: [("9", "")]},
            labels={1: "North", 2: "Centre", 9: "South"},
        ),
        Suppress(above=0.02, household=0.1, spare=("sex",), why="The board's limits"),
        Drop(variables=("income",), why="Nobody asked for it"),
        Renumber(variable="household", seed=5),
    ),
    keep=(Keep(variables=("education", "occupation", "citizenship"), why="Known to nobody"),),
    report=ReportCover(
        institution="Office for Statistics",
        survey="Household Survey 2025",
        release_type="scientific use file",
        version="1.0",
        signatories=("Head of the survey", "Chair of the board"),
    ),
    output=Output(file="safe.sav", keep_order="So that it does not change"),
)

OVERRIDDEN = Plan(
    input=Input(file="survey.sav"),
    scenarios=(
        Scenario(keys=(*KEYS, "occupation"), weight="weight", estimator="cell", factor=0.5),
    ),
    policy=Policy(
        record_risk=0.05,
        k=4,
        override={
            "k": "Used on site <only>, under contract",
            "estimator": "Compared with earlier years",
        },
    ),
    steps=(
        Sample(fraction=0.5, seed=3, household="household", weight="weight"),
        TopCode(variable="age", limit=75, label="75 and over"),
        BottomCode(variable="age", limit=15, code=15),
        Microaggregate(variables=("income", "education"), k=4, strata=("sex",), small="merge"),
        RankSwap(variables=("income", "education"), percent=7.5, seed=4, why="As agreed"),
        Shuffle(variables=("income",), given=("education", "sex"), seed=4),
        Noise(variables=("income",), strata=("sex",), lowest=50.0, seed=4),
        Round(variable="income", base=100, random=True, seed=6),
        TopCode(variable="income", share=0.05),
        Recode(variable="education", classification=({str(at): str(at // 3) for at in range(9)},)),
        Recode(variable="occupation", keep=1),
        Suppress(
            above=0.05,
            k=2,
            guarantee="shared",
            cost={"sex": 3},
            linked={"occupation": ("income",)},
        ),
    ),
    keep=(Keep(variables=("household", "marital", "citizenship"), why="Needed for <analysis>"),),
    output=Output(file="safe.csv", keep_order="So that it does not change"),
)

REFUSED = Plan(
    input=Input(file="survey.sav"),
    scenarios=(Scenario(keys=KEYS, household="household", missing="category"),),
    policy=Policy(expected=1.0, k=3),
    steps=(Members(keep="oldest", age="age", seed=3, why="Families are not studied"),),
    output=Output(file="safe.sav"),
)

PERTURBED = Plan(
    input=Input(file="survey.sav"),
    scenarios=(Scenario(keys=("region", "sex", "age"), weight="weight", estimator="cell"),),
    policy=Policy(
        record_risk=0.02,
        k=2,
        publish_matrix=True,
        override={"k": "Judged by risk", "estimator": "Compared with earlier years"},
    ),
    steps=(
        Recode(variable="age", breaks=(0, 20, 40, 60, 80)),
        Pram(variable="region", keep=0.8, seed=7, why="Neighbours know the region"),
        Pram(variable="sex", keep=0.9, strata=("hsize",), above=0.005, seed=8),
        Suppress(above=0.005),
    ),
    keep=(
        Keep(
            variables=("household", "hsize", "marital", "education", "occupation"),
            why="Known to nobody",
        ),
        Keep(variables=("citizenship", "income"), why="Known to nobody"),
    ),
    output=Output(file="safe.sav", keep_order="So that it does not change"),
)

SWAPPED = replace(
    PERTURBED,
    scenarios=(
        Scenario(
            keys=("region", "sex", "age"), weight="weight", estimator="cell", household="household"
        ),
    ),
    steps=(
        Recode(variable="age", breaks=(0, 20, 40, 60, 80)),
        Swap(
            household="household",
            areas=("region",),
            profile=(("hsize",),),
            rate=0.2,
            seed=7,
            why="Neighbours know the region",
        ),
        Renumber(variable="household", seed=5),
    ),
)

PLANS = {
    "met": MET,
    "overridden": OVERRIDDEN,
    "refused": REFUSED,
    "perturbed": PERTURBED,
    "swapped": SWAPPED,
}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Release]:
    """What became of the plans, each in a folder of its own."""
    made, found = ms.survey(1, households=250), {}
    for name, plan in PLANS.items():
        folder = tmp_path_factory.mktemp(name)
        write(made.frame, made.schema, folder / "survey.sav")
        found[name] = run(plan, folder)
    return found


class PageText(HTMLParser):
    """A page as lines of text: one for each block, row of a table or picture."""

    _ENDS = frozenset(re.findall(r"\w+", "p li caption figcaption dt dd tr footer title"))
    _BEGIN = {"h1": "\n# ", "h2": "\n## ", "h3": "\n### ", "li": "- ", "td": " | ", "br": " / "}

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[str] = []
        self._line = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self._line += self._BEGIN.get(tag, "")
        if (tag == "th" and self._line) or (tag == "small" and self._open[-1] == "dd"):
            self._line += " | "
        if tag == "figure":
            self.lines.append(f"[picture] {dict(attrs)['aria-label']}")
        if tag == "figcaption":
            self._end()
        if tag not in ("meta", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag in self._ENDS or tag in ("h1", "h2", "h3"):
            self._end()
        elif tag == "text":
            self._line += " "

    def _end(self) -> None:
        self.lines.append(self._line.rstrip(" "))
        self._line = ""

    def handle_data(self, data):
        if "style" not in self._open:
            self._line += data.replace("\n", "")


def as_text(page: str) -> str:
    """What a reader sees, without what differs between machines and versions."""
    text = "\n".join(line for line in PageText(page).lines if line.strip()) + "\n"
    text = re.sub(r"\b[0-9a-f]{64}\b", "<checksum>", text)
    text = re.sub(r"(?m)^Software \| .*", r"Software | <versions>", text)
    return re.sub(r"\bmicrosafe \d[\w.+]*?(?=\.?( |\n|$))", "microsafe <version>", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("audience", ["board", "public"])
@pytest.mark.parametrize("name", PLANS)
def test_the_report_says_what_it_said(
    releases: dict[str, Release], name: str, audience: Audience, language: str
) -> None:
    release = releases[name]
    cover = replace(release.plan.report, language=language)
    release = replace(release, plan=replace(release.plan, report=cover))
    text = as_text(report_of(release, audience))
    more = "" if language == "en" else f"-{language}"
    path = SNAPSHOTS / f"{name}-{audience}{more}.txt"
    if os.environ.get(UPDATE):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text.splitlines() == path.read_text("utf-8").splitlines(), (
        f"{path.name} differs. If that is meant, set {UPDATE}=1 and run the test again."
    )


def test_the_plans_cover_every_kind_of_step_and_verdict(releases: dict[str, Release]) -> None:
    assert {step.do for plan in PLANS.values() for step in plan.steps} == set(STEPS)
    assert [release.allowed for release in releases.values()] == [True, True, False, True, True]
    assert all(verdict.met for verdict in releases["met"].verdicts)
    unmet = [verdict for verdict in releases["overridden"].verdicts if not verdict.met]
    assert unmet
    assert all(verdict.reason for verdict in unmet)
