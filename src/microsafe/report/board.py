"""The report for the board: everything that a decision to release rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.display import show_number, show_odds, show_percent, show_rate, show_risk
from microsafe.policy import show_rule_value
from microsafe.report import templates as t
from microsafe.report.content import Content, Remeasured, Ruling
from microsafe.report.cost import board_cost
from microsafe.report.estimators import (
    compare_estimators,
    estimator_in_words,
    higher_in_words,
)
from microsafe.report.gaps import compare_gaps
from microsafe.report.guesses import show_guesses
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import (
    facts,
    note,
    paragraph,
    reason,
    section,
    subhead,
    table,
    variable_title,
)
from microsafe.report.whole import whole
from microsafe.report.words import RULES, plural
from microsafe.risk import Risk, StandardErrors
from microsafe.steps.base import Taken

_ATTACKS = {
    "all": "the intruder tries every record",
    "random": "the intruder tries one record, drawn at random",
    "ratio": "the intruder prefers people who are well represented in the file",
    "weight": "the intruder prefers records with a high chance of inclusion",
}
_GAPS = {
    "wildcard": "a missing key may stand for any category",
    "category": "missing is a category of its own",
    "expected": "a gap counts by the chance that it hides the category, a suppressed value exactly",
}


def board(content: Content) -> Html:
    """Return the body of the report."""
    return join(
        [
            _glance(content),
            section("verdicts", "Verdicts, rule by rule", _verdicts(content.verdicts)),
            section(
                "scenarios", "Scenarios", *(_scenario(each, content) for each in content.measured)
            ),
            section("risk", "Risk before and after", *_risks(content.measured)),
            section("whole", "The file as a whole", *whole(content.measured)),
            section("steps", "What was done", *_steps(content.steps)),
            section("guesses", "What the file gives away", show_guesses(content.given_away)),
            section("cost", "What it cost", board_cost(content)),
            section("record", "For the record", _record(content)),
        ]
    )


def _glance(content: Content) -> Html:
    return join([_headline(content), _tiles(content)])


def _headline(content: Content) -> Html:
    verdicts = content.verdicts
    stuck = sum(each.stuck for each in content.steps)
    extra = ""
    if stuck:
        extra = f" {plural(stuck, 'record')} could not be made safe by suppression alone."
    for text in higher_in_words([each.after for each in content.measured]):
        extra += f" {text}"
    if not verdicts:
        text = "No policy was given, so there are no rules to judge the file by." + extra
        return fill(t.VERDICT, colour="plain", headline="Not judged.", text=text)
    unmet = [each for each in verdicts if not each.met]
    barred = [each for each in unmet if not each.reason]
    count = f"{len(verdicts) - len(unmet)} of {plural(len(verdicts), 'rule')} met"
    if barred:
        text = f"{count}; {len(barred)} not met and without a reason to release nevertheless."
        return fill(t.VERDICT, colour="stop", headline="Not to be released.", text=text + extra)
    if unmet:
        text = f"{count}; {len(unmet)} not met and overridden with a reason, given below."
        return fill(t.VERDICT, colour="stop", headline="Release by override.", text=text + extra)
    return fill(
        t.VERDICT, colour="go", headline="All rules are met.", text=f"{count}, measured after "
        f"the last step.{extra}"
    )  # fmt: skip


def _tiles(content: Content) -> Html:
    tiles = []
    if content.measured:
        worst = max(content.measured, key=lambda each: each.after.expected)
        before, after = worst.before, worst.after
        tiles.append(
            (
                "Expected re-identifications",
                show_number(after.expected),
                f"before: {show_number(before.expected)}",
            )
        )
        tiles.append(
            (
                "Largest risk of a record",
                show_number(after.max, 3),
                f"{show_odds(after.max)}; before: {show_odds(before.max)}",
            )
        )
    cost = content.comparison
    share = show_percent(cost.touched.records / max(cost.records, 1))
    tiles.append(
        ("Values blanked", f"{cost.blanks:,}", f"{cost.touched.values - cost.blanks:,} replaced")
    )
    tiles.append(("Records changed", share, f"{cost.touched.records:,} of {cost.records:,}"))
    made = join(fill(t.TILE, what=what, now=now, then=then) for what, now, then in tiles)
    several = len(content.measured) > 1
    said = note("Risk under the scenario with the most expected re-identifications.")
    return join([fill(t.TILES, tiles=made), said if several else ""])


def _verdicts(verdicts: Sequence[Ruling]) -> Html:
    rows, reasons = [], []
    for each in verdicts:
        least = "at least" if each.rule == "k" else "at most"
        rule = RULES.get(each.rule, each.rule)
        limit, value = (show_rule_value(each.rule, v) for v in (each.limit, each.value))
        rows.append((name(rule), name(each.scenario), f"{least} {limit}", value, _outcome(each)))
        if each.note:
            said = "{rule}: no estimate. {note}" if each.value is None else "{rule}: {note}."
            said = fill(said, rule=name(rule), note=name(each.note))
            reasons.append(paragraph(said))
        if each.reason and not each.met:
            where = ", scenario “{scenario}”," if each.scenario else ""
            lead = fill(
                f"{{rule}}{where} is not met. Why the file may be released nevertheless:",
                rule=name(rule),
                scenario=name(each.scenario),
            )
            reasons.append(join([paragraph(lead), reason(each.reason)]))
    head = ("Rule", "Scenario", "Limit", "Measured", "Verdict")
    made = table("Measured on the protected file.", head, rows, numbers=(2, 3))
    return join([made, *reasons])


def _outcome(verdict: Ruling) -> Html:
    if verdict.met:
        return Html('<span class="met">met</span>')
    more = ", overridden" if verdict.reason else ""
    return fill('<span class="unmet">not met</span>{more}', more=more)


def _scenario(measured: Remeasured, content: Content) -> Html:
    scenario = measured.before.scenario
    gone = [key for key in scenario.keys if key not in measured.after.scenario.keys]
    rows: list[tuple[object, object]] = [
        ("Keys, known to the intruder", join(
            (variable_title(key, content.labels.get(key, "")) for key in scenario.keys),
            Html("<br>"))),
        ("Weight", name(scenario.weight) if scenario.weight else "none: the file is treated as "
         "the whole population"),
        ("Household", name(scenario.household) if scenario.household else "not considered"),
        ("Missing keys", _GAPS.get(scenario.missing, scenario.missing)
         + (f"; alpha {scenario.alpha:g}" if scenario.alpha != 1 else "")),
        ("Attack", _ATTACKS.get(scenario.attack, scenario.attack)),
        ("Estimator of the risk", estimator_in_words(scenario)),
    ]  # fmt: skip
    if scenario.factor != 1:
        rows.append(("Factor that multiplies every risk", f"{scenario.factor:g}"))
    if scenario.error:
        told = "; ".join(f"{key} {show_rate(each)}" for key, each in scenario.error.items())
        rows.append(("Chance that a key is recorded with error", name(told)))
    if gone:
        rows.append(("Keys left out of the file", join(map(name, gone), ", ")))
    head = subhead(fill("Scenario “{name}”", name=name(scenario.name)))
    return join([head if len(content.measured) > 1 else "", reason(measured.why), facts("", rows)])


def _risks(measured: Sequence[Remeasured]) -> Iterator[Html]:
    from microsafe.report.figures import before_and_after  # matplotlib takes a while to load

    for number, each in enumerate(measured, 1):
        scenario = each.after.scenario.name
        if len(measured) > 1:
            yield subhead(fill("Scenario “{name}”", name=name(scenario)))
        yield _figures(each.before, each.after)
        yield compare_estimators(each.before, each.after)
        yield compare_gaps(each.after)
        unsafe = [risk.limit.unsafe if risk.limit else None for risk in (each.before, each.after)]
        label = f"Histograms of the risk of records under scenario {scenario}: largest risk "
        label += (
            f"{show_risk(each.before.max)} before and {show_risk(each.after.max)} after protection"
        )
        if unsafe[0] is not None and unsafe[1] is not None:
            label += f"; {unsafe[0]:,} records above the limit before, {unsafe[1]:,} after"
        yield fill(
            t.FIGURE,
            label=label + ".",
            picture=before_and_after(each.before, each.after, identity=f"risk{number}"),
            caption="Records by risk of re-identification, before and after, on one axis. Red lies "
            "above the limit." if each.before.limit else
            "Records by risk of re-identification, before and after, on one axis.",
        )  # fmt: skip
        yield _check_notices(each.before)
        yield _notices(each.after)


def _figures(before: Risk, after: Risk) -> Html:
    rows: list[tuple[object, ...]] = [
        ("Records", f"{before.n:,}", f"{after.n:,}"),
        ("Combinations of keys (cells)", f"{before.n_cells:,}", f"{after.n_cells:,}"),
        ("Sample uniques, records", *(f"{r.sample_uniques:,}" for r in (before, after))),
        ("Largest risk of a record", show_risk(before.max), show_risk(after.max)),
        (
            "Expected re-identifications, records",
            show_number(before.expected),
            show_number(after.expected),
        ),
        ("Re-identification rate", show_rate(before.rate), show_rate(after.rate)),
    ]
    sides = (before, after)
    errors = [risk.standard_errors for risk in sides]
    if any(errors):
        row = ("Standard error of the expected number", *(_error(each) for each in errors))
        rows.insert(-1, row)
    if before.limit or after.limit:
        limits = [risk.limit for risk in sides]
        rows.append(("Limit", *(show_risk(each.limit) if each else "–" for each in limits)))
        rows.append(("Records above it", *(f"{each.unsafe:,}" if each else "–" for each in limits)))
    homes = [risk.household for risk in sides]
    if any(homes):
        rows += [
            ("Households", *(f"{len(h.risk):,}" if h else "–" for h in homes)),
            ("Largest household risk", *(show_risk(h.max) if h else "–" for h in homes)),
            ("Expected households re-identified",
             *(show_number(h.expected_households) if h else "–" for h in homes)),
            ("Expected records in them", *(show_number(h.expected) if h else "–" for h in homes)),
            ("Household re-identification rate",
             *(show_rate(h.rate) if h else "–" for h in homes)),
        ]  # fmt: skip
    bounds = [risk.household_limit for risk in sides]
    if any(bounds):
        rows.append(("Household limit", *(show_risk(b.limit) if b else "–" for b in bounds)))
        rows.append(("Households above it", *(f"{b.unsafe:,}" if b else "–" for b in bounds)))
    if known := before.population:
        rows.append(("Expected by known population counts", show_number(known.expected), "–"))
        rows.append(("Population uniques by them, records", f"{known.population_uniques:,}", "–"))
    return table("", ("Measure", "Before", "After"), rows, numbers=(1, 2))


def _error(errors: StandardErrors | None) -> str:
    return "–" if errors is None else show_number(errors.expected, 2)


def _check_notices(before: Risk) -> Html:
    """What known counts of the population say of the estimates."""
    told = [each.text for each in before.notices if each.topic == "population"]
    return join(paragraph(name(text)) for text in told)


def _notices(risk: Risk) -> Html:
    if not risk.notices:
        return Html("")
    items = join(fill("<li>{text}</li>\n", text=name(each.text)) for each in risk.notices)
    lead = paragraph("What to know before trusting the figures after protection:")
    return fill('{lead}<ul class="notices">\n{items}</ul>\n', lead=lead, items=items)


def _steps(steps: Sequence[Taken]) -> Iterator[Html]:
    if not steps:
        yield paragraph("Nothing was changed.")
    for number, each in enumerate(steps, 1):
        step = each.step
        of = fill(" of {name}", name=name(step.subject)) if step.subject else ""
        yield subhead(fill("{number}. {title}{of}", number=number, title=step.title, of=of))
        yield reason(step.why)
        rows = [*step.parameters_in_words(), *step.results(each)]
        yield facts("", [(what, name(text)) for what, text in rows])


def _record(content: Content) -> Html:
    rows: list[tuple[object, object]] = [("Input", name(content.source))]
    code = '<code class="hash">{text}</code>'
    if content.sha256:
        rows.append(("Input, SHA-256", fill(code, text=content.sha256)))
    if content.output:
        rows.append(("Safe file", name(content.output)))
    if content.output_sha256:
        rows.append(("Safe file, SHA-256", fill(code, text=content.output_sha256)))
    rows += [(name(program), name(version)) for program, version in content.versions.items()]
    parts = [facts("Input, output and versions.", rows)]
    if content.plan:
        parts += [subhead("Plan"), fill(t.PLAN, text=content.plan)]
    return join(parts)
