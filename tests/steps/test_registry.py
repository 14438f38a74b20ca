"""The registry of steps is the only place where kinds are told apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import microsafe
from microsafe.options.parameter import form_fields, parameters, secrets
from microsafe.steps import STEPS
from microsafe.steps.base import Step
from microsafe.steps.glossary import TARGET, with_section
from microsafe.studies.protect import ProtectVerbs

PACKAGE = Path(microsafe.__file__).parent
every = pytest.mark.parametrize("kind", STEPS.values(), ids=STEPS.keys())


def kinds_told_apart(tree: ast.AST) -> Iterator[str]:
    """The kinds that a module tells apart by isinstance or match."""
    names = {kind.__name__ for kind in STEPS.values()}
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            parts = [node.args[1]]
        elif isinstance(node, ast.MatchClass):
            parts = [node.cls]
        for part in parts:
            yield from (each.id for each in ast.walk(part) if getattr(each, "id", "") in names)


def test_no_other_room_tells_kinds_apart() -> None:
    found = {
        str(path.relative_to(PACKAGE)): kinds
        for path in PACKAGE.rglob("*.py")
        if (kinds := list(kinds_told_apart(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {}


@every
def test_every_part_has_words(kind: type[Step]) -> None:
    assert STEPS[kind.do] is kind
    assert kind.public.endswith(".")
    assert kind.public.startswith(kind.public[0].upper())
    assert set(parameters(kind)) == {each.name for each in fields(kind)}  # type: ignore[arg-type]
    labels = [each.parameter.label for each in form_fields(kind)]
    assert len(set(labels)) == len(labels)
    assert "seed" not in parameters(kind) or "seed" in secrets(kind)


@every
def test_every_kind_has_a_verb(kind: type[Step]) -> None:
    assert kind.do in vars(ProtectVerbs)


def test_the_glossary_is_that_of_the_kinds() -> None:
    page = TARGET.read_text("utf-8")
    assert page == with_section(page), "Run 'python -m microsafe.steps.glossary'."
