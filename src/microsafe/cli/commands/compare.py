"""`compare`: what protection cost, from two files with the same records."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import RELEASED, add_pairing, add_two_files, reading_of
from microsafe.cli.option_values import parse_list
from microsafe.cli.output import PICTURES, add_json, add_plot, check_targets, write_figure
from microsafe.cli.scenario import add_roles
from microsafe.errors import InputError, UsageError

if TYPE_CHECKING:
    import polars as pl

    from microsafe.engine import Engine
    from microsafe.io import Source
    from microsafe.options.uses import Uses


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_two_files(command, "data file as it is released")
    add_roles(command, "keys", "weight", "household", required=False)
    add_pairing(command)
    command.add_argument(
        "--by",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="further categorical variables for tables and groups, alone and in pairs with keys",
    )
    command.add_argument(
        "--table",
        type=parse_list,
        action="append",
        default=[],
        metavar="A,B",
        help="a table of one variable or more to compare cell by cell; may be repeated",
    )
    command.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="'Y ~ A + B'",
        help="regression to compare: linear, or logistic if Y has two values or 'Y = CATEGORY ~ A' "
        "names one; may be repeated",
    )
    add_uses(command)
    add_plot(command, "pictures of blanks, tables, and numbers before and after")
    add_json(command)


def add_uses(command: argparse.ArgumentParser) -> None:
    """Add the options that say which uses matter."""
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--use",
        type=parse_use,
        action="append",
        default=[],
        metavar="WHAT=WEIGHT",
        help="what the file is used for, and how much that matters: a variable (region=3), a table "
        "(region,age=2) or a model ('income ~ age + sex=1'); keys that are not named count 1. The "
        "loss is measured by these uses, beside the plain one; may be repeated",
    )
    which.add_argument(
        "--uses", type=Path, metavar="PLAN", help="take the uses from [utility] of a plan"
    )


def parse_use(text: str) -> tuple[str, float]:
    """A use and its weight: WHAT=WEIGHT, or WHAT alone if it counts 1."""
    what, equals, weight = text.rpartition("=")
    try:
        found = (what.strip(), float(weight)) if equals else (text.strip(), 1.0)
    except ValueError:  # "work = yes ~ age" has an equals sign of its own
        if "~" not in weight:
            raise argparse.ArgumentTypeError(
                "must be WHAT=WEIGHT, such as region=3 or region,age=2"
            ) from None
        found = text.strip(), 1.0
    if not found[0]:
        raise argparse.ArgumentTypeError("must be WHAT=WEIGHT, such as region=3 or region,age=2")
    return found


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Say what protection cost: two files with the same records."""
    from microsafe.compare import compare as compare_states
    from microsafe.compare import read_tables
    from microsafe.compare.comparison import draw_all
    from microsafe.compare.use_loss import compare_uses
    from microsafe.studies.describe import declare_alike
    from microsafe.studies.study import Study, study

    check_targets(
        [chosen.before, chosen.after, chosen.meta, chosen.join],
        {chosen.plot: PICTURES},
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
    from microsafe.engine import open_engine
    from microsafe.io import read
    from microsafe.studies.study import study

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
    import polars as pl

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


def find_uses(chosen: argparse.Namespace) -> Uses | None:
    """Return the uses that options name; None if they name none."""
    if chosen.uses is not None:
        from microsafe.plan.read import read_plan

        found = read_plan(chosen.uses, draw_seeds=True, save_seeds=False).utility
        if found is None:
            raise UsageError(
                f"{chosen.uses.name} does not say which uses matter. Write them under [utility]."
            )
        return found
    return build_uses(chosen.use) if chosen.use else None


def build_uses(given: Sequence[tuple[str, float]]) -> Uses:
    """Return uses from what options say: variables, tables (a comma) and models (a tilde)."""
    from microsafe.options.uses import ModelUse, TableUse, Uses

    variables: dict[str, float] = {}
    tables, models = [], []
    for what, weight in given:
        names = parse_list(what)
        if "~" in what:
            models.append(ModelUse(formula=what, weight=weight))
        elif len(names) > 1:
            tables.append(TableUse(of=names, weight=weight))
        elif what in variables:
            raise UsageError(f"--use names {what!r} twice. Give it one weight.")
        else:
            variables[names[0]] = weight
    return Uses(variables=variables, tables=tuple(tables), models=tuple(models))
