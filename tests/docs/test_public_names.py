"""Every public name is typed, explained, and used by an example that runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pages
import pytest

import microsafe as ms

# Pages of Spark run only where it is installed
EXAMPLES = "\n".join(
    block.text
    for page in pages.PAGES
    if page.name != "spark.md"
    for block in pages.blocks(page)
    if block.language == "python"
)
VERBS = [name for name in dir(ms.Study) if not name.startswith("_")]


def is_typed(call: Callable[..., Any]) -> bool:
    signature = inspect.signature(call)
    named = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    kinds = [each.annotation for each in named] + [signature.return_annotation]
    return inspect.Signature.empty not in kinds


@pytest.mark.parametrize("name", ms.__all__)
def test_a_public_name_is_typed_and_has_an_example(name: str) -> None:
    public = getattr(ms, name)
    assert public.__module__.startswith("microsafe")
    assert re.match(r"\S.*[.:]", public.__doc__ or ""), f"{name} is not explained"
    assert re.search(rf"\bms\.{name}\b", EXAMPLES), f"no example uses ms.{name}"
    if inspect.isfunction(public):
        assert is_typed(public)


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_of_a_study_is_typed_and_has_an_example(name: str) -> None:
    member = inspect.getattr_static(ms.Study, name)
    assert re.search(rf"\.{name}\b", EXAMPLES), f"no example uses Study.{name}"
    call = member.fget if isinstance(member, property) else member
    if callable(call):
        assert re.match(r"\S.*[.:]", call.__doc__ or ""), f"Study.{name} is not explained"
        assert is_typed(call)
    else:  # a field
        assert re.search(rf"^ +{name}: ", ms.Study.__doc__ or "", re.MULTILINE)


@pytest.mark.parametrize(
    "name", [each for each in ms.__all__ if inspect.isclass(getattr(ms, each))]
)
def test_methods_of_results_are_typed_and_explained(name: str) -> None:
    for base in getattr(ms, name).__mro__:
        if not base.__module__.startswith("microsafe"):
            continue
        for member, value in vars(base).items():
            call = value.fget if isinstance(value, property) else value
            if not member.startswith("_") and inspect.isfunction(call):
                assert call.__doc__, f"{name}.{member} is not explained"
                assert is_typed(call), f"{name}.{member} is not typed"
