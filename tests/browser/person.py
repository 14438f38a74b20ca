"""Somebody at the app: it runs as it always does, and is used through Chromium."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, Request, expect

PATIENCE = 180_000  # milliseconds: the machine may be busy, and waiting costs nothing if it is not
FEWER = {"hsize": "not used", "age": "not used"}  # six keys: few enough for exact curves
expect.set_options(timeout=PATIENCE)
BUSY = "[aria-busy=true], [data-busy=true], .job"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The app as a process, and its link."""

    link: str
    process: subprocess.Popen[str]

    def crash(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Running]:
    """Start the app in a folder; its sessions are kept beside it."""
    state = folder.parent / "state"
    state.mkdir(exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-m", "microsafe", "app", "--no-browser", *arguments],
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield Running(link=process.stdout.readline().strip(), process=process)
        finally:
            process.terminate()


@dataclass(slots=True, kw_only=True)
class Watch:
    """What a page did that it must not do."""

    host: str
    foreign: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme != "blob" and parts.netloc != self.host:
            self.foreign.append(request.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Looks at the page, and does what people do."""

    page: Page

    def step(self, name: str) -> None:
        """Go to a step of the rail."""
        self.page.get_by_role("navigation").get_by_role("button", name=name).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("main").get_by_role("button", name=name, exact=True).click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def fill(self, label: str, text: str) -> None:
        box = self.page.get_by_label(label, exact=True)
        box.fill(text)
        box.press("Tab")

    def role(self, name: str, role: str) -> None:
        self.page.get_by_label(f"Role of {name}", exact=True).select_option(label=role)

    def measure(self, roles: Mapping[str, str] | None = None) -> None:
        """Give roles beside the suggested ones, and measure."""
        self.step("Scenario")
        for name, role in (roles or {}).items():
            self.role(name, role)
        self.by_cell()
        self.press("Measure the risk")
        expect(self.slider).to_be_visible()

    def by_cell(self) -> None:
        """Choose the simple estimator where there is a choice, whatever the file suggests."""
        expect(self.page.get_by_role("button", name="Measure the risk")).to_be_visible()
        cell = self.page.get_by_label("its cell alone, as in mu-ARGUS")
        if cell.count():
            cell.check()

    def use_model(self) -> None:
        """Take the estimator that the page proposes for a sparse file."""
        self.press("Use the estimator “model”")
        beside = self.page.get_by_role("table", name="Two estimators of the same risk")
        expect(beside).to_contain_text("by model (in use)")

    @property
    def slider(self) -> Locator:
        return self.page.get_by_role("slider", name="Limit", exact=True)

    def grip(self) -> tuple[float, float]:
        """Where the grip of the limit is, in sight."""
        grip = self.page.locator(".limit .grip")
        grip.scroll_into_view_if_needed()
        place = grip.bounding_box()
        assert place is not None
        return place["x"] + place["width"] / 2, place["y"]

    @property
    def steps_taken(self) -> Locator:
        """The steps taken, as the page lists them."""
        return self.page.get_by_role("list", name="Steps taken").get_by_role("listitem")

    @property
    def verdicts(self) -> Locator:
        """Rule by rule, whether the policy is met."""
        return self.page.get_by_role("table", name="Verdicts", exact=True)

    def apply(self, *, steps: int) -> None:
        """Apply the step in hand, which becomes the one of that number."""
        button = self.page.get_by_role("button", name="Apply this step")
        expect(button).not_to_have_attribute("aria-disabled", "true")
        button.click()
        expect(self.steps_taken).to_have_count(steps)

    def suppress(self, *, steps: int) -> None:
        """Count the blanks, and apply."""
        self.tab("Suppress")
        self.press("Count the blanks")
        expect(self.page.get_by_text("values in")).to_be_visible()
        self.apply(steps=steps)

    def keep_all(self) -> None:
        """Keep all variables that are undecided, as a release asks for a decision."""
        self.step("Inventory")
        self.page.get_by_label("Mark all undecided").check()
        self.fill("Reason", "For a test")
        self.page.get_by_role("button", name="Keep all").click()
        expect(self.page.get_by_text("Every variable has been decided on.")).to_be_visible()

    def take_time(self) -> None:
        """Let a search go on until it is done, however busy the machine is."""
        self.page.get_by_text("Guarantee and time").click()
        self.fill("Seconds that the proposal may take", "3600")

    def settled(self) -> None:
        """Wait until nothing is being worked on, and what there is has been drawn."""
        for _ in range(50):
            expect(self.page.locator(BUSY)).to_have_count(0)
            if self.page.evaluate(_REST, BUSY):
                return
        raise AssertionError("The page does not come to rest.")

    def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something outside of the page, such as a file."""
        for _ in range(PATIENCE // 50):
            if is_so():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{what}: not within {PATIENCE // 1000} seconds.")

    def give_reasons(self, reason: str) -> None:
        """Give a reason for each rule that is not met."""
        self.settled()
        lacking = self.page.get_by_label("Release although it is not met: reason")
        for left in reversed(range(lacking.count())):
            lacking.first.fill(reason)
            self.page.get_by_role("button", name="Record the reason").first.click()
            expect(lacking).to_have_count(left)

    def violations(self) -> list[str]:
        """What axe finds, at level AA and in its best practices."""
        self.settled()
        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(AXE.read_text("utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
        found = self.page.evaluate(_AXE, tags)
        return [
            f"{each['id']}: {node['target']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]


# Sizes are known a frame after something was drawn, and colours fade: what is seen then stays.
_AXE = f"""tags => Promise.race([
  axe.run(document, {{runOnly: tags}}),
  new Promise((_, refuse) => setTimeout(() => refuse(new Error("axe hangs")), {PATIENCE})),
])"""
_REST = """async busy => {
  const drawn = (done) => void (requestAnimationFrame(done), setTimeout(done, 1000)); // or hidden
  for (let frame = 0; frame < 3; frame++) await new Promise(drawn);
  // An animation without end is never finished.
  const ended = document.getAnimations().map((each) => each.finished.catch(() => null));
  await Promise.race([Promise.all(ended), new Promise((done) => setTimeout(done, 2000))]);
  return document.querySelector(busy) === null;
}"""


@contextmanager
def looking(
    browser: Browser,
    link: str,
    *,
    width: int = 1280,
    height: int = 800,
    scheme: str = "light",
    csp: bool = True,
    touch: bool = False,
    still: bool = False,
    way: str = "all",
) -> Iterator[Person]:
    """Open the link; afterwards nothing foreign was asked for, and nothing went wrong."""
    watch = Watch(host=urlsplit(link).netloc)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce" if still else "no-preference",
        bypass_csp=not csp,
        has_touch=touch,
        accept_downloads=True,
    )
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: watch.request(request))
        page.on("pageerror", lambda error: watch.faults.append(str(error)))
        page.on("dialog", lambda dialog: watch.faults.append(f"dialog: {dialog.message}"))
        page.on("console", lambda said: watch.faults.append(said.text) if unwanted(said) else None)
        page.add_init_script(
            "if (self === top) "  # reports are shown in a frame that may store nothing
            f"sessionStorage['microsafe-way'] = sessionStorage['microsafe-way'] ?? '{way}'"
        )
        page.goto(link)
        yield Person(page=page)
        assert not watch.foreign, f"The page asked elsewhere: {watch.foreign}"
        assert not watch.faults, f"Something went wrong in the page: {watch.faults}"
    finally:
        context.close()


def unwanted(said: object) -> bool:
    """Whether a message on the console tells of a fault; refusals that the page shows do not."""
    text: str = said.text  # type: ignore[attr-defined]
    kind: str = said.type  # type: ignore[attr-defined]
    return kind in ("error", "warning") and "Failed to load resource" not in text
