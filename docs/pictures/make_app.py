"""Make the pictures of docs/reference/app.md: `uv run python docs/pictures/make_app.py`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

from microsafe.datasets import survey
from microsafe.io import write

HERE = Path(__file__).parent
KEYS = ("region", "hsize", "sex", "age", "marital", "citizenship")
COVER = {
    "Institution": "National Statistical Office",
    "Survey": "Household survey 2025",
    "Type of release": "scientific use file",
    "Version": "1.0",
    "Who signs, one in each line": "Head of the household survey\nChair of the review board",
}
GUIDED = {
    "file": "Is this your file?",
    "who": "Who gets it, and who might recognise people?",
    "out": "What must not go out?",
    "plan": "Which plan?",
    "sign": "Sign and write",
}
ALL = (*KEYS, "education", "occupation")


def main() -> None:
    """Go both ways on the demo's survey, and take a picture of each page."""
    for way, tour in (("guided", walk_guided), ("all", walk)):
        with serve_survey() as link, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            size = {"width": 1280, "height": 800}
            page = browser.new_page(viewport=size, reduced_motion="reduce")
            page.set_default_timeout(120_000)
            page.add_init_script(f"sessionStorage['microsafe-way'] = '{way}'")
            page.goto(link)
            tour(page)
            browser.close()


def walk_guided(page: Page) -> None:
    """Take the five decisions as they are filled in."""
    for name, heading in GUIDED.items():
        page.get_by_role("heading", name=heading, level=1).wait_for()
        if name == "plan":
            page.get_by_role("radio").first.wait_for()
        if name == "sign":
            page.get_by_text("All rules are met.").wait_for()
            page.get_by_label("Institution").fill(COVER["Institution"])
            page.get_by_label("Survey", exact=True).fill(COVER["Survey"])
            page.get_by_label("Who signs").fill("Head of the household survey")
        take_picture(page, f"guided-{name}")
        if name != "sign":
            press(page, "Go on")


@contextmanager
def serve_survey() -> Iterator[str]:
    """Serve the demo's survey, and give the link."""
    folder = Path(tempfile.gettempdir()) / "surveys"  # the same in every picture
    folder.mkdir()
    with tempfile.TemporaryDirectory() as state:
        made = survey()
        write(made.frame, made.schema, folder / "survey.sav")
        with subprocess.Popen(
            [sys.executable, "-m", "microsafe", "app", "survey.sav", "--no-browser"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": state},
        ) as app:
            try:
                assert app.stdout is not None
                yield app.stdout.readline().strip()
            finally:
                app.terminate()
                shutil.rmtree(folder)


def walk(page: Page) -> None:
    """Do what the page of the documentation tells."""
    page.get_by_role("button", name="marital").wait_for()
    take_picture(page, "open")
    go(page, "Variables")
    page.get_by_role("button", name="education").click()
    page.get_by_label("Label of 1").wait_for()
    editor = page.get_by_role("list", name="Variables of the file")
    take_picture(page, "variables", at=editor, above=60)
    go(page, "Scenario")
    for name in ALL:
        page.get_by_label(f"Role of {name}").select_option("key" if name in KEYS else "none")
    take_picture(page, "scenario")
    press(page, "Measure the risk")
    page.get_by_text("by model (in use)").wait_for()
    page.get_by_text("Exact figures.").wait_for()
    take_picture(page, "risk")
    page.emulate_media(color_scheme="dark")
    take_picture(page, "dark")
    page.emulate_media(color_scheme="light")
    look_around(page)
    go(page, "Propose")
    press(page, "Propose")
    page.get_by_role("button", name="Take this plan").wait_for(timeout=120_000)
    page.locator("table.verdicts").wait_for()
    result = page.get_by_role("region", name="Proposal", exact=True)
    take_picture(page, "propose", at=result, above=20)
    ladders = page.get_by_role("table", name="Allowed recodes")
    ladders.get_by_role("button", name="age").click()
    page.get_by_label("Allow bins of 20").uncheck()
    page.get_by_text("edited").wait_for()
    take_picture(page, "ladders", at=ladders, above=330)
    press(page, "Next: Protect")
    page.get_by_role("tab", name="Recode").click()
    page.get_by_label("Variable", exact=True).select_option("age")
    press(page, "10")
    page.get_by_text("→ 10 categories").wait_for()
    take_picture(page, "recode")
    apply(page, 1)
    page.get_by_role("tab", name="Suppress").click()
    page.get_by_label("Limit on the risk of a household").fill("0.05")
    press(page, "Count the blanks")
    page.get_by_text("values in").wait_for()
    take_picture(page, "suppress")
    apply(page, 2)
    press(page, "Next: Inventory")
    page.get_by_text("household number").first.wait_for()
    take_picture(page, "inventory")
    decide(page)
    press(page, "Next: Compare")
    page.get_by_role("img", name="After: risk of the records").wait_for()
    take_picture(page, "compare")
    press(page, "✓ Confirm")
    page.get_by_text("All steps are confirmed.").wait_for()
    press(page, "Next: Release")
    press(page, "Require the limit in force (0.01)")
    page.get_by_label("Largest household risk, at most").fill("0.05")
    press(page, "Save the policy")
    page.get_by_text("✓ met").first.wait_for()
    take_picture(page, "release")
    for label, text in COVER.items():
        page.get_by_label(label, exact=True).fill(text)
    press(page, "Write the release")
    page.get_by_role("heading", name="Released").wait_for()
    page.get_by_role("group", name="For the board").wait_for()
    page.wait_for_timeout(500)
    reports = page.locator("section", has=page.get_by_role("heading", name="Reports", exact=True))
    take_picture(page, "written", at=reports)


def look_around(page: Page) -> None:
    """Look closer at unsafe combinations, and at two variables."""
    go(page, "Look closer")
    page.get_by_role("button", name="region").first.click()
    page.get_by_role("heading", name="Codes of region").wait_for()
    take_picture(page, "closer")
    go(page, "Explore")
    page.get_by_label("Variable", exact=True).select_option("marital")
    page.get_by_label("Against").select_option("citizenship")
    page.get_by_role("table", name="marital by citizenship").wait_for()
    take_picture(page, "explore")


def decide(page: Page) -> None:
    """Give the household new numbers, and keep the rest with one reason."""
    press(page, "New numbers for household")
    page.get_by_text("household number").first.wait_for(state="detached")
    page.get_by_label("Mark all undecided").check()
    page.get_by_label("Reason").fill("Answers that nobody outside knows")
    page.get_by_role("button", name="Keep all").click()
    page.get_by_text("Every variable has been decided on.").wait_for()


def go(page: Page, name: str) -> None:
    """Go to a page by the rail."""
    page.get_by_role("navigation").get_by_role("button", name=name).click()


def press(page: Page, name: str) -> None:
    """Press a button."""
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


def apply(page: Page, number: int) -> None:
    """Apply the step in hand, and wait until it is in the list."""
    press(page, "Apply this step")
    page.get_by_role("list", name="Steps taken").get_by_role("listitem").nth(number - 1).wait_for()


def take_picture(page: Page, name: str, *, at: Locator | None = None, above: int = 320) -> None:
    """Take a picture once nothing is being worked on, of the top or around a part of the page."""
    page.wait_for_timeout(300)
    expect(page.locator("[aria-busy=true], .job")).to_have_count(0, timeout=60_000)
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    if at is not None:
        at.evaluate("(part, above) => scrollTo(0, part.getBoundingClientRect().top - above)", above)
    page.screenshot(path=HERE / f"app-{name}.png")


if __name__ == "__main__":
    main()
