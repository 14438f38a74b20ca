"""The inventory: all variables of a file, what was found about each, and what was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from microsafe.display import format_grid
from microsafe.notices import Notice
from microsafe.results import Result, Rows, make_page
from microsafe.svg import draw_bars
from microsafe.variables.groups import GROUPS, Group, Way
from microsafe.variables.profile import VariableProfile

_GUESSED = ("role", "meaning", "sensitive", "reason", "place")
_HEADINGS = ("variable", "type", "values", "found", "decision", "by or why")
_WAYS: Mapping[Way, str] = {
    "drop": "leave out",
    "renumber": "give new numbers",
    "coarsen": "coarsen by a step",
    "key": "add to an intruder's keys",
    "keep": "keep with a reason",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Inventory(Result):
    """All variables of a file, with what was found and what was decided.

    Attributes:
        source: The file.
        records: In it.
        rows: The variables, in the order of the file.
        notices: What variables give away of others, and what to know of a file that was written.
    """

    source: str
    records: int
    rows: tuple[VariableProfile, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def undecided(self) -> tuple[str, ...]:
        """Variables that nobody has decided on yet."""
        return self._names(row for row in self.rows if row.decision.role == "undecided")

    @property
    def barred(self) -> tuple[str, ...]:
        """Direct identifiers that would go out without a reason."""
        return self._names(row for row in self.rows if row.barred)

    @property
    def open(self) -> tuple[str, ...]:
        """Variables that stand in the way of a release."""
        return self._names(row for row in self.rows if row.open)

    @property
    def unchanged(self) -> tuple[str, ...]:
        """Variables that go out as they came in."""
        return self._names(row for row in self.rows if row.is_unchanged)

    @staticmethod
    def _names(rows: Any) -> tuple[str, ...]:
        return tuple(row.name for row in rows)

    @property
    def title(self) -> str:
        """What was looked at, and what is open."""
        return (
            f"Inventory of {self.source}: {len(self.rows)} variables in {self.records:,} records, "
            f"{len(self.open)} to decide"
        )

    def _rows(self) -> Rows:
        return [(row.name, row.outcome) for row in self.rows]

    def _remarks(self) -> Sequence[str]:
        return [
            f"{row.name} ({finding.kind}): {finding.reason}"
            for row in self.rows
            for finding in row.findings
        ]

    def by_group(self) -> dict[Group, tuple[VariableProfile, ...]]:
        """Return the variables by what they are to a release, the most delicate first."""
        found = {group: tuple(row for row in self.rows if row.group == group) for group in GROUPS}
        return {group: rows for group, rows in found.items() if rows}

    def _grid(self) -> list[tuple[str, ...]]:
        rows = (row for group in self.by_group().values() for row in group)
        return [_HEADINGS, *map(_list_cells, rows)]

    def _lines(self) -> list[str]:
        """The table, a heading above each group that says what can be done.

        Variables of which there is nothing more to say share a line.
        """
        head, *lines = format_grid(self._grid(), right=(2,))
        made, left = [head], iter(lines)
        for group, rows in self.by_group().items():
            plain: dict[str, list[str]] = {}
            made.append(_say_ways(group))
            for row, line in zip(rows, islice(left, len(rows)), strict=True):
                if row.findings or row.decision.by or row.decision.why:
                    made.append(line)
                else:
                    plain.setdefault(row.outcome, []).append(row.name)
            made += [f"  {outcome}: {', '.join(names)}" for outcome, names in plain.items()]
        return made

    def __repr__(self) -> str:
        """Return the table for a terminal, and the reasons below it."""
        reasons = [f"  {remark}" for remark in self._remarks()]
        below = ["Recognised by:", *reasons] if reasons else []
        below += [f"note: {notice.text}" for notice in self.notices]
        return "\n".join([self.title, *self._lines(), *below])

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        head, *body = self._grid()
        groups = {row.name: GROUPS[row.group].title for row in self.rows}
        return make_page(
            self.title,
            [(name, groups[name], *cells) for name, *cells in body],
            head=(head[0], "group", *head[1:]),
            picture=self._picture(),
            right=(3,),
            labels={row.name: row.label for row in self.rows if row.label},
            remarks=(*self._remarks(), *(notice.text for notice in self.notices)),
        )

    def _picture(self) -> str:
        counts = Counter(row.outcome for row in self.rows)
        return draw_bars("Variables by decision", [(e, n, f"{n:,}") for e, n in counts.items()])

    def summary(self) -> dict[str, Any]:
        """Return the inventory for scripts."""
        return {
            "records": self.records,
            "variables": [
                {
                    "name": row.name,
                    "label": row.label,
                    "type": row.kind,
                    "values": row.distinct,
                    "missing": row.missing,
                    "group": row.group,
                    "ways": list(row.ways),
                    "findings": [asdict(finding) for finding in row.findings],
                    "decision": asdict(row.decision),
                    "barred": row.barred,
                    "guess": {name: getattr(row, name) for name in _GUESSED},
                }
                for row in self.rows
            ],
            "undecided": list(self.undecided),
            "barred": list(self.barred),
            "unchanged": list(self.unchanged),
            "notices": [notice.text for notice in self.notices],
        }


def _list_cells(row: VariableProfile) -> tuple[str, ...]:
    return (
        row.name,
        row.kind,
        f"{row.distinct:,}",
        ", ".join(finding.kind for finding in row.findings),
        row.outcome,
        row.decision.by or row.decision.why,
    )


def _say_ways(group: Group) -> str:
    """A group, and what can be done with its variables, the safest first."""
    *ways, last = (_WAYS[way] for way in GROUPS[group].ways)
    return f"{GROUPS[group].title}: {', '.join(ways)}, or {last}"
