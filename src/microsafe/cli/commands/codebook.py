"""`codebook`: write what is known of the variables, to be completed and given back."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import add_file, inputs_of, open_file
from microsafe.cli.output import add_json, add_output, check_targets

if TYPE_CHECKING:
    from microsafe.options.declaration import Declaration
    from microsafe.progress import Progress
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_output(command, "codebook to write (.csv, .xml as DDI-Codebook, .rda of mu-ARGUS)")
    command.add_argument(
        "--no-guess",
        action="store_true",
        help="write what the file says only: no guessed roles, no words that may mean missing",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Write what is known of the variables as a codebook."""
    from microsafe.io import declare_schema, write_codebook
    from microsafe.options.declaration import merge_declarations

    check_targets(inputs_of(chosen), {chosen.output: ()})
    study = open_file(chosen, console.progress)
    told = merge_declarations(declare_schema(study.schema), study.engine.declarations)
    told = merge_declarations(told, study.declarations)
    if not chosen.no_guess:
        told = merge_declarations(_guess(study, console.progress), told)
    told = {name: told[name] for name in study.schema.names}
    write_codebook(chosen.output, told, title=study.schema.source, keep=_list_read(chosen))
    name = Path(chosen.output).name
    if chosen.json:
        notices = [notice.text for notice in study.notices]
        console.print_json({"file": name, "variables": len(told), "notices": notices})
        return 0
    console.say(
        f"Codebook of {len(told)} variables written to {name}. Complete it, and give it back "
        f"with --codebook {name}."
    )
    marked = any(
        declaration.decimal or declaration.thousands or declaration.dates
        for declaration in told.values()
    )
    if marked and name.lower().endswith(".rda"):
        console.say("It cannot hold decimal and thousands marks or how dates are written.")
    console.print_notices(study.notices)
    return 0


def _list_read(chosen: argparse.Namespace) -> tuple[Path, ...]:
    """Files that the data were read from; only metadata of mu-ARGUS lie beside them."""
    from microsafe.io import read

    if Path(chosen.output).suffix.lower() != ".rda" or chosen.engine == "spark":
        return ()
    options = {"meta": chosen.meta, "encoding": chosen.encoding, "sheet": chosen.sheet}
    paths = read(chosen.file, **options).paths
    joined = () if chosen.join is None else read(chosen.join, sheet=chosen.join_sheet).paths
    return (*paths, *joined)


def _guess(study: Study, progress: Progress) -> dict[str, Declaration]:
    """What values, names and labels suggest: roles, and words that mean missing."""
    from microsafe.options.declaration import Declaration

    said = study.propose_declarations(progress=progress)
    for each in study.describe(progress=progress):
        one = said.get(each.name, Declaration())
        if each.role != "other":
            said[each.name] = replace(one, role=each.role)
        elif each.sensitive:
            said[each.name] = replace(one, role="sensitive")
    return said
