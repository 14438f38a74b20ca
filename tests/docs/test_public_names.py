"""Every public name is typed, explained, and used by an example that runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pages

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


def faults_of(name: str, call: object) -> Iterator[str]:
    if not re.match(r"\S.*[.:]", call.__doc__ or ""):
        yield f"{name} is not explained"
    if inspect.isfunction(call) and not is_typed(call):
        yield f"{name} is not typed"


def faults_of_names() -> Iterator[str]:
    for name in ms.__all__:
        yield from faults_of(name, getattr(ms, name))
        if not getattr(ms, name).__module__.startswith("microsafe"):
            yield f"{name} is not ours"
        if not re.search(rf"\bms\.{name}\b", EXAMPLES):
            yield f"no example uses ms.{name}"


def faults_of_verbs() -> Iterator[str]:
    for name in VERBS:
        member = inspect.getattr_static(ms.Study, name)
        call = member.fget if isinstance(member, property) else getattr(ms.Study, name, member)
        if not re.search(rf"\.{name}\b", EXAMPLES):
            yield f"no example uses Study.{name}"
        if callable(call):
            yield from faults_of(f"Study.{name}", call)
        elif not re.search(rf"^ +{name}: ", ms.Study.__doc__ or "", re.MULTILINE):  # a field
            yield f"the field {name} is not explained"


def faults_of_methods() -> Iterator[str]:
    kinds = [kind for kind in (getattr(ms, name) for name in ms.__all__) if inspect.isclass(kind)]
    bases = {base for kind in kinds for base in kind.__mro__}
    for base in sorted(bases, key=lambda base: base.__qualname__):
        if not base.__module__.startswith("microsafe"):
            continue
        for member, value in vars(base).items():
            call = value.fget if isinstance(value, property) else value
            if not member.startswith("_") and inspect.isfunction(call):
                yield from faults_of(f"{base.__name__}.{member}", call)


def test_public_names_are_typed_and_have_examples() -> None:
    assert list(faults_of_names()) == []


def test_verbs_of_a_study_are_typed_and_have_examples() -> None:
    assert list(faults_of_verbs()) == []


def test_methods_of_results_are_typed_and_explained() -> None:
    assert list(faults_of_methods()) == []
