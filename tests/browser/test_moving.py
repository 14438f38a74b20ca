"""The limit: moved by mouse, touch and keys, typed in four fields, always what Python says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import microsafe as ms
from browser.person import FEWER, Person, looking, running

KEYS = ("region", "sex", "marital", "education", "occupation", "citizenship")
FIELDS = {
    "risk": "Largest risk of a record",
    "rate": "Re-identification rate, at most",
    "expected": "Expected re-identifications, at most",
    "unsafe": "Records above the limit",
}


@pytest.fixture(scope="session")
def risk(survey_file: Path) -> ms.Risk:
    study = ms.study(
        survey_file, keys=KEYS, weight="weight", household="household", estimator="cell"
    )
    return study.risk()


def now(person: Person) -> float:
    return float(person.slider.get_attribute("aria-valuenow") or "nan")


def shown(person: Person, field: str) -> float:
    text = person.page.get_by_label(FIELDS[field], exact=True).input_value()
    return float(text.replace(",", "").replace("%", "").replace("≈", ""))


def agrees(person: Person, risk: ms.Risk) -> None:
    """All four fields, the sentence and the households are what Python computes."""
    person.settled()
    limit = risk.choose(risk=now(person))
    assert shown(person, "risk") == pytest.approx(limit.limit, rel=1e-5)
    assert shown(person, "rate") == pytest.approx(100 * limit.rate_bound, rel=1e-3)
    assert shown(person, "expected") == pytest.approx(limit.expected_bound, rel=1e-4)
    assert shown(person, "unsafe") == limit.unsafe
    assert risk.household is not None
    households = f"{risk.household.unsafe(limit.limit):,} of {len(risk.household.risk):,}"
    expect(person.page.get_by_text(households)).to_be_visible()


def moved(person: Person, move: Callable[[], None]) -> float:
    """Where the limit is once a move has moved it."""
    before = person.slider.get_attribute("aria-valuenow") or ""
    move()
    expect(person.slider).not_to_have_attribute("aria-valuenow", before)
    return now(person)


def line(person: Person) -> tuple[float, float]:
    """A place on the line, once nothing pushes it away any more."""
    person.settled()
    x, y = person.grip()
    return x, y + 80


def test_it_is_dragged_by_mouse(at_risk: Person, risk: ms.Risk) -> None:
    person = at_risk
    agrees(person, risk)
    start = now(person)
    x, y = line(person)
    mouse = person.page.mouse
    mouse.move(x, y)
    mouse.down()
    seen = [moved(person, partial(mouse.move, x - 10 * place, y)) for place in range(1, 12)]
    mouse.up()
    chosen = now(person)
    assert [start, *seen] == sorted({start, *seen}, reverse=True)
    assert chosen == seen[-1]
    agrees(person, risk)
    person.step("Protect")  # the limit is in force wherever one goes
    expect(person.page.get_by_text(f"limit {chosen:g} (")).to_be_visible()


def test_it_is_dragged_by_touch(chromium: Browser, folder: Path, risk: ms.Risk) -> None:
    with running(folder, "survey.sav") as app, looking(chromium, app.link, touch=True) as person:
        person.measure(FEWER)
        start = now(person)
        x, y = line(person)
        finger = person.page.context.new_cdp_session(person.page)

        def touch(kind: str, *points: float) -> None:
            at = [{"x": each, "y": y} for each in points]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

        touch("touchStart", x)
        for place in range(1, 10):
            assert moved(person, partial(touch, "touchMove", x + 6 * place)) > start
        touch("touchEnd")
        agrees(person, risk)


@pytest.mark.parametrize(
    ("key", "becomes"),
    [
        ("ArrowRight", 0.011),
        ("ArrowUp", 0.011),
        ("ArrowLeft", 0.0099),
        ("ArrowDown", 0.0099),
        ("PageUp", 0.02),
        ("PageDown", 0.005),
    ],
)
def test_it_is_moved_by_keys(at_risk: Person, key: str, becomes: float, risk: ms.Risk) -> None:
    person = at_risk
    person.slider.focus()
    person.page.keyboard.press(key)
    expect(person.slider).to_have_attribute("aria-valuenow", f"{becomes:g}")
    above = f"{risk.choose(risk=becomes).unsafe:,} records above"
    expect(person.slider).to_have_attribute("aria-valuetext", re.compile(re.escape(above)))


def test_home_and_end_hold_all_records(at_risk: Person, risk: ms.Risk) -> None:
    at_risk.slider.focus()
    above = at_risk.page.get_by_label(FIELDS["unsafe"], exact=True)
    at_risk.page.keyboard.press("End")
    expect(above).to_have_value("0")
    at_risk.page.keyboard.press("Home")
    expect(above).to_have_value(f"{risk.n:,}")


@pytest.mark.parametrize(
    ("field", "typed", "wish"),
    [
        ("risk", "1 in 200", 0.005),
        ("rate", "0.25 %", 0.0025),
        ("expected", "12.5", 12.5),
        ("unsafe", "500", 500),
    ],
)
def test_four_fields_are_linked(
    at_risk: Person, risk: ms.Risk, field: str, typed: str, wish: float
) -> None:
    at_risk.fill(FIELDS[field], typed)
    at_risk.settled()
    limit = risk.choose(**{field: wish})  # type: ignore[arg-type]
    assert now(at_risk) == pytest.approx(limit.limit, rel=1e-12)
    agrees(at_risk, risk)


def test_what_means_nothing_is_refused_in_words(at_risk: Person) -> None:
    at_risk.fill(FIELDS["risk"], "a lot")
    expect(at_risk.page.get_by_label(FIELDS["risk"])).to_have_attribute("aria-invalid", "true")
    expect(at_risk.page.get_by_text("such as 0.01 or 1 in 100")).to_be_visible()
    at_risk.fill(FIELDS["risk"], "0.01")
    expect(at_risk.page.get_by_text("such as 0.01 or 1 in 100")).to_have_count(0)


def test_the_picture_can_be_read_as_a_table(at_risk: Person, risk: ms.Risk) -> None:
    at_risk.page.get_by_text("Show as a table").first.click()
    table = at_risk.page.get_by_role("table", name="Risk of the records")
    column = table.locator("tbody tr td:nth-child(3)").all_inner_texts()
    assert sum(int(each.replace(",", "")) for each in column) == risk.n


@pytest.fixture(scope="module")
def measured(
    chromium: Browser, survey_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Person]:
    """Somebody who measured, for tests that leave nothing behind but the limit."""
    folder = tmp_path_factory.mktemp("risk") / "data"
    folder.mkdir()
    (folder / "survey.sav").write_bytes(survey_file.read_bytes())
    with running(folder, "survey.sav") as app, looking(chromium, app.link) as person:
        person.measure(FEWER)
        yield person


@pytest.fixture
def at_risk(measured: Person) -> Person:
    """The same, at the limit that most begin with."""
    measured.step("Risk")
    measured.fill(FIELDS["risk"], "0.01")
    return measured
