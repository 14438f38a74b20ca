"""The guided way: five screens from a messy file to a safe one, and back to all steps."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.person import Person, looking, running
from files.labour_force import write_labour_force
from microsafe.plan.read import read_plan

SCREENS = (
    "Is this your file?",
    "Who gets it, and who might recognise people?",
    "What must not go out?",
    "Which plan?",
    "Sign and write",
)
MOST_ACTIONS, MOST_TYPED = 12, 3


@dataclass
class Walk:
    """Counts what a person does."""

    page: Page
    actions: int = 0
    typed: int = 0

    def press(self, name: str) -> None:
        self.actions += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def fill(self, label: str, text: str) -> None:
        self.actions += 1
        self.typed += 1
        self.page.get_by_label(label, exact=True).fill(text)


@pytest.fixture(scope="module")
def labour_force(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lfs")
    for extension in (".sav", ".xlsx", ".csv"):
        write_labour_force(folder / f"lfs{extension}", persons=2_000)
    return folder


def at(page: Page, screen: int) -> None:
    expect(page.get_by_role("heading", name=SCREENS[screen], level=1)).to_be_visible()
    if screen == 3:
        expect(page.get_by_role("radio").first).to_be_visible()
    if screen == 4:
        expect(page.get_by_text("All rules are met.")).to_be_visible()


@pytest.mark.parametrize(
    "extension", [".sav", ".csv", pytest.param(".xlsx", marks=pytest.mark.nightly)]
)
def test_a_messy_file_is_released_in_few_actions(
    chromium: Browser, labour_force: Path, tmp_path: Path, extension: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(labour_force / f"lfs{extension}", folder)
    with (
        running(folder, f"lfs{extension}") as app,
        looking(chromium, app.link, way="guided") as person,
    ):
        walk = Walk(person.page)
        for screen in range(4):
            at(person.page, screen)
            walk.press("Go on")
        at(person.page, 4)
        walk.fill("Institution", "Statistical office")
        walk.fill("Survey", "Labour force survey")
        walk.fill("Who signs", "Head of the survey")
        walk.press("Write the files")
        expect(person.page.get_by_text("read back and measured again.").last).to_be_visible()
        expect(person.page.get_by_text("Written to").first).to_be_visible()
        assert walk.actions <= MOST_ACTIONS
        assert walk.typed <= MOST_TYPED
        plan = read_plan(folder / "release" / "plan.toml")
        assert plan.report.institution == "Statistical office"
        assert plan.policy.record_risk == 0.05
        dropped = {name for step in plan.steps for name in getattr(step, "variables", ())}
        assert {"NAME", "PHONE", "EMAIL"} <= dropped


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [
        (1280, 800, "light"),
        (800, 1000, "dark"),
        pytest.param(1280, 800, "dark", marks=pytest.mark.nightly),
        pytest.param(1920, 1080, "light", marks=pytest.mark.nightly),
    ],
)
def test_each_screen_fits_and_can_be_read(
    chromium: Browser, folder: Path, width: int, height: int, scheme: str
) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(
            chromium, app.link, width=width, height=height, scheme=scheme, csp=False, way="guided"
        ) as person,
    ):
        page = person.page
        for screen in range(5):
            at(page, screen)
            wide, high = page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            assert wide <= width
            if width >= 1280:
                assert high <= height, SCREENS[screen]
            assert person.violations() == []
            if screen < 4:
                page.get_by_role("button", name="Go on", exact=True).click()


def test_both_ways_show_the_same_study(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, way="guided") as person,
    ):
        page = person.page
        at(page, 0)
        page.get_by_role("button", name="Go on", exact=True).click()
        page.get_by_role("radio", name="people who work on site").check()
        expect(page.get_by_role("radio", name="people who work on site")).to_be_checked()
        page.get_by_role("button", name="Remove citizenship").click()
        expect(page.get_by_role("button", name="Remove citizenship")).to_have_count(0)
        page.get_by_role("button", name="All steps", exact=True).click()
        person.step("Scenario")
        expect(page.get_by_label("Role of region", exact=True)).to_be_visible()
        expect(page.get_by_label("Role of citizenship", exact=True)).to_have_count(0)  # left out
        take_a_step(person)
        page.get_by_role("button", name="Guided", exact=True).click()
        expect(page.get_by_text("The five decisions cannot show this study.")).to_be_visible()
        page.get_by_role("button", name="Begin the five decisions anew").click()
        at(page, 1)


def take_a_step(person: Person) -> None:
    """Leave out a variable by hand."""
    person.step("Protect")
    person.tab("Leave out and more")
    person.page.get_by_role("checkbox", name="income").check()
    person.page.get_by_role("button", name="Apply this step").click()
