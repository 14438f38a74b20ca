"""Open: households in a file of their own are joined on the page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import looking, running


def test_households_are_joined(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    people = [f"{n},{n // 2},{'mf'[n % 2]}" for n in range(40)]
    (folder / "persons.csv").write_text("\n".join(["nr,hid,sex", *people]) + "\n")
    homes = [f"{n},{n % 3}" for n in range(20)]
    (folder / "homes.csv").write_text("\n".join(["hid,region", *homes]) + "\n")
    with running(folder) as app, looking(chromium, app.link, csp=False) as person:
        page = person.page
        page.get_by_role("button", name="persons.csv").click()
        page.get_by_text("Households are in a second file").click()
        assert person.violations() == []
        page.get_by_label("Variable that both files have for the household").select_option("hid")
        page.get_by_role("button", name="homes.csv").click()
        expect(page.get_by_text("Joined with homes.csv.")).to_be_visible()
        expect(page.get_by_role("button", name="region")).to_be_visible()
        expect(page.get_by_text("Households are in a second file")).to_be_hidden()
        assert person.violations() == []
