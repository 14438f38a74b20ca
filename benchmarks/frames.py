"""How long a frame takes while the limit is dragged: `uv run python benchmarks/frames.py`.

A survey of so many records is opened in the app, and the line is dragged to and fro in Chromium
by its mouse. Told are, for the frames in which the line moved: the time from one to the next (at
60 frames a second 16.7 ms), and what the page's thread was busy for in each.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import CDPSession, Page, sync_playwright

from microsafe.datasets import survey
from microsafe.io import write

PEOPLE = 2.36  # in a household of the survey, on average
MOVES = 400
KEYS = ("age", "hsize", "region", "sex", "marital", "education", "occupation", "citizenship")

RECORD = """() => {
  window.intervals = [];
  const line = document.querySelector('.limit');
  let before = 0, where = line.getAttribute('transform');
  const look = now => {
    const moved = line.getAttribute('transform');
    if (before && moved !== where) intervals.push(now - before);
    before = now;
    where = moved;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """Milliseconds between frames, and milliseconds of work in one."""

    intervals: list[float]
    busy: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=float, nargs="*", default=[1e6, 10e6])
    print(f"{'records':>12}{'frames':>8}{'median ms':>12}{'95 % ms':>10}{'busy ms':>10}")
    for records in parser.parse_args().records:
        found, frames = measured(records)
        times = frames.intervals
        high = quantiles(times, n=20)[-1]
        print(f"{found:>12,}{len(times):>8}{median(times):>12.1f}{high:>10.1f}{frames.busy:>10.1f}")


def measured(records: float) -> tuple[int, Frames]:
    with tempfile.TemporaryDirectory() as name:
        made = survey(households=int(records / PEOPLE) + 1)
        write(made.frame, made.schema, Path(name) / "survey.parquet")
        found = made.frame.height
        del made
        with subprocess.Popen(
            [sys.executable, "-m", "microsafe", "app", "survey.parquet", "--no-browser"],
            cwd=name,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": name},
        ) as app:
            try:
                assert app.stdout is not None
                return found, dragged(app.stdout.readline().strip())
            finally:
                app.terminate()


def dragged(link: str) -> Frames:
    """Measure the risk, then drag the line to and fro."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(900_000)
        at_the_picture(page, link)
        grip = page.locator(".limit .grip").bounding_box()
        assert grip is not None
        x, y = grip["x"] + grip["width"] / 2, grip["y"] + 80
        page.mouse.move(x, y)
        page.mouse.down()
        tools = page.context.new_cdp_session(page)
        tools.send("Performance.enable")
        page.evaluate(RECORD)
        before = busy(tools)
        for move in range(MOVES):
            swing = move % 100
            page.mouse.move(x - 3 * min(swing, 100 - swing), y)
        spent = busy(tools) - before
        page.mouse.up()
        intervals = page.evaluate("intervals")
        browser.close()
    return Frames(intervals=intervals, busy=1000 * spent / len(intervals))


def busy(tools: CDPSession) -> float:
    """Seconds that the page's thread has worked so far."""
    found = tools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in found if each["name"] == "TaskDuration"))


def at_the_picture(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("navigation").get_by_role("button", name="Scenario").click()
    for name in KEYS:
        page.get_by_label(f"Role of {name}").select_option("key")
    page.get_by_label("Role of weight").select_option("weight")
    page.get_by_role("button", name="Measure the risk").click()
    page.get_by_text("Exact figures.").wait_for()
    page.locator(".job, [aria-busy]").first.wait_for(state="detached")


if __name__ == "__main__":
    main()
