"""A toy intruder moves in: one class, registered, appears everywhere with nothing else changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import microsafe as ms
from app.client import SCENARIO, Page, running
from microsafe.app import page_types
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.cli import main
from microsafe.errors import UsageError
from microsafe.intruders import INTRUDERS, Intruder, IntruderResult, register_intruders
from microsafe.intruders.base import AttackedFile
from microsafe.intruders.glossary import glossary_section
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan
from microsafe.progress import Progress, silent
from microsafe.steps.base import GlossaryTerm


# The toy: this is all that an intruder needs, and one line in the registry.
@dataclass(frozen=True, slots=True, kw_only=True)
class Astrologer(Intruder):
    """Knows the signs of the zodiac."""

    name = "toy"
    title = "Astrologer"
    brief = "Knows the stars"
    knows = "Someone who knows the stars of everybody."
    assumes = "The stars are right for one record in four that shows a sex."
    term = GlossaryTerm(name="intruder: astrologer", meaning="Someone who asks the stars.")
    unit = "persons"
    by_record = True

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        chance = np.where(file.shown("sex") > 0, 0.25, 0.0)
        limit = self.find_limit(file.limits)
        return IntruderResult(
            unit=self.unit,
            units=len(chance),
            expected=float(chance.sum()),
            largest=float(chance.max()),
            above=None if limit is None else int((chance > limit).sum()),
            certain=0.0,
            figures={"toy": float(chance.max())},
            chances=chance,
        )


PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
[policy]
override = { estimator = "it is a toy", telling = "it is a toy"POLICY }
[policy.intruders]
toy = LIMIT
[[step]]
do = "suppress"
k = 2
[[keep]]
variables = ["household", "hsize", "marital", "education", "occupation", "citizenship", "income"]
why = "nobody knows them"
[output]
file = "safe.csv"
keep_order = "it is a toy"
"""
REPORTS = 'report = "board.html"\npublic_report = "public.html"\n'


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(INTRUDERS, "toy", register_intruders([Astrologer])["toy"])
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    ms.survey(1, households=150).frame.write_csv(path)
    return path


def write_plan(survey: Path, limit: str = "0.3", override: str = "", more: str = "") -> Path:
    path = survey.with_name("plan.toml")
    path.write_text(PLAN.replace("LIMIT", limit).replace("POLICY", override) + more)
    return path


def find_row(rows: list[dict[str, Any]]) -> dict[str, Any]:
    (row,) = [row for row in rows if row["name"] == "toy"]
    return row


def test_in_python(survey: Path) -> None:
    study = ms.study(survey, keys=["region", "sex", "age"], weight="weight")
    table = study.suppress(k=2).intruders(policy=ms.Policy(intruders={"toy": 0.1}))
    (row,) = [row for row in table if row.name == "toy"]
    assert row.before is not None
    assert (row.before.expected, row.met) == (study.engine.rows() / 4, False)
    assert row.now.expected is not None
    assert row.now.expected < row.before.expected
    assert "Astrologer" in repr(table)
    assert "Astrologer" in table._repr_html_()
    assert row in table.groups["unsafe"]


def test_one_that_is_not_there_is_refused(survey: Path) -> None:
    study = ms.study(survey, keys=["region"])
    with pytest.raises(UsageError, match=r"'tox', who is not known. Did you mean 'toy'\?"):
        study.intruders(policy=ms.Policy(intruders={"tox": 0.1}))
    with pytest.raises(UsageError, match="'rate' is a rule of the policy itself"):
        ms.Policy(intruders={"rate": 0.1})
    with pytest.raises(UsageError, match="number of at least 0"):
        ms.Policy(intruders={"toy": -0.1})
    path = write_plan(survey)
    path.write_text(path.read_text().replace("toy =", "tox ="))
    with pytest.raises(UsageError, match=r"\[policy\], line 9: .*Did you mean 'toy'"):
        read_plan(path)


def test_a_plan_has_his_limit(survey: Path) -> None:
    plan = read_plan(write_plan(survey, limit='"1 in 4"'))
    assert plan.policy.intruders == {"toy": 0.25}
    assert "[policy.intruders]\ntoy = 0.25" in plan_text(plan)
    path = survey.with_name("again.toml")
    path.write_text(plan_text(plan))
    assert read_plan(path) == plan


def test_a_rule_that_he_brings_along_stands_among_the_others(
    survey: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Astrologer, "rules", ("stars",))
    path = write_plan(survey)
    path.write_text(path.read_text().replace("[policy.intruders]\ntoy", "stars"))
    plan = read_plan(path)
    assert plan.policy.intruders == {"stars": 0.3}
    text = plan_text(plan)
    assert "[policy.intruders]" not in text
    path.write_text(text)
    assert read_plan(path) == plan


