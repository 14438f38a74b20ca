"""What `compare` does."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import polars as pl

from microsafe.cli.commands import RELEASED, reading_of
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_figure
from microsafe.cli.use_options import find_uses
from microsafe.compare import compare as compare_states
from microsafe.compare import read_tables
from microsafe.compare.comparison import draw_all
from microsafe.compare.use_loss import compare_uses
from microsafe.engine import Engine, open_engine
from microsafe.errors import InputError, UsageError
from microsafe.io import Source, read
from microsafe.studies.describe import declare_alike
from microsafe.studies.study import Study, study


def compare(chosen: argparse.Namespace, console: Console) -> int:
    """Say what protection cost: two files with the same records."""
    check_targets(
        [chosen.before, chosen.after, chosen.meta, chosen.join],
        {chosen.plot: (".svg", ".png", ".pdf")},
        engine=chosen.engine,
    )
    before = study(
        chosen.before,
        keys=chosen.keys,
        weight=chosen.weight,
        household=chosen.household,
        progress=console.progress,
        **reading_of(chosen),
    )
    for name in chosen.by:
        before.schema[name]
    uses = find_uses(chosen)
    if uses is not None:
        uses.check(before.schema)
    after = declare_alike(before, Study(engine=_open_after(chosen, console))).engine
    found = compare_states(
        before.engine,
        after,
        before.scenarios,
        by=tuple(name for name in dict.fromkeys(chosen.by) if name not in chosen.keys),
        tables=read_tables(chosen.table),
        models=tuple(chosen.model),
        progress=console.progress,
    )
    if uses is not None:
        weighed = compare_uses(before.engine, after, uses, found, progress=console.progress)
        found = replace(found, uses=weighed)
    if chosen.plot is not None:
        write_figure(lambda: draw_all(found), chosen.plot)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(found))
    return 0


def _open_after(chosen: argparse.Namespace, console: Console) -> Engine:
    """The released file, in the order of the original if an identifier pairs them."""
    options = reading_of(chosen) | RELEASED
    if chosen.id is None:
        return study(chosen.after, keys=(), progress=console.progress, **options).engine
    if chosen.engine != "local":
        raise UsageError("--id pairs files on this machine only. Leave out --engine.")
    names = ("meta", "encoding", "separator", "comment", "na", "sheet")
    reading = {name: options[name] for name in names}
    old, new = (
        read(Path(path), progress=console.progress, **reading)
        for path in (chosen.before, chosen.after)
    )
    order = _pair(old, new, chosen.id)
    load = new.load
    paired = replace(new, load=lambda columns: load(columns)[order], scan=None, columnar=True)
    return open_engine(paired, memory=options["memory"])


def _pair(old: Source, new: Source, identifier: str) -> pl.Series:
    """Places of the released records in the order of the originals."""
    frames = []
    for source in (old, new):
        source.schema[identifier]
        column = source.load([identifier])[identifier]
        if column.null_count() or column.n_unique() < len(column):
            raise InputError(
                f"Identifier {identifier!r} of {source.schema.source} is missing in some records "
                "or the same in several. Name a variable that tells all records apart."
            )
        spelled = column.cast(pl.Float64, strict=False) if column.dtype.is_numeric() else column
        frames.append(pl.DataFrame({"id": spelled}).with_row_index("place"))
    if frames[0]["id"].dtype != frames[1]["id"].dtype:
        raise InputError(
            f"Identifier {identifier!r} is a number in one file and text in the other. Name "
            "another variable."
        )
    found = frames[0].join(frames[1], on="id", how="left", maintain_order="left")
    if found["place_right"].null_count() or len(frames[0]) != len(frames[1]):
        raise InputError(
            f"{old.schema.source} and {new.schema.source} do not have the same values of "
            f"{identifier!r}. Compare files with the same records."
        )
    return found["place_right"]
