"""What all results have in common: figures for scripts, a text, a page for notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from microsafe.display import format_rows

Rows = Iterable[tuple[str, str]]
MakeFrame = Callable[[Mapping[str, Any]], object]  # columns -> the kind of frame that came in
AttachToRecords = Callable[[Mapping[str, Any], Mapping[str, Any]], object]  # by cell, by household


class Result(ABC):
    """A result that prints itself: a title over names and figures."""

    __slots__ = ()

    perturbed_by: str = ""  # what was done to keys, if figures are not meaningful after it

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

    def _remarks(self) -> Sequence[str]:
        """What to know before trusting the figures."""
        return ()

    @property
    def _told_perturbed(self) -> dict[str, str]:
        return {"perturbed_by": self.perturbed_by} if self.perturbed_by else {}

    def _all_rows(self) -> list[tuple[str, str]]:
        if not self.perturbed_by:
            return list(self._rows())
        told = f"after {self.perturbed_by}; these are the figures before it"
        return [("not meaningful", told), *self._rows()]

    def __repr__(self) -> str:
        """Return the summary for a terminal."""
        return "\n".join([self.title, *format_rows(self._all_rows())])

    def _repr_html_(self) -> str:
        """Return the summary for a notebook; names are hostile input and escaped."""
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in self._all_rows()
        )
        remarks = "".join(f"<li>{escape(each)}</li>" for each in self._remarks())
        page = f"<table><caption>{escape(self.title)}</caption>{rows}</table>"
        return f"{page}<ul>{remarks}</ul>" if remarks else page
