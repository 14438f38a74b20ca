"""Shared blanks: against own ones of the same file, and as files grow.

uv run python benchmarks/sharing.py            two minutes
uv run python benchmarks/sharing.py --quick    a tenth of the rows of large files
"""

from __future__ import annotations

from pathlib import Path

from measure import exponents, key_names, make, process, run_parts, start_of, table

SCRIPT = """
import json, sys
import microsafe as ms
path, keys, asked, value, guarantee, told = sys.argv[1:]
study = ms.study(path, keys=keys.split(","), weight="w")
done = study.suppress(**{asked: json.loads(value)}, guarantee=guarantee).steps[-1]
open(told, "w").write(f"{done.total} {done.records + done.leaning}")
"""


def suppress(
    folder: Path, path: Path, keys: int, asked: str, guarantee: str
) -> tuple[float, int, int]:
    """Return the CPU seconds of suppression, its blanks, and the records that were unsafe."""
    told, (name, value) = folder / "told", asked.split("=")
    script = folder / "suppress.py"
    script.write_text(SCRIPT)
    cost = process(script, path, key_names(keys), name, value, guarantee, told, times=1)
    total, unsafe = map(int, told.read_text().split())
    return cost.cpu, total, unsafe


def large(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    path = make(folder / "large.parquet", rows=rows, keys=8)
    own, blanks, _ = suppress(folder, path, 8, "above=0.01", "own")
    cpu, total, _ = suppress(folder, path, 8, "above=0.01", "shared")
    line = (f"{own:.1f}", f"{cpu:.1f}", f"{cpu / own:.1f}", "8.0", f"{blanks:,}", f"{total:,}")
    table(
        f"Shared blanks above 0.01, {rows:,} x 8, against own ones",
        ("own CPU s", "shared CPU s", "ratio", "aim", "own blanks", "shared"),
        [line],
    )


def sizes(folder: Path, _: float) -> None:
    """Neither time nor blanks may jump where starts or moves become fewer."""
    start, lines, costs = start_of(), [], []
    records = (1_250, 2_500, 5_000, 10_000, 20_000, 40_000)
    for rows in records:
        path = make(folder / "sizes.parquet", rows=rows, keys=5)
        cpu, total, unsafe = suppress(folder, path, 5, "k=3", "shared")
        costs.append(cpu - start)
        lines.append([f"{rows:,}", f"{unsafe:,}", f"{cpu:.1f}", f"{total / unsafe:.3f}"])
    for line, growth in zip(lines, exponents(records, costs), strict=True):
        line.insert(3, growth)
    table(
        "Shared blanks, k = 3, 5 keys, for each unsafe record",
        ("records", "unsafe", "CPU s", "growth", "blanks"),
        lines,
    )


if __name__ == "__main__":
    run_parts({"large": large, "sizes": sizes}, __doc__)
