"""Rank swapping: values change places with others of nearby rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import Places
from microsafe.draws import Draws, check_seed
from microsafe.engine.record_access import Ranking, RecordBatch, RecordValues
from microsafe.errors import InputError, UsageError
from microsafe.options.parameter import Identifier, Parameter, Why
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.risk.numeric.window import largest_change
from microsafe.sentences import Sentence
from microsafe.steps.base import AppliedStep, DeclaredStudy, GlossaryTerm, StepContext, StepOutcome
from microsafe.steps.changed_variable import finite_number
from microsafe.steps.number_format import check_names
from microsafe.steps.numeric_profile import StrataIndex, known_values
from microsafe.steps.numeric_step import (
    Numbers,
    NumericStep,
    Seed,
    Strata,
    compare_correlations,
    tell_correlations,
)
from microsafe.steps.record_table import Codes
from microsafe.steps.role_defaults import find_strata
from microsafe.steps.strata import keep_copies, pairs_selection, sample_records, survey_groups
from microsafe.sums import Floats, Totals


def swap_in_blocks(block: Places, words: NDArray[np.uint64]) -> Places:
    """Return for each place the one that it changes values with; itself if it keeps its own.

    Args:
        block: Of each place, in ascending order; its places are put into random order.
        words: Random words that give the order.
    """
    mixed = np.lexsort((words, block))
    first = np.searchsorted(block, block)
    second = np.flatnonzero((np.arange(len(block)) - first) % 2 == 1)
    partners = np.arange(len(block))
    partners[mixed[second]] = mixed[second - 1]
    partners[mixed[second - 1]] = mixed[second]
    return partners


_OFFSET = 1  # the draw that cuts the first block; values are drawn by draw 0


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class RankSwap(NumericStep):
    """Exchange numbers of each variable between records of nearby rank."""

    do = "rank_swap"
    title = "Rank swapping"
    public = (
        "Rank swapping. Values of numeric variables were exchanged at random between records with "
        "similar values."
    )
    term = GlossaryTerm(
        name="rank swapping",
        meaning="Numbers exchanged between records whose ranks differ by little.",
        see="[Rank swapping](methods/rank-swapping.md)",
        sdcmicro="`rankSwap`; its `P` is a share, `percent` is 100 times that",
        muargus="(numerical) rank swapping",
    )

    variables: Numbers = field(kw_only=False)
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
        NumericStep.__post_init__(self)
        check_names(self.variables, {"strata": self.strata})
        if not 0 < finite_number(self.percent, "The largest change of rank") <= 100:
            raise UsageError(
                "The largest change of rank must be above 0 and at most 100 per cent; 5 is usual."
            )
        check_seed(self.seed, "of rank swapping")

    @classmethod
    def declared_options(cls, given: Mapping[str, Any], study: DeclaredStudy) -> Mapping[str, Any]:
        """Return strata."""
        return {"strata": find_strata(given, study)["strata"]}

    @property
    def swap_window(self) -> tuple[float, Sequence[str]]:
        """Per cent of the ranks that values move at most, and strata."""
        return self.percent, self.strata

    @property
    def hides_spread(self) -> bool:
        """Yes: what is lost tells how far values moved, and with that their true ranks."""
        return True

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variables and how far values move."""
        return f"swap values of {self.names} within {self.percent:g} % of ranks"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say how many values moved, and what became of rank correlations."""
        rows: list[tuple[str, str]] = [
            (Sentence("result-ranks-swapped"), f"{name}: {count:,}")
            for name, count in taken.facts["swapped"].items()  # type: ignore[attr-defined]
        ]
        rows += tell_correlations(taken.facts["correlations"])  # type: ignore[arg-type]
        if "sample" in taken.facts:
            rows.append(
                (
                    Sentence("result-correlation-sample"),
                    f"{taken.facts['sample']:,}",
                )
            )
        return rows

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Swap the values of each variable within strata.

        Raises:
            InputError: There is nothing to swap.
        """
        survey = survey_groups(
            before.engine, self.variables, strata=self.strata, identifier=self.identifier,
            progress=progress,
        )  # fmt: skip
        number = len(before.steps) + 1
        engine, copies = keep_copies(before.engine, self.variables)
        for place, name in enumerate(self.variables):
            progress("rank swapping", place / len(self.variables))
            draws = Draws(seed=self.seed, step=number, variable=name)
            count = survey.patterns.known[place]
            engine = engine.map_blocks(
                survey.selection,
                [engine.schema[name]],
                self._rank(draws, survey.index, count),
                _SwapKernel(draws=draws),
            )
        pairs = tuple((copy, name) for name, copy in copies.items())
        counted = engine.reduce_records(pairs_selection(survey, pairs), _ChangeCounter(pairs=pairs))
        facts: dict[str, object] = {
            "swapped": dict(zip(copies, counted.value.astype(int).tolist(), strict=True)),
            "correlations": {},
        }
        if len(self.variables) > 1:
            sample = sample_records(engine, [*copies.values(), *copies], survey)
            facts["correlations"] = compare_correlations(
                {name: sample.columns[copy] for name, copy in copies.items()},
                {name: sample.columns[name] for name in copies},
            )
            if len(sample.numbers) < survey.records:
                facts["sample"] = len(sample.numbers)
        return StepOutcome(
            engine=engine.drop_variables(tuple(copies.values())),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
        )

    def _rank(self, draws: Draws, index: StrataIndex, count: Codes) -> Ranking:
        """How records are ordered and cut."""
        if int(count.sum()) < 2:
            raise InputError(
                f"Rank swapping needs at least 2 records with a value of {draws.variable!r}, and "
                "the file has 1. Drop the variable, or suppress it."
            )
        offsets = draws.words(np.arange(len(count), dtype=np.uint64), _OFFSET)[:, 0]
        size = np.array([largest_change(each, self.percent) + 1 for each in count.tolist()])
        known = _KnownValues(name=draws.variable, index=index, draws=draws)
        return Ranking(
            group=known.group,
            value=known.value,
            word=known.word,
            size=size,
            start=(offsets % size.astype(np.uint64)).astype(np.int64),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _KnownValues:
    """Records that have a value: their stratum, value, and a random word."""

    name: str
    index: StrataIndex
    draws: Draws

    def group(self, batch: RecordBatch) -> Codes:
        """Return strata; records without a value take no part."""
        stratum = self.index.number(batch.columns, len(batch.numbers))
        return np.where(batch.columns[self.name].missing, -1, stratum)

    def value(self, batch: RecordBatch) -> Floats:
        """Return values."""
        return known_values(batch.columns[self.name])

    def word(self, batch: RecordBatch) -> NDArray[np.uint64]:
        """Return words by which records of the same value are ordered."""
        return self.draws.words(batch.numbers)[:, 0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SwapKernel:
    """What is done to blocks of records; it can be done anywhere."""

    draws: Draws

    def __call__(self, batch: RecordBatch, block: Codes) -> Mapping[str, RecordValues]:
        """Return values that changed places."""
        values = batch.columns[self.draws.variable]
        partners = swap_in_blocks(block, self.draws.words(batch.numbers)[:, 1])
        moved = RecordValues(data=values.data[partners], missing=values.missing)
        return {self.draws.variable: moved}


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChangeCounter:
    """Counts values that are not what they were."""

    pairs: tuple[tuple[str, str], ...]

    def __call__(self, batch: RecordBatch) -> Totals:
        """Count those of some records, by variable."""
        found = []
        for old, new in self.pairs:
            before, now = batch.columns[old], batch.columns[new]
            found.append(np.count_nonzero((before.data != now.data) & ~before.missing))
        return Totals(np.array(found, np.float64), np.zeros(len(found)))
