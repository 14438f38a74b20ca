"""Plans with their inputs and locks: what they gave is what they give.

Whoever changes on purpose what a plan gives runs `microsafe protect` in its folder and keeps the
new lock, but not the files. After the first public release nobody does: then the code is wrong.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from microsafe.cli import main
from microsafe.io import digest

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["households", "package", "perturbed", "text", "two_scenarios"])
def test_a_plan_gives_the_files_and_figures_of_its_lock(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(GOLDEN / name, tmp_path / name))
    code = main(["replay", str(folder / "plan.toml"), "--json"])
    assert (json.loads(capsys.readouterr().out)["differs"], code) == ([], 0)
    files = json.loads((folder / "plan.lock").read_text("utf-8"))["files"]
    assert {each: digest(folder / each) for each in files} == files
