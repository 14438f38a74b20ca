"""Figures and curves of risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from microsafe.app.messages.study import KeyValue, Remark
from microsafe.options.scenario import Estimator
from microsafe.risk import GapFigures, StandardErrors
from microsafe.risk.numeric.linkage import LinkCounts
from microsafe.risk.record.contributions import Contribution
from microsafe.risk.record.perturbed import PerturbedFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoints:
    """An exceedance curve, or enough points of it to draw and to search.

    Every point is exact: `up_to[i]` records have a risk of at most `risk[i]`. In between, a
    thinned curve knows only that the figures lie between those of two points. It is exact at
    every 10^(i/200) too: for such a limit the last point at or below it gives exact figures.

    Attributes:
        exact: Whether no point was left out.
        records: In all (for households: households in all).
        risk: Rising.
        up_to: Records with that risk or less.
        sum_up_to: Sum of their risks.
    """

    exact: bool
    records: int
    risk: tuple[float, ...]
    up_to: tuple[int, ...]
    sum_up_to: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdFigures:
    """Risk of households; `expected` counts records, `expected_households` households."""

    max: float
    expected: float
    rate: float
    households: int
    expected_households: float
    curve: CurvePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherEstimator:
    """What the estimator that was not chosen says.

    Attributes:
        estimator: Its name.
        max: Largest risk of a record.
        expected: Expected re-identifications.
        rate: These as a share of the records.
        ratio: Expected by the model, as a multiple of what is expected by cell.
        much_higher: Whether `cell` was chosen and the model says so much more that a release
            needs a reason.
        curve: Of its risks.
    """

    estimator: Estimator
    max: float
    expected: float
    rate: float
    ratio: float
    much_higher: bool
    curve: CurvePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskFigures:
    """Risk of a file under a scenario, after so many steps.

    Attributes:
        scenario: Its name.
        steps: Taken so far.
        title: What was measured, in a line.
        records: In all.
        cells: Combinations of keys that occur.
        sample_uniques: Records that no other record matches.
        max: Largest risk of a record.
        expected: Expected re-identifications.
        rate: These as a share of the records.
        standard_errors: Of these sums, if the file is a sample.
        household: Risk of households, if there are any.
        estimator: Where the risk comes from.
        proposed: The estimator that a file like this needs.
        other: What the other estimator says, where both were used.
        gaps: Figures under each rule for missing keys, where keys are missing.
        curve: Of the risks.
        notices: What to know before trusting the figures.
        perturbed: What was done to keys at random; then counts are those before it, and mean
            nothing after. Empty if none was perturbed.
        perturbation: Figures on that.
    """

    scenario: str
    steps: int
    title: str
    records: int
    cells: int
    sample_uniques: int
    max: float
    expected: float
    rate: float
    standard_errors: StandardErrors | None
    household: HouseholdFigures | None
    estimator: Estimator
    proposed: Estimator
    other: OtherEstimator | None
    gaps: Mapping[str, GapFigures]
    curve: CurvePoints
    notices: tuple[Remark, ...]
    perturbed: str
    perturbation: PerturbedFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitFigures:
    """A limit and what it means, exactly.

    Attributes:
        limit: Largest risk that counts as safe.
        unsafe: Records above it.
        records: In all.
        expected: Most re-identifications to be expected once no record is above it.
        rate: The same as a share of the records.
        households: Households above it, if there are households.
        other: Records above it by the other estimator, where both were used.
    """

    limit: float
    unsafe: int
    records: int
    expected: float
    rate: float
    households: int | None
    other: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdLimitFigures:
    """A limit on household risk and what it means, exactly.

    Attributes:
        limit: Largest household risk that counts as safe.
        unsafe: Households above it.
        households: In all.
        expected_households: Most households to be expected with a member re-identified, once
            none is above it.
        expected: The records in them.
        rate: These as a share of the records.
        members: Largest risk that each member may have, by the size of the household.
    """

    limit: float
    unsafe: int
    households: int
    expected_households: float
    expected: float
    rate: float
    members: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationFigures:
    """Known counts of the population beside the estimates for the file before any protection.

    Attributes:
        source: Where the counts come from.
        people: Known, in all.
        estimated_people: By the weights.
        expected: Re-identifications to expect by the counts.
        estimated: The same by the weights.
        ratio: How many times as many by the counts.
        population_uniques: Records that are alone in the population.
        differing: Records whose estimate is more than twice the known count, or less than half.
        contradicted: Records with fewer people in the population than in the file.
        notices: Where they disagree.
    """

    source: str
    people: float
    estimated_people: float
    expected: float
    estimated: float
    ratio: float
    population_uniques: int
    differing: int
    contradicted: int
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """What each key adds to the expected re-identifications, the worst first."""

    expected: float
    keys: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyCell:
    """A combination of keys: records, sample and population frequency, risk."""

    values: tuple[KeyValue, ...]
    records: int
    f: float
    F: float
    risk: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyCells:
    """The riskiest cells, riskiest first."""

    keys: tuple[str, ...]
    cells: tuple[RiskyCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """From where to where a figure may well lie."""

    tau1: tuple[float, float]
    tau2: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRiskFigures:
    """Risk of the file as a whole, by a model.

    Attributes:
        model: Its name.
        sample_uniques: Records alone in their cell.
        tau1: Expected number of sample uniques that are population uniques.
        tau2: Expected number of correct matches of sample uniques.
        share_unique: `tau1` as a share of the sample uniques.
        level: In a word.
        cells: Of the table, empty ones included.
        average_cell_size: Records by cell.
        fit: What is known of the fit of the model.
        interval: Of `tau1` and `tau2`.
        notices: What to know before trusting the figures.
    """

    model: str
    sample_uniques: int
    tau1: float
    tau2: float
    share_unique: float
    level: Literal["very low", "low", "moderate", "high"]
    cells: int
    average_cell_size: float
    fit: Mapping[str, object]
    interval: Band | None
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericLinkage:
    """Linkage by numbers, among records that agree on some keys.

    Attributes:
        keys: Released keys; none if the intruder knows the numbers alone.
        all: Records whose own original is the nearest to what is released.
        outer: The same of the hundredth that lies farthest out.
        adjusted: The first for an intruder who does not know who is in the file, by an estimate;
            null if there is no weight.
        window: Records found by who pairs all of them one to one within the ranks by which values
            were swapped; null if none were.
    """

    keys: tuple[str, ...]
    all: LinkCounts
    outer: LinkCounts
    adjusted: LinkCounts | None
    window: LinkCounts | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericFigures:
    """Whether records can be found again by numeric variables.

    Attributes:
        variables: Which; nothing else is told if there are none.
        linkages: By the numbers alone, then together with the keys; only the latter of other draws.
        width: Half an interval around a released value, as a share of the standard deviation, or
            of the ranks.
        inside: Share of records whose original lies in it, on every variable.
        by_variable: The same for each variable alone.
    """

    variables: tuple[str, ...]
    linkages: tuple[NumericLinkage, ...]
    width: float
    inside: float
    by_variable: Mapping[str, float]
