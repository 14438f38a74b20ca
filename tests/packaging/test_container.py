"""The container file: what it runs is run here, in an empty folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = (ROOT / "Containerfile").read_text("utf-8")


def test_it_copies_what_is_installed() -> None:
    assert re.findall(r"^COPY (\S+) (\S+)$", FILE, re.MULTILINE) == [(".", "/source")]
    assert 'ENTRYPOINT ["microsafe"]' in FILE


@pytest.mark.slow
def test_its_commands_run_in_an_empty_folder(tmp_path: Path) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    home = tmp_path / "python"
    subprocess.run([uv, "venv", "--quiet", "--seed", "--python", sys.executable, home], check=True)
    empty = tmp_path / "empty"
    empty.mkdir()
    paths = f"{home / 'bin'}:/usr/bin:/bin:{Path(shutil.which('node') or '/usr/bin/node').parent}"
    commands = re.findall(r"^RUN (.*)$", FILE, re.MULTILINE)
    assert len(commands) > 1
    for command in [*commands, "microsafe demo"]:
        here = command.replace("/source", str(ROOT))
        done = subprocess.run(
            ["/bin/sh", "-c", here],
            cwd=empty,
            env={"PATH": paths, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (empty / "microsafe-demo" / "safe.sav").is_file()
