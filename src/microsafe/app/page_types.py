"""The page's types, generated from the messages: `python -m microsafe.app.page_types`."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from microsafe.app import messages
from microsafe.app.messages.endpoints import ENDPOINTS, EVENTS
from microsafe.app.messages.message_builder import read_sent_types
from microsafe.app.messages.protect import FormEntry
from microsafe.app.messages.study import Problem
from microsafe.intruders import INTRUDERS
from microsafe.options.declaration import Declaration
from microsafe.options.parameter import secrets
from microsafe.options.policy import Policy, is_brought
from microsafe.options.profiles import PROFILES, USUAL_PROFILE
from microsafe.options.proposal import ProposalTerms
from microsafe.options.reading import ReadingOptions
from microsafe.options.release import OutputFiles
from microsafe.options.scenario import Scenario
from microsafe.steps import STEPS
from microsafe.steps.base import Step
from microsafe.variables.groups import GROUPS

TARGET = Path(__file__).parents[3] / "web" / "src" / "api.ts"

# Options that the page asks for in forms of its own, with the words that they have everywhere.
FORMS: Mapping[str, type] = {
    "declaration": Declaration,
    "output": OutputFiles,
    "policy": Policy,
    "proposal": ProposalTerms,
    "reading": ReadingOptions,
    "scenario": Scenario,
}

_HEAD = """\
// Made by `uv run python -m microsafe.app.page_types` from src/microsafe/app/messages.
// Change those modules, not this file.

