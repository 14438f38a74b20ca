"""A folder of Parquet files in the app: chosen and opened like a file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from app.client import Page

PEOPLE = pl.DataFrame({"age": [20 + k % 5 for k in range(60)], "sex": ["f", "m"] * 30})


@pytest.fixture
def table(folder: Path) -> Path:
    made = folder / "people"
    made.mkdir()
    PEOPLE[:20].write_parquet(made / "part-0.parquet")
    PEOPLE[20:].write_parquet(made / "part-1.parquet")
    (made / "_SUCCESS").touch()
    return made


def kinds(page: Page, files: str = "data") -> dict[str, str]:
    listing = page.ask("GET /api/files", files=files)
    return {each["name"]: each["kind"] for each in listing["entries"]}


def test_a_folder_with_a_mark_is_opened_as_a_file(page: Page, table: Path) -> None:
    (table.parent / "plain").mkdir()
    PEOPLE.write_parquet(table.parent / "plain" / "people.parquet")
    assert kinds(page) == {"people": "file", "plain": "folder", "survey.sav": "file"}
    assert kinds(page, "plan")["people"] == "folder"
    found = page.ask("POST /api/open", {"folder": 0, "path": "people"})
    assert found["file"]["records"] == 60
    assert found["file"]["name"] == "people"


def test_links_in_it_are_not_followed(page: Page, table: Path, tmp_path: Path) -> None:
    PEOPLE.write_parquet(tmp_path / "elsewhere.parquet")
    (table / "part-2.parquet").symlink_to(tmp_path / "elsewhere.parquet")
    assert kinds(page)["people"] == "folder"
    page.ask("POST /api/open", {"folder": 0, "path": "people"}, status=404)
