"""What `preview` and `codebook` do."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from microsafe.cli.commands import inputs_of, open_file
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.io import declare_schema, read, write_codebook
from microsafe.options.declaration import Declaration, merge_declarations
from microsafe.progress import Progress
from microsafe.studies.study import Study
from microsafe.studies.variable_preview import VariablePreview


def preview(chosen: argparse.Namespace, console: Console) -> int:
    """Show variables as they are read and declared."""
    study = open_file(chosen, console.progress)
    found = study.preview_variables(chosen.variables, most=chosen.most, progress=console.progress)
    if chosen.json:
        told = [_summarise(each) for each in found]
        notices = [notice.text for notice in study.notices]
        console.print_json({"variables": told, "notices": notices})
        return 0
    console.say(repr(found))
    console.print_notices(study.notices)
    return 0


def codebook(chosen: argparse.Namespace, console: Console) -> int:
    """Write what is known of the variables as a codebook."""
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
    marked = any(each.decimal or each.thousands or each.dates for each in told.values())
    if marked and name.lower().endswith(".rda"):
        console.say("It cannot hold decimal and thousands marks or how dates are written.")
    console.print_notices(study.notices)
    return 0


def _list_read(chosen: argparse.Namespace) -> tuple[Path, ...]:
    """Files that the data were read from; only metadata of mu-ARGUS lie beside them."""
    if Path(chosen.output).suffix.lower() != ".rda" or chosen.engine == "spark":
        return ()
    options = {"meta": chosen.meta, "encoding": chosen.encoding, "sheet": chosen.sheet}
    paths = read(chosen.file, **options).paths
    joined = () if chosen.join is None else read(chosen.join, sheet=chosen.join_sheet).paths
    return (*paths, *joined)


def _guess(study: Study, progress: Progress) -> dict[str, Declaration]:
    """What values, names and labels suggest: roles, and words that mean missing."""
    said = study.propose_declarations(progress=progress)
    for each in study.describe(progress=progress):
        one = said.get(each.name, Declaration())
        if each.role != "other":
            said[each.name] = replace(one, role=each.role)
        elif each.sensitive:
            said[each.name] = replace(one, role="sensitive")
    return said


def _summarise(each: VariablePreview) -> dict[str, Any]:
    told = asdict(each)
    said = {"declaration": each.declaration, "proposed": each.proposed}
    return told | {name: None if one is None else _list_fields(one) for name, one in said.items()}


def _list_fields(said: Declaration) -> dict[str, Any]:
    nothing = asdict(Declaration())
    return {name: value for name, value in asdict(said).items() if value != nothing[name]}
