"""Recodes of mu-ARGUS: `.grc` files, with the labels of their code list.

A line `new: a-b, c, -20, 51-` names a new code and what becomes it; `<MISSING>` gives the new
missing codes and `<CODELIST>` the file with the labels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from microsafe.codes import Range
from microsafe.errors import InputError, UsageError
from microsafe.io.argus.rda import file_name, find_code_list, read_codes
from microsafe.io.atomic import replace_file
from microsafe.io.control_file import check_control_file
from microsafe.io.reader.faults import check_readable, translate_write_errors
from microsafe.io.text.encoding import open_text
from microsafe.notices import Notice, make_notice

_END = "\r\n"  # as mu-ARGUS writes
_PART = re.compile(r'"[^"]*"|[^,\s"]+')


@dataclass(frozen=True, slots=True, kw_only=True)
class GrcRecode:
    """What a `.grc` file says.

    Attributes:
        groups: Ranges of old codes by new code. A single code is a range of one: files are
            made for a classification, of which a sample need not have every code.
        missing: New missing codes; None if the file has no such line.
        labels: Of new codes and missing codes, from the code list.
        notices: What a person should know about how the file was read.
    """

    groups: Mapping[str, tuple[str | Range, ...]]
    missing: tuple[str, ...] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def read_grc(path: str | os.PathLike[str], *, encoding: str | None = None) -> GrcRecode:
    """Read a recode of mu-ARGUS and the code list that it names.

    Raises:
        UnreadableFileError: The file is missing or not text.
        InputError: A line is not of the form `new: old`.
    """
    recode = check_control_file(check_readable(Path(path)))
    text = open_text(recode, encoding).read().decode()
    groups: dict[str, tuple[Range, ...]] = {}
    missing: tuple[str, ...] | None = None
    codelist = ""
    notices: list[Notice] = []
    for place, line in enumerate(text.rstrip("\x1a\r\n ").splitlines(), start=1):
        where = f"{recode.name} line {place}"
        if line.lstrip().startswith("<"):
            word, _, rest = line.strip().partition(">")
            match word.lstrip("<").strip().upper():
                case "MISSING":
                    missing = tuple(dict.fromkeys(_split_words(rest)))
                case "CODELIST":
                    codelist = rest.strip().strip("\"'")
                case unknown:
                    notices.append(make_notice("argus-keyword", where=where, word=unknown))
        elif line.strip():
            new, old = _parse_group(line, where)
            groups[new] = (*groups.get(new, ()), *old)  # a new code may have several lines
    if not groups:
        raise InputError(f"{recode.name} names no new code. Check that it is a .grc file.")
    labels: Mapping[str, str] = {}
    if codelist:
        labels, absent = _read_labels(recode, codelist, encoding)
        notices += absent
    used = {*groups, *(missing or ())}
    return GrcRecode(
        groups=groups,
        missing=missing,
        labels={code: label for code, label in labels.items() if code in used},
        notices=tuple(notices),
    )


def write_grc(
    recode: GrcRecode, path: str | os.PathLike[str], *, codelist: str | None = None
) -> None:
    """Write a recode by groups for mu-ARGUS, and its labels as a code list beside it.

    Args:
        recode: What the file is to say.
        path: The `.grc` file.
        codelist: Name of the code list; that of the file with `.cdl` if None.

    Raises:
        UsageError: A code cannot stand in such a file.
    """
    target = Path(path)
    lines = []
    for new, old in recode.groups.items():
        parts = [_format_part(code, target.name) for code in old]
        lines.append(f"{_check_code(new, target.name)}: {', '.join(parts)}")
    if recode.missing is not None:
        lines += [
            "",
            "<MISSING> " + " ".join(_check_code(code, target.name) for code in recode.missing),
        ]
    files = {}
    if recode.labels:
        name = codelist or f"{target.stem}.cdl"
        lines.append(f"<CODELIST> {name}")
        quoted = [
            f'{code},"{label.replace(chr(34), chr(34) * 2)}"'
            for code, label in recode.labels.items()
        ]
        files[target.with_name(name)] = quoted
    with translate_write_errors(target.name, "a recode of mu-ARGUS"):
        for file, content in {**files, target: lines}.items():
            with replace_file(file) as temporary:
                temporary.write_bytes("".join(line + _END for line in content).encode())


def _parse_group(line: str, where: str) -> tuple[str, list[Range]]:
    new, colon, old = line.partition(":")
    new = new.strip().strip("\"'")
    ranges = [_parse_range(part, where) for part in _split_parts(old)]
    if not colon or not new or not ranges:
        raise InputError(f"{where} is not of the form NEW: OLD, OLD-OLD with codes on both sides.")
    return new, ranges


def _split_parts(text: str) -> Iterator[str]:
    """Return the old codes, which commas separate; blanks around a hyphen mean nothing."""
    for part in "-".join(end.strip() for end in text.split("-")).split(","):
        if part.strip():
            yield part.strip()


def _parse_range(part: str, where: str) -> Range:
    if part[0] in "\"'":
        code = part.strip("\"'")
        return (code, code)
    low, hyphen, high = part.partition("-")
    if not hyphen:
        return (part, part)
    if "-" in high or not (low or high):
        raise InputError(f"{where} has a range without exactly one hyphen. Write a-b, -b or a-.")
    return (low, high)


def _split_words(text: str) -> list[str]:
    return [word.strip("\"'") for word in _PART.findall(text)]


def _read_labels(
    recode: Path, name: str, encoding: str | None
) -> tuple[Mapping[str, str], list[Notice]]:
    code_list = find_code_list(recode.parent, name)
    if code_list is None:
        return {}, [make_notice("argus-code-list", owner=recode.name, name=file_name(name))]
    return read_codes(code_list, encoding), []


def _format_part(old: str | Range, name: str) -> str:
    if isinstance(old, str):
        return _check_code(old, name)
    low, high = (end and _check_code(end, name) for end in old)
    return low if low == high else f"{low}-{high}"


def _check_code(code: object, name: str) -> str:
    """Return a code that mu-ARGUS reads back as it is."""
    text = str(code)
    if not text or re.search(r"[-:,<>\"'\s]", text):
        raise UsageError(
            f"{name} cannot hold the code {text!r}: no hyphens, colons, commas, brackets, "
            "quotation marks or spaces. Choose another code."
        )
    return text
