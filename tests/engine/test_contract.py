"""Whoever has an engine knows its contract and nothing else of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import microsafe
from microsafe.engine import Engine
from microsafe.engine.local import LocalEngine

ROOT = Path(microsafe.__file__).parent
OUTSIDE = [
    path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] != "engine"
]
ASKING = {"isinstance", "issubclass", "cast", "getattr", "hasattr", "type"}
ENGINES = {"engine", "Engine", "Local", "Spark"}


def questions(tree: ast.AST) -> Iterator[str]:
    """Places where it is asked which engine something is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module.startswith(("microsafe.engine.local", "microsafe.engine.spark")):
                yield f"line {node.lineno}: import of {node.module}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            inside = [each for argument in node.args for each in ast.walk(argument)]
            named = {each.id for each in inside if isinstance(each, ast.Name)}
            named |= {each.attr for each in inside if isinstance(each, ast.Attribute)}
            if name in ASKING and named & ENGINES:
                yield f"line {node.lineno}: {name}"


def test_nobody_asks_which_engine_it_is() -> None:
    assert [
        f"{path.relative_to(ROOT)}, {question}"
        for path in OUTSIDE
        for question in questions(ast.parse(path.read_text("utf-8")))
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        "from microsafe.engine.local import Local",
        "isinstance(study.engine, Local)",
        "cast(Local, engine).memory",
        "getattr(release.study.engine, 'profile', None)",
        "typing.cast('Any', self.engine)",
    ],
)
def test_questions_are_found(code: str) -> None:
    assert len(list(questions(ast.parse(code)))) == 1


def members(kind: type) -> set[str]:
    own = (*dir(kind), *kind.__annotations__)
    return {name for name in own if not name.startswith("_")}


def test_the_embedded_engine_has_every_member() -> None:
    assert members(Engine) <= members(LocalEngine)


def test_spark_has_every_member(spark: object) -> None:
    from microsafe.engine.spark import SparkEngine

    assert members(Engine) <= members(SparkEngine)
