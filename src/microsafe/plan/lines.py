"""Find the line of a plan on which something stands, for error messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_HEADING = re.compile(r"\s*+(?P<brackets>\[\[?+)(?P<name>[^\]]++)\]")
_FIELD = re.compile(r"\s*(?P<name>[\w-]+|\"[^\"]*\"|'[^']*')\s*[=.]")
_SYNTAX = re.compile(r"at line (\d+)")

Lines = Mapping[str, Mapping[str, int]]  # of the heading ("") and fields of each table of a plan


@dataclass(frozen=True, slots=True)
class PlanPosition:
    """A table of a plan: what to call it, and the lines of its heading ("") and fields."""

    words: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.at("")

    def at(self, name: str) -> str:
        """Name the place of a field, or of the table if it is not there."""
        line = self.lines.get(name, self.lines.get(""))
        return self.words if line is None else f"{self.words}, line {line}"


def find_lines(text: str) -> dict[str, Mapping[str, int]]:
    """Return the lines of each table of a plan; those of lists are named `step 1` and so on."""
    found: dict[str, dict[str, int]] = {"": {}}
    table, counts = found[""], dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            name = heading["name"].strip()
            if heading["brackets"] == "[[":
                counts[name] = counts.get(name, 0) + 1
                name = f"{name} {counts[name]}"
            table = found.setdefault(_bare(name), {"": number})
        elif word := _FIELD.match(line):
            table.setdefault(_bare(word["name"]), number)
    return dict(found)


def syntax_line(message: str) -> str:
    """Return the line that a parser of TOML complains about, in brackets; its words may quote."""
    found = _SYNTAX.search(message)
    return f" (line {found[1]})" if found else ""


def _bare(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))
