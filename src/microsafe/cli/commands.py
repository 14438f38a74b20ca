"""What `describe`, `risk` and `limit` do."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from microsafe.errors import UsageError
from microsafe.io import replacing
from microsafe.progress import Progress
from microsafe.risk import Risk, limit_rows, limit_summary, table
from microsafe.schema import Schema, Variable
from microsafe.study import Study, study


def describe(chosen: argparse.Namespace, progress: Progress) -> int:
    """List the variables."""
    opened = study(chosen.file, **_reading(chosen))
    summaries = opened.describe(progress=progress)
    if chosen.json:
        fields = ("name", "label", "kind", "categories", "missing", "role")
        variables = [{field: getattr(each, field) for field in fields} for each in summaries]
        for variable in variables:
            variable["type"] = variable.pop("kind")
        _print_json({"records": opened.engine.rows(), "variables": variables})
        return 0
    print(f"{opened.schema.source}: {opened.engine.rows():,} records, {len(summaries)} variables")
    rows = [("variable", "type", "categories", "missing", "role", "label")]
    rows += [
        (each.name, each.kind, f"{each.categories:,}", f"{each.missing:,}", each.role, each.label)
        for each in summaries
    ]
    print("\n".join(grid(rows, right=(2, 3))))
    print_notices(opened)
    return 0


def risk(chosen: argparse.Namespace, progress: Progress) -> int:
    """Measure, and write what was asked for."""
    _check_suffix(chosen.records, (".csv", ".parquet"))
    _check_suffix(chosen.plot, (".svg", ".png", ".pdf"))
    if chosen.cumulative and chosen.plot is None:
        raise UsageError("--cumulative says how to draw the plot: give --plot too.")
    if chosen.explain and chosen.json:
        raise UsageError("--explain is for reading and cannot be had as JSON.")
    opened = _study(chosen)
    measured = opened.risk(
        limit=chosen.limit, approximation=chosen.approximation, progress=progress
    )
    if chosen.records is not None:
        progress("writing records", 0.0)
        write_records(measured, chosen.records)
    if chosen.plot is not None:
        write_plot(measured, chosen.plot, cumulative=chosen.cumulative)
    if chosen.json:
        _print_json(measured.summary())
    else:
        print(measured)
        if chosen.explain:
            print("\n".join(explanation(measured, opened.schema, progress)))
        print_notices(measured)
    return 0


def limit(chosen: argparse.Namespace, progress: Progress) -> int:
    """Find the limit that a wish leads to."""
    measured = _study(chosen).risk(progress=progress)
    found = measured.choose(
        risk=chosen.risk, rate=chosen.rate, expected=chosen.expected, unsafe=chosen.unsafe
    )
    if chosen.json:
        _print_json(limit_summary(found))
    else:
        print("\n".join([measured.title, *table(limit_rows(found))]))
        print_notices(measured)
    return 0


def explanation(measured: Risk, schema: Schema, progress: Progress) -> list[str]:
    """Return what each key adds to the risk of the file, and the riskiest cells."""
    rows = [("without", "expected re-identifications", "fall")]
    rows += [
        (each.key, f"{each.without:,.6g}", f"{each.fall / measured.expected:.0%}")
        for each in measured.contributions(progress=progress)
    ]
    top = measured.top(10)
    cells = [tuple(top.columns)]
    for *codes, records, f, F, value in top.iter_rows():
        shown = [_label(schema[key], code) for key, code in zip(top.columns, codes, strict=False)]
        cells.append((*shown, f"{records:,}", f"{f:g}", f"{F:,.6g}", f"{value:.6g}"))
    numbers = range(len(top.columns) - 4, len(top.columns))
    return [
        "", "If a key were left out:", *grid(rows, right=(1, 2)),
        "", "Riskiest cells (· is missing):", *grid(cells, right=tuple(numbers)),
    ]  # fmt: skip


def _label(variable: Variable, code: str | None) -> str:
    if code is None:
        return "·"
    texts = {
        f"{each:g}" if isinstance(each, float) else str(each): each for each in variable.labels
    }
    return variable.labels[texts[code]] if code in texts else code


def grid(rows: Sequence[tuple[str, ...]], *, right: tuple[int, ...]) -> list[str]:
    """Return rows of text in aligned columns; the first row is a heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            text.rjust(width) if column in right else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def write_records(measured: Risk, path: Path) -> None:
    """Write the table of records, one row each, in input order."""
    frame: pl.DataFrame = measured.records()
    with replacing(path) as temporary:
        if path.suffix.lower() == ".csv":
            frame.write_csv(temporary)
        else:
            frame.write_parquet(temporary, compression="snappy")  # risks hardly compress


def write_plot(measured: Risk, path: Path, *, cumulative: bool = False) -> None:
    """Write the picture; the same figures give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "microsafe", "svg.fonttype": "path"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        measured.plot(figure.subplots(), cumulative=cumulative)
        kind = path.suffix.lower().removeprefix(".")
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        with replacing(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=undated[kind], dpi=150)


def _study(chosen: argparse.Namespace) -> Study:
    return study(
        chosen.file,
        keys=chosen.keys,
        weight=chosen.weight,
        household=chosen.household,
        missing=chosen.missing,
        alpha=chosen.alpha,
        attack=chosen.attack,
        factor=chosen.factor,
        low_weights="clip" if chosen.clip_weights else "refuse",
        **_reading(chosen),
    )


def _reading(chosen: argparse.Namespace) -> dict[str, Any]:
    names = ("meta", "encoding", "separator", "na", "sheet")
    return {name: getattr(chosen, name) for name in names}


def _check_suffix(path: Path | None, known: tuple[str, ...]) -> None:
    if path is not None and path.suffix.lower() not in known:
        raise UsageError(f"{path.name} must end in {', '.join(known)}.")


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False))


def print_notices(about: Study | Risk) -> None:
    """Print what to know before trusting the figures, apart from the figures."""
    for notice in about.notices:
        print(f"note: {notice.text}", file=sys.stderr)
