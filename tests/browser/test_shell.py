"""What is around every page: room, help, plans, reports, and other windows."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from browser.person import Person, looking, running
from browser.seeing import Way, looks

STEPS = (
    "Open", "Variables", "Scenario", "Risk", "Propose", "Protect", "Inventory", "Compare",
    "Release", "Explore", "Look closer",
)  # fmt: skip
FILLED = re.compile(".+")


def protect(person: Person) -> None:
    """Measure, blank, decide and confirm, so that every step has something to show."""
    person.measure()
    person.use_model()
    person.step("Protect")
    person.suppress(steps=1)
    person.keep_all()
    person.step("Compare")
    person.press("✓ Confirm")
    expect(person.page.get_by_text("All steps are confirmed.")).to_be_visible()


def drawer(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Help")


def listed(page: Page, title: str) -> Locator:
    """A page in the contents of the drawer; words may have the same name."""
    return drawer(page).get_by_role("listitem").get_by_role("button", name=title, exact=True)


def test_every_question_mark_leads_to_a_page(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        page = person.page
        protect(person)
        titles = set()
        for step in STEPS:
            person.step(step)
            person.settled()
            marks = page.locator("main .help-mark")
            assert marks.count() > 0
            for number in range(marks.count()):
                marks.nth(number).click()
                title = drawer(page).get_by_role("heading", level=3).first
                expect(title).to_be_visible()
                titles.add(title.inner_text())
                expect(drawer(page).get_by_text("There is no such page.")).to_have_count(0)
                page.keyboard.press("Escape")
                expect(drawer(page)).to_have_count(0)
                expect(marks.nth(number)).to_be_focused()
        assert len(titles) > 8
        page.locator("main .help-mark").first.click()
        assert person.violations() == []


def test_every_method_page_is_within_reach_and_offline(reader: Person) -> None:
    page = reader.page
    docs = Path(__file__).parents[2] / "docs"
    reader.page.get_by_role("banner").get_by_role("button", name="Help", exact=True).click()
    for path in sorted({*(docs / "methods").glob("*.md")} - {docs / "methods" / "index.md"}):
        title = path.read_text("utf-8").splitlines()[0].removeprefix("# ").replace("`", "")
        listed(page, title).click()
        expect(drawer(page).get_by_role("heading", name=title, exact=True)).to_be_visible()
        for picture in drawer(page).get_by_role("img").all():
            assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 0
        drawer(page).get_by_role("button", name="Back").click()
    drawer(page).get_by_label("Find a page or a word").fill("who gets the file")
    first = drawer(page).get_by_role("listitem").first
    expect(first).to_have_text("Which limit, and who gets the file?")


def test_help_at_the_term_at_hand(person: Person) -> None:
    page = person.page
    person.measure()
    page.get_by_role("button", name="re-identification rate (what is this?)").focus()
    page.keyboard.press("F1")
    expect(drawer(page)).to_contain_text("Expected re-identifications as a share of the records.")
    expect(drawer(page).get_by_role("heading", name="Choosing a limit")).to_be_visible()
    drawer(page).get_by_role("button", name="All pages and words").click()
    listed(page, "Local suppression").click()
    drawer(page).get_by_role("button", name="frequencies", exact=True).first.click()
    expect(drawer(page).get_by_role("heading", level=3)).to_contain_text("Frequencies")
    page.keyboard.press("Escape")
    person.slider.focus()  # in the card of the picture
    page.keyboard.press("?")
    expect(drawer(page).get_by_role("heading", name="Choosing a limit")).to_be_visible()
    page.keyboard.press("Escape")
    field = page.get_by_label("Records above the limit", exact=True)
    field.press("End")
    field.press("?")  # is typed
    expect(drawer(page)).to_have_count(0)
    field.press("F1")
    expect(drawer(page)).to_be_visible()


def test_nothing_is_cut_and_room_is_used(chromium: Browser, folder: Path) -> None:
    ways: tuple[Way, ...] = ((390, "light"), (800, "light"), (1920, "light"))
    is_cut: list[tuple[str, int]] = []
    unused: list[tuple[str, int]] = []
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, height=900) as person,
    ):
        page = person.page
        protect(person)
        for step in STEPS:
            person.step(step)
            page.locator(".page .card").first.wait_for()
            for width, _ in looks(person, *ways):
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    is_cut.append((step, width))
                if page.evaluate(_USED) < 0.95:
                    unused.append((step, width))
        page.locator("main .help-mark").first.click()
        for width, _ in looks(person, *ways):
            box = drawer(page).bounding_box()
            assert box is not None
            assert (box["x"] >= 0, box["x"] + box["width"]) == (True, width)
    assert (is_cut, unused) == ([], [])


# Up to which share of the width cards reach.
_USED = """Math.max(...[...document.querySelectorAll('.page .card')]
  .map((card) => card.getBoundingClientRect().right)) / innerWidth"""


def test_the_picture_stays_beside_the_figures(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=1920, height=900) as person,
    ):
        person.measure()
        person.settled()
        last = person.page.get_by_role("heading", name="Known population counts")
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport()
        expect(person.slider).to_be_in_viewport()


def test_reports_are_read_inside(person: Person) -> None:
    page = person.page
    protect(person)
    person.step("Release")
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    row = page.get_by_role("group", name="For the board")
    row.get_by_role("button", name="Read").click()
    report = page.frame_locator("dialog iframe")
    expect(report.get_by_role("heading", level=1)).to_be_visible()
    frame = page.frames[-1]
    assert frame.evaluate("self.origin") == "null"  # of no origin: it cannot ask the app
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_plan_is_saved_shown_and_opened(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        page = person.page
        protect(person)
        plan = page.get_by_role("banner").get_by_role("button", name="Plan")
        plan.click()
        page.get_by_label("Also as a Python script and as shell commands").check()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Save the plan").click()
        expect(dialog).to_contain_text("plan.toml, plan.seeds, plan.py, plan.sh")
        dialog.get_by_role("button", name="Save the plan").click()
        expect(dialog.get_by_role("alert")).to_contain_text("already exist")
        dialog.get_by_role("button", name="Replace them").click()
        expect(dialog.get_by_role("status")).to_contain_text("Saved in")
        assert person.violations() == []
        dialog.get_by_role("tab", name="Show as text").click()
        dialog.get_by_role("button", name="Python script").click()
        expect(dialog.locator("pre")).to_contain_text("study.suppress(above=0.05")
        seed = (folder / "plan.seeds").read_text().split(": ")[1].split("\n")[0]
        assert seed not in page.content()
        dialog.get_by_role("button", name="Close").click()
        person.step("Protect")
        page.get_by_role("button", name="Undo from here").first.click()
        expect(person.steps_taken).to_have_count(0)
        plan.click()
        dialog.get_by_role("tab", name="Open").click()
        dialog.get_by_role("button", name="plan.toml").click()
        expect(page.get_by_text("plan.toml is open.").first).to_be_visible()
        expect(person.steps_taken).to_have_count(1)
        assert person.violations() == []


def test_two_windows_lose_nothing(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link) as one,
        looking(chromium, app.link) as two,
    ):

        def rate(person: Person) -> Locator:
            return person.page.get_by_label("Largest re-identification rate", exact=True)

        def share(person: Person) -> Locator:
            return person.page.get_by_label(
                "Fewest records that share the keys of a record", exact=True
            )

        one.measure()
        one.step("Release")
        two.step("Release")  # which it can, once it has seen the scenario
        rate(one).fill("0.5 %")
        one.press("Save the policy")
        expect(rate(two)).to_have_value(FILLED)  # by itself
        first = rate(two).input_value()

        share(two).fill("3")
        rate(one).fill("0.4 %")
        one.press("Save the policy")
        told = two.page.get_by_role("button", name="Keep what I typed")
        expect(told).to_be_visible()
        two.press("Save the policy")
        two.settled()  # and was refused
        expect(told).to_be_visible()
        expect(share(two)).to_have_value("3")
        expect(rate(two)).to_have_value(first)
        expect(share(one)).to_have_value("")
        two.press("Keep what I typed")
        expect(told).to_have_count(0)
        two.press("Save the policy")
        expect(share(one)).to_have_value("3")

        rate(one).fill("1 %")
        share(two).fill("4")
        two.press("Save the policy")
        one.press("Show the changes")
        expect(share(one)).to_have_value("4")
        expect(rate(one)).to_have_value(first)


def test_a_hundred_changes_leave_no_queue(person: Person) -> None:
    """Of a hundred limits and a hundred recodes in a row, few are asked for, and the last holds."""
    page = person.page
    person.measure()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/api/", 1)[-1]))
    person.slider.evaluate(
        """line => {
          for (let i = 0; i < 100; i++)
            line.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}));
        }"""
    )
    wanted = person.slider.get_attribute("aria-valuenow")
    person.settled()
    assert 1 <= asked.count("limit") <= 5
    assert person.slider.get_attribute("aria-valuenow") == wanted
    person.step("Protect")
    person.tab("Recode")
    page.get_by_label("Variable", exact=True).select_option("age")
    bounds = page.get_by_label("Bands begin at", exact=True)
    asked.clear()
    for round_ in range(10):  # each begins while the last preview of the one before is under way
        with page.expect_request("**/api/preview*"):
            bounds.evaluate(_TYPE_TEN, round_)
    person.apply(steps=1)
    expect(person.steps_taken.first).to_contain_text("bins of 55")
    assert len([each for each in asked if each.startswith("preview")]) == 10


_TYPE_TEN = """async (field, round) => {
  for (let i = 10 * round; i < 10 * round + 10; i++) {
    field.value = i < 99 ? `${10 + i % 30}, 60` : '25, 80';
    field.dispatchEvent(new Event('input', {bubbles: true}));
    await null; // the page draws it
  }
}"""
