"""Risk before and after, scenario by scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from microsafe.report.content import RiskBeforeAndAfter
from microsafe.report.document import Block, Inline, Paragraph, Picture, name
from microsafe.report.parts import scenario_heading, sentence_list, table
from microsafe.report.sections.estimators import compare_estimators
from microsafe.report.sections.missing_keys import compare_gaps
from microsafe.report.sections.perturbed import count_before, show_perturbed
from microsafe.report.shown_numbers import count, show_number, show_rate, show_risk
from microsafe.report.texts import say, tell_notice
from microsafe.report.units import say_unit
from microsafe.risk import Risk, StandardErrors


def tell_risks(measured: Sequence[RiskBeforeAndAfter]) -> Iterator[Block]:
    """Yield figures and pictures of each scenario, and what makes them doubtful."""
    from microsafe.report.plots import plot_risks  # matplotlib takes a while to load

    for number, each in enumerate(measured, 1):
        yield scenario_heading(each.after.scenario.name)
        yield from _figures(each.before, each.after)
        yield from compare_estimators(each.before, each.after)
        yield from compare_gaps(each.after)
        yield from show_perturbed(each.after)
        unit = each.after.unit
        caption = say_unit(
            unit, "Records by risk of re-identification, before and after, on one axis."
        )
        if each.before.limit:
            caption += " " + say("Red lies above the limit.")
        draw = partial(plot_risks, each.before, each.after)
        yield Picture(draw, f"risk{number}", _picture_in_words(each), caption)
        yield from _check_notices(each.before)
        yield from _notices(each.after)


def _picture_in_words(each: RiskBeforeAndAfter) -> str:
    label = say_unit(
        each.after.unit,
        "Histograms of the risk of records under scenario {scenario}: largest risk {before} before "
        "and {after} after protection.",
        scenario=each.after.scenario.name,
        before=show_risk(each.before.max),
        after=show_risk(each.after.max),
    )
    before, after = each.before.limit, each.after.limit
    if before is None or after is None:
        return label
    return label + " " + say_unit(
        each.after.unit,
        "Records above the limit: {before} before, {after} after.",
        before=count(before.unsafe),
        after=count(after.unsafe),
    )  # fmt: skip


def _figures(before: Risk, after: Risk) -> Iterator[Block]:
    unit = before.unit
    rows: list[tuple[Inline, ...]] = [
        (
            say_unit(unit, "Records"),
            count(before.n),
            count(after.n),
        ),
        (
            say("Combinations of keys that occur"),
            count(before.n_cells),
            count_before(after.n_cells, after),
        ),
        (
            say_unit(unit, "Sample uniques, records"),
            count(before.sample_uniques),
            count_before(after.sample_uniques, after),
        ),
        (say_unit(unit, "Largest risk of a record"), show_risk(before.max), show_risk(after.max)),
        (
            say_unit(unit, "Expected re-identifications, records"),
            show_number(before.expected),
            show_number(after.expected),
        ),
        (say("Re-identification rate"), show_rate(before.rate), show_rate(after.rate)),
    ]
    sides = (before, after)
    errors = [risk.standard_errors for risk in sides]
    if any(errors):
        row = (say("Standard error of the expected number"), *(_error(error) for error in errors))
        rows.insert(-1, row)
    limits = [risk.limit for risk in sides]
    if any(limits):
        rows.append((say("Limit"), *(show_risk(b.limit) if b else "–" for b in limits)))
        rows.append(
            (say_unit(unit, "Records above it"), *(count(b.unsafe) if b else "–" for b in limits))
        )
    rows += _household_rows(sides)
    if known := before.population:
        rows.append((say("Expected by known population counts"), show_number(known.expected), "–"))
        uniques = count(known.population_uniques)
        rows.append((say("Population uniques by them, records"), uniques, "–"))
    yield from table("", (say("Measure"), say("Before"), say("After")), rows, numbers=(1, 2))


def _household_rows(sides: Sequence[Risk]) -> Iterator[tuple[Inline, ...]]:
    homes = [risk.household for risk in sides]
    if any(homes):
        yield say("Households"), *(count(len(h.risk)) if h else "–" for h in homes)
        yield say("Largest household risk"), *(show_risk(h.max) if h else "–" for h in homes)
        shown = [show_number(h.expected_households) if h else "–" for h in homes]
        yield say("Expected households re-identified"), *shown
        shown = [show_number(h.expected) if h else "–" for h in homes]
        yield say("Expected records in them"), *shown
        shown = [show_rate(h.rate) if h else "–" for h in homes]
        yield say("Household re-identification rate"), *shown
    bounds = [risk.household_limit for risk in sides]
    if any(bounds):
        yield say("Household limit"), *(show_risk(b.limit) if b else "–" for b in bounds)
        yield say("Households above it"), *(count(b.unsafe) if b else "–" for b in bounds)


def _error(errors: StandardErrors | None) -> str:
    return "–" if errors is None else show_number(errors.expected, 2)


def _check_notices(before: Risk) -> Iterator[Block]:
    """What known counts of the population say of the estimates."""
    for notice in before.notices:
        if notice.topic == "population":
            yield Paragraph(name(tell_notice(notice)))


def _notices(risk: Risk) -> Iterator[Block]:
    if risk.notices:
        yield Paragraph(say("What to know before trusting the figures after protection:"))
        yield from sentence_list(tell_notice(notice) for notice in risk.notices)
