"""The mutants of a source: which there are, and that each is one change that still compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.mutate import mutants

SOURCES = sorted((Path(__file__).parents[2] / "src" / "microsafe").rglob("*.py"))


def changes(source: str) -> list[str]:
    return [each.describe(source).partition("  ->  ")[2] for each in mutants(source)]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a is not b", ["x = a is b"]),
        ("x = a + b * c", ["x = a - b * c", "x = a + b / c"]),
        ("x = a and b", ["x = a or b"]),
        ("x = not a", ["x = a"]),
        ("x = 0.35", ["x = 0.7"]),
        ("x = 3", ["x = 4"]),
        ("x = True", ["x = False"]),
        ("x = np.minimum(a, b)", ["x = np.maximum(a, b)"]),
        ("x = b if a else c", ["x = b if False else c", "x = b if True else c"]),
        ("x = 'é' if a > 'ü' else c", ["x = 'é' if False else c", "x = 'é' if True else c",
                                       "x = 'é' if a >= 'ü' else c"]),
        ("def f(x: int | None = 1) -> None: g(x)",
         ["def f(x: int | None = 2) -> None: g(x)", "def f(x: int | None = 1) -> None: pass"]),
        ("def f():\n    x += 1", ["pass", "x -= 1", "x += 2"]),
        ("def f():\n    raise E(f'{1 + 1} wrong')", ["pass"]),
        ("def f(ax: Axes) -> None: ax.plot(1)", []),
        ("'Text of 3 < 4.'", []),
        ("import a", []),
        ("if TYPE_CHECKING: x = 1", []),
    ],
)  # fmt: skip
def test_changes(line: str, wanted: list[str]) -> None:
    assert changes(line + "\n") == wanted


@pytest.mark.slow
def test_all_changes_of_the_package_compile() -> None:
    for path in SOURCES[::12]:
        source = path.read_text(encoding="utf-8")
        for each in mutants(source):
            changed = each.apply(source)
            assert changed != source
            compile(changed, path.name, "exec")


def test_lines_of_a_change_are_those_of_its_statement() -> None:
    source = "def f(a):\n    if (\n        a > 1\n    ):\n        return g(\n            2,\n"
    source += "        )\n"
    found = {each.new: each.lines for each in mutants(source)}
    assert found[">="] == found["True"] == (2, 4)
    assert found["3"] == found["pass"] == (5, 7)
    assert not any(each.module_level for each in mutants(source))
    assert all(each.module_level for each in mutants("X = 1\nclass A:\n    b = 2 + 3\n"))
