"""`microsafe demo`: the whole job on a synthetic survey."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.commands import explanation
from microsafe.cli.output import print_notices, say, write_plot, write_records
from microsafe.datasets import survey
from microsafe.errors import InputError
from microsafe.io import write
from microsafe.progress import Progress
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
    made = survey(chosen.seed)
    write(made.frame, made.schema, path)
    opened = study(path, keys=KEYS, weight="weight", household="household")
    measured = opened.risk(limit=LIMIT, progress=progress)
    write_plot(measured, folder / "risk.svg")
    write_records(measured, folder / "records.csv")
    say(repr(measured))
    say(explanation(measured, opened.schema, progress))
    say(
        f"\nLeft in {folder}: survey.sav (the survey), risk.svg (the picture), "
        "records.csv (risk of every record).\nThe same by hand:\n"
        f"  microsafe risk {path} --keys {','.join(KEYS)} --weight weight "
        f"--household household --limit {LIMIT}"
    )
    print_notices(measured.notices)
    return 0
