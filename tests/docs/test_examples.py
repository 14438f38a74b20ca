"""The documentation says what is so: examples run, links lead somewhere, nothing is left out."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import matplotlib
import pages
import pyreadstat
import pytest
from matplotlib import pyplot

import microsafe as ms
from microsafe.cli import main
from microsafe.cli.parser import build_parser
from microsafe.compare import Comparison
from microsafe.compare.preview import Preview
from microsafe.io import formats
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input
from microsafe.risk import Diversity, FileRisk, SpecialUniques, Tabulation
from microsafe.steps import STEPS
from microsafe.steps.base import AppliedStep
from microsafe.steps.suppress.combinations import Combinations
from microsafe.variables.decide import Keep
from microsafe.variables.inventory import Inventory

DOCS = pages.ROOT / "docs"
# Pages whose examples take long.
LONG = {
    "README.md", "docs/coming-from/arx.md", "docs/guides/checklist.md",
    "docs/guides/notebook.md", "docs/guides/perturbing.md",
    "docs/methods/file-risk.md", "docs/methods/numeric-risk.md", "docs/methods/propose.md",
    "docs/reference/codebooks.md", "docs/reference/examples.md", "docs/reference/plans.md",
    "docs/start/python.md", "docs/start/shell.md", "docs/start/tutorial.md",
}  # fmt: skip
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def name(page: Path) -> str:
    return str(page.relative_to(pages.ROOT))


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "microsafe-demo"
    assert main(["demo", "--folder", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def survey(demo: Path) -> Path:
    return write_lfs(demo)


def write_lfs(demo: Path) -> Path:
    """Write the survey under the names that examples use where no file in particular is meant."""
    frame, meta = pyreadstat.read_sav(demo / "survey.sav", output_format="polars")
    path = demo.parent / "lfs.sav"
    names = {"weight": "w", "household": "hh"}
    pyreadstat.write_sav(
        frame.rename(names), str(path), variable_value_labels=meta.variable_value_labels
    )
    return path


@pytest.fixture
def beside_demo(
    demo: Path, survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    shutil.copytree(demo, tmp_path / demo.name)
    shutil.copy(survey, tmp_path)
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    yield
    pyplot.close("all")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if name(page) in LONG else [])
        for page in pages.PAGES
        if pages.has_examples(page)
    ],
    ids=name,
)
@pytest.mark.usefixtures("beside_demo")
@pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")
def test_examples_run_and_show_what_the_page_shows(page: Path) -> None:
    if page.name == "spark.md" and os.environ.get("MICROSAFE_SPARK") != "1":
        pytest.importorskip("pyspark", reason="PySpark is not installed (the extra 'spark')")
    pages.run(page)


def test_there_are_examples() -> None:
    assert pages.has_examples(DOCS / "start" / "tutorial.md")


def test_relative_links_lead_somewhere() -> None:
    assert [
        f"{name(page)}: {target}"
        for page in pages.PAGES
        for target in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8")))
        if not re.match(r"[a-z]+:", target) and not leads_somewhere(page, target)
    ] == []


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    return found == pages.MADE or (found.exists() and (not anchor or anchor in anchors(found)))


def anchors(page: Path) -> Iterator[str]:
    """The names that viewers give to headings."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
        yield plain.strip().replace(" ", "-")


def test_every_page_is_named_by_the_index_of_its_folder() -> None:
    for page in pages.PAGES:
        if DOCS not in page.parents or page == DOCS / "index.md":
            continue
        index = page.with_name("index.md")
        if index == page:
            index = DOCS / "index.md"
        targets = _LINK.findall(index.read_text(encoding="utf-8"))
        assert os.path.relpath(page, index.parent) in targets, name(page)


def test_every_option_of_the_command_line_is_described() -> None:
    page = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    main_parser = build_parser()
    (choice,) = [a for a in main_parser._actions if isinstance(a, argparse._SubParsersAction)]
    commands = dict(choice.choices)
    for action in commands.pop("plan")._actions:
        if isinstance(action, argparse._SubParsersAction):
            commands |= {f"plan {word}": each for word, each in action.choices.items()}
    for command, each in {"": main_parser, **commands}.items():
        assert f"microsafe {command}".strip() in page
        for action in each._actions:
            for option in action.option_strings:
                assert re.search(rf"`{option}\b", page), f"{command} {option}"
            if action.choices and action is not choice:
                for word in action.choices:
                    assert f"`{word}`" in page, f"{command} {word}"


def test_every_public_name_is_described() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    for public in ms.__all__:
        assert re.search(rf"`(ms\.)?{public}\b", page), public


def test_every_public_verb_is_described() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    kinds = (ms.Study, ms.Risk, ms.Curve, ms.Limit, ms.HouseholdRisk, ms.Notice, ms.Scenario)
    more = (
        Combinations,
        Comparison,
        Preview,
        AppliedStep,
        SpecialUniques,
        Tabulation,
        Diversity,
        FileRisk,
        Inventory,
    )
    for kind in (*kinds, *more):
        for member in (name for base in kind.__mro__[:-1] for name in vars(base)):
            if not member.startswith("_"):
                assert re.search(rf"`(\w+\.)?{member}\b", page), f"{kind.__name__}.{member}"


def test_every_word_of_a_plan_is_described() -> None:
    page = (DOCS / "reference" / "plans.md").read_text(encoding="utf-8")
    for kind in (Input, ms.Declaration, Output, Policy, Scenario, Keep, *STEPS.values()):
        assert not hasattr(kind, "do") or f"`{kind.do}`" in page, kind.__name__
        for word in (each.name for each in fields(kind)):
            assert f"`{word}`" in page or word == "name", f"{kind.__name__} {word}"


def test_every_format_is_described() -> None:
    page = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in row.split("|")[1:4]]
        for row in page.splitlines()
        if row.startswith("| `.")
    ]
    read, written = rows[: len(formats.FORMATS)], rows[len(formats.FORMATS) :]
    for each, (extensions, _, options) in zip(formats.FORMATS, read, strict=True):
        assert re.findall(r"`(.*?)`", extensions) == list(each.extensions)
        taken = [option for option in each.options if option != "progress"]
        assert options == ", ".join([*taken, "na"])
    described = [each for row in written for each in re.findall(r"`(\..*?)`", row[0])]
    assert sorted(described) == sorted(formats.writable_extensions())


def test_the_glossary_has_every_term_of_the_summary() -> None:
    page = (DOCS / "reference" / "glossary.md").read_text(encoding="utf-8")
    terms = {row.split("|")[1].strip() for row in page.splitlines() if row.startswith("|")}
    survey = ms.survey(households=30).frame
    opened = ms.study(survey, keys=["region", "sex"], weight="weight", household="household")
    summary = repr(opened.risk(limit=0.01))
    rows = re.findall(r"^  (\S+(?: \S+)*)  ", summary, re.MULTILINE)
    assert len(rows) == summary.count("\n")
    for term in rows:
        assert term in terms, term


def test_prose_is_wrapped() -> None:
    """At 120 characters; code, tables, headings and what programs write may be longer."""
    long = []
    for page in pages.PAGES:
        if page.name in ("glossary.md", "formats.md"):
            continue
        code = False
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            code ^= line.lstrip().startswith("```")
            prose = not line.startswith(("|", "<", "!", "#", "    ", "`"))
            if prose and not code and len(line) > 120:
                long.append(f"{page.name}:{number}")
    assert long == []
