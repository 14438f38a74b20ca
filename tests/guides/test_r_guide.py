"""The guide for R: what it shows runs, where R and its packages are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import pages

RSCRIPT = shutil.which("Rscript")
BLOCKS = [
    block.text for block in pages.blocks(pages.ROOT / "docs/guides/r.md") if block.language == "r"
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(RSCRIPT is None, reason="R is not installed"),
]


@pytest.mark.parametrize("package", ["jsonlite", "reticulate"])
def test_its_code_runs(package: str, tmp_path: Path) -> None:
    assert RSCRIPT is not None
    if subprocess.run([RSCRIPT, "-e", f"library({package})"], capture_output=True).returncode:
        pytest.skip(f"The package {package} of R is not installed")
    upto = 1 + next(place for place, code in enumerate(BLOCKS) if f"library({package})" in code)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [RSCRIPT, "-e", "\n".join(BLOCKS[:upto])],
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "safe.rds").is_file()
    printed = [
        float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("[1]")
    ]
    assert printed[0] > 0
    assert printed == [pytest.approx(printed[0])] * upto  # the same from both sides
