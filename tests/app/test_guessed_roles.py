"""What the app tells of variables before anything is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from app.client import Page


def open_file(page: Page, folder: Path) -> dict[str, dict[str, object]]:
    rng = np.random.default_rng(4)
    texts = [f"It was a long way to work number {n}" for n in range(30)]
    frame = pl.DataFrame(
        {
            "region": rng.integers(1, 9, 900),
            "sex": rng.integers(1, 3, 900),
            "age": rng.integers(0, 90, 900),
            "comment": [texts[n] for n in rng.integers(0, 30, 900)],
            "income": rng.permutation(900) * 7 + 900,
        }
    )
    frame.write_csv(folder / "file.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "file.csv"})
    return {each["name"]: each for each in page.ask("GET /api/variables")["variables"]}


def test_keys_have_reason_and_gain(page: Page, folder: Path) -> None:
    found = open_file(page, folder)
    assert [found[name]["place"] for name in ("region", "sex", "age")] == [1, 2, 3]
    assert found["age"]["measure"] == "scale"
    assert found["age"]["combinations"] > found["sex"]["combinations"]  # type: ignore[operator]
    assert found["comment"]["role"] == "other"
    assert found["income"]["sensitive"] is True


def test_nobody_sees_texts_or_values_of_one(page: Page, folder: Path) -> None:
    open_file(page, folder)
    shown = {
        name: page.ask("GET /api/variable", name=name) for name in ("sex", "comment", "income")
    }
    assert len(shown["sex"]["categories"]) == 2
    assert shown["comment"]["categories"] == []
    assert shown["income"]["categories"] == []
