"""Who writes a value of the wrong kind gets an example that is of the right one."""

from __future__ import annotations

from dataclasses import fields
from tomllib import loads
from typing import get_type_hints

import pytest

from microsafe.errors import UsageError
from microsafe.options.parameter import parameters
from microsafe.plan.values import _fits, build_value, read_step
from microsafe.steps import STEPS

EXAMPLES = [
    (kind, part.name)
    for kind in STEPS.values()
    for part in fields(kind)
    if parameters(kind)[part.name].example
]


@pytest.mark.parametrize(("kind", "word"), EXAMPLES, ids=lambda part: getattr(part, "do", part))
def test_the_example_is_taken_and_shown(kind: type, word: str) -> None:
    example = parameters(kind)[word].example
    value = loads(f"value = {example}")["value"]
    assert _fits(value, get_type_hints(kind, include_extras=True)[word])
    with pytest.raises(UsageError) as refused:
        build_value(kind, {word: True}, "plan.toml [[step]] 1")
    assert str(refused.value).endswith(f"Write {word} as {word}={example}.")


def test_on_the_command_line_too() -> None:
    with pytest.raises(
        UsageError, match=r"Write groups as groups=\{north=\[1,2\], south=\[3,4\]\}"
    ):
        read_step("recode variable=region groups=north", "--step 1")