def test_on_the_command_line(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["intruders", str(write_plan(survey, "0.1")), "--json"]) == 1
    row = find_row(json.loads(capsys.readouterr().out)["intruders"])
    assert (row["unit"], row["limit"], row["rule"], row["met"]) == ("persons", 0.1, "toy", False)
    options = ["--keys", "region,sex,age", "--weight", "weight", "--json"]
    assert main(["intruders", str(survey), *options]) == 0
    assert find_row(json.loads(capsys.readouterr().out)["intruders"])["limit"] is None
    assert main(["risk", str(survey), *options]) == 0
    cheap = json.loads(capsys.readouterr().out)["intruders"]
    assert {"keys", "participant"} <= {row["name"] for row in cheap}
    assert "toy" not in {row["name"] for row in cheap}  # he looks at records


def test_protect_judges_and_locks_him(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_plan(survey, more=REPORTS)
    assert main(["protect", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "Safe against: " in printed
    assert "toy" in printed
    lock = json.loads(path.with_suffix(".lock").read_text())
    (verdict,) = [each for each in lock["verdicts"] if each["rule"] == "toy"]
    assert (verdict["value"], verdict["limit"], verdict["met"]) == (0.25, 0.3, True)
    assert lock["intruders"]["toy"]["main"]["largest"] == 0.25
    assert main(["replay", str(path), "--check"]) == 0
    lock["intruders"]["toy"]["main"]["expected"] += 1
    path.with_suffix(".lock").write_text(json.dumps(lock))
    assert main(["replay", str(path), "--check"]) == 1
    assert "intruders toy main expected" in capsys.readouterr().out


def test_reports_name_him(survey: Path) -> None:
    assert main(["protect", str(write_plan(survey, more=REPORTS))]) == 0
    board, public = (survey.with_name(each).read_text() for each in ("board.html", "public.html"))
    assert "Safe against: " in board
    for text in ("Astrologer", Astrologer.knows, "0.3 (1 in 3.3)"):
        assert text in board
    assert Astrologer.knows in public
    assert "was not tried" in board
    assert "was not tried" not in public


def test_his_limit_stands_in_the_way_unless_overridden(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["protect", str(write_plan(survey, "0.1"))]) == 1
    assert not survey.with_name("safe.csv").exists()
    assert "toy" in capsys.readouterr().out
    assert main(["protect", str(write_plan(survey, "0.1", ', toy = "nobody believes it"'))]) == 0
    assert "nobody believes it" in capsys.readouterr().out


def test_replay_tries_those_who_decide(
    survey: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_plan(survey)
    assert main(["protect", str(path)]) == 0

    def fail(*_: object) -> IntruderResult:
        raise AssertionError

    monkeypatch.setattr(INTRUDERS["participant"], "play", fail)
    assert main(["replay", str(path), "--check"]) == 0
    assert "Nothing differs" in capsys.readouterr().out


def test_who_cannot_be_tried_needs_a_reason(
    survey: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Astrologer, "when_perturbed", False)
    pram = '[[step]]\ndo = "pram"\nvariable = "region"\nkeep = 0.9\nseed = 918273645546372819\n'
    path = write_plan(survey)
    path.write_text(path.read_text().replace("[[keep]]", f"{pram}[[keep]]"))
    assert main(["protect", str(path)]) == 1
    assert "not tried: region was perturbed" in capsys.readouterr().out


@pytest.fixture
def page(survey: Path) -> Iterator[Page]:
    with running(Session(Folders(roots=(survey.parent.resolve(),)))) as page:
        page.ask("POST /api/open", {"folder": 0, "path": "survey.csv"})
        page.ask("PUT /api/scenario", SCENARIO)
        yield page


def test_in_the_app(page: Page) -> None:
    page.ask("PUT /api/policy", {"intruders": {"toy": 0.1}, "override": {"toy": "a toy"}})
    found = page.ask("GET /api/intruders")
    row = find_row(found["rows"])
    assert (row["title"], row["knows"]) == (Astrologer.title, Astrologer.knows)
    assert (row["limit"], row["met"], row["now"]["largest"]) == (0.1, False, 0.25)
    assert "chances" not in row["now"]
    assert "Not safe against: Astrologer." in found["verdict"]
    verdicts = {each["rule"]: each for each in page.ask("GET /api/verdicts")["verdicts"]}
    assert (verdicts["toy"]["value"], verdicts["toy"]["reason"]) == (0.25, "a toy")
    assert "toy = 0.1" in page.ask("GET /api/plan")["plan"]


def test_types_of_the_page_and_glossary() -> None:
    assert '"toy": "Astrologer"' in page_types.make_module()
    assert "| intruder: astrologer | `toy` | Someone who asks the stars. |" in glossary_section()
