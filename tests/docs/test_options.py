"""The tables of options in the docs are those of the fields."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "reference"))

import make_options


@pytest.mark.parametrize("page", make_options.PAGES, ids=lambda page: page.name)
def test_tables_are_up_to_date(page: Path) -> None:
    assert page.read_text("utf-8") == make_options.make_page(page), (
        "an option changed: run 'uv run python docs/reference/make_options.py'"
    )


def test_every_kind_has_its_table() -> None:
    text = "".join(page.read_text("utf-8") for page in make_options.PAGES)
    shown = {found[2] for found in make_options._TABLE.finditer(text)}
    needless = {"PopulationOptions", *(kind.__name__ for kind in make_options.STEPS.values())}
    assert {*make_options.KINDS, "Study"} - needless == shown - needless
