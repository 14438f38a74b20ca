"""What protection costs against measuring alone: suppression, combinations, sample uniques."""

from __future__ import annotations

from pathlib import Path

from measure import key_names, make, process, protect, risk, table

AIMS = {  # CPU seconds for a million records
    (6, "own"): 10,
    (6, "strict"): 20,
    (8, "shared"): 25,
    (12, "own"): 15,
    (8, "combinations"): 4,
}


def suppression(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    out = folder / "out.parquet"
    lines = []
    for keys, guarantees in (
        (6, ("own", "strict", "shared")),
        (8, ("own", "strict", "shared")),
        (12, ("own",)),
    ):
        path = make(folder / "suppress.parquet", rows=rows, keys=keys)
        bare = risk(path, keys, times=1)
        for guarantee in guarantees:
            cost = protect(path, keys, "suppress", "--guarantee", guarantee, "-o", out)
            lines.append(
                (
                    str(keys),
                    guarantee,
                    f"{cost.cpu:.1f}",
                    _aim(keys, guarantee, scale),
                    f"{cost.cpu / bare.cpu:.1f}",
                    f"{cost.peak:.2f}",
                )
            )
    table(
        f"Suppression above 0.01, {rows:,} records, written to Parquet, against measuring alone",
        ("keys", "guarantee", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )


def _aim(keys: int, task: str, scale: float) -> str:
    aim = AIMS.get((keys, task))
    return "" if aim is None else f"{aim * scale:g}"


def combination_search(folder: Path, scale: float) -> None:
    rows = int(1_000_000 * scale)
    lines = []
    for keys in (6, 8):
        path = make(folder / "combinations.parquet", rows=rows, keys=keys)
        bare, cost = risk(path, keys, times=1), protect(path, keys, "combinations")
        sets = 2**keys - 1
        lines.append(
            (
                str(keys),
                str(sets),
                f"{cost.cpu:.1f}",
                _aim(keys, "combinations", scale),
                f"{cost.cpu / bare.cpu:.1f}",
                f"{cost.peak:.2f}",
            )
        )
    table(
        f"Minimal unsafe combinations above 0.01, {rows:,} records, against measuring alone",
        ("keys", "sets of keys", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )


def uniques(folder: Path, scale: float) -> None:
    lines = []
    for rows, keys, missing, more in (
        (1_000_000, 8, 0.0, ()),
        (1_000_000, 8, 0.05, ()),
        (1_000_000, 8, 0.0, ("--max-size", 3)),
        (1_000_000, 12, 0.0, ("--max-size", 3)),
        (100_000, 12, 0.0, ()),
    ):
        rows = int(rows * scale)
        path = make(folder / "uniques.parquet", rows=rows, keys=keys, missing=missing)
        names = key_names(keys)
        command = ("-m", "microsafe", "uniques", path, "--keys", names, "--json", *more)
        bare, cost = risk(path, keys, times=1), process(*command, times=2)
        aim = "5.0" if (keys, missing, more) == (8, 0.0, ()) else ""
        lines.append(
            (
                f"{rows:,}",
                str(keys),
                f"{missing:.0%}",
                str(more[1]) if more else "all",
                f"{cost.cpu:.1f}",
                aim,
                f"{cost.cpu / bare.cpu:.1f}",
                f"{cost.peak:.2f}",
            )
        )
    table(
        "Minimal sample uniques and SUDA scores, against measuring alone",
        ("records", "keys", "missing", "sizes", "CPU s", "aim", "ratio", "peak GB"),
        lines,
    )
    rows = int(1_000_000 * scale)
    path = make(folder / "uniques.parquet", rows=rows, keys=8)
    names = key_names(8)
    tables = process("-m", "microsafe", "tabulate", path, "--keys", names, "--json", times=2)
    few = names.removesuffix(",k7")
    spread = process(
        "-m", "microsafe", "diversity", path, "--keys", few, "--sensitive", "k7", "--json", times=2
    )
    table(
        f"Tables of 1 to 3 keys, and diversity within 7 keys, {rows:,} records",
        ("task", "CPU s", "peak GB"),
        [
            (task, f"{cost.cpu:.1f}", f"{cost.peak:.2f}")
            for task, cost in (("92 tables of 8 keys", tables), ("diversity", spread))
        ],
    )
