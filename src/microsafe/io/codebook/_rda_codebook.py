"""Metadata of mu-ARGUS as a codebook: a `.rda` file and the code lists beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from microsafe.codes import code_text
from microsafe.errors import InputError
from microsafe.io.argus.declarations import USUAL_WEIGHT, declare_variables
from microsafe.io.argus.rda import parse_metadata
from microsafe.io.argus.read_argus import add_labels
from microsafe.io.argus.write_rda import END, NAME, format_code_list, name_code_lists
from microsafe.io.text.encoding import open_text
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from microsafe.options.declaration import Declaration

_QUOTED = re.compile(r'["\r\n\x1a]')
_ROLES = {"weight": "WEIGHT", "household": "HOUSE_ID"}
_KEYS = ("key", "geography")
_NUMBER = 12  # characters that a number takes, if nobody says how many


def read_rda(path: Path, encoding: str | None) -> Mapping[str, Declaration]:
    """Read what a `.rda` file and its code lists say of variables."""
    text = open_text(path, encoding).read().decode()
    variables, _, _ = add_labels(parse_metadata(text, path.name).variables, path.parent, encoding)
    return declare_variables(Schema(source=path.name, variables=variables).variables)


def write_rda(
    declarations: Mapping[str, Declaration],
    stem: str,
    *,
    widths: Mapping[str, int],
    separator: str,
) -> Mapping[str, bytes]:
    """Return a `.rda` file for delimited text with a line of names, and its code lists."""
    schema = Schema(
        source=f"{stem}.rda",
        variables=tuple(
            Variable(name=name, labels=declaration.labels)
            for name, declaration in declarations.items()
        ),
    )
    lists = name_code_lists(stem, schema)
    lines = [f'<SEPARATOR> "{separator}"', "<NAMESINFRONT>"]
    for name, declaration in declarations.items():
        width = widths.get(name) or _find_width(declaration)
        lines += _write_variable(name, declaration, width, lists.get(name, ""))
    files = {f"{stem}.rda": "".join(line + END for line in lines).encode()}
    for name, file in lists.items():
        files[file] = format_code_list(schema[name]).encode()
    return files


def _write_variable(
    name: str, declaration: Declaration, width: int, code_list: str
) -> Iterator[str]:
    if not NAME.fullmatch(name):
        raise InputError(
            f"mu-ARGUS cannot have a variable named {name!r}: no spaces or quotation marks. "
            "Rename it in the data, or write a codebook in .csv or .xml."
        )
    codes = [code_text(code) for code in declaration.missing or ()]
    missing = "".join(f' "{code}"' for code in codes if not _QUOTED.search(code))
    yield f"{name} {width}{missing}"
    keywords = {
        _ROLES.get(declaration.role or "", ""): "",
        "RECODABLE" if _is_category(declaration) else "": "",
        "NUMERIC" if declaration.type == "number" else "": "",
        "DECIMALS": "" if declaration.decimals is None else str(declaration.decimals),
        "CODELIST": code_list and f'"{code_list}"',
        "IDLEVEL": str(declaration.level or 1) if declaration.role in _KEYS else "",
        "SUPPRESSWEIGHT": ""
        if declaration.cost is None
        else code_text(declaration.cost * USUAL_WEIGHT),
        "RELATED": " ".join(declaration.linked),
        "HOUSEHOLD" if declaration.household_level else "": "",
    }
    flags = {*_ROLES.values(), "RECODABLE", "NUMERIC", "HOUSEHOLD"}
    for word, value in keywords.items():
        if word and (value or word in flags):
            yield f"  <{word}> {value}".rstrip()


def _is_category(declaration: Declaration) -> bool:
    if declaration.role in _ROLES or declaration.type == "number":
        return False
    return declaration.type == "category" or declaration.role in _KEYS


def _find_width(declaration: Declaration) -> int:
    codes = (*declaration.labels, *(declaration.missing or ()))
    if declaration.type == "number" or not codes:
        return _NUMBER
    return max(len(code_text(code)) for code in codes)
