"""Write the metadata of mu-ARGUS: the `.rda` file and its code lists."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import TYPE_CHECKING

from microsafe.codes import code_text
from microsafe.errors import InputError
from microsafe.io.argus.rda import parse_keyword, split_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microsafe.io.argus.rda import ArgusField, ArgusMetadata
    from microsafe.schema import Schema, Variable

END = "\r\n"  # mu-ARGUS is a program of Windows
NAME = re.compile(r"[^\s\"'<][^\s\"']*")
_UNFIT = re.compile(r"[^\w-]")  # for names of files
_ROLES = {"weight": "WEIGHT", "household": "HOUSE_ID", "key": "RECODABLE"}


def missing_codes(variable: Variable, width: int) -> list[str]:
    """Return the missing codes as they stand in the data.

    Those that do not fit their place cannot occur there, and so are left out.
    """
    codes = [code_text(code) for code in variable.missing]
    codes += variable.extra.get("missing", "").split()
    return [code for code in dict.fromkeys(codes) if code and len(code) <= width]


def name_code_lists(stem: str, schema: Schema) -> Mapping[str, str]:
    """Return the name of each variable's code list: that of the data, then the variable's."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for variable in schema:
        if variable.labels:
            name = f"{stem}_{_UNFIT.sub('_', variable.name)}"
            # On Windows names of files that differ only in letter case are one file.
            while name.lower() in used:
                name += "_"
            used.add(name.lower())
            names[variable.name] = f"{name}.cdl"
    return names


def format_code_list(variable: Variable) -> str:
    """Return the text of a code list."""
    out = StringIO()
    rows = ((code_text(code), label) for code, label in variable.labels.items())
    csv.writer(out, lineterminator=END).writerows(rows)
    return out.getvalue()


def amend_metadata(
    text: str, metadata: ArgusMetadata, schema: Schema, lists: Mapping[str, str], end: str
) -> str:
    """Return the text of a `.rda` file for data that were protected.

    Lines stay as they are, unless the variable is gone, its missing codes are others, it
    holds codes where it held numbers, or it has another code list.
    """
    lines: list[str] = []
    current: Variable | None = None
    heading = True
    before = {variable.name: variable for variable in metadata.variables}
    places = {field.name: field for field in metadata.layout.fields}
    for line in text.rstrip("\x1a\r\n ").splitlines():
        tokens = split_tokens(line)
        if tokens and not line.lstrip().startswith("<"):
            name, heading = tokens[0], False
            current = next((variable for variable in schema if variable.name == name), None)
            if current is None:
                continue
            place, fixed = places[name], metadata.layout.separator is None
            lines.append(
                line if _same_missing(current, before[name]) else _entry(place, current, fixed)
            )
            if name in lists:
                lines.append(f'  <CODELIST> "{lists[name]}"')
        elif not tokens or heading or _stays(tokens, current, schema):
            lines.append(_drop_gone(line, tokens, schema))
    return "".join(line + end for line in lines)


def format_metadata(
    fields: Sequence[ArgusField],
    schema: Schema,
    decimals: Mapping[str, int],
    lists: Mapping[str, str],
) -> str:
    """Return the text of a `.rda` file for data that had none."""
    lines: list[str] = []
    for place in fields:
        variable = schema[place.name]
        if not NAME.fullmatch(variable.name):
            raise InputError(
                f"mu-ARGUS cannot have a variable named {variable.name!r}: no spaces or quotation "
                "marks. Rename it in the input, or write another format."
            )
        lines.append(_entry(place, variable, True))
        if variable.role in _ROLES:
            lines.append(f"  <{_ROLES[variable.role]}>")
        if variable.name in decimals:
            lines += ["  <NUMERIC>", f"  <DECIMALS> {decimals[variable.name]}"]
        if variable.name in lists:
            lines.append(f'  <CODELIST> "{lists[variable.name]}"')
    return "".join(line + END for line in lines)


def _entry(place: ArgusField, variable: Variable, fixed: bool) -> str:
    where = f"{place.start + 1} {place.width}" if fixed else f"{place.width}"
    codes = "".join(f' "{code}"' for code in missing_codes(variable, place.width))
    return f"{place.name} {where}{codes}"


def _same_missing(now: Variable, before: Variable) -> bool:
    return now.missing == before.missing and now.extra.get("missing") == before.extra.get("missing")


def _stays(tokens: Sequence[str], current: Variable | None, schema: Schema) -> bool:
    """Tell whether a keyword still holds of the variable that it is written under."""
    word = parse_keyword(tokens[0])
    if current is None or word == "CODELIST":
        return False
    if word in ("NUMERIC", "DECIMALS"):
        return current.kind in ("number", "integer")
    return word != "RELATED" or any(name in schema for name in tokens[1:])


def _drop_gone(line: str, tokens: Sequence[str], schema: Schema) -> str:
    """Return the line without related variables that are gone."""
    if not tokens or parse_keyword(tokens[0]) != "RELATED" or all(n in schema for n in tokens[1:]):
        return line
    return f"  <RELATED> {' '.join(name for name in tokens[1:] if name in schema)}"