/** What must be given of T, and what may be left out. */
type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;
"""
_PLAIN: Mapping[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    object: "unknown",
    type(None): "null",
}


def make_module() -> str:
    """Return the module in TypeScript."""
    parts = [_HEAD, *map(_make_interface, _list_kinds())]
    steps = " | ".join(kind.__name__ for kind in STEPS.values())
    given = " | ".join(_input_type(kind) for kind in STEPS.values())
    parts.append(f"export type Step = {steps};\n\nexport type StepInput = {given};\n")
    parts += [_make_alias(kind) for kind in _list_questions()]
    parts.append(_make_table("Api", dict(_list_endpoints())))
    parts.append(_make_table("Events", {name: kind.__name__ for name, kind in EVENTS.items()}))
    limits = ("MOST_POINTS", "MOST_CATEGORIES", "MOST_CELLS", "MOST_ROWS", "ENOUGH", "MUCH_HIGHER")
    constants = {limit: getattr(messages, limit) for limit in (*limits, "LANGUAGES")}
    constants["PROFILES"] = [asdict(profile) for profile in PROFILES.values()]
    constants["USUAL_PROFILE"] = USUAL_PROFILE
    titles = {r: kind.title for kind in INTRUDERS.values() for r in kind.judged_by()}
    constants["INTRUDER_RULES"] = {r: title for r, title in titles.items() if is_brought(r)}
    constants["GROUPS"] = {group: [words.title, words.why] for group, words in GROUPS.items()}
    parts.append("\n".join(f"export const {n} = {json.dumps(v)};" for n, v in constants.items()))
    return "\n".join([*parts, "", _make_forms()])


def _make_forms() -> str:
    """Return the fields of the forms, one in a line."""
    lines = []
    for name, kind in FORMS.items():
        rows = [
            f"    {entry.name}: {json.dumps(asdict(entry))}," for entry in FormEntry.list_of(kind)
        ]
        lines += [f"  {name}: {{", *rows, "  },"]
    end = "} as const satisfies Readonly<Record<string, Readonly<Record<string, FormEntry>>>>;\n"
    return "\n".join(["export const FORMS = {", *lines, end])


def _list_questions() -> list[type]:
    """Kinds that the page sends; fields with a default may be left out of these."""
    found: dict[type, None] = {}
    for endpoint in ENDPOINTS:
        for kind in (endpoint.body, endpoint.query):
            if isinstance(kind, type):
                found[kind] = None
    return [kind for kind in found if not issubclass(kind, Step)]


def _list_kinds() -> list[type]:
    """Every kind that a message is made of, the parts first."""
    found: dict[type, None] = {}
    roots = [
        *STEPS.values(),
        *_list_questions(),
        Problem,
        *(endpoint.answer for endpoint in ENDPOINTS),
    ]
    for kind in (*roots, *EVENTS.values()):
        _collect_kinds(kind, found)
    return list(found)


def _collect_kinds(hint: Any, found: dict[type, None]) -> None:
    if is_dataclass(hint) and isinstance(hint, type) and hint not in found:
        for each in read_sent_types(hint).values():
            _collect_kinds(each, found)
        found[hint] = None
    for inner in get_args(hint):
        _collect_kinds(inner, found)


def _make_interface(kind: type) -> str:
    lines = [f"/** {_first_line(kind)} */", f"export interface {kind.__name__} {{"]
    if kind in STEPS.values():
        lines.append(f"  readonly do: {json.dumps(kind.do)};")  # type: ignore[attr-defined]
    hidden = secrets(kind) if kind in STEPS.values() else ()
    may_lack = kind in (Problem, EVENTS["failed"])
    given = [field.name for field in fields(kind) if may_lack and not _is_required(field)]
    for name, hint in read_sent_types(kind).items():
        typed = _type_name(hint)
        if name in hidden and not typed.endswith("null"):
            typed += " | null"
        lines.append(f"  readonly {name}{'?' if name in given else ''}: {typed};")
    return "\n".join([*lines, "}\n"])


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _is_required(each: Field[Any]) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _input_type(kind: type) -> str:
    """What the page must give of a kind."""
    names = ["do"] if kind in STEPS.values() else []
    names += [field.name for field in fields(kind) if _is_required(field)]
    keys = " | ".join(map(json.dumps, names)) or "never"
    return f"Given<{kind.__name__}, {keys}>"


def _make_alias(kind: type) -> str:
    return f"export type {kind.__name__}Input = {_input_type(kind)};\n"


def _list_endpoints() -> Iterator[tuple[str, str]]:
    for endpoint in ENDPOINTS:
        body, query = (_input_name(kind) for kind in (endpoint.body, endpoint.query))
        yield (
            endpoint.route,
            f"{{ body: {body}; query: {query}; answer: {endpoint.answer.__name__}; "
            f"job: {str(endpoint.job).lower()} }}",
        )


def _input_name(kind: object) -> str:
    if kind is None:
        return "null"
    if kind is Step:
        return "StepInput"
    assert isinstance(kind, type)  # noqa: S101
    return _input_type(kind) if kind in STEPS.values() else f"{kind.__name__}Input"


def _make_table(name: str, rows: Mapping[str, str]) -> str:
    lines = [f"  {json.dumps(key)}: {value};" for key, value in rows.items()]
    return "\n".join([f"export interface {name} {{", *lines, "}\n"])


def _type_name(hint: Any) -> str:
    """Return a type in TypeScript."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint == Step:
        return "Step"
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_dataclass(hint) and isinstance(hint, type):
        return hint.__name__
    if isinstance(hint, type) and issubclass(hint, str):
        return "string"  # a sentence is its text
    if origin is Literal:
        return " | ".join(map(json.dumps, inner))
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(_type_name, inner)))
    if origin is ClassVar:
        return _type_name(inner[0])
    if issubclass(origin, Mapping):
        return f"Readonly<Record<string, {_type_name(inner[1])}>>"
    if issubclass(origin, Sequence):
        if origin is tuple and inner[-1] is not ...:
            return f"readonly [{', '.join(map(_type_name, inner))}]"
        each = _type_name(inner[0])
        several = " | " in each or each.startswith("readonly ")
        return f"readonly ({each})[]" if several else f"readonly {each}[]"
    raise TypeError(f"No message can hold {hint}.")


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(make_module(), "utf-8", newline="\n")
