"""The tables of the documentation are what the cases of the corpus show."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "reference"))

import make_formats

from corpus.every import CASES
from microsafe.io.formats import readable_extensions


def test_the_page_is_what_the_corpus_shows() -> None:
    assert make_formats.PAGE.read_text("utf-8") == make_formats.make_page(), (
        "the corpus changed: run 'uv run python docs/reference/make_formats.py'"
    )


def test_every_format_has_a_case() -> None:
    extensions = {case.extension.lower() for case in CASES}
    assert set(readable_extensions()) <= extensions


def test_every_row_has_a_case() -> None:
    outcomes = make_formats.collect_outcomes()
    for fact in (*make_formats.VALUES, *make_formats.DESCRIPTIONS):
        assert outcomes[fact], fact
