"""Names that can be found: no public class has the name of another."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import microsafe

SOURCE = Path(microsafe.__file__).parent


def test_no_public_class_name_twice() -> None:
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    twice = {
        name: [str(path.relative_to(SOURCE)) for path in found]
        for name, found in places.items()
        if len(found) > 1
    }
    assert not twice
