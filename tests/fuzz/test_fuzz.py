"""Some damaged files of every format: none crashes, hangs, grows or quotes a record.

More of them: python tests/fuzz/run.py, which .ci/nightly runs.
"""

from __future__ import annotations

import os
import sys
import time

import pytest

from fuzz.run import FORMATS, try_format
from fuzz.seeds import SEEDS
from microsafe.io.formats import readable_extensions

MUTATIONS, SECONDS = 60, 60

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="what a process used is read from /proc"
)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", FORMATS)
def test_damaged_files_do_no_harm(suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("MICROSAFE_FUZZ_SEED", "1"))
    tally = try_format(suffix, MUTATIONS, seed, until=time.monotonic() + SECONDS)
    with capsys.disabled():
        print(f"\n{tally}")
    assert not tally.faults
    assert tally.counts["refused"]
    assert tally.counts["read"]


def test_every_reader_is_tried() -> None:
    same = {
        ".txt": ".csv",
        ".pq": ".parquet",
        ".xlsm": ".xlsx",
        ".dat": ".asc",
        ".prn": ".asc",
        ".rda": ".rdata",
        ".feather": ".arrow",
        ".ipc": ".arrow",
    }
    tried = {same.get(each, each) for each in readable_extensions()}
    packed = {f"{each}{by}" for each in (".csv", ".tsv", ".txt") for by in (".gz", ".zip")}
    assert tried - packed == set(SEEDS)  # .gz and .zip are the same
