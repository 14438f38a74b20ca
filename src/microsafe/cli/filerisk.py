"""What `file-risk` does."""

from __future__ import annotations

import argparse

from microsafe.cli.commands import open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_figure, write_records
from microsafe.display import format_grid, show_number
from microsafe.risk import FileRisk


def file_risk(chosen: argparse.Namespace, console: Console) -> int:
    """Estimate how many sample uniques are unique in the population."""
    targets = {chosen.records: (".csv", ".parquet"), chosen.plot: (".svg", ".png", ".pdf")}
    check_targets([chosen.file, chosen.meta], targets, engine=chosen.engine)
    data = open_study(chosen, console.progress)
    found = data.file_risk(
        model=chosen.model,
        interactions=chosen.interactions,
        fraction=chosen.fraction,
        pi=chosen.pi,
        impossible=chosen.impossible,
        opinions=chosen.opinions,
        bands=chosen.bands,
        seed=chosen.seed,
        progress=console.progress,
    )
    if chosen.records is not None:
        console.progress("writing records", 0.0)
        write_records(data.engine, found, chosen.records, console.progress)
        console.note_written(chosen.records)
    if chosen.plot is not None:
        write_figure(found.plot, chosen.plot)
        console.note_written(chosen.plot)
    notices = (*data.notices, *found.notices)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in notices]})
        return 0
    console.say(repr(found))
    if len(found.steps) > 1:
        console.say(["", "The search, step by step:", *_format_search(found)])
    console.print_notices(notices)
    return 0


def _format_search(found: FileRisk) -> list[str]:
    rows = [("added", "tau1", "tau2", "B1 / s.e.", "B2 / s.e.", "AIC")]
    for step in found.summary()["fit"]["search"]:
        tau1, tau2 = (show_number(step[name]) for name in ("tau1", "tau2"))
        b1, b2 = (_format_bias(step[f"{name}_standardised"]) for name in ("B1", "B2"))
        rows.append((step["added"] or "(main effects)", tau1, tau2, b1, b2, f"{step['aic']:,.1f}"))
    return format_grid(rows, right=(1, 2, 3, 4, 5))


def _format_bias(bias: float | None) -> str:
    return "–" if bias is None else f"{bias:.2f}"
