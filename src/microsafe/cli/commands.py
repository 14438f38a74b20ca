"""What `risk` and `limit` do, and how commands open a file."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_plot, write_records
from microsafe.display import format_grid, format_rows, show_number, show_percent, show_risk
from microsafe.errors import UsageError
from microsafe.io import finish_sets
from microsafe.options.declaration import find_defaults
from microsafe.progress import Progress
from microsafe.risk import (
    Risk,
    limit_notices,
    limit_rows,
    other_rows,
    other_summary,
)
from microsafe.schema import Schema, Variable, number_in
from microsafe.studies.study import Study, study

# How a released file is read, unlike its original: it is one file, and declared alike.
RELEASED: dict[str, Any] = {"codebook": None, "join": None, "on": None, "join_sheet": None}
_TARGETS = (
    "risk",
    "rate",
    "expected",
    "unsafe",
    "household_risk",
    "household_rate",
    "expected_households",
)


def risk(chosen: argparse.Namespace, console: Console) -> int:
    """Measure the risk, and write the records and the plot if asked to."""
    if chosen.cumulative and chosen.plot is None and chosen.household_plot is None:
        raise UsageError("--cumulative needs --plot: it changes what the plot shows.")
    if chosen.explain and chosen.json:
        raise UsageError("--explain is not available with --json.")
    if chosen.household is None and (chosen.household_plot or chosen.household_limit is not None):
        raise UsageError("Name the household identifier with --household to measure households.")
    if chosen.id and chosen.records is None:
        raise UsageError("--id needs --records: it names the first columns of that file.")
    pictures = dict.fromkeys((chosen.plot, chosen.household_plot), (".svg", ".png", ".pdf"))
    targets = {chosen.records: (".csv", ".parquet"), **pictures}
    inputs = [*inputs_of(chosen), chosen.population]
    check_targets(inputs, targets, engine=chosen.engine)
    data = open_study(chosen, console.progress)
    for name in chosen.id:
        data.schema[name]
    measured = data.risk(
        limit=chosen.limit,
        household_limit=chosen.household_limit,
        approximation=chosen.approximation,
        both=not chosen.no_model,
        progress=console.progress,
        **_population(chosen),
    )
    if chosen.records is not None:
        write_records(
            data.engine, measured, chosen.records, console.progress, identifiers=chosen.id
        )
    if chosen.plot is not None:
        write_plot(measured, chosen.plot, cumulative=chosen.cumulative)
    if chosen.household_plot is not None:
        write_plot(measured, chosen.household_plot, cumulative=chosen.cumulative, households=True)
    if chosen.json:
        console.print_json(measured.summary())
        return 0
    console.say(repr(measured))
    if chosen.explain:
        console.say(explain_risk(measured, data.schema, console.progress))
    console.print_notices(measured.notices)
    return 0


def limit(chosen: argparse.Namespace, console: Console) -> int:
    """Find the risk limit that meets a target."""
    targets = {name: getattr(chosen, name) for name in _TARGETS}
    if chosen.household is None and any(
        targets[name] is not None for name in _TARGETS if "household" in name
    ):
        raise UsageError("Name the household identifier with --household to limit household risk.")
    data = open_study(chosen, console.progress)
    measured = data.risk(both=not chosen.no_model, progress=console.progress, **_population(chosen))
    found = measured.choose(**targets)
    notices = (*measured.notices, *limit_notices(found, measured.household))
    if chosen.json:
        texts = [notice.text for notice in notices]
        console.print_json(
            found.summary()
            | {"estimator": measured.scenario.estimator}
            | other_summary(measured, found)
            | {"notices": texts}
        )
        return 0
    rows = [*limit_rows(found), *other_rows(measured, found)]
    console.say([measured.title, *format_rows(rows)])
    console.print_notices(notices)
    return 0


def explain_risk(measured: Risk, schema: Schema, progress: Progress) -> list[str]:
    """Return what each key contributes to the risk of the file, and the riskiest cells."""
    rows = [("without", "expected re-identifications", "decrease")]
    rows += [
        (each.key, show_number(each.without), show_percent(each.fall / measured.expected))
        for each in measured.contributions(progress=progress)
    ]
    keys = measured.scenario.keys
    top = measured.top(10)
    cells = [(*keys, "records", "f", "F", "risk")]
    for *codes, records, f, F, value in top.iter_rows():
        shown = [find_label(schema[key], code) for key, code in zip(keys, codes, strict=True)]
        cells.append((*shown, f"{records:,}", f"{f:g}", show_number(F), show_risk(value)))
    apart = "; F is from the weights, the risk from the model"
    return [
        "", "If one key were left out:", *format_grid(rows, right=(1, 2)),
        "", "Riskiest combinations of keys (· is missing"
        f"{apart if measured.scenario.estimator == 'model' else ''}):",
        *format_grid(cells, right=tuple(range(len(keys), len(keys) + 4))),
    ]  # fmt: skip


def find_label(variable: Variable, code: str | None) -> str:
    """Return the label of a code, or the code if it has none."""
    if code is None:
        return "·"
    for known, label in variable.labels.items():
        if str(known) == code or (isinstance(known, float) and number_in(code) == known):
            return label
    return code


def open_file(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file without a scenario."""
    return study(data_of(chosen), progress=progress, **reading_of(chosen))


def open_study(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file under the scenario that the options name, or that is declared."""
    opened = open_file(chosen, progress)
    # What the file itself declares counts where nobody names keys.
    roles = find_defaults(opened.declarations) if chosen.keys else opened.roles
    keys = chosen.keys or roles.keys
    if not keys:
        raise UsageError(
            "Name the key variables (--keys), or a codebook that declares them (--codebook)."
        )
    return replace(opened, scenarios=()).with_scenario(
        "main",
        keys=keys,
        weight=chosen.weight or roles.weight,
        household=chosen.household or roles.household,
        missing=chosen.missing,
        alpha=chosen.alpha,
        attack=chosen.attack,
        factor=chosen.factor,
        error=chosen.error,
        low_weights="clip" if chosen.clip_weights else "refuse",
        estimator=chosen.estimator,
    )


def _population(chosen: argparse.Namespace) -> dict[str, Any]:
    """Known counts, if there are any."""
    if chosen.population is None and (
        chosen.population_count is not None or chosen.population_use != "check"
    ):
        raise UsageError("Name the known population with --population.")
    names = ("population", "population_count", "population_use")
    return {name: getattr(chosen, name) for name in names}


def data_of(chosen: argparse.Namespace) -> Path | str:
    """The file; with Spark it may as well be the name of a table."""
    place: Path | str = chosen.file
    if isinstance(place, Path):
        finish_sets(place.parent)  # it may be one of a set that a killed run left unfinished
    return str(place) if chosen.engine == "spark" else place


def inputs_of(chosen: argparse.Namespace) -> list[Path | str | None]:
    """Return the files that are read, which nothing is written onto."""
    return [chosen.file, chosen.meta, chosen.join, chosen.codebook]


def reading_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return how and where the file is read, as options of `study`."""
    names = (
        "meta",
        "encoding",
        "separator",
        "comment",
        "na",
        "sheet",
        "decimal",
        "thousands",
        "join",
        "on",
        "join_sheet",
        "codebook",
        "engine",
        "master",
        "most_cells",
        "memory",
    )
    return {name: getattr(chosen, name) for name in names}
