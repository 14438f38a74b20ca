"""What can be seen of a page: a picture of it to look at, and what lies outside of its frame."""

from __future__ import annotations

import os

from playwright.sync_api import Page

from browser.person import Person

SHOTS = os.environ.get("MICROSAFE_SHOTS")


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
