"""The report for the board: everything that a decision to release rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.options.scenario import Scenario
from microsafe.report import templates as t
from microsafe.report.codebook import board_codebook
from microsafe.report.content import Content, Remeasured, Ruling
from microsafe.report.cost import board_cost
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import (
    attachment,
    facts,
    note,
    paragraph,
    reason,
    section,
    subhead,
    table,
    variable_title,
)
from microsafe.report.risk_tables import (
    compare_estimators,
    compare_gaps,
    count_before,
    estimator_in_words,
    higher_in_words,
    show_guesses,
    show_perturbed,
)
from microsafe.report.shown_numbers import (
    count,
    show_number,
    show_odds,
    show_percent,
    show_rate,
    show_risk,
    show_rule_value,
)
from microsafe.report.steps import board_steps
from microsafe.report.texts import mark, plural, retell, say
from microsafe.report.variables import variables
from microsafe.report.whole import whole
from microsafe.report.why import explain_plan
from microsafe.risk import Risk, StandardErrors

_ATTACKS = mark({
    "all": "the intruder tries every record",
    "random": "the intruder tries one record, drawn at random",
    "ratio": "the intruder prefers people who are well represented in the file",
    "weight": "the intruder prefers records with a high chance of inclusion",
})  # fmt: skip
_GAPS = mark({
    "wildcard": "a missing key may stand for any category",
    "category": "missing is a category of its own",
    "expected": "a gap counts by the chance that it hides the category, a suppressed value exactly",
})  # fmt: skip
_RULES = mark(
    {
        "record_risk": "Largest risk of a record",
        "expected": "Expected re-identifications",
        "rate": "Re-identification rate",
        "household_risk": "Largest household risk",
        "household_rate": "Household re-identification rate",
        "expected_households": "Expected households re-identified",
        "tau1": "Sample uniques that are population uniques",
        "tau1_share": "Share of the sample uniques that are population uniques",
        "tau2": "Expected correct matches with sample uniques",
        "k": "Fewest records that share their keys",
        "gaps": "Expected with missing keys weighed, as a multiple",
        "given_away": "Suppressed values guessed right beyond chance",
        "inventory": "Variables without a decision, and direct identifiers",
        "estimator": "Expected by the model, as a multiple of the estimate by cell",
    }
)


def board(content: Content) -> Html:
    """Return the body of the report."""
    scenarios = (_scenario(each, content) for each in content.measured)
    return join(
        [
            section("summary", say("Summary"), _headline(content), _tiles(content)),
            section("verdicts", say("Verdicts, rule by rule"), _verdicts(content.verdicts)),
            section("variables", say("Variables and decisions"), variables(content)),
            section("scenarios", say("Scenarios"), *scenarios),
            section("risk", say("Risk before and after"), *_risks(content.measured)),
            section("whole", say("The file as a whole"), *whole(content.measured)),
            section("steps", say("What was done"), *board_steps(content)),
            section("why", say("Why this plan"), explain_plan(content.proposed, content.steps)),
            section("guesses", say("What the file gives away"), show_guesses(content.given_away)),
            section("cost", say("What it cost"), board_cost(content)),
            section("codebook", say("Codebook of the released file"), *_codebook(content)),
            section("record", say("For the record"), _record(content)),
        ]
    )


def _codebook(content: Content) -> Iterator[Html]:
    if content.released:
        yield board_codebook(content.released)


def _headline(content: Content) -> Html:
    verdicts = content.verdicts
    stuck = sum(each.stuck for each in content.steps)
    extra = ""
    if stuck:
        extra = " " + plural(
            stuck,
            "{count} record could not be made safe by suppression alone.",
            "{count} records could not be made safe by suppression alone.",
        )
    for text in higher_in_words([each.after for each in content.measured]):
        extra += f" {text}"
    if not verdicts:
        text = say("No policy was given, so there are no rules to judge the file by.") + extra
        return fill(t.VERDICT, colour="plain", headline=say("Not judged."), text=text)
    unmet = [each for each in verdicts if not each.met]
    barred = [each for each in unmet if not each.reason]
    met = say("Rules met: {met} of {all}.", met=len(verdicts) - len(unmet), all=len(verdicts))
    if barred:
        headline, colour = say("Not to be released."), "stop"
        text = say("Not met, and without a reason to release: {count}.", count=len(barred))
    elif unmet:
        headline, colour = say("Release by override."), "stop"
        text = say("Not met, and overridden with a reason given below: {count}.", count=len(unmet))
    else:
        headline, colour = say("All rules are met."), "go"
        text = say("They were measured after the last step.")
    return fill(t.VERDICT, colour=colour, headline=headline, text=f"{met} {text}{extra}")


def _tiles(content: Content) -> Html:
    tiles = []
    if content.measured:
        worst = max(content.measured, key=lambda each: each.after.expected)
        before, after = worst.before, worst.after
        tiles.append(
            (
                say("Expected re-identifications"),
                show_number(after.expected),
                say("before: {value}", value=show_number(before.expected)),
            )
        )
        tiles.append(
            (
                say("Largest risk of a record"),
                show_number(after.max, 3),
                f"{show_odds(after.max)}; " + say("before: {value}", value=show_odds(before.max)),
            )
        )
    cost = content.comparison
    share = show_percent(cost.touched.records / max(cost.records, 1))
    replaced = say("replaced: {count}", count=count(cost.touched.values - cost.blanks))
    tiles.append((say("Values blanked"), count(cost.blanks), replaced))
    changed = say("{part} of {all}", part=count(cost.touched.records), all=count(cost.records))
    tiles.append((say("Records changed"), share, changed))
    made = join(fill(t.TILE, what=what, now=now, then=then) for what, now, then in tiles)
    several = len(content.measured) > 1
    said = note(say("Risk under the scenario with the most expected re-identifications."))
    return join([fill(t.TILES, tiles=made), said if several else ""])


def _verdicts(verdicts: Sequence[Ruling]) -> Html:
    rows, reasons = [], []
    for each in verdicts:
        least = mark("at least {limit}" if each.rule == "k" else "at most {limit}")
        rule = say(_RULES.get(each.rule, each.rule))
        limit, value = (show_rule_value(each.rule, v) for v in (each.limit, each.value))
        said = say(least, limit=limit)
        rows.append((name(rule), name(each.scenario), said, value, _outcome(each)))
        reasons += [*_note(each, rule), *_override(each, rule)]
    head = (say("Rule"), say("Scenario"), say("Limit"), say("Measured"), say("Verdict"))
    made = table(say("Measured on the protected file."), head, rows, numbers=(2, 3))
    return join([made, *reasons])


def _note(verdict: Ruling, rule: str) -> Iterator[Html]:
    if verdict.note:
        none = verdict.value is None
        said = say("{rule}: no estimate. {note}") if none else say("{rule}: {note}.")
        yield paragraph(fill(said, rule=name(rule), note=name(retell(verdict.note))))


def _override(verdict: Ruling, rule: str) -> Iterator[Html]:
    if verdict.met or not verdict.reason:
        return
    said = say("{rule} is not met. Why the file may be released nevertheless:")
    if verdict.scenario:
        said = say(
            "{rule}, scenario “{scenario}”, is not met. Why the file may be released nevertheless:"
        )
    yield paragraph(fill(said, rule=name(rule), scenario=name(verdict.scenario)))
    yield reason(verdict.reason)


def _outcome(verdict: Ruling) -> Html:
    if verdict.met:
        return fill('<span class="met">{met}</span>', met=say("met"))
    more = say(", overridden") if verdict.reason else ""
    return fill('<span class="unmet">{unmet}</span>{more}', unmet=say("not met"), more=more)


def _scenario(measured: Remeasured, content: Content) -> Html:
    scenario = measured.before.scenario
    gone = [key for key in scenario.keys if key not in measured.after.scenario.keys]
    rows: list[tuple[object, object]] = [
        (say("Keys, known to the intruder"), join(
            (variable_title(key, content.labels.get(key, "")) for key in scenario.keys),
            Html("<br>"))),
        (say("Weight"), name(scenario.weight) if scenario.weight
         else say("none: the file is treated as the whole population")),
        (say("Household"), name(scenario.household) if scenario.household
         else say("not considered")),
        (say("Missing keys"), _gaps(scenario)),
        (say("Attack"), say(_ATTACKS.get(scenario.attack, scenario.attack))),
        (say("Estimator of the risk"), estimator_in_words(scenario)),
    ]  # fmt: skip
    if scenario.factor != 1:
        rows.append((say("Factor that multiplies every risk"), show_number(scenario.factor)))
    if scenario.error:
        told = "; ".join(f"{key} {show_rate(each)}" for key, each in scenario.error.items())
        rows.append((say("Chance that a key is recorded with error"), name(told)))
    if gone:
        rows.append((say("Keys left out of the file"), join(map(name, gone), ", ")))
    return join([_scenario_head(scenario.name), reason(measured.why), facts("", rows)])


def _scenario_head(scenario: str) -> Html:
    return subhead(fill(say("Scenario “{name}”"), name=name(scenario)))


def _gaps(scenario: Scenario) -> str:
    text = say(_GAPS.get(scenario.missing, scenario.missing))
    if scenario.alpha == 1:
        return text
    weight = show_number(scenario.alpha)
    return text + say("; a match that rests on such a gap counts {weight}", weight=weight)


def _risks(measured: Sequence[Remeasured]) -> Iterator[Html]:
    from microsafe.report.figures import before_and_after  # matplotlib takes a while to load

    for number, each in enumerate(measured, 1):
        scenario = each.after.scenario.name
        yield _scenario_head(scenario)
        yield _figures(each.before, each.after)
        yield compare_estimators(each.before, each.after)
        yield compare_gaps(each.after)
        yield show_perturbed(each.after)
        caption = say("Records by risk of re-identification, before and after, on one axis.")
        if each.before.limit:
            caption += " " + say("Red lies above the limit.")
        yield fill(
            t.FIGURE,
            label=_picture_in_words(each),
            picture=before_and_after(each.before, each.after, identity=f"risk{number}"),
            caption=caption,
        )
        yield _check_notices(each.before)
        yield _notices(each.after)


def _picture_in_words(each: Remeasured) -> str:
    label = say(
        "Histograms of the risk of records under scenario {scenario}: largest risk {before} before "
        "and {after} after protection.",
        scenario=each.after.scenario.name,
        before=show_risk(each.before.max),
        after=show_risk(each.after.max),
    )
    before, after = each.before.limit, each.after.limit
    if before is None or after is None:
        return label
    return label + " " + say(
        "Records above the limit: {before} before, {after} after.",
        before=count(before.unsafe),
        after=count(after.unsafe),
    )  # fmt: skip


def _figures(before: Risk, after: Risk) -> Html:
    rows: list[tuple[object, ...]] = [
        (say("Records"), count(before.n), count(after.n)),
        (
            say("Combinations of keys that occur"),
            count(before.n_cells),
            count_before(after.n_cells, after),
        ),
        (
            say("Sample uniques, records"),
            count(before.sample_uniques),
            count_before(after.sample_uniques, after),
        ),
        (say("Largest risk of a record"), show_risk(before.max), show_risk(after.max)),
        (
            say("Expected re-identifications, records"),
            show_number(before.expected),
            show_number(after.expected),
        ),
        (say("Re-identification rate"), show_rate(before.rate), show_rate(after.rate)),
    ]
    sides = (before, after)
    errors = [risk.standard_errors for risk in sides]
    if any(errors):
        row = (say("Standard error of the expected number"), *(_error(each) for each in errors))
        rows.insert(-1, row)
    limits = [risk.limit for risk in sides]
    if any(limits):
        rows.append((say("Limit"), *(show_risk(b.limit) if b else "–" for b in limits)))
        rows.append((say("Records above it"), *(count(b.unsafe) if b else "–" for b in limits)))
    rows += _household_rows(sides)
    if known := before.population:
        rows.append((say("Expected by known population counts"), show_number(known.expected), "–"))
        uniques = count(known.population_uniques)
        rows.append((say("Population uniques by them, records"), uniques, "–"))
    return table("", (say("Measure"), say("Before"), say("After")), rows, numbers=(1, 2))


def _household_rows(sides: Sequence[Risk]) -> Iterator[tuple[object, ...]]:
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


def _check_notices(before: Risk) -> Html:
    """What known counts of the population say of the estimates."""
    told = [retell(each.text) for each in before.notices if each.topic == "population"]
    return join(paragraph(name(text)) for text in told)


def _notices(risk: Risk) -> Html:
    if not risk.notices:
        return Html("")
    items = join(fill("<li>{text}</li>\n", text=name(retell(each.text))) for each in risk.notices)
    lead = paragraph(say("What to know before trusting the figures after protection:"))
    return fill('{lead}<ul class="notices">\n{items}</ul>\n', lead=lead, items=items)


def _record(content: Content) -> Html:
    rows: list[tuple[object, object]] = [(say("Input"), name(content.source))]
    code = '<code class="hash">{text}</code>'
    if content.sha256:
        rows.append((say("Checksum of the input (SHA-256)"), fill(code, text=content.sha256)))
    if content.output:
        rows.append((say("Safe file"), name(content.output)))
    if content.output_sha256:
        checksum = fill(code, text=content.output_sha256)
        rows.append((say("Checksum of the safe file (SHA-256)"), checksum))
    software = ", ".join(f"{program} {version}" for program, version in content.versions.items())
    if software:
        rows.append((say("Software"), name(software)))
    if content.plan:
        rows.append((say("Plan of the release"), attachment(content.plan)))
    return facts("", rows)
