"""A limit on memory holds at the peak, where a variable has more texts than there is room for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microsafe.cli.main import main

ROWS, TEXTS = 2_600_000, 1_000_000
_RUN = """
import re, sys
from microsafe.cli.main import main
code = main(sys.argv[1:])
status = open("/proc/self/status").read()
print(code, re.search(r"VmHWM:\\s+(\\d+)", status)[1])
"""


@pytest.fixture(scope="module")
def remarks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(1)
    said = pl.Series(rng.integers(0, TEXTS, ROWS)).cast(pl.String)
    path = tmp_path_factory.mktemp("peak") / "remarks.csv"
    pl.DataFrame(
        {"sex": rng.integers(1, 3, ROWS), "remark": "said " + said + ", and more"}
    ).write_csv(path)
    return path


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells the peak")
@pytest.mark.parametrize("command", ["preview", pytest.param("check", marks=pytest.mark.nightly)])
def test_the_limit_holds_at_the_peak(command: str, remarks: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, command, str(remarks), "--memory", "500MB"],
        capture_output=True,
        text=True,
        check=True,
    )
    code, peak = map(int, ran.stdout.split()[-2:])
    assert code in (0, 3)  # as they are shown by the first records, or too many
    assert 1024 * peak < 500e6


def test_what_is_let_go_lies_in_one_heap_under_a_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("sex,age\n1,2\n2,3\n")
    monkeypatch.setenv("_RJEM_MALLOC_CONF", "kept")
    monkeypatch.delenv("_RJEM_MALLOC_CONF")
    assert main(["preview", str(file)]) == 0
    assert "_RJEM_MALLOC_CONF" not in os.environ
    assert main(["preview", str(file), "--memory", "1GB"]) == 0
    assert os.environ["_RJEM_MALLOC_CONF"].startswith("narenas:1,")
