"""What Spark costs where there is next to nothing to do: `risk` of a file of 100 records.

    uv run --extra spark python benchmarks/session.py [--quick]

CPU seconds of Python and Java together, beside those of a bare session of Spark with its own
settings that counts the same file.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from measure import make, process, risk, run_parts, table

KEYS = 6
AIM = 1.5


def count(path: str) -> None:
    """Start a bare session, count the records of a file, and wait until Java has ended."""
    from pyspark.sql import SparkSession

    from microsafe.engine.spark.java import provide_java

    provide_java()
    spark = SparkSession.builder.master("local[*]").getOrCreate()
    print(spark.read.parquet(path).count())
    java = spark.sparkContext._gateway.proc
    spark.stop()
    java.stdin.close()
    java.wait()


def session(folder: Path, scale: float) -> None:
    """`risk` of 100 records in Spark, over a bare session that counts them."""
    if find_spec("pyspark") is None:
        print("\nSpark is not installed: uv run --extra spark python benchmarks/session.py")
        return
    times = 3 if scale >= 1 else 1
    path = make(folder / "session.parquet", rows=100, keys=KEYS)
    bare = process(__file__, "--count", path, times=times).cpu
    cost = risk(path, KEYS, "--engine", "spark", times=times).cpu
    table(
        "Spark, 100 records",
        ("what", "CPU s", "ratio to bare session", "aim"),
        [
            ("bare session, records counted", f"{bare:.1f}", "1.00", ""),
            ("risk", f"{cost:.1f}", f"{cost / bare:.2f}", f"{AIM}"),
        ],
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--count", path]:
            count(path)
        case _:
            run_parts({"session": session}, __doc__)
