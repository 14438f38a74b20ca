"""What `uniques`, `tabulate` and `diversity` do."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.commands import find_label, inputs_of, open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_records
from microsafe.display import format_grid, show_percent
from microsafe.risk import Diversity, SpecialUniques, Tabulation
from microsafe.studies.study import Study

_SHOWN = 10


def uniques(chosen: argparse.Namespace, console: Console) -> int:
    """Find the minimal sample uniques and score every record."""
    _check_records(chosen)
    study = open_study(chosen, console.progress)
    found = study.uniques(
        max_size=chosen.max_size, fraction=chosen.fraction, progress=console.progress
    )
    _finish(chosen, study, found, console)
    if not chosen.json:
        console.say(_format_msus(found))
    return 0


def tabulate(chosen: argparse.Namespace, console: Console) -> int:
    """List sparse cells in all tables of a few keys."""
    _check_records(chosen)
    study = open_study(chosen, console.progress)
    found = study.tabulation(
        dimensions=chosen.dimensions,
        min_count=chosen.min_count or None,
        min_weight=chosen.min_weight,
        progress=console.progress,
    )
    _finish(chosen, study, found, console)
    if not chosen.json:
        console.say(_format_sparse(found, study))
    return 0


def diversity(chosen: argparse.Namespace, console: Console) -> int:
    """Measure l-diversity and t-closeness of sensitive variables."""
    _check_records(chosen)
    study = open_study(chosen, console.progress)
    found = study.diversity(
        chosen.sensitive,
        ordered=chosen.ordered,
        l=chosen.l,
        c=chosen.c,
        t=chosen.t,
        progress=console.progress,
    )
    _finish(chosen, study, found, console)
    return 0


def _check_records(chosen: argparse.Namespace) -> None:
    targets: dict[Path | str | None, tuple[str, ...]] = {chosen.records: (".csv", ".parquet")}
    check_targets(inputs_of(chosen), targets, engine=chosen.engine)


def _finish(
    chosen: argparse.Namespace,
    study: Study,
    found: SpecialUniques | Tabulation | Diversity,
    console: Console,
) -> None:
    """Write the table of records if asked to, and print the figures."""
    out: Path | str | None = chosen.records
    if out is not None:
        console.progress("writing records", 0.0)
        write_records(study.engine, found, out, console.progress)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in study.notices]})
        return
    console.say(repr(found))
    console.print_notices(study.notices)


def _format_msus(found: SpecialUniques) -> list[str]:
    """The number of MSUs by size, and the share of each key in the score."""
    sizes = [("keys", "MSUs"), *((str(k), f"{n:,}") for k, n in found.by_size.items())]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    keys = [("key", "share"), *((key, show_percent(share)) for key, share in ranked)]
    return [
        "", "Minimal sample uniques (MSUs) by size:", *format_grid(sizes, right=(0, 1)),
        "", "Share of each key in the score:", *format_grid(keys, right=(1,)),
    ]  # fmt: skip


def _format_sparse(found: Tabulation, study: Study) -> list[str]:
    """The categories with the largest share of records in sparse cells."""
    rows = [("key", "category", "records", "in sparse cells", "share")]
    worst = sorted(found.records_by_category().rows(), key=lambda row: -row[-1])
    for key, category, records, low, share in worst[:_SHOWN]:
        shown = find_label(study.schema[key], category)
        rows.append((key, shown, f"{records:,}", f"{low:,}", show_percent(share)))
    return [
        "",
        "Records in sparse cells, categories most affected:",
        *format_grid(rows, right=(2, 3, 4)),
    ]
