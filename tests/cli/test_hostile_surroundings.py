"""The command where docstrings and assertions are gone, and where nothing can be printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from microsafe.notices import make_notice


def run(folder: Path, *arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "microsafe", *arguments],
        cwd=folder, text=True, check=False, stderr=subprocess.PIPE, **more,
    )  # type: ignore[call-overload, no-any-return]  # fmt: skip


@pytest.mark.slow
def test_the_demo_runs_without_docstrings_and_assertions(tmp_path: Path) -> None:
    surroundings = {**os.environ, "PYTHONOPTIMIZE": "2"}
    done = run(tmp_path, "demo", env=surroundings, stdout=subprocess.DEVNULL)
    assert done.returncode == 0
    assert (tmp_path / "microsafe-demo" / "plan.lock").is_file()
    again = run(
        tmp_path, "replay", "microsafe-demo/plan.toml", "--check", "--json",
        env=surroundings, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert again.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_printed_names_the_file_that_was_written(tmp_path: Path) -> None:
    lines = ["region,sex", *(f"{place % 4},{place % 2}" for place in range(60))]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    with Path("/dev/full").open("w") as full:
        done = run(
            tmp_path, "suppress", "s.csv", "--keys", "region,sex", "--k", "3",
            "--estimator", "cell", "-o", "out.csv", stdout=full,
        )  # fmt: skip
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    assert "Already written: out.csv." in done.stderr
    assert (tmp_path / "out.csv").is_file()


def test_notices_are_cut_like_errors() -> None:
    shares = {f"variable {place}": 0.5 for place in range(5000)}
    text = make_notice("variable-tells", key="k" * 250, shares=shares).text
    assert len(text) < 2100
    assert text.startswith("Other variables that go out tell some of the original values of 'kkk")
    assert "…" in text
