"""The metadata of mu-ARGUS: `.rda` (layout and roles) and `.cdl` (labels of codes)."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import TYPE_CHECKING

from microsafe.errors import InputError
from microsafe.io.control_file import check_control_file
from microsafe.io.text.encoding import open_text
from microsafe.notices import Notice, make_notice
from microsafe.schema import Code, Role, Variable, number_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_TOKEN = re.compile(r'"[^"]*"|\'[^\']*\'|[^\s"\']+')
_FLAGS = ("TRUNCABLE", "HOUSEHOLD")
_VALUES = ("CODELIST", "IDLEVEL", "SUPPRESSWEIGHT", "SUPPRESSPRIORITY", "RELATED")
# A variable may carry several; the first that it has is its role.
_ROLES: dict[str, Role] = {"WEIGHT": "weight", "HOUSE_ID": "household", "RECODABLE": "key"}
_ALIASES = {"RECODEABLE": "RECODABLE"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgusField:
    """Where a variable stands on a line."""

    name: str
    start: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgusLayout:
    """How records stand in the data file.

    Attributes:
        fields: In the order of the metadata.
        separator: Between fields in free format; None means fixed width.
        header: Whether the first line names the variables.
        spss: Whether the data are an SPSS file instead of text.
    """

    fields: tuple[ArgusField, ...]
    separator: str | None = None
    header: bool = False
    spss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgusMetadata:
    """All that a `.rda` file says.

    Attributes:
        layout: Where the values stand.
        variables: What they mean, without the labels of codes.
        notices: What in the file was not understood.
    """

    layout: ArgusLayout
    variables: tuple[Variable, ...]
    notices: tuple[Notice, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Entry:
    """A variable while its lines are being read."""

    place: ArgusField
    missing: tuple[str, ...]
    words: dict[str, str] = field(default_factory=dict)


def parse_metadata(text: str, name: str) -> ArgusMetadata:
    """Read the text of a `.rda` file.

    Raises:
        InputError: A line is neither a keyword nor a variable, or there is no variable.
    """
    layout = ArgusLayout(fields=())
    entries: list[_Entry] = []
    notices: list[Notice] = []
    for number, line in enumerate(text.rstrip("\x1a\r\n ").splitlines(), start=1):
        tokens = split_tokens(line)
        if not tokens:
            continue
        if not line.lstrip().startswith("<"):
            entries.append(_entry(tokens, layout, f"{name} line {number}"))
            continue
        word = parse_keyword(tokens[0])
        value = " ".join(tokens[1:])
        if word in ("SEPARATOR", "NAMESINFRONT", "SPSS"):
            layout = _set_format(layout, word, value, f"{name} line {number}")
        elif entries and word in (*_FLAGS, *_VALUES, *_ROLES, "NUMERIC", "DECIMALS"):
            entries[-1].words[word] = value
        else:
            where = f"{name} line {number}"
            notices.append(make_notice("argus-keyword", where=where, word=word))
    if not entries:
        raise InputError(f"{name} describes no variable. Check that it is mu-ARGUS metadata.")
    return ArgusMetadata(
        layout=replace(layout, fields=tuple(entry.place for entry in entries)),
        variables=tuple(_variable(entry, name) for entry in entries),
        notices=tuple(notices),
    )


def parse_codes(text: str) -> Mapping[str, str]:
    """Read the text of a `.cdl` file: lines of code, label; the label may be quoted."""
    lines = text.rstrip("\x1a\r\n ").replace("\r\n", "\n").replace("\r", "\n")
    rows = csv.reader(StringIO(lines), skipinitialspace=True)
    return {
        row[0].strip(): ",".join(row[1:]).strip() for row in rows if len(row) > 1 and row[0].strip()
    }


def read_codes(path: Path, encoding: str | None) -> Mapping[str, str]:
    """Read a `.cdl` file: the label of each code."""
    return parse_codes(open_text(check_control_file(path), encoding).read().decode())


def find_beside(folder: Path, name: str) -> Path | None:
    """Find a file by its name, as it is or in other letter case.

    Metadata written on Windows may name a folder; the file itself lies beside them.
    """
    name = file_name(name)
    try:
        if (folder / name).is_file():
            return folder / name
        alike = [file for file in folder.iterdir() if file.name.lower() == name.lower()]
        return min((file for file in alike if file.is_file()), default=None)
    except OSError:  # no folder, or a name that no file can have
        return None


def find_code_list(folder: Path, name: str) -> Path | None:
    """Find a file that metadata name, beside them.

    A link to a file elsewhere is not followed: who sends metadata does not choose what is opened.
    """
    found = find_beside(folder, name)
    here = found is not None and found.resolve().parent == folder.resolve()
    return found if here else None


def file_name(name: str) -> str:
    """Return a name without the folder, be it one of Windows."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


def parse_keyword(token: str) -> str:
    """Return a keyword without its brackets, by the one name that it has here."""
    word = token.strip("<>").upper()
    return _ALIASES.get(word, word)


def split_tokens(line: str) -> list[str]:
    """Return the words of a line, those between quotation marks as one."""
    return [_strip_quotes(token) for token in _TOKEN.findall(line)]


def _strip_quotes(token: str) -> str:
    return token[1:-1] if token[0] in "\"'" else token


def _set_format(layout: ArgusLayout, word: str, value: str, where: str) -> ArgusLayout:
    if word == "SPSS":
        return replace(layout, spss=True)
    if word == "NAMESINFRONT":
        return replace(layout, header=True, separator=layout.separator or ",")
    separator = {"tab": "\t", "\\t": "\t"}.get(value.lower(), value)
    if len(separator) != 1 or not separator.isascii():
        raise InputError(f"{where}: the separator must be one character between quotation marks.")
    return replace(layout, separator=separator)


def _entry(tokens: list[str], layout: ArgusLayout, where: str) -> _Entry:
    """Read `NAME start width missing...`, in free format and SPSS without the start."""
    fixed = layout.separator is None and not layout.spss
    places = tokens[1 : 3 if fixed else 2]
    try:
        start, width = (int(p) for p in places) if fixed else (1, int(places[0]))
    except (ValueError, IndexError):
        start = width = 0
    if start < 1 or width < 1:
        shape = "NAME START WIDTH" if fixed else "NAME WIDTH"
        raise InputError(f"{where} is not of the form {shape} with whole numbers above 0.")
    missing = (code.strip() for code in tokens[3 if fixed else 2 :])
    return _Entry(
        place=ArgusField(name=tokens[0], start=start - 1, width=width),
        missing=tuple(dict.fromkeys(code for code in missing if code)),
    )


def _variable(entry: _Entry, name: str) -> Variable:
    words = entry.words
    numeric = "NUMERIC" in words
    extra = {word.lower(): words[word] for word in (*_FLAGS, *_VALUES) if word in words}
    missing: Iterable[Code] = entry.missing
    if numeric:
        numbers = {code: number_in(code) for code in entry.missing}
        missing = [value for value in numbers.values() if value is not None]
        # Such a code cannot be among numbers; in the data it becomes null.
        if odd := [code for code, value in numbers.items() if value is None]:
            extra["missing"] = " ".join(odd)
    decimals = words.get("DECIMALS", "0")
    if not decimals.isdecimal():
        raise InputError(f"{name}: <DECIMALS> of {entry.place.name} must be a whole number.")
    return Variable(
        name=entry.place.name,
        kind="number" if numeric else "text",
        missing=tuple(missing),
        role=next((role for word, role in _ROLES.items() if word in words), None),
        width=entry.place.width,
        decimals=int(decimals) if "DECIMALS" in words else None,
        extra=extra,
    )
