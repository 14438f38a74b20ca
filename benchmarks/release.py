"""What a release costs: `uv run python benchmarks/release.py [--quick]`.

A plan with a suppression, both reports and a lock is run by `microsafe protect`, which writes the
safe file, reads it back and measures it again. It is compared with a bare group-by of the same
file by the same keys, and with measuring it once.
"""

from __future__ import annotations

from pathlib import Path

from measure import HERE, Cost, key_names, make, process, risk, run_parts, table

CASES = (  # keys, estimator, whether the order is kept, records, most that it may cost as a ratio
    (6, "cell", True, 10_000_000, ""),
    (6, "cell", False, 10_000_000, "14"),
    (8, "model", False, 3_000_000, "25"),
)


def measure_release(folder: Path, scale: float) -> None:
    """Print what plans cost to run."""
    lines = []
    for keys, estimator, kept, rows, aim in CASES:
        path = make(folder / "release.parquet", rows=int(rows * scale), keys=keys)
        bare = process(HERE / "groupby.py", path, keys, times=2)
        once = risk(path, keys, "--estimator", estimator, times=1)
        cost = _protect(folder, path, keys, estimator, kept=kept)
        lines.append(
            (
                f"{int(rows * scale):,}",
                str(keys),
                estimator,
                "kept" if kept else "new",
                f"{cost.cpu:.1f}",
                f"{cost.cpu / bare.cpu:.1f}",
                aim,
                f"{cost.cpu / once.cpu:.1f}",
                f"{cost.peak:.2f}",
            )
        )
    table(
        "protect with both reports, against a bare group-by and against measuring once",
        ("records", "keys", "estimator", "order", "CPU s", "to group-by", "aim", "to risk", "GB"),
        lines,
    )


def _protect(folder: Path, path: Path, keys: int, estimator: str, *, kept: bool) -> Cost:
    """Make a plan and run it."""
    plan = folder / "release.toml"
    options = (
        "--keys",
        key_names(keys),
        "--weight",
        "w",
        "--estimator",
        estimator,
        "--above",
        "0.1",
    )
    process(
        *("-m", "microsafe", "plan", "new", path, *options, "--profile", "scientific"),
        *("--keep-rest", "no harm", "--override", "estimator=known", "-o", plan),
        *(("--keep-order", "as it was") if kept else ()),
        times=1,
    )
    cost = process("-m", "microsafe", "protect", plan, "--overwrite", times=1)
    plan.unlink()
    return cost


if __name__ == "__main__":
    run_parts({"release": measure_release}, __doc__)
