"""Names and signatures of all that `microsafe` exports, wherever it is written."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from folder import Folder

import microsafe as ms

_PATH = re.compile(r"\b(?:\w+\.)+(?=[A-Z])")  # of a class: looking_up.Models, microsafe.risk.Risk
_SHOWN = ("__iter__", "__len__", "__getitem__", "__contains__", "__call__", "__bool__")


def record(folder: Folder) -> None:
    folder.put("names", "\n".join([*sorted(ms.__all__), "", "dir()", *sorted(dir(ms)), ""]))
    for name in sorted(ms.__all__):
        found = getattr(ms, name)
        if inspect.isclass(found):
            folder.put(name, "\n".join([*_class_lines(found), ""]))
        else:
            folder.put(name, f"{name}{_signature(found)}\n")


def _class_lines(kind: type) -> Iterator[str]:
    bases = [each.__name__ for each in kind.__mro__[1:-1] if not each.__name__.startswith("_")]
    yield f"class {kind.__name__}({', '.join(bases)})"
    if is_dataclass(kind) or "__init__" in vars(kind):
        yield f"{kind.__name__}{_signature(kind)}"
    for name in dir(kind):
        if name.startswith("_") and name not in _SHOWN:
            continue
        if _home(kind, name).__module__ != "builtins":
            yield _member(kind, name, inspect.getattr_static(kind, name))


def _home(kind: type, name: str) -> type:
    return next((each for each in kind.__mro__ if name in vars(each)), kind)


def _member(kind: type, name: str, found: Any) -> str:
    if isinstance(found, property):
        return f"property {name}{_signature(found.fget)}"
    if isinstance(found, staticmethod | classmethod):
        return f"{type(found).__name__} {name}{_signature(found.__func__)}"
    if inspect.isfunction(found):
        return f"method {name}{_signature(found)}"
    annotation = next(
        (found for each in kind.__mro__ if (found := _annotations(each).get(name))), "?"
    )
    return f"attribute {name}: {_name(annotation)}"


def _annotations(kind: type) -> dict[str, Any]:
    return vars(kind).get("__annotations__", {})


def _signature(function: Any) -> str:
    """Return a signature without what is private."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(?)"
    shown = [each for each in found.parameters.values() if not each.name.startswith("_")]
    words = [_parameter(each) for each in shown]
    named = [at for at, each in enumerate(shown) if each.kind is each.KEYWORD_ONLY]
    if named and not any(each.kind is each.VAR_POSITIONAL for each in shown):
        words.insert(named[0], "*")
    result = "" if found.return_annotation is found.empty else _name(found.return_annotation)
    line = f"({', '.join(words)}) -> {result}"
    return line if len(line) < 100 else "(\n    " + ",\n    ".join(words) + f"\n) -> {result}"


def _parameter(given: inspect.Parameter) -> str:
    stars = {given.VAR_POSITIONAL: "*", given.VAR_KEYWORD: "**"}.get(given.kind, "")
    plain = given.annotation is given.empty or given.name == "self"
    words = stars + given.name + ("" if plain else f": {_name(given.annotation)}")
    if given.default is given.empty:
        return words
    value = given.default
    return f"{words} = {value.__name__ if inspect.isroutine(value) else repr(value)}"


def _name(annotation: Any) -> str:
    return _clean(annotation.__name__ if inspect.isclass(annotation) else str(annotation))


def _clean(text: str) -> str:
    return _PATH.sub("", text)
