"""The section on the file as a whole: how many are unique in the population. Board only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.display import show_number, show_percent, show_rate
from microsafe.report.content import Remeasured
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import note, paragraph, subhead, table
from microsafe.report.words import plural
from microsafe.risk import FileRisk, Risk

_WHAT = (
    "Somebody who is alone in the file with a combination of keys (a sample unique) need not be "
    "alone in the population. A model of the whole cross table of the keys estimates how many "
    "are, and how many would be recognised by matching with a full register."
)
_READING = (
    "Ranges are nominal 95 % intervals; their coverage was measured on samples from known "
    "populations. Missing keys count as a category. DIS (data intrusion "
    "simulation) needs no model. It counts people who might be tried, not records, so it is no "
    "share of the matches above it."
)
_BIAS = (
    "B2 is the bias of the model in standard errors: from −2 to 2 there is no sign of bias; above "
    "2 the risk is overstated, below −2 understated."
)

_LEAST = 0.01


def whole(measured: Sequence[Remeasured]) -> Iterator[Html]:
    """Return what the models say before and after, one table for each scenario."""
    told = [each for each in measured if each.file_before and each.file_after]
    if not told:
        return
    yield paragraph(_WHAT)
    for each in told:
        if each.file_before is None or each.file_after is None:
            continue
        if len(measured) > 1:
            yield subhead(fill("Scenario “{name}”", name=name(each.before.scenario.name)))
        yield _figures(each.file_before, each.file_after, each.left)
        yield _reconcile(each.file_after, each.after)
        yield _notices(each.file_after)
    biases = [_bias(risk) for each in told for risk in (each.file_before, each.file_after) if risk]
    yield note(f"{_READING} {_BIAS}" if any(biases) else _READING)


def _reconcile(file: FileRisk, records: Risk) -> Html:
    """Say how a calm file goes with records above the limit, where both are told."""
    above = records.limit.unsafe if records.limit else 0
    if not above or file.level not in ("very low", "low"):
        return Html("")
    return paragraph(
        f"The share of population uniques is {file.level}, and yet {plural(above, 'record')} "
        f"{'lies' if above == 1 else 'lie'} above the limit on the risk of a record. This is no "
        "contradiction: the share is an average over all sample uniques, the limit is about each "
        "record. A calm file does not make up for them."
    )


def _figures(before: FileRisk, after: FileRisk, left: tuple[int, float] | None) -> Html:
    sides = (before, after)
    bands = ", ".join(f"{word} up to {show_rate(band)}" for word, band in _bands(before))
    rows: list[tuple[object, ...]] = [
        ("Sample uniques, records", *(f"{each.sample_uniques:,}" for each in sides)),
        ("Cells of the cross table, empty ones included", *(f"{each.cells:,}" for each in sides)),
        ("Average cell size, records", *(show_number(each.average_cell_size, 3) for each in sides)),
        ("Uniques in the population among them (tau1)", *(_range(each, 0) for each in sides)),
        ("Expected correct matches among them (tau2)", *(_range(each, 1) for each in sides)),
        ("Share of sample uniques that are population uniques", *map(_share, sides)),
        (
            "Chance that a unique match with a random person is correct (DIS)",
            *(show_rate(each.correct_match) for each in sides),
        ),
        ("Interactions in the model", *(name(_interactions(each)) for each in sides)),
    ]
    if any(bias := [_bias(each) for each in sides]):
        rows.append(("B2, standard errors", *(each or "no estimate" for each in bias)))
    changed = "After"
    if left is not None:
        changed = "After, without suppression"
        uniques, matches = left
        rows += [
            ("Sample uniques without a blank after suppression", "", f"{uniques:,}"),
            ("Expected correct matches among those", "", show_number(matches)),
        ]
    caption = f"Levels of the share: {bands}, above that high."
    return table(caption, ("Measure", "Before", changed), rows, numbers=(1, 2))


def _bands(risk: FileRisk) -> list[tuple[str, float]]:
    return list(zip(("very low", "low", "moderate"), risk.bands, strict=True))


def _range(risk: FileRisk, place: int) -> str:
    value = (risk.tau1, risk.tau2)[place]
    if value is None:
        return "no estimate"
    low, high = risk.interval[place] if risk.interval else (value, value)
    if risk.interval is None or max(value, high) < _LEAST:
        return _about(value)
    return f"{_about(value)} ({_about(low)} to {_about(high)})"


def _about(value: float) -> str:
    """A figure of a model: what is far below one person is not worth its digits."""
    return f"under {_LEAST}" if 0 < value < _LEAST else show_number(value, 3)


def _share(risk: FileRisk) -> str:
    share = risk.share_unique
    return "no estimate" if share is None else f"{show_percent(share)}: {risk.level}"


def _interactions(risk: FileRisk) -> str:
    return ", ".join(risk.interactions) or "none: main effects only"


def _bias(risk: FileRisk) -> str:
    if risk.fit is None:
        return ""
    bias = (risk.fit.cell if risk.by_cell else risk.fit.file).B2.standardised
    # Adding zero takes the sign off a zero.
    return "" if bias is None else f"{round(bias, 1) + 0.0:.1f}".replace("-", "−")


def _notices(risk: FileRisk) -> Html:
    if not risk.notices:
        return Html("")
    items = join(fill("<li>{text}</li>\n", text=name(each.text)) for each in risk.notices)
    return fill('<ul class="notices">\n{items}</ul>\n', items=items)
