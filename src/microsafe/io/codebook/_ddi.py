"""DDI-Codebook 2.5: the description of variables in the XML of data archives.

Names and codes, labels, missing codes, types, order, decimals, units, weights and geography are
where DDI has them. What it has no place for, such as costs, stands in `notes` of type microsafe.
Any version is read, whatever its namespace; of what it says beyond variables nothing is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from microsafe.codes import code_text
from microsafe.errors import InputError, UnreadableFileError, UsageError
from microsafe.io.codebook._fields import NONE, is_number, read_code, read_field, write_field
from microsafe.options.declaration import Declaration, Type
from microsafe.schema import number_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from microsafe.schema import Code

NAMESPACE = "ddi:codebook:2_5"
_SCHEMA = "https://ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd"
_OURS = "microsafe"  # type of the notes that only this program reads
_SYSTEM = frozenset({"", ".", "sysmiss", "system"})  # empty cells, which are no code
_MOST = 100  # whole numbers of a range that are named one by one
_TYPES: Mapping[str, Type] = {
    "numeric": "number",
    "code": "category",
    "datetime": "date",
    "text": "text",
}
_REPRESENTATIONS = {kind: word for word, kind in _TYPES.items()}
_BREAK = re.compile(r"(?<!\s)\s*[\r\n]\s*")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True, kw_only=True)
class _Category:
    """A code, its label, and whether it stands for missing."""

    code: str = ""
    label: str = ""
    missing: bool = False


@dataclass(slots=True, kw_only=True)
class _Var:
    """What DDI says of a variable."""

    line: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    concept: str = ""
    format: Mapping[str, str] = field(default_factory=dict)
    categories: list[_Category] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    ranges: list[tuple[str, str]] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


class _Reader:
    """Takes the elements as they come, and keeps the variables."""

    def __init__(self, name: str, encoding: str | None) -> None:
        self.name = name
        self.found: dict[str, tuple[int, Declaration]] = {}
        self.parser = expat.ParserCreate(encoding, namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add_text
        self._path: list[str] = []
        self._var: _Var | None = None
        self._note = ""
        self._text: list[str] = []

    def read(self, chunks: Iterable[bytes]) -> Mapping[str, Declaration]:
        fault = ""
        try:
            for chunk in chunks:
                self.parser.Parse(chunk, False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            fault = f"line {error.lineno}, column {error.offset + 1}"
        except (LookupError, ValueError, UnicodeError) as error:  # an encoding that Python lacks
            if isinstance(error, InputError):
                raise
            fault = f"line {self.parser.CurrentLineNumber}"
        if fault:
            raise UnreadableFileError(
                f"{self.name} is no well-formed XML: {fault}. It may be cut short, so fetch or "
                "export it again."
            )
        if not self.found:
            raise InputError(
                f"{self.name} describes no variable. Check that it is a DDI codebook with a part "
                "dataDscr."
            )
        return {name: declaration for name, (_, declaration) in self.found.items()}

    def _refuse_doctype(self, *_: object) -> NoReturn:
        raise InputError(
            f"{self.name} has a document type declaration on line {self.parser.CurrentLineNumber}, "
            "which could make a small file grow without end. Delete it: DDI needs none."
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        self._path.append(tag)
        self._text = []
        if tag == "var":
            self._var = _Var(line=self.parser.CurrentLineNumber, attributes=attributes)
        var = self._var
        if var is None:
            return
        if tag == "catgry":
            var.categories.append(_Category(missing=attributes.get("missing") == "Y"))
        elif tag == "varFormat":
            var.format = attributes
        elif tag == "item" and "invalrng" in self._path:
            var.missing.append(attributes.get("VALUE", ""))
        elif tag == "range" and "invalrng" in self._path:
            var.ranges.append((attributes.get("min", ""), attributes.get("max", "")))
        elif tag == "notes":
            self._note = attributes.get("subject", "") if attributes.get("type") == _OURS else ""

    def _add_text(self, text: str) -> None:
        if self._var is not None:
            self._text.append(text)

    def _end(self, tag: str) -> None:
        self._path.pop()
        var = self._var
        if var is None:
            return
        tag = tag.rpartition(" ")[2]
        parent = self._path[-1] if self._path else ""
        text = _BREAK.sub(" ", "".join(self._text).strip())
        if tag == "var":
            self._add_variable(var)
            self._var = None
        elif tag == "labl" and parent == "var":
            var.label = var.label or text
        elif tag == "concept" and parent == "var":
            var.concept = var.concept or text
        elif tag == "catValu" and parent == "catgry":
            var.categories[-1].code = text
        elif tag == "labl" and parent == "catgry":
            var.categories[-1].label = var.categories[-1].label or text
        elif tag == "notes" and parent == "var" and self._note:
            var.notes[self._note] = "".join(self._text)
        self._text = []

    def _add_variable(self, var: _Var) -> None:
        name = var.attributes.get("name", "").strip()
        if not name:
            raise InputError(f"{self.name} line {var.line}: a var has no name. Give it one.")
        try:
            declaration = _declare(var)
        except UsageError as error:
            raise InputError(f"{self.name} line {var.line}, variable {name!r}: {error}") from None
        line, before = self.found.get(name, (var.line, declaration))
        if before != declaration:
            raise InputError(
                f"{self.name} describes {name!r} on line {line} and otherwise on line {var.line}, "
                "perhaps for another file. Leave only the variables of one file in it."
            )
        self.found[name] = (line, declaration)


def read_ddi(
    chunks: Iterable[bytes], name: str, *, encoding: str | None = None
) -> Mapping[str, Declaration]:
    """Read what a DDI codebook says of its variables.

    Raises:
        UnreadableFileError: It is no well-formed XML.
        InputError: It describes no variable, or something that cannot be meant.
    """
    return _Reader(name, encoding).read(chunks)


def write_ddi(declarations: Mapping[str, Declaration], title: str) -> bytes:
    """Return a DDI codebook, valid by the schema of version 2.5."""
    pieces = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<codeBook xmlns="{NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        f' version="2.5" xsi:schemaLocation="{NAMESPACE} {_SCHEMA}">',
        f"  <stdyDscr><citation><titlStmt><titl>{_escape(title)}</titl></titlStmt></citation>"
        "</stdyDscr>",
        "  <dataDscr>",
    ]
    for place, (name, declaration) in enumerate(declarations.items(), start=1):
        if _FORBIDDEN.search(name) or name != name.strip() or not name:
            raise InputError(
                f"A DDI codebook cannot hold a variable named {name!r}: it is empty, has blanks "
                "around it or control characters. Rename it in the data."
            )
        pieces += _write_var(f"V{place}", name, declaration)
    return "\n".join([*pieces, "  </dataDscr>", "</codeBook>", ""]).encode()


def _declare(var: _Var) -> Declaration:
    """Return what DDI, and notes of ours, say of a variable.

    Raises:
        UsageError: Some of it cannot be meant.
    """
    values: dict[str, Any] = _plain_fields(var)
    known = {field.name: field.default for field in fields(Declaration) if field.name != "labels"}
    for name, text in var.notes.items():
        if name in known:
            values[name] = read_field(name, text) if text else known[name]
    number = values["type"] == "number"
    for name in ("missing", "order"):
        values[name] = values[name] and tuple(_as_code(code, number) for code in values[name])
    values["labels"] = {
        _as_code(category.code, number): category.label
        for category in _find_codes(var)
        if category.label
    }
    return Declaration(**values)


def _as_code(text: str, number: bool) -> Code:
    """Return a code, as a number among numbers; archives also list texts there."""
    return read_code(text, "number" if number and is_number(text) else None)


def _find_codes(var: _Var) -> list[_Category]:
    """Return categories but for the empty cells that archives list among them."""
    ours = "missing" in var.notes
    return [
        category
        for category in var.categories
        if category.code and (ours or not category.missing or category.code.lower() not in _SYSTEM)
    ]


def _plain_fields(var: _Var) -> dict[str, Any]:
    """Return the fields that DDI has elements for; codes are texts."""
    attributes, codes = var.attributes, _find_codes(var)
    named = [category.code for category in codes if category.missing]
    named += [code for code in var.missing if code.strip().lower() not in _SYSTEM]
    for low, high in var.ranges:
        named += _codes_between(low, high, [category.code for category in codes])
    missing = tuple(dict.fromkeys(named))
    kind = _find_type(var, [category.code for category in codes if category.code not in missing])
    ordered = attributes.get("nature") == "ordinal" and kind == "category"
    decimals = attributes.get("dcml", "").strip()
    return {
        "type": kind,
        "label": var.label or var.concept or None,
        "missing": missing or None,
        "order": tuple(
            dict.fromkeys(category.code for category in codes if category.code not in missing)
        )
        if ordered
        else (),
        "decimals": read_field("decimals", decimals) if decimals and kind == "number" else None,
        "unit": attributes.get("measUnit", ""),
        "role": _find_role(attributes),
    }


def _find_role(attributes: Mapping[str, str]) -> str | None:
    if attributes.get("wgt") == "wgt":
        return "weight"
    return "geography" if attributes.get("geog") == "Y" else None


def _find_type(var: _Var, valid: list[str]) -> Type | None:
    attributes, nature = var.attributes, var.attributes.get("nature", "")
    if (word := attributes.get("representationType", "")) in _TYPES:
        return _TYPES[word]
    if var.format.get("category") == "date":
        return "date"
    if nature in ("nominal", "ordinal"):
        return "category"
    continuous = attributes.get("intrvl") == "contin"
    if continuous or nature in ("interval", "ratio", "percent"):
        return "number"
    if valid:
        return "category"
    return "number" if var.format.get("type") == "numeric" else None


def _codes_between(low: str, high: str, known: list[str]) -> list[str]:
    """Return the codes of a range: all whole numbers of a short one, else those with a label."""
    first, last = number_in(low), number_in(high)
    if first is None and last is None:
        return []
    first, last = (-float("inf") if first is None else first), last
    last = float("inf") if last is None else last
    if 0 <= last - first < _MOST and first.is_integer():
        return [str(number) for number in range(int(first), int(last) + 1)]
    numbers = ((code, number_in(code)) for code in known)
    return [code for code, number in numbers if number is not None and first <= number <= last]


def _write_var(identity: str, name: str, declaration: Declaration) -> Iterator[str]:
    """Go through the lines of a variable, its parts in the order that the schema asks for."""
    var = _make_var(declaration)
    attributes = {"ID": identity, "name": name, **var.attributes}
    yield f"    <var{_write_attributes(attributes)}>"
    if var.label:
        yield f"      <labl>{_escape(var.label)}</labl>"
    for category in var.categories:
        label = f"<labl>{_escape(category.label)}</labl>" if category.label else ""
        missing = ' missing="Y"' if category.missing else ""
        yield f"      <catgry{missing}><catValu>{_escape(category.code)}</catValu>{label}</catgry>"
    if var.format:
        yield f"      <varFormat{_write_attributes(var.format)}/>"
    plain = _plain_fields(var)
    for part in fields(Declaration):
        value, heard = getattr(declaration, part.name), plain.get(part.name, part.default)
        if part.name in ("missing", "order") and value is not None:
            value = tuple(code_text(code) for code in value)
        if part.name != "labels" and value != heard:
            text = NONE if part.name == "missing" and value == () else write_field(part.name, value)
            yield f'      <notes type="{_OURS}" subject="{part.name}">{_escape(text)}</notes>'
    yield "    </var>"


def _make_var(declaration: Declaration) -> _Var:
    """Return what DDI has elements for."""
    labels = {code_text(code).strip(): label for code, label in declaration.labels.items()}
    missing = [code_text(code).strip() for code in declaration.missing or ()]
    order = [code_text(code).strip() for code in declaration.order]
    codes = dict.fromkeys([*order, *labels, *missing])
    attributes = {
        "wgt": "wgt" if declaration.role == "weight" else "",
        "dcml": "" if declaration.decimals is None else str(declaration.decimals),
        "intrvl": "contin" if declaration.type == "number" else "",
        "measUnit": declaration.unit,
        "nature": "ordinal" if declaration.order else "",
        "geog": "Y" if declaration.role == "geography" else "",
        "representationType": _REPRESENTATIONS[declaration.type] if declaration.type else "",
    }
    formats = {"number": "numeric", "text": "character", "date": "character"}
    form = {"type": formats[declaration.type]} if declaration.type in formats else {}
    return _Var(
        attributes={name: value for name, value in attributes.items() if value},
        label=_BREAK.sub(" ", (declaration.label or "").strip()),
        format=form | {"category": "date"} if declaration.type == "date" else form,
        categories=[
            _Category(
                code=code,
                label=_BREAK.sub(" ", labels.get(code, "").strip()),
                missing=code in missing,
            )
            for code in codes
            if code
        ],
    )


def _write_attributes(attributes: Mapping[str, str]) -> str:
    return "".join(
        f" {name}={quoteattr(_FORBIDDEN.sub('?', value))}" for name, value in attributes.items()
    )


def _escape(text: str) -> str:
    return escape(_FORBIDDEN.sub("?", text), {"\r": "&#13;"})
