from __future__ import annotations

import json
import re
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from microsafe.app import page_types as types
from microsafe.app.messages import message_builder
from microsafe.app.messages.endpoints import ENDPOINTS, Endpoint
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.questions import CancelRequest
from microsafe.app.views import READY, VIEWS
from microsafe.app.wire import encode_message
from microsafe.options.parameter import form_fields
from microsafe.steps import STEPS

FROZEN: Any = {"frozen": True, "slots": True, "kw_only": True}
WEB = Path(__file__).parents[2] / "web" / "src"


def test_the_pages_types_are_those_of_the_messages() -> None:
    path = WEB / "api.ts"
    made = types.make_module()
    assert path.read_text("utf-8") == made, "Run 'python -m microsafe.app.page_types'."


def test_every_endpoint_has_one_view() -> None:
    routes = [each.route for each in ENDPOINTS if each.body is not CancelRequest]
    assert sorted(routes) == sorted(VIEWS)
    assert set(READY) <= set(VIEWS)


def test_a_field_that_a_result_gains_is_in_the_message_and_in_the_types(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A toy result with and without a field, the message that adds to it, and one that holds it."""
    for more in ((), ("gained",)):
        base = make_dataclass("ToyResult", ["lost", *more], **FROZEN)
        toy = make_dataclass("ToyRow", ["label"], bases=(base,), **FROZEN)
        answer = make_dataclass("ToyAnswer", ["rows"], **FROZEN)
        base.__annotations__ = dict.fromkeys(("lost", *more), float)
        toy.__annotations__ = {"label": str}
        answer.__annotations__ = {"rows": tuple[toy, ...]}  # type: ignore[valid-type]
        for each in (base, toy, answer):
            each.__doc__ = "Toy."
        monkeypatch.setattr(types, "ENDPOINTS", (Endpoint(route="GET /api/toy", answer=answer),))
        found = base(**dict.fromkeys(("lost", *more), 0.5))
        message = answer(rows=(build_message(toy, found, label="what was lost"),))
        sent = {"lost": 0.5, **dict.fromkeys(more, 0.5), "label": "what was lost"}
        assert json.loads(encode_message(message)) == {"rows": [sent]}
        lines = ["  readonly lost: number;", *(f"  readonly {each}: number;" for each in more)]
        wanted = "\n".join([*lines, "  readonly label: string;", "}"])
        assert f"export interface ToyRow {{\n{wanted}" in types.make_module()


@pytest.mark.parametrize("kind", [*message_builder._WORKED_OUT, *message_builder._LEFT_OUT])
def test_what_is_named_of_a_result_is_there(kind: type) -> None:
    named = (*message_builder._WORKED_OUT.get(kind, ()), *message_builder._LEFT_OUT.get(kind, ()))
    assert all(hasattr(kind, name) for name in named)
    assert set(message_builder._WORKED_OUT.get(kind, ())) <= set(
        message_builder.list_sent_names(kind)
    )
    assert not set(message_builder._LEFT_OUT.get(kind, ())) & set(
        message_builder.list_sent_names(kind)
    )


def test_what_has_no_type_is_refused() -> None:
    """As an array of records has none."""
    with pytest.raises(TypeError, match="No message can hold"):
        types._type_name(np.ndarray[tuple[int], np.dtype[np.float64]])


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
