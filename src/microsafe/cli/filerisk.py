"""What `file-risk` does."""

from __future__ import annotations

import argparse

from microsafe.cli.commands import opened
from microsafe.cli.output import (
    check_targets,
    print_json,
    print_notices,
    say,
    write_figure,
    write_records,
)
from microsafe.progress import Progress
from microsafe.risk import FileRisk
from microsafe.text import align_columns


def file_risk(chosen: argparse.Namespace, progress: Progress) -> int:
    """Estimate how many sample uniques are unique in the population."""
    targets = {chosen.records: (".csv", ".parquet"), chosen.plot: (".svg", ".png", ".pdf")}
    check_targets([chosen.file, chosen.meta], targets, engine=chosen.engine)
    data = opened(chosen, progress)
    found = data.file_risk(
        model=chosen.model,
        interactions=chosen.interactions,
        fraction=chosen.fraction,
        pi=chosen.pi,
        impossible=chosen.impossible,
        opinions=chosen.opinions,
        bands=chosen.bands,
        seed=chosen.seed,
        progress=progress,
    )
    if chosen.records is not None:
        progress("writing records", 0.0)
        write_records(data.engine, found, chosen.records, progress)
    if chosen.plot is not None:
        write_figure(found.plot, chosen.plot)
    notices = (*data.notices, *found.notices)
    if chosen.json:
        print_json(found.summary() | {"notices": [notice.text for notice in notices]})
        return 0
    say(repr(found))
    if len(found.steps) > 1:
        say(["", "The search, step by step:", *_path(found)])
    print_notices(notices)
    return 0


def _path(found: FileRisk) -> list[str]:
    rows = [("added", "tau1", "tau2", "B1 / s.e.", "B2 / s.e.", "AIC")]
    for step in found.summary()["fit"]["search"]:
        tau1, tau2 = (f"{step[name]:,.4g}" for name in ("tau1", "tau2"))
        b1, b2 = (_errors(step[f"{name}_standardised"]) for name in ("B1", "B2"))
        rows.append((step["added"] or "(main effects)", tau1, tau2, b1, b2, f"{step['aic']:,.1f}"))
    return align_columns(rows, right=(1, 2, 3, 4, 5))


def _errors(bias: float | None) -> str:
    return "–" if bias is None else f"{bias:.2f}"
