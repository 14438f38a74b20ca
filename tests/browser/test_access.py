"""Everybody can use it: axe on every step, keyboard only, zoom, motion, focus."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import FEWER, Person, Running, looking, running
from browser.seeing import cut, looks
from microsafe.steps import STEPS

TABS = ("Suggestions", "Recode", "Top and bottom", "Perturb", "Suppress", "Leave out and more")


def protected(person: Person) -> None:
    """Measure, blank and confirm, so that every step has something to show."""
    person.measure(FEWER)
    person.use_model()
    person.step("Protect")
    person.suppress(steps=1)
    person.keep_all()
    person.step("Compare")
    person.press("✓ Confirm")


def test_axe_finds_nothing_and_nothing_is_cut_off(chromium: Browser, folder: Path) -> None:
    # Axe is put into the page by the test, which the page's policy would rightly forbid.
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        page = person.page
        found: dict[str, list[str]] = {}

        def look(step: str) -> None:
            for _, scheme in looks(person, (1280, "light"), (1280, "dark")):
                found[f"{step}, {scheme}"] = person.violations()
            for _ in looks(person, (640, "light")):  # 1280 pixels at twice the size
                found[f"{step}, twice the size"] = cut(page)

        expect(page.get_by_role("row", name="marital Marital status")).to_be_visible()
        page.get_by_role("button", name="marital").click()
        look("open")
        person.step("Scenario")
        look("scenario")
        protected(person)
        person.step("Risk")
        page.get_by_text("Show as a table").first.click()
        look("risk")
        page.get_by_role("button", name="Cumulative").click()
        look("cumulative")
        person.step("Propose")
        page.get_by_role("button", name="marital").click()
        expect(page.get_by_label("Allow rarest 25 % pooled")).to_be_visible()
        look("propose")  # what is found there is looked at in test_cheapest.py
        person.step("Protect")
        for tab in TABS:
            person.tab(tab)
            look(tab)
        person.step("Inventory")
        look("inventory")
        person.step("Compare")
        expect(page.get_by_role("img", name="After: risk of the records")).to_be_visible()
        look("compare")
        person.step("Release")
        person.press("Require the limit in force (0.05)")
        person.fill("Fewest records that share the keys of a record", "1000")
        person.press("Save the policy")
        expect(person.verdicts.get_by_text("✓ met")).to_have_count(3)
        look("verdicts")
        page.get_by_label("Release although it is not met: reason").fill("No file has so many")
        person.press("Record the reason")
        expect(page.get_by_text("not met, overridden")).to_be_visible()
        person.press("Write the release")
        expect(page.get_by_role("heading", name="Released")).to_be_visible()
        expect(page.get_by_role("group", name="For the board")).to_be_visible()
        look("release")
        page.get_by_role("banner").get_by_role("button", name="Help", exact=True).click()
        for kind in STEPS.values():
            expect(page.get_by_text(kind.term.meaning, exact=True)).to_be_visible()
        look("glossary")
    assert {step: faults for step, faults in found.items() if faults} == {}


class Keys:
    """Somebody without a mouse."""

    def __init__(self, person: Person) -> None:
        self.page = person.page

    def to(self, name: str, *, most: int = 150) -> None:
        """Press Tab until the focus is on what is called so."""
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(_NAME).strip().startswith(name):
                return
        raise AssertionError(f"{name} cannot be reached by Tab.")

    def press(self, name: str) -> None:
        self.to(name)
        self.page.keyboard.press("Enter")

    def at(self, heading: str) -> None:
        expect(self.page.get_by_role("heading", name=heading, level=1)).to_be_focused()


_NAME = """() => {
  const found = document.activeElement;
  const label = found.labels?.[0]?.textContent;
  return found.getAttribute('aria-label') || label || found.textContent || '';
}"""


def test_the_whole_path_by_keyboard_only(person: Person, folder: Path) -> None:
    page, keys = person.page, Keys(person)
    expect(page.get_by_role("button", name="Next: Scenario")).to_be_visible()
    keys.press("Next: Scenario")
    keys.at("What could an intruder know?")
    person.by_cell()
    keys.to("Role of hsize")
    page.keyboard.type("key")  # chooses by its first letters
    expect(page.get_by_label("Role of hsize")).to_have_value("key")
    keys.press("Measure the risk")
    keys.at("Choose the limit")
    expect(person.slider).to_be_visible()
    keys.press("Use the estimator “model”")
    expect(page.get_by_text("by model (in use)")).to_be_visible()
    keys.to("Limit")
    page.keyboard.press("PageDown")
    expect(person.slider).to_have_attribute("aria-valuenow", "0.02")
    keys.press("Next: Propose")
    keys.at("Find the plan that costs least")
    keys.press("Next: Protect")
    keys.at("Protect the file")
    keys.to("Suggestions")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Suppress")).to_be_focused()
    keys.press("Count the blanks")
    expect(page.get_by_text("values in")).to_be_visible()
    keys.press("Apply this step")
    expect(person.steps_taken).to_have_count(1)
    keys.press("Next: Inventory")
    keys.at("Inventory")
    keys.to("Mark all undecided")
    page.keyboard.press("Space")
    keys.to("Reason")
    page.keyboard.type("Answers that nobody outside knows")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Every variable has been decided on.")).to_be_visible()
    keys.press("Next: Compare")
    keys.at("Before and after")
    keys.press("✓ Confirm")
    expect(page.get_by_text("All steps are confirmed.")).to_be_visible()
    keys.press("Next: Release")
    keys.at("Release")
    keys.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    assert (folder / "release" / "survey-safe.sav").exists()


def test_the_first_tab_skips_to_the_content(reader: Person) -> None:
    reader.page.keyboard.press("Tab")
    link = reader.page.get_by_role("link", name="Skip to the content")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    reader.page.keyboard.press("Enter")
    expect(reader.page.get_by_role("main")).to_be_focused()


def test_focus_is_always_to_be_seen(person: Person) -> None:
    person.measure(FEWER)
    unseen: list[str] = []
    for _ in range(60):
        person.page.keyboard.press("Tab")
        text = person.page.evaluate(_UNSEEN)
        if text:
            unseen.append(text)
    assert unseen == []


_UNSEEN = """() => {
  const found = document.activeElement;
  if (found === document.body) return '';
  const style = getComputedStyle(found);
  const slider = found.matches('.limit') && getComputedStyle(found.querySelector('.grip'));
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const ringed = slider && parseFloat(slider.strokeWidth) >= 3;
  return outlined || ringed ? '' : found.outerHTML.slice(0, 99);
}"""


def test_nothing_moves_by_itself_for_those_who_ask(chromium: Browser, still: Running) -> None:
    moving = "document.getAnimations().length"
    slow = "getComputedStyle(document.querySelector('.button')).transitionDuration"
    with looking(chromium, still.link, still=True) as person:
        expect(person.page.get_by_role("button", name="Next: Scenario")).to_be_visible()
        assert person.page.evaluate(moving) == 0
        assert person.page.evaluate(slow) == "0s"
