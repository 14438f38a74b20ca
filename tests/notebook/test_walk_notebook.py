"""The walk-through of an R user in a notebook: pandas in, pandas out, cell after cell.

Cells run as a notebook runs them: in one namespace, and the last expression of each shows itself.
"""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import microsafe as ms
from microsafe.cli import main

pytestmark = pytest.mark.slow

CELLS = {
    "read": """
        import pandas as pd
        import microsafe as ms
        people = pd.read_csv("lfs.csv", dtype={"region": "category"}).set_index("person")
        people.shape
    """,
    "what is there": "ms.study(people).describe()",
    "keys": """
        keys = [each.name for each in ms.study(people).describe().proposed]
        keys
    """,
    "study": """
        study = ms.study(people, keys=["region", "sex", "age", "marital"],
                         weight="weight", household="household", estimator="model",
                         why="What a colleague knows")
        study
    """,
    "risk": "study.risk(limit=0.05)",
    "which key": "study.risk().contributions()",
    "limit": "study.limit(rate=0.005)",
    "combinations": "study.combinations(k=3)",
    "what would help": "study.suggest(most=4)",
    "cheapest": 'study.propose(policy=ms.Policy(record_risk=0.05))',
    "try": 'study.preview(study.recode("age", [0, 15, 30, 45, 60, 75]))',
    "protect": """
        safe = (
            study.recode("age", [0, 15, 30, 45, 60, 75])
            .renumber("household", seed=3)
            .round("income", 100)
            .suppress(0.05)
        )
        safe
    """,
    "too much": "safe.undo().suppress(0.001).compare().lost",
    "cost": "safe.compare(0)",
    "frame": """
        protected = safe.frame
        protected
    """,
    "decide": "safe.inventory()",
    "plan": 'safe.plan(policy=ms.Policy(record_risk=0.05))',
    "report": """
        keep = dict.fromkeys(safe.inventory().undecided, "Nobody outside knows it")
        safe.report("board.html", policy=ms.Policy(record_risk=0.05), keep=keep)
    """,
    "release": """
        done = safe.release("out", file="lfs-safe.csv", input="vault/lfs.parquet",
                            policy=ms.Policy(record_risk=0.05), keep=keep)
        done
    """,
    "read the release": 'pd.read_csv("out/lfs-safe.csv", dtype=str)',
}  # fmt: skip


class Words(HTMLParser):
    """What a page says."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def run_cell(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell and return its last expression, as a notebook does."""
    tree = ast.parse("\n".join(_dedent(cell)))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)  # noqa: S102
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307


def _dedent(cell: str) -> list[str]:
    return [line.removeprefix(" " * 8) for line in cell.strip().splitlines()]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What every cell showed, with the folder and the names of the notebook."""
    folder = tmp_path_factory.mktemp("notebook")
    frame = ms.survey(3, households=700).frame.with_row_index("person", 1001)
    frame.write_csv(folder / "lfs.csv")
    (folder / "vault").mkdir()
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        found = {title: run_cell(cell, names) for title, cell in CELLS.items()}
    return found | {"folder": folder, "names": names}


def say(result: Any) -> str:
    return " ".join(Words(result._repr_html_()).text.split())


@pytest.mark.parametrize("title", CELLS)
def test_every_cell_shows_something_to_read(shown: dict[str, Any], title: str) -> None:
    found = shown[title]
    assert found is not None
    if type(found).__module__.startswith("microsafe"):
        page = found._repr_html_()
        assert title == "plan" or ("<svg" in page and "<table" in page)
        assert "object at 0x" not in page


def test_the_pages_tell_the_way(shown: dict[str, Any]) -> None:
    assert shown["keys"][:3] == ["region", "sex", "age"]
    assert len(shown["keys"]) <= 8
    assert "Proposed keys: region, sex, age" in say(shown["what is there"])
    assert "largest risk" in say(shown["risk"])
    assert shown["which key"][0].key in ("age", "region")
    assert "step 4 suppress: risk above 0.05" in say(shown["protect"])
    assert re.search(r"household number .* undecided|renumber", say(shown["decide"]))
    assert 'file = "frame.parquet"' in say(shown["plan"])
    assert "Ready to be released" in say(shown["report"])
    assert "Released: lfs-safe.csv" in say(shown["release"])


def test_pandas_in_pandas_out(shown: dict[str, Any]) -> None:
    people, safe = shown["names"]["people"], shown["frame"]
    assert isinstance(safe, pd.DataFrame)
    assert safe.index.equals(people.index)
    assert list(safe.columns) == list(people.columns)
    assert set(safe["age"].dropna()) == {"0-14", "15-29", "30-44", "45-59", "60-74", "75+"}
    assert safe["weight"].equals(people["weight"])
    assert 0 < safe[["region", "sex", "age", "marital"]].isna().sum().sum() < len(safe)
    assert not (safe["household"] == people["household"]).all()
    assert 0 < shown["cost"].lost < shown["too much"]
    assert people["age"].max() > 90  # what came in did not change


def test_the_release_is_what_the_frame_was(shown: dict[str, Any]) -> None:
    folder, safe = shown["folder"], shown["frame"]
    released = shown["read the release"]
    assert len(released) == len(safe)
    for key in ("region", "sex", "age", "marital"):
        before = safe[key].astype("string").value_counts(dropna=False).to_dict()
        after = released[key].astype("string").value_counts(dropna=False).to_dict()
        assert {str(k): n for k, n in before.items()} == {str(k): n for k, n in after.items()}
    names = {each.name for each in (folder / "out").iterdir()}
    assert {"lfs-safe.csv", "lfs-safe.toml", "lfs-safe.lock", "report.html"} <= names
    assert "frame.parquet" not in names


def test_the_release_can_be_replayed(shown: dict[str, Any]) -> None:
    folder: Path = shown["folder"]
    assert main(["replay", str(folder / "out" / "lfs-safe.toml"), "--check"]) == 0
