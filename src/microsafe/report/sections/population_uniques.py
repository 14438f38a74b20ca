"""The section on the file as a whole: how many are unique in the population. Board only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.report.content import RiskBeforeAndAfter
from microsafe.report.document import Block, Inline, Paragraph, name
from microsafe.report.parts import note, scenario_heading, sentence_list, table
from microsafe.report.sections.perturbed import count_before
from microsafe.report.shown_numbers import count, decimals, show_number, show_percent, show_rate
from microsafe.report.texts import mark, plural, say, tell_notice
from microsafe.report.units import say_unit
from microsafe.risk import FileRisk, Risk

_WHAT = mark(
    "Somebody who is alone in the file with a combination of keys (a sample unique) need not be "
    "alone in the population. A model of the whole cross table of the keys estimates how many "
    "are, and how many would be recognised by matching with a full register."
)
_READING = mark(
    "Ranges are nominal 95 % intervals; their coverage was measured on samples from known "
    "populations. Missing keys count as a category. DIS (data intrusion "
    "simulation) needs no model. It counts people who might be tried, not records, so it is no "
    "share of the matches above it."
)
_BIAS = mark(
    "B₂ is the bias of the model in standard errors: from −2 to 2 there is no sign of bias; above "
    "2 the risk is overstated, below −2 understated."
)

_CALM = mark(
    "The share of population uniques is {level}, and yet {above} above the limit on the risk of a "
    "record. This is no contradiction: the share is an average over all sample uniques, the limit "
    "is about each record. A calm file does not make up for them."
)
_CALM_PERSONS = mark(
    "The share of population uniques is {level}, and yet {above} above the limit on the risk of a "
    "person. This is no contradiction: the share is an average over all sample uniques, the limit "
    "is about each person. A calm file does not make up for them."
)
_RECORDS_LIE = mark(("{count} record lies", "{count} records lie"))
_PERSONS_LIE = mark(("{count} person lies", "{count} persons lie"))

_LEAST = 0.01


def tell_whole(measured: Sequence[RiskBeforeAndAfter]) -> Iterator[Block]:
    """Yield what the models say before and after, one table for each scenario."""
    told = [each for each in measured if each.file_before and each.file_after]
    if not told:
        return
    yield Paragraph(say(_WHAT))
    for each in told:
        if each.file_before is None or each.file_after is None:
            continue
        yield scenario_heading(each.before.scenario.name)
        yield from _figures(each, each.file_before, each.file_after)
        yield from _reconcile(each.file_after, each.after)
        yield from sentence_list(tell_notice(notice) for notice in each.file_after.notices)
    biases = [_bias(risk) for each in told for risk in (each.file_before, each.file_after) if risk]
    yield note(f"{say(_READING)} {say(_BIAS)}" if any(biases) else say(_READING))


def _reconcile(file: FileRisk, records: Risk) -> Iterator[Block]:
    """Say how a calm file goes with records above the limit, where both are told."""
    above = records.limit.unsafe if records.limit else 0
    if above and file.level in ("very low", "low"):
        persons = records.unit == "persons"
        one, many = _PERSONS_LIE if persons else _RECORDS_LIE
        told = _CALM_PERSONS if persons else _CALM
        yield Paragraph(say(told, level=say(str(file.level)), above=plural(above, one, many)))


def _figures(measured: RiskBeforeAndAfter, before: FileRisk, after: FileRisk) -> Iterator[Block]:
    sides, left = (before, after), measured.left
    bands = ", ".join(
        say("{level} up to {share}", level=say(word), share=show_rate(band))
        for word, band in _bands(before)
    )
    rows: list[tuple[Inline, ...]] = [
        (
            say_unit(measured.after.unit, "Sample uniques, records"),
            count(before.sample_uniques),
            count_before(after.sample_uniques, measured.after),
        ),
        (
            say("Cells of the cross table, empty ones included"),
            *(count(side.cells) for side in sides),
        ),
        (
            say_unit(measured.after.unit, "Average cell size, records"),
            *(show_number(side.average_cell_size, 3) for side in sides),
        ),
        (say("Uniques in the population among them (τ₁)"), *(_range(side, 0) for side in sides)),
        (say("Expected correct matches among them (τ₂)"), *(_range(side, 1) for side in sides)),
        (say("Share of sample uniques that are population uniques"), *map(_share, sides)),
        (
            say("Chance that a unique match with a random person is correct (DIS)"),
            *(show_rate(side.correct_match) for side in sides),
        ),
        (say("Interactions in the model"), *(name(_interactions(side)) for side in sides)),
    ]
    if any(bias := [_bias(side) for side in sides]):
        none = say("no estimate")
        rows.append((say("B₂, standard errors"), *(error or none for error in bias)))
    changed = say("After")
    if left is not None:
        changed = say("After, without suppression")
        uniques, matches = left
        rows += [
            (
                say("Sample uniques without a blank after suppression"),
                "",
                count_before(uniques, measured.after),
            ),
            (say("Expected correct matches among those"), "", show_number(matches)),
        ]
    caption = say("Levels of the share: {bands}, above that high.", bands=bands)
    yield from table(caption, (say("Measure"), say("Before"), changed), rows, numbers=(1, 2))


def _bands(risk: FileRisk) -> list[tuple[str, float]]:
    return list(zip(mark(("very low", "low", "moderate")), risk.bands, strict=True))


def _range(risk: FileRisk, place: int) -> str:
    value = (risk.tau1, risk.tau2)[place]
    if value is None:
        return say("no estimate")
    low, high = risk.interval[place] if risk.interval else (value, value)
    if risk.interval is None or max(value, high) < _LEAST:
        return _about(value)
    return say("{value} ({low} to {high})", value=_about(value), low=_about(low), high=_about(high))


def _about(value: float) -> str:
    """A figure of a model: what is far below one person is not worth its digits."""
    if 0 < value < _LEAST:
        return say("under {high}", high=show_number(_LEAST))
    return show_number(value, 3)


def _share(risk: FileRisk) -> str:
    share = risk.share_unique
    if share is None:
        return say("no estimate")
    return f"{show_percent(share)}: {say(str(risk.level))}"


def _interactions(risk: FileRisk) -> str:
    return ", ".join(risk.interactions) or say("none: main effects only")


def _bias(risk: FileRisk) -> str:
    if risk.fit is None:
        return ""
    bias = (risk.fit.cell if risk.by_cell else risk.fit.file).B2.standardised
    # Adding zero takes the sign off a zero.
    return "" if bias is None else decimals(round(bias, 1) + 0.0, 1).replace("-", "−")
