from __future__ import annotations

from pathlib import Path

import pytest

from microsafe.app import types
from microsafe.app.messages.endpoints import ENDPOINTS
from microsafe.app.messages.questions import Cancel
from microsafe.app.views import READY, VIEWS


def test_the_pages_types_are_those_of_the_messages() -> None:
    path = Path(__file__).parents[2] / "web" / "src" / "api.ts"
    assert path.read_text("utf-8") == types.text(), "Run 'python -m microsafe.app.types'."


def test_every_endpoint_has_one_view() -> None:
    routes = [each.route for each in ENDPOINTS if each.body is not Cancel]
    assert sorted(routes) == sorted(VIEWS)
    assert set(READY) <= set(VIEWS)


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        (str | None, "string | null"),
        (tuple[int, ...], "readonly number[]"),
        (tuple[float, float], "readonly [number, number]"),
        (dict[str, bool], "Readonly<Record<string, boolean>>"),
    ],
)
def test_a_type_in_typescript(hint: object, told: str) -> None:
    assert types._type_name(hint) == told
