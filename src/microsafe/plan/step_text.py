"""Parse and write steps as on the command line: "recode variable=age breaks=0,15,30"."""

from __future__ import annotations

import shlex
import tomllib
from contextlib import suppress
from typing import Any

from microsafe.errors import UsageError
from microsafe.plan.model import table_text
from microsafe.plan.values import read_step
from microsafe.steps.base import Step


def write_step(step: Step) -> str:
    """Return a step as text that `read_step` reads, in plain words where that is enough."""
    lines = table_text("", step).splitlines()[1:]
    words = [line.replace(" = ", "=", 1) for line in lines]
    for place, (name, value) in enumerate(tomllib.loads("\n".join(lines)).items()):
        plain = [*words[:place], f"{name}={_spell(value)}", *words[place + 1 :]]
        with suppress(UsageError):
            words = plain if read_step(_join(step.do, plain), "the step") == step else words
    return _join(step.do, words)


def _join(do: str, words: list[str]) -> str:
    return " ".join([do, *map(shlex.quote, words)])


def _spell(value: Any) -> str:
    """A value without quotation marks, and a list of plain values without brackets."""
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return ",".join(map(_spell, value))
    if isinstance(value, list):
        return f"[{','.join(map(_nest, value))}]"
    if isinstance(value, dict):
        return _nest(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _nest(value: Any) -> str:
    if isinstance(value, list):
        return f"[{','.join(map(_nest, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{name}={_nest(item)}' for name, item in value.items())}}}"
    return _spell(value)
