"""Killed at random moments, a release leaves the old files or the new ones, never half."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main

PLAN = """
microsafe = 2
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
[policy]
override = {{ estimator = "k is what is asked for" }}
[[step]]
do = "suppress"
k = {k}
[[keep]]
variables = ["household", "hsize", "marital", "education", "occupation", "citizenship", "income"]
why = "nobody knows them"
[output]
file = "safe.csv"
keep_order = "to compare records"
"""

# Imports all that a release needs once, then forks a child for every kill. The child runs the two
# plans in turn, so that kills fall into reading, writing, reading back and locking alike.
LAUNCHER = """
import os, random, signal, sys, time
import microsafe.cli.release, microsafe.engine.local, microsafe.io.load, microsafe.io.save
from microsafe.cli import main
names = ["a.toml", "b.toml"]
moments = random.Random(1)

def child(order, rounds):
    pid = os.fork()
    if pid == 0:
        for _ in range(rounds):
            for name in order:
                main(["protect", name])
        os._exit(0)
    return pid

began = time.monotonic()
os.waitpid(child(names, 1), 0)
span = time.monotonic() - began  # what both plans take here and now
for number in range(100):
    pid = child(names if number % 2 else names[::-1], 100)
    time.sleep(moments.uniform(0.02, span))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    sys.stderr.write("killed\\n")
    sys.stderr.flush()
    sys.stdin.readline()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_a_hundred_kills(tmp_path: Path) -> None:
    ms.survey(1, households=120).frame.write_csv(tmp_path / "survey.csv")
    whole: dict[str, set[str]] = {"safe.csv": set(), "a.lock": set(), "b.lock": set()}
    for k, name in ((2, "a"), (5, "b")):
        (tmp_path / f"{name}.toml").write_text(PLAN.format(k=k))
        assert main(["protect", str(tmp_path / f"{name}.toml")]) == 0
        for file in ("safe.csv", f"{name}.lock"):
            whole[file].add(hashlib.sha256((tmp_path / file).read_bytes()).hexdigest())
    states = set()
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as launcher:
        assert launcher.stdin is not None
        assert launcher.stderr is not None
        for _ in range(100):
            while "killed" not in launcher.stderr.readline():
                pass
            for file, checksums in whole.items():
                found = hashlib.sha256((tmp_path / file).read_bytes()).hexdigest()
                assert found in checksums, file
            states.add(hashlib.sha256((tmp_path / "safe.csv").read_bytes()).hexdigest())
            launcher.stdin.write("next\n")
            launcher.stdin.flush()
    assert len(states) == 2  # both plans got as far as writing
