"""What a large file costs in the app: `uv run python benchmarks/app_large.py [--records N]`.

A Parquet file of so many records is opened in the app, which runs as it always does. Then the risk
is measured, the limit is moved, a recode is previewed and applied, the states are compared, and
the file is released with both reports. Told are, for each stage, the seconds that it took, the
seconds of work, those as a ratio to a bare group-by of the same file by the same keys, the most
memory that the app had meanwhile, and the longest time without a word of how far it is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import polars as pl

from measure import process, table

MEMBERS = 2.5  # of a household, on average
KEYS = {"region": 40, "sex": 2, "age": 95, "marital": 5, "education": 9, "occupation": 11}
SCENARIO = {"keys": list(KEYS), "weight": "weight", "household": "household"}
RECODE = {"do": "recode", "variable": "age", "breaks": [20, 40, 65]}
PATIENCE = 3600  # seconds
GROUP_BY = """
import sys, polars as pl
cells = pl.scan_parquet(sys.argv[1]).group_by(sys.argv[2:]).agg(pl.len(), pl.col("weight").sum())
print(cells.collect(engine="streaming").height)
"""


def make_file(path: Path, records: int) -> None:
    """Write a made-up survey: keys that are uneven, households, weights, an income."""
    draw = np.random.default_rng(20_240_229)
    columns: dict[str, np.ndarray[Any, Any]] = {
        "household": np.sort(draw.integers(0, int(records / MEMBERS), records)).astype(np.int32)
    }
    for name, categories in KEYS.items():
        shares = 1 / np.arange(2, categories + 2)
        shares /= shares.sum()
        columns[name] = draw.choice(categories, records, p=shares).astype(np.int16)
    columns["income"] = np.round(draw.lognormal(7, 0.8, records), 2)
    columns["weight"] = np.round(1 + draw.gamma(2, 20, records), 3)
    pl.DataFrame(columns).write_parquet(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a stage took."""

    name: str
    wall: float
    work: float
    peak: float
    silence: float


class LargeApp:
    """The app as a process, and what each stage took."""

    def __init__(self, folder: Path, state: Path) -> None:
        self.stages: list[Stage] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "microsafe", "app", "--no-browser"],
            cwd=folder,
            env={**os.environ, "XDG_STATE_HOME": str(state)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        parts = urlsplit(self.process.stdout.readline().strip())
        self.host, self.key = parts.netloc, parts.fragment

    def do(self, stage: str, *questions: tuple[str, object]) -> Any:
        """Ask some questions as one stage; return the last answer."""
        self._proc("clear_refs").write_text("5")  # the most memory begins anew
        began, worked, silence, answer = time.monotonic(), self.cpu_seconds, 0.0, None
        for route, body in questions:
            told = time.monotonic()
            for news in self._stream(route, body):
                silence = max(silence, time.monotonic() - told)
                told, answer = time.monotonic(), news
        self.stages.append(
            Stage(
                name=stage,
                wall=time.monotonic() - began,
                work=self.cpu_seconds - worked,
                peak=self._most_memory,
                silence=silence,
            )
        )
        return answer

    def _stream(self, route: str, body: object) -> Iterator[Any]:
        """Ask a question; go through what is told meanwhile, the answer last."""
        method, _, path = route.partition(" ")
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
        }
        connection = HTTPConnection(self.host, timeout=PATIENCE)
        connection.request(method, path, None if method == "GET" else json.dumps(body), headers)
        found = connection.getresponse()
        if found.getheader("Content-Type") != "text/event-stream":  # answered at once
            answer = json.loads(found.read())
            if found.status != 200:
                raise SystemExit(f"{route}: {answer['error']}")
            yield answer
        event = ""
        for line in found:
            word, _, rest = line.decode().strip().partition(": ")
            event = rest if word == "event" else event
            if word == "data" and event == "failed":
                raise SystemExit(f"{route}: {rest}")
            if word == "data":
                yield json.loads(rest)
        connection.close()

    def _proc(self, name: str) -> Path:
        return Path(f"/proc/{self.process.pid}/{name}")

    @property
    def cpu_seconds(self) -> float:
        fields = self._proc("stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def _most_memory(self) -> float:
        lines = self._proc("status").read_text().splitlines()
        told = next(line for line in lines if line.startswith("VmHWM"))
        return int(told.split()[1]) * 1024 / 1e9


def run_stages(app: LargeApp, records: int) -> Sequence[Stage]:
    """Do the whole job."""
    app.do("open", ("POST /api/open", {"folder": 0, "path": "large.parquet"}))
    app.do("measure", ("PUT /api/scenario", SCENARIO), ("GET /api/risk", None))
    app.do("move the limit", ("POST /api/limit", {"risk": 0.02}))
    app.do("move it to a number", ("POST /api/limit", {"unsafe": records // 1000}))
    app.do("preview", ("POST /api/preview", RECODE))
    app.do("apply", ("POST /api/steps", RECODE))
    app.do("compare", ("GET /api/compare", None))
    found = app.do("inventory", ("POST /api/confirm", {}), ("GET /api/inventory", None))
    keep = {"variables": found["open"], "why": "to be released"}
    done = app.do(
        "release",
        ("PUT /api/keep", keep),
        ("POST /api/release", {"folder": 0, "path": "out", "file": "safe.parquet"}),
    )
    if not done["allowed"]:
        raise SystemExit(f"not released: {done['verdicts']}")
    return app.stages


def measure_app(folder: Path, scale: float) -> None:
    """Print what each stage costs."""
    records = int(10_000_000 * scale)
    data, state = folder / "data", folder / "state"
    data.mkdir()
    state.mkdir()
    make_file(data / "large.parquet", records)
    bare = process("-c", GROUP_BY, data / "large.parquet", *KEYS, times=3)
    app = LargeApp(data, state)
    try:
        stages = run_stages(app, records)
    finally:
        app.process.terminate()
        app.process.wait(30)
    aims = dict.fromkeys(("move the limit", "move it to a number"), "0.1 s")
    table(
        f"The app, {records:,} records; a bare group-by takes {bare.cpu:.1f} CPU s",
        ("stage", "seconds", "aim", "CPU s", "ratio", "peak GB", "longest silence"),
        [
            (
                each.name,
                f"{each.wall:.2f}",
                aims.get(each.name, ""),
                f"{each.work:.2f}",
                f"{each.work / bare.cpu:.2f}",
                f"{each.peak:.2f}",
                f"{each.silence:.2f}",
            )
            for each in stages
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=float, default=10e6)
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_app(Path(folder), chosen.records / (1e8 if chosen.quick else 1e7))


if __name__ == "__main__":
    main()
