"""Spark on the cores of this machine: cost per record and per cell, bytes shuffled.

    uv run --extra spark python benchmarks/run.py spark

Each figure comes from a process of its own: CPU seconds of Python and Java together, less those of
starting a session; peak memory of both; shuffles and their bytes from Spark's event log.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TASKS = ("bare group-by", "risk", "risk of records written", "suppress, own")


def measured(path: Path, keys: int, task: str) -> dict[str, Any]:
    """Run a task in a process of its own and return what it cost."""
    arguments = [sys.executable, __file__, str(path), str(keys), task]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def session(folder: str) -> Any:
    """Start Spark on two cores, with a log of what its tasks did."""
    from pyspark.sql import SparkSession

    from microsafe.engine.spark.java import provide_java

    provide_java()
    settings = {
        "spark.driver.memory": "6g",
        "spark.driver.maxResultSize": "0",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": folder,
        "spark.eventLog.enabled": "true",
        "spark.sql.caseSensitive": "true",
        "spark.sql.shuffle.partitions": "8",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def work(path: str, keys: list[str], task: str, out: str) -> int:
    """Do a task; return the number of cells."""
    import microsafe as ms

    if task == "bare group-by":
        return bare(path, keys)
    study = ms.study(path, keys=keys, weight="w", engine="spark")
    risk = study.risk()
    if task == "risk of records written":
        risk.records().select("f", "F", "risk").write.parquet(out)
    if task == "suppress, own":
        study.suppress(above=0.01).write(f"{out}/")
    return risk.n_cells


def bare(path: str, keys: list[str]) -> int:
    """The least that Spark must do: group by keys, and bring the groups here."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as sf

    frame = SparkSession.getActiveSession().read.parquet(path).select(*keys, "w")
    cells = frame.groupBy(*keys).agg(sf.count("*").alias("n"), sf.sum("w").alias("N"))
    return len(cells.toArrow())


def cpu_of(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_of(pid: int) -> float:
    """Peak memory of a process in GB."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmHWM:")[2].split()[0]) / 1e6


def shuffles(folder: str) -> tuple[int, int]:
    """Stages that wrote a shuffle, and the bytes that they wrote."""
    stages: dict[int, int] = {}
    for log in (each for each in Path(folder).rglob("events_*") if each.is_file()):
        for line in filter(None, log.read_text().split("\n")):
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                written = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                if written:
                    stage = event["Stage ID"]
                    stages[stage] = stages.get(stage, 0) + written
    return len(stages), sum(stages.values())


def main() -> None:
    path, keys, task = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="microsafe-benchmark-") as folder:
        log = Path(folder, "log")
        log.mkdir()
        spark = session(str(log))
        java = spark.sparkContext._gateway.proc.pid
        spark.range(1000).groupBy("id").count().collect()  # start what starts lazily
        before, wall = time.process_time() + cpu_of(java), time.time()
        cells = work(path, [f"k{place}" for place in range(keys)], task, f"{folder}/out.parquet")
        cost = {
            "cells": cells,
            "cpu": time.process_time() + cpu_of(java) - before,
            "start": before,
            "wall": time.time() - wall,
            "java": peak_of(java),
            "python": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        }
        spark.stop()
        cost["shuffles"], cost["bytes"] = shuffles(str(log))
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
