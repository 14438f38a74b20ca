"""What `file-risk` does."""

from __future__ import annotations

import argparse

from microsafe.cli.commands import inputs_of, open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_figure, write_records
from microsafe.display import format_grid
from microsafe.risk import FileRisk


def file_risk(chosen: argparse.Namespace, console: Console) -> int:
    """Estimate how many sample uniques are unique in the population."""
    targets = {chosen.records: (".csv", ".parquet"), chosen.plot: (".svg", ".png", ".pdf")}
    check_targets(inputs_of(chosen), targets, engine=chosen.engine)
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
    if chosen.plot is not None:
        write_figure(found.plot, chosen.plot)
    answered = 1 if found.tau1 is None else 0
    notices = (*data.notices, *found.notices)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in notices]})
        return answered
    console.say(repr(found))
    if found.population is not None and found.population.steps:
        console.say(["", "The search, step by step:", *_format_search(found)])
    console.print_notices(notices)
    return answered


def _format_search(found: FileRisk) -> list[str]:
    rows = [("added", "BIC", "margin")]
    for step in found.summary()["fit"]["search"]:
        margin = "shrunken pair" if step["shrunken"] else ""
        rows.append((step["added"], f"{step['bic']:,.1f}", margin))
    return format_grid(rows, right=(1,))
