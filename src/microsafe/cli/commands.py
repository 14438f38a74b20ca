"""What `describe`, `risk` and `limit` do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.output import (
    check_targets,
    print_json,
    print_notices,
    say,
    write_plot,
    write_records,
)
from microsafe.errors import UsageError
from microsafe.progress import Progress
from microsafe.risk import Risk, limit_rows, limit_summary
from microsafe.schema import Schema, Variable, number_in
from microsafe.study import Study, study
from microsafe.text import align_columns


def describe(chosen: argparse.Namespace, progress: Progress) -> int:
    """List the variables."""
    data = unasked(chosen, progress)
    summaries = data.describe(progress=progress)
    records = data.engine.rows()
    if chosen.json:
        variables = [
            {
                "name": each.name,
                "label": each.label,
                "type": each.kind,
                "categories": each.categories,
                "missing": each.missing,
                "role": each.role,
            }
            for each in summaries
        ]
        notices = [notice.text for notice in data.notices]
        print_json({"records": records, "variables": variables, "notices": notices})
        return 0
    rows = [("variable", "type", "categories", "missing", "role", "label")]
    rows += [
        (each.name, each.kind, f"{each.categories:,}", f"{each.missing:,}", each.role, each.label)
        for each in summaries
    ]
    say([f"{data.schema.source}: {records:,} records, {len(summaries)} variables"])
    say(align_columns(rows, right=(2, 3)))
    print_notices(data.notices)
    return 0


def risk(chosen: argparse.Namespace, progress: Progress) -> int:
    """Measure, and write what was asked for."""
    if chosen.cumulative and chosen.plot is None:
        raise UsageError("--cumulative says how to draw the plot: give --plot too.")
    if chosen.explain and chosen.json:
        raise UsageError("--explain is for reading and cannot be had as JSON.")
    targets = {chosen.records: (".csv", ".parquet"), chosen.plot: (".svg", ".png", ".pdf")}
    check_targets([chosen.file, chosen.meta], targets, engine=chosen.engine)
    data = opened(chosen, progress)
    measured = data.risk(limit=chosen.limit, approximation=chosen.approximation, progress=progress)
    if chosen.records is not None:
        write_records(data.engine, measured, chosen.records, progress)
    if chosen.plot is not None:
        write_plot(measured, chosen.plot, cumulative=chosen.cumulative)
    if chosen.json:
        print_json(measured.summary())
        return 0
    say(repr(measured))
    if chosen.explain:
        say(explanation(measured, data.schema, progress))
    print_notices(measured.notices)
    return 0


def limit(chosen: argparse.Namespace, progress: Progress) -> int:
    """Find the limit that a wish leads to."""
    measured = opened(chosen, progress).risk(progress=progress)
    found = measured.choose(
        risk=chosen.risk, rate=chosen.rate, expected=chosen.expected, unsafe=chosen.unsafe
    )
    if chosen.json:
        notices = [notice.text for notice in measured.notices]
        print_json(limit_summary(found) | {"notices": notices})
        return 0
    say([measured.title, *align_columns(limit_rows(found))])
    print_notices(measured.notices)
    return 0


def explanation(measured: Risk, schema: Schema, progress: Progress) -> list[str]:
    """Return what each key adds to the risk of the file, and the riskiest cells."""
    rows = [("without", "expected re-identifications", "fall")]
    rows += [
        (each.key, f"{each.without:,.6g}", f"{each.fall / measured.expected:.0%}")
        for each in measured.contributions(progress=progress)
    ]
    keys = measured.scenario.keys
    top = measured.top(10)
    cells = [(*keys, "records", "f", "F", "risk")]
    for *codes, records, f, F, value in top.iter_rows():
        shown = [label_of(schema[key], code) for key, code in zip(keys, codes, strict=True)]
        cells.append((*shown, f"{records:,}", f"{f:g}", f"{F:,.6g}", f"{value:.6g}"))
    return [
        "", "If a key were left out:", *align_columns(rows, right=(1, 2)),
        "", "Riskiest cells (· is missing):",
        *align_columns(cells, right=tuple(range(len(keys), len(keys) + 4))),
    ]  # fmt: skip


def label_of(variable: Variable, code: str | None) -> str:
    """Return the label of a code, or the code if it has none."""
    if code is None:
        return "·"
    for known, label in variable.labels.items():
        if str(known) == code or (isinstance(known, float) and number_in(code) == known):
            return label
    return code


def unasked(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file without a scenario."""
    return study(_data(chosen), progress=progress, **_reading(chosen))


def opened(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file under the scenario that the options name."""
    return study(
        _data(chosen),
        keys=chosen.keys,
        weight=chosen.weight,
        household=chosen.household,
        missing=chosen.missing,
        alpha=chosen.alpha,
        attack=chosen.attack,
        factor=chosen.factor,
        low_weights="clip" if chosen.clip_weights else "refuse",
        progress=progress,
        **_reading(chosen),
    )


def _data(chosen: argparse.Namespace) -> Path | str:
    """The file; with Spark it may as well be the name of a table."""
    place: Path | str = chosen.file
    return str(place) if chosen.engine == "spark" else place


def _reading(chosen: argparse.Namespace) -> dict[str, Any]:
    names = (
        "meta",
        "encoding",
        "separator",
        "na",
        "sheet",
        "engine",
        "master",
        "most_cells",
        "memory",
    )
    return {name: getattr(chosen, name) for name in names}
