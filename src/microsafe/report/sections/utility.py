"""Numeric variables that were changed, for each audience."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from microsafe.compare.cost_figures import Utility
from microsafe.compare.number_changes import QUANTILES, Distribution, NumberChange
from microsafe.compare.number_plot_data import MOST_PICTURES
from microsafe.compare.number_plots import find_matrices
from microsafe.compare.propensity import Propensity
from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, Picture, fill, name
from microsafe.report.parts import Facts, facts, names, note, table, variable_title
from microsafe.report.shown_numbers import (
    count,
    decimals,
    show_number,
    show_percent,
    signed_percent,
)
from microsafe.report.texts import mark, plural, say

_PICTURE = mark(
    "{name}: left the distribution before (area) and after (line), right the records by their "
    "value before and after; on the dotted line nothing has changed. The outer bins also hold what "
    "lies beyond them."
)
_RELEASED = mark("{name} in the released file. The outer bins also hold what lies beyond them.")
_DEFINITIONS = mark(
    "x is an original value, z the released one, s the standard deviation of the original values. "
    "SSE/SST: Σ(x − z)² over Σ(x − mean)². IL1s: mean of |x − z| over √2 s. Change: mean of "
    "|x − z| over s. Eigenvalue distance: Σ|λ − λ′|/λ of the correlation matrices. pMSE: mean of "
    "(p − c)², p being the chance of a record to be a released one by a logistic regression on "
    "original and released records, c the share of the released ones; independent files of one "
    "distribution have a ratio near 1."
)


def board_utility(content: Content) -> Iterator[Block]:
    """Yield means, deviations, quantiles, correlations and propensity in full."""
    found = content.comparison.utility
    if found is None:
        return
    tables = [*_numbers(content, found), *_quantiles(found), *_whole(found)]
    yield from tables
    if tables:
        yield note(say(_DEFINITIONS))
    yield from _pictures(found)


def _pictures(utility: Utility) -> Iterator[Block]:
    """Every variable before and after, then the correlations."""
    from microsafe.report.plots import plot_correlations, plot_number

    for number, picture in enumerate(utility.pictures, 1):
        label = say(
            "Distribution of {name} before and after, and records by their value before and after.",
            name=picture.name,
        )
        caption = fill(say(_PICTURE), name=name(picture.name))
        yield Picture(partial(plot_number, picture), f"number{number}", label, caption)
    left = len(utility.numbers) - len(utility.pictures)
    if left and len(utility.pictures) == MOST_PICTURES:
        yield note(
            plural(
                left,
                "{count} further variable is not drawn.",
                "{count} further variables are not drawn.",
            )
        )
    if (change := find_matrices(utility.correlations)) is not None:
        caption = say("Correlations before, after, and their difference.")
        if change.weighted:
            caption = say("Weighted correlations before, after, and their difference.")
        yield Picture(partial(plot_correlations, change), "correlations", caption, caption)


def _sides(change: NumberChange) -> Iterator[tuple[Inline, tuple[Distribution, Distribution]]]:
    """Both distributions of a variable: each record counted once, and by weight."""
    yield name(change.name), change.plain
    if change.weighted is not None:
        yield fill(say("{name}, weighted"), name=name(change.name)), change.weighted


def _numbers(content: Content, utility: Utility) -> Iterator[Block]:
    rows: list[tuple[Inline, ...]] = []
    for number in utility.numbers:
        losses = [decimals(value, 4) for value in (number.sse, number.il1s, number.moved)]
        for place, (title, (old, new)) in enumerate(_sides(number)):
            label = content.labels.get(number.name, "")
            rows.append(
                (
                    title if place else variable_title(number.name, label),
                    _arrow(old.mean, new.mean),
                    _arrow(old.deviation, new.deviation),
                    *(("", "", "") if place else losses),
                )
            )
    head = (
        say("Variable"), say("Mean"), say("Standard deviation"), say("SSE/SST"), say("IL1s"),
        say("Change"),
    )  # fmt: skip
    caption = say("Numeric variables that were changed, before and after.")
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4, 5))


def _arrow(before: float, after: float) -> str:
    return f"{show_number(before)} → {show_number(after)}"


def _quantiles(utility: Utility) -> Iterator[Block]:
    rows = []
    for number in utility.numbers:
        for title, (old, new) in _sides(number):
            gaps = (
                decimals((b - a) / old.deviation, 3) if old.deviation else "–"
                for a, b in zip(old.quantiles, new.quantiles, strict=True)
            )
            rows.append((title, *gaps))
    head = (say("Variable"), *(show_percent(quantile, 0) for quantile in QUANTILES))
    caption = say("Change of quantiles, in standard deviations of the original values.")
    yield from table(caption, head, rows, numbers=range(1, len(head)))


def _whole(utility: Utility) -> Iterator[Block]:
    rows: Facts = []
    for correlation in utility.correlations:
        kind = say("Weighted correlations") if correlation.weighted else say("Correlations")
        told = say(
            "largest change {largest}, mean {mean}; eigenvalue distance {eigenvalues}",
            largest=decimals(correlation.largest, 4),
            mean=decimals(correlation.mean, 4),
            eigenvalues=decimals(correlation.eigenvalues, 4),
        )
        rows.append((kind, (told, " (", names(correlation.where, " × "), ")")))
    if utility.propensity is not None:
        rows.append((say("Propensity (pMSE)"), tell_propensity(utility.propensity)))
    yield from facts(rows, say("Numeric variables together."))


def tell_propensity(found: Propensity) -> str:
    """Say how well released records can be told from original ones."""
    return say(
        "{pmse}, ratio {ratio}; {terms} terms, {records} records",
        pmse=show_number(found.pmse),
        ratio=decimals(found.ratio, 2),
        terms=count(found.terms),
        records=count(found.records),
    )


def secret_spread(content: Content) -> frozenset[str]:
    """Return the variables of which the public must not learn how much they were moved."""
    return frozenset(
        variable
        for step in content.steps
        if step.step.hides_spread
        for variable in step.step.changed_variables(step)
    )


def public_utility(content: Content) -> Iterator[Block]:
    """Yield changes of means and deviations, in whole per cent, but what is to be kept secret."""
    found = content.comparison.utility
    if found is None:
        return
    hidden = secret_spread(content)
    rows = []
    for number in found.numbers:
        old, new = number.weighted or number.plain
        spread = say("not published")
        if number.name not in hidden:
            spread = _whole_per_cent(old.deviation, new.deviation)
        title = variable_title(number.name, content.labels.get(number.name, ""))
        rows.append((title, _whole_per_cent(old.mean, new.mean), spread))
    head = (say("Variable"), say("Change of mean"), say("Change of standard deviation"))
    caption = say("Numeric variables whose values are not exact.")
    yield from table(caption, head, rows, numbers=(1, 2))
    yield from _released_pictures(found)


def _released_pictures(utility: Utility) -> Iterator[Block]:
    """The released values alone: beside the original ones they would tell how far they moved."""
    from microsafe.report.plots import plot_released

    for number, picture in enumerate(utility.pictures, 1):
        if picture.released is not None:
            yield Picture(
                partial(plot_released, picture.name, picture.released),
                f"number{number}",
                say("Distribution of {name} in the released file.", name=picture.name),
                fill(say(_RELEASED), name=name(picture.name)),
            )


def _whole_per_cent(before: float, after: float) -> str:
    if not before:
        return "–"
    return signed_percent((after - before) / abs(before), 0)
