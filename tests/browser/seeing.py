"""What can be seen of a page: a picture of it to look at, what is cut, and what axe finds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal

from playwright.sync_api import Page

from browser.person import Person

SHOTS = os.environ.get("MICROSAFE_SHOTS")

Way = tuple[int, Literal["light", "dark"]]
WAYS: tuple[Way, ...] = ((1280, "light"), (800, "dark"), (390, "light"))  # desk, tablet, telephone


def looks(person: Person, *ways: Way) -> Iterator[Way]:
    """Look at the page as it is at other widths and in other colours; then it is as it was."""
    page = person.page
    size = page.viewport_size
    assert size is not None
    for width, scheme in ways:
        page.set_viewport_size({"width": width, "height": size["height"]})
        page.emulate_media(color_scheme=scheme)
        person.settled()
        yield width, scheme
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="light")
    person.settled()


def faults(person: Person, name: str, *ways: Way) -> dict[Way, list[str]]:
    """What is cut off and what axe finds in each way to look at the page, if anything."""
    found = {}
    for way in looks(person, *(ways or WAYS)):
        shoot(person, f"{name}-{way[1]}")
        found[way] = cut(person.page) + person.violations()
    return {way: each for way, each in found.items() if each}


def shoot(person: Person, name: str) -> None:
    """Keep a picture of the whole page, if somebody wants to look at it."""
    if SHOTS:
        person.settled()
        size = person.page.viewport_size
        assert size is not None
        person.page.screenshot(path=f"{SHOTS}/{name}-{size['width']}.png", full_page=True)


def cut(page: Page) -> list[str]:
    """Texts of pictures that lie outside of them, and whether the page is too wide."""
    found: list[str] = page.evaluate("""() => {
      const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
      for (const svg of document.querySelectorAll('main svg:has([role=img])')) {
        const box = svg.getBoundingClientRect();
        for (const text of svg.querySelectorAll('text')) {
          const own = text.getBoundingClientRect();
          if (own.left < box.left - 1 || own.right > box.right + 1 || own.bottom > box.bottom + 1
              || own.top < box.top - 1) wide.push(text.textContent);
        }
      }
      return wide;
    }""")
    return found
