"""`microsafe demo`: the whole job on a synthetic survey."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from microsafe.cli.commands import explanation, print_notices, write_plot, write_records
from microsafe.datasets import Survey, survey
from microsafe.errors import InputError
from microsafe.io import replacing
from microsafe.progress import Progress
from microsafe.schema import Code
from microsafe.study import study

KEYS = ("region", "hsize", "sex", "age", "marital", "citizenship")
LIMIT = 0.01


def demo(chosen: argparse.Namespace, progress: Progress) -> int:
    """Make a survey, measure it, and leave survey, picture and table of records in a folder."""
    folder: Path = chosen.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise InputError(
            f"The folder {folder} cannot be made. Choose another (--folder)."
        ) from None
    path = folder / "survey.sav"
    progress("making a survey", 0.0)
    _write(survey(chosen.seed), path)
    opened = study(path, keys=KEYS, weight="weight", household="household")
    measured = opened.risk(limit=LIMIT, progress=progress)
    write_plot(measured, folder / "risk.svg")
    write_records(measured, folder / "records.csv")
    print(measured)
    print("\n".join(explanation(measured, opened.schema, progress)))
    print(
        f"\nLeft in {folder}: survey.sav (the survey), risk.svg (the picture), "
        "records.csv (risk of every record).\nThe same by hand:\n"
        f"  microsafe risk {path} --keys {','.join(KEYS)} --weight weight "
        f"--household household --limit {LIMIT}"
    )
    print_notices(measured)
    return 0


def _numeric(labels: Mapping[Code, str]) -> dict[int | float, str]:
    return {code: text for code, text in labels.items() if not isinstance(code, str)}


def _write(made: Survey, path: Path) -> None:
    import pyreadstat

    with replacing(path) as temporary:
        pyreadstat.write_sav(
            made.frame,
            str(temporary),
            column_labels={v.name: v.label for v in made.schema},
            variable_value_labels={
                v.name: labels for v in made.schema if (labels := _numeric(v.labels))
            },
            missing_ranges={v.name: list(v.missing) for v in made.schema if v.missing},
            variable_measure={v.name: v.measure for v in made.schema},
        )
