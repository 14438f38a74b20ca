"""What a large file costs in the app: `uv run python benchmarks/app_large.py`.

A Parquet file of so many records is opened in the app, which runs as it always does. Then the
risk is measured, the limit is moved and a recode is previewed. Told are, for each question, the
seconds that it took and the seconds of work, and at the end the most memory that the app had.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import polars as pl

MEMBERS = 2.5  # of a household, on average
KEYS = {"region": 40, "sex": 2, "age": 95, "marital": 5, "education": 9, "occupation": 11}
PATIENCE = 3600  # seconds


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


class LargeApp:
    """The app as a process, and what it used so far."""

    def __init__(self, folder: Path, state: Path) -> None:
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

    def ask(self, route: str, body: object = None) -> Any:
        """Ask a question; print what it took."""
        method, _, path = route.partition(" ")
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        connection = HTTPConnection(self.host, timeout=PATIENCE)
        began, worked = time.monotonic(), self.cpu_seconds
        content = None if method == "GET" else json.dumps(body or {})
        connection.request(method, path, content, headers)
        answer = connection.getresponse()
        found = json.loads(answer.read())
        connection.close()
        if answer.status != 200:
            raise SystemExit(f"{route}: {found['error']}")
        took, work = time.monotonic() - began, self.cpu_seconds - worked
        print(f"{route:<24}{took:>12.1f} s{work:>12.1f} s of work", flush=True)
        return found

    @property
    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def most_memory(self) -> float:
        """The most memory so far, in GB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        told = next(line for line in lines if line.startswith("VmHWM"))
        return int(told.split()[1]) * 1024 / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=float, default=10e6)
    records = int(parser.parse_args().records)
    with tempfile.TemporaryDirectory() as place:
        folder, state = Path(place) / "data", Path(place) / "state"
        folder.mkdir()
        state.mkdir()
        make_file(folder / "large.parquet", records)
        app = LargeApp(folder, state)
        try:
            app.ask("POST /api/open", {"folder": 0, "path": "large.parquet"})
            scenario = {"keys": list(KEYS), "weight": "weight", "household": "household"}
            app.ask("PUT /api/scenario", scenario)
            risk = app.ask("GET /api/risk")
            app.ask("POST /api/limit", {"risk": 0.02})
            app.ask("POST /api/limit", {"unsafe": records // 1000})
            app.ask(
                "POST /api/preview", {"do": "recode", "variable": "age", "breaks": [20, 40, 65]}
            )
            print(f"{risk['records']:,} records, {risk['cells']:,} combinations")
            print(f"{app.cpu_seconds:.0f} s of work, {app.most_memory:.1f} GB of memory at most")
        finally:
            app.process.terminate()
            app.process.wait(30)


if __name__ == "__main__":
    main()
