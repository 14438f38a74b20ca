"""Notices on a model of the population: what was left out of it, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from microsafe.notices import Notice, make_notice


class JudgedModel(Protocol):
    """What notices on a model look at."""

    @property
    def simplified(self) -> int:
        """Terms that it does without so that its fit comes to rest."""

    @property
    def by_scatter(self) -> tuple[float, float] | None:
        """Matches expected with scatter told by all records, and by those that show all keys."""


def model_notices(model: JudgedModel) -> Iterator[Notice]:
    """Say where interactions that would help are missing, and where two scatters disagree."""
    if model.simplified:
        yield make_notice("model-simplified", count=model.simplified)
    if model.by_scatter is not None:
        expected, other = model.by_scatter
        yield make_notice("model-scatter", expected=expected, other=other)
