"""What all results have in common: figures for scripts, a text, a page for notebooks.

A page has the figures of the text, the labels of the variables, and a small picture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from microsafe.display import format_grid, format_rows
from microsafe.schema import Schema

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

Rows = Iterable[tuple[str, str]]
MakeFrame = Callable[[Mapping[str, Any]], object]  # columns -> the kind of frame that came in
AttachToRecords = Callable[[Mapping[str, Any], Mapping[str, Any]], object]  # by cell, by household
Row = TypeVar("Row")

# A picture that does not fit beside its table stands above it
_SIDE_BY_SIDE = "display:flex;flex-wrap:wrap-reverse;gap:1em 2em;align-items:flex-end"
_TITLE = "text-align:left;font-weight:bold;color:inherit;padding:0 0 .5em"
_LEFT, _RIGHT = "text-align:left;vertical-align:top", "text-align:right;vertical-align:top"
_LABEL = "font-weight:normal;opacity:.75"


def find_labels(schema: Schema, names: Iterable[str]) -> dict[str, str]:
    """Return the labels of some variables, those that have one, by name."""
    distinct = dict.fromkeys(names)
    known = {variable.name: variable.label for variable in schema if variable.label}
    return {name: known[name] for name in distinct if name in known}


def make_page(
    title: str,
    rows: Iterable[Sequence[str]],
    *,
    head: Sequence[str] = (),
    picture: str = "",
    right: Sequence[int] = (),
    labels: Mapping[str, str] | None = None,
    remarks: Iterable[str] = (),
) -> str:
    """Return a result as a page for notebooks; names are hostile input and escaped.

    Labels stand by the names in a table of variables, which has a head, or in a line below.

    Args:
        title: Stands above the table.
        rows: Its cells; the first of each row is its name.
        head: Names of the columns, if they need any.
        picture: SVG, escaped by whoever drew it.
        right: Columns that are aligned to the right.
        labels: What variables mean, by name.
        remarks: What to know, below the table.
    """
    known = {name: label for name, label in (labels or {}).items() if _tells_more(label, name)}
    body = [tuple(row) for row in rows]
    beside = {name: known.get(name, "") for name, *_ in body} if head else {}
    styles = [
        _RIGHT if place in right else _LEFT
        for place in range(len(max(body, key=len, default=head)))
    ]
    top = "".join(
        _cell("th", style, escape(cell)) for style, cell in zip(styles, head, strict=False)
    )
    lines = "".join(
        "<tr>"
        + _cell("th", _LEFT, escape(name) + _label(beside.get(name, "")))
        + "".join(
            _cell("td", style, escape(cell)) for style, cell in zip(styles[1:], cells, strict=False)
        )
        + "</tr>"
        for name, *cells in body
    )
    page = f"<table>{f'<tr>{top}</tr>' if top else ''}{lines}</table>"
    if picture:
        page = f"<div style='{_SIDE_BY_SIDE}'>{page}<div>{picture}</div></div>"
    caption = f"<figcaption style='{_TITLE}'>{escape(title)}</figcaption>"
    page = f"<figure style='margin:0'>{caption}{page}</figure>"
    below = "; ".join(
        f"<b>{escape(name)}</b> {escape(label)}"
        for name, label in known.items()
        if name not in beside
    )
    items = "".join(f"<li>{escape(remark)}</li>" for remark in remarks)
    return (
        page
        + (f"<p style='{_LABEL}'>{below}</p>" if below else "")
        + (f"<ul>{items}</ul>" if items else "")
    )


def _cell(tag: str, style: str, content: str) -> str:
    return f"<{tag} style='{style}'>{content}</{tag}>"


def _label(label: str) -> str:
    return f"<br/><span style='{_LABEL}'>{escape(label)}</span>" if label else ""


def _tells_more(label: str, name: str) -> bool:
    """Whether a label says more than the name, as `Sex` of `sex` does not."""
    return label.casefold() != name.casefold()


class Result(ABC):
    """A result that prints itself: a title over names and figures."""

    __slots__ = ()

    perturbed_by: str = ""  # what was done to keys, if figures are not meaningful after it
    labels: Mapping[str, str] = MappingProxyType({})  # of the variables that it is about

    @property
    @abstractmethod
    def title(self) -> str:
        """One line that says what was measured."""

    @abstractmethod
    def _rows(self) -> Rows:
        """Names and figures, in the order in which they are read."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""

    @abstractmethod
    def _picture(self) -> str:
        """Return the figures that matter most as a small picture, or nothing."""

    def _remarks(self) -> Sequence[str]:
        """What to know before trusting the figures."""
        return ()

    @property
    def _told_perturbed(self) -> dict[str, str]:
        return {"perturbed_by": self.perturbed_by} if self.perturbed_by else {}

    def _all_rows(self) -> list[tuple[str, str]]:
        if not self.perturbed_by:
            return list(self._rows())
        warning = f"after {self.perturbed_by}; these are the figures before it"
        return [("not meaningful", warning), *self._rows()]

    def __repr__(self) -> str:
        """Return the summary for a terminal."""
        return "\n".join([self.title, *format_rows(self._all_rows())])

    def _repr_html_(self) -> str:
        """Return the summary for a notebook."""
        return make_page(
            self.title,
            self._all_rows(),
            picture=self._picture(),
            labels=self.labels,
            remarks=self._remarks(),
        )


class ResultTable(tuple[Row, ...], Generic[Row]):
    """Several results in order, as a tuple that prints itself as one table.

    Attributes:
        labels: Of the variables that it is about.
        title: What stands above it in notebooks.
        headings: Names of its columns.
        right: Columns that are aligned to the right.
    """

    labels: Mapping[str, str]
    title: ClassVar[str]
    headings: ClassVar[tuple[str, ...]]
    right: ClassVar[Sequence[int]] = ()

    def __new__(cls, rows: Iterable[Row] = (), labels: Mapping[str, str] | None = None) -> Self:
        """Take the results, and the labels of the variables that they are about."""
        table = super().__new__(cls, rows)
        table.labels = dict(labels or {})
        return table

    def _cells(self) -> list[tuple[str, ...]]:
        """Return the rows as they are read, the name of each first."""
        raise NotImplementedError

    def _picture(self) -> str:
        """Return the figures that matter most as a small picture, or nothing."""
        raise NotImplementedError

    def _remarks(self) -> Sequence[str]:
        return ()

    def __repr__(self) -> str:
        """Return the table for a terminal."""
        lines = format_grid([self.headings, *self._cells()], right=self.right)
        return "\n".join([*lines, *(f"  {remark}" for remark in self._remarks())])

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas frame, with the columns that are shown."""
        import pandas as pd

        return pd.DataFrame(self._cells(), columns=list(self.headings))

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        return make_page(
            self.title,
            self._cells(),
            head=self.headings,
            picture=self._picture(),
            right=self.right,
            labels=self.labels,
            remarks=self._remarks(),
        )
