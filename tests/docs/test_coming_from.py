"""The table of where things are names every dialog, and nothing that is not there."""

from __future__ import annotations

import re

import pages

import microsafe as ms
from microsafe.cli.parser import build_parser
from microsafe.options.declaration import Declaration
from microsafe.risk import Risk, Tabulation
from microsafe.steps import STEPS
from microsafe.steps.suppress.combinations import Combinations

PAGE = "\n".join(
    page.read_text(encoding="utf-8") for page in (pages.ROOT / "docs/coming-from").glob("*.md")
)
CELLS = [line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| ")]
TEXTS = (pages.ROOT / "web/src/texts/general.ts").read_text(encoding="utf-8")

# Items of the menus of mu-ARGUS 5.1, and buttons of sdcApp, as their windows name them.
MU_ARGUS = (
    "Open microdata", "Exit", "Metadata", "Combinations", "Show tables", "Global recode",
    "PRAM specification", "Individual risk specification", "Household risk specification",
    "Modify numerical variables", "Numerical microaggregation", "Numerical rank swapping",
    "Targeted record swapping", "Synthetic data", "Make protected file", "View report", "Contents",
    "News", "Manual", "About",
)  # fmt: skip
SDC_APP = (
    "About/Help", "Microdata", "Display microdata", "Explore variables", "Reset variables",
    "Use subset of microdata", "Convert numeric to factor", "Convert variables to numeric",
    "Modify factor variable", "Create a stratification variable", "Set specific values to NA",
    "Hierarchical data", "Setup SDC problem", "Show summary", "Add linked variables",
    "Create new IDs", "Recoding", "k-Anonymity", "PRAM (simple)", "PRAM (expert)",
    "Suppress values with high risks", "Top/bottom coding", "Microaggregation", "Adding noise",
    "Rank swapping", "Reset SDC problem", "Information of risk", "Suda2 risk measure",
    "l-Diversity risk measure", "Barplot/Mosaicplot", "Tabulations", "Information loss",
    "Obs. violating k-anon", "Compare summary statistics", "Disclosure risk", "Export",
    "Reproducibility", "Undo",
)  # fmt: skip


def test_every_dialog_is_named() -> None:
    dialogs = [*MU_ARGUS, *SDC_APP, "sdc_extabs", "sdc_loglinear"]
    assert [each for each in dialogs if not any(each in cell for cell in CELLS)] == []


def test_commands_and_options_are_there() -> None:
    commands = build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    for command, options in re.findall(r"`microsafe ([a-z][a-z-]*)((?: [^`|]*)?)`", PAGE):
        there = commands[command]._option_string_actions
        for option in re.findall(r"(--[a-z-]+)", options):
            assert option in there or command == "plan", f"{command} {option}"


def test_steps_and_python_names_are_there() -> None:
    for name in set(re.findall(r'`do = "([a-z_]+)"', PAGE)):
        assert name in STEPS, name
    owners = {
        "Study": ms.Study,
        "Risk": Risk,
        "Tabulation": Tabulation,
        "Combinations": Combinations,
    }
    for owner, name in set(re.findall(r"`(Study|Risk|Tabulation|Combinations)\.([a-z_]+)", PAGE)):
        assert name in dir(owners[owner]), f"{owner}.{name}"
    for name in set(re.findall(r"Declaration\(([a-z_]+)=", PAGE)):
        assert name in Declaration.__dataclass_fields__


def test_pages_of_the_app_are_there() -> None:
    named = set(re.findall(r"(?:^|\| |; |, )\*([A-Z][a-z ]+)\*", PAGE, re.MULTILINE))
    pages_there = set(re.findall(r': "([A-Z][a-z ]+)"', TEXTS)) | {"Undo from here"}
    assert named <= pages_there
