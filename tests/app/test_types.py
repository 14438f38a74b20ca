from __future__ import annotations

import re
from pathlib import Path

import pytest

from microsafe.app import page_types as types
from microsafe.app.messages.endpoints import ENDPOINTS
from microsafe.app.messages.questions import CancelRequest
from microsafe.app.views import READY, VIEWS
from microsafe.options.parameter import form_fields
from microsafe.steps import STEPS

WEB = Path(__file__).parents[2] / "web" / "src"


def test_the_pages_types_are_those_of_the_messages() -> None:
    path = WEB / "api.ts"
    made = types.make_module()
    assert path.read_text("utf-8") == made, "Run 'python -m microsafe.app.page_types'."


def test_every_endpoint_has_one_view() -> None:
    routes = [each.route for each in ENDPOINTS if each.body is not CancelRequest]
    assert sorted(routes) == sorted(VIEWS)
    assert set(READY) <= set(VIEWS)


def test_every_step_has_a_form() -> None:
    """One of its own, or one made from its description, which needs a control for each field."""
    forms = WEB / "steps" / "protect" / "forms.ts"
    found = re.search(r"OWN_FORMS = \[(.*?)\]", forms.read_text("utf-8"))
    assert found is not None
    own = set(re.findall(r'"(\w+)"', found[1]))
    assert own < set(STEPS)
    for name in set(STEPS) - own:
        for each in form_fields(STEPS[name]):
            assert each.control is not None, f"{name}.{each.name}"
    made_by = {"recode": "recoding", "suppress": "suppression"}
    for name in own:  # the module that makes the step says every field of it
        text = (forms.parent / f"{made_by.get(name, 'ends')}.ts").read_text("utf-8")
        for each in form_fields(STEPS[name]):
            assert re.search(rf"^    {each.name}[:,]", text, re.MULTILINE), f"{name}.{each.name}"


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
