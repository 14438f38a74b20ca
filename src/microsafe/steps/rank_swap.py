"""Rank swapping."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from microsafe.draws import Draws, check_seed
from microsafe.engine.gate import RecordNumbers, Selection
from microsafe.errors import InputError, UsageError
from microsafe.perturb.rank_swap import find_partners
from microsafe.progress import Progress
from microsafe.steps.base import Before, Outcome, Taken, Term
from microsafe.steps.columns import Codes, RecordTable, split_strata
from microsafe.steps.numeric import (
    Identifier,
    Numbers,
    NumericStep,
    Seed,
    Strata,
    check_names,
    compare_correlations,
    forms_of,
    tell_correlations,
)
from microsafe.steps.parameter import Parameter, Why
from microsafe.steps.variable import finite_number
from microsafe.sums import Floats

_OFFSET = 1  # the draw that cuts the first block; values are drawn by draw 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSwap(NumericStep):
    """Exchange numbers of each variable between records of nearby rank.

    Attributes:
        variables: Which; each is swapped by itself.
        percent: How far a value moves at most, in per cent of the ranks.
        strata: Variables whose categories values stay within.
        seed: Of the draw.
        identifier: Variable that draws go by instead of the order of records.
        why: Reason, written to the plan and the report.
    """

    do = "rank_swap"
    title = "Rank swapping"
    public = (
        "Rank swapping. Values of numeric variables were exchanged at random between records with "
        "similar values."
    )
    term = Term(
        name="rank swapping",
        meaning="Numbers exchanged between records whose ranks differ by little.",
        see="[Rank swapping](methods/rank-swapping.md)",
        sdcmicro="`rankSwap`; its `P` is a share, `percent` is 100 times that",
        muargus="(numerical) rank swapping",
    )

    variables: Numbers
    percent: Annotated[
        float,
        Parameter(
            label="Largest change of rank, per cent",
            help="A value moves by at most so many per cent of the ranks.",
        ),
    ] = 5.0
    strata: Strata = ()
    seed: Seed = field(repr=False)
    identifier: Identifier = None
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        check_names(self.variables, {"strata": self.strata})
        if not 0 < finite_number(self.percent, "The largest change of rank") <= 100:
            raise UsageError(
                "The largest change of rank must be above 0 and at most 100 per cent; 5 is usual."
            )
        check_seed(self.seed, "of rank swapping")

    @property
    def hides_spread(self) -> bool:
        """Yes: what is lost tells how far values moved, and with that their true ranks."""
        return True

    def in_words(self, taken: Taken | None = None) -> str:  # noqa: ARG002
        """Name the variables and how far values move."""
        return f"swap values of {self.names} within {self.percent:g} % of ranks"

    def results(self, taken: Taken) -> list[tuple[str, str]]:
        """Say how many values moved, and what became of rank correlations."""
        rows = [
            ("Values that changed places", f"{name}: {count:,}")
            for name, count in taken.facts["swapped"].items()  # type: ignore[attr-defined]
        ]
        return rows + tell_correlations(taken.facts["correlations"])  # type: ignore[arg-type]

    def apply(self, before: Before, progress: Progress) -> Outcome:
        """Swap the values of each variable within strata.

        Raises:
            InputError: There is nothing to swap.
        """
        selection = Selection(
            forms=forms_of(self.variables, self.strata), identifier=self.identifier
        )
        table = RecordTable.read(before.engine, selection, progress)
        strata = split_strata(table.number_strata(self.strata))
        number = len(before.steps) + 1
        old = {name: table.numbers_of(name) for name in self.variables}
        new, swapped = {}, {}
        for done, (name, values) in enumerate(old.items()):
            progress("rank swapping", done / len(old))
            draws = Draws(seed=self.seed, step=number, variable=name)
            new[name] = self._swap(values, draws, table.numbers, strata)
            swapped[name] = int(np.count_nonzero((new[name] != values) & ~np.isnan(values)))
        facts = {"swapped": swapped, "correlations": compare_correlations(old, new)}
        return Outcome(
            engine=table.replace(new),
            scenarios=before.scenarios,
            taken=Taken(step=self, facts=facts),
        )

    def _swap(
        self, values: Floats, draws: Draws, numbers: RecordNumbers, strata: list[Codes]
    ) -> Floats:
        known = ~np.isnan(values)
        if int(known.sum()) < 2:
            raise InputError(
                f"Rank swapping needs at least 2 records with a value of {draws.variable!r}, and "
                "the file has 1. Drop the variable, or suppress it."
            )
        words = draws.words(numbers)
        offsets = draws.words(np.arange(len(strata), dtype=np.uint64), _OFFSET)[:, 0]
        new = values.copy()
        for inside, offset in zip(strata, offsets, strict=True):
            records = inside[known[inside]]
            partners = find_partners(
                values[records], words[records], percent=self.percent, offset=int(offset)
            )
            new[records] = values[records][partners]
        return new
