"""Names that can be found and guessed, and modules that can be read at one sitting."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import microsafe

SOURCE = Path(microsafe.__file__).parent
PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|told|said|made|found|held|kept|known|taken|drawn|given|shown|written|built|chosen|"
    r"put_together|left|laid|brought|meant|done|gone|seen|sent|lost|got)"
)
# Words that end like participles and are none.
NOT_PARTICIPLES = {"need", "seed", "feed", "speed", "embed"}

MOST_LINES = 500


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


def test_no_function_is_a_bare_participle() -> None:
    bad = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                or node.name in NOT_PARTICIPLES
            ):
                continue
            marks = {ast.unparse(each) for each in node.decorator_list}
            if PARTICIPLE.fullmatch(node.name) and not marks & {"property", "cached_property"}:
                bad.append(f"{path.relative_to(SOURCE)}: {node.name}")
    assert not bad


def test_no_module_outgrows_its_reader() -> None:
    lines = {path: path.read_text("utf-8").count("\n") for path in SOURCE.rglob("*.py")}
    assert {str(path): count for path, count in lines.items() if count > MOST_LINES} == {}
