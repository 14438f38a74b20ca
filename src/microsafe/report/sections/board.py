"""The report for the board: everything that a decision to release rests on."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Section
from microsafe.report.parts import section
from microsafe.report.sections.codebook import board_codebook
from microsafe.report.sections.cost import board_cost
from microsafe.report.sections.families import tell_families
from microsafe.report.sections.guesses import tell_guesses
from microsafe.report.sections.population_uniques import tell_whole
from microsafe.report.sections.provenance import board_record
from microsafe.report.sections.risk import tell_risks
from microsafe.report.sections.scenarios import tell_scenarios
from microsafe.report.sections.steps import board_steps
from microsafe.report.sections.summary import tell_summary
from microsafe.report.sections.variables import tell_variables
from microsafe.report.sections.verdicts import tell_verdicts
from microsafe.report.sections.why import explain_plan
from microsafe.report.texts import say


def board_sections(content: Content) -> Iterator[Section]:
    """Yield the sections in their order."""
    measured, steps = content.measured, content.steps
    yield from section("summary", say("Summary"), tell_summary(content))
    yield from section("verdicts", say("Verdicts, rule by rule"), tell_verdicts(content.verdicts))
    yield from section("variables", say("Variables and decisions"), tell_variables(content))
    yield from section("scenarios", say("Scenarios"), tell_scenarios(content))
    yield from section("risk", say("Risk before and after"), tell_risks(measured))
    yield from section("whole", say("The file as a whole"), tell_whole(measured))
    yield from section("steps", say("What was done"), board_steps(content))
    yield from section("why", say("Why this plan"), explain_plan(content.proposed, steps))
    yield from section("families", say("What protects families"), tell_families(content.families))
    yield from section("guesses", say("What the file gives away"), tell_guesses(content.given_away))
    yield from section("cost", say("What it cost"), board_cost(content))
    yield from section(
        "codebook", say("Codebook of the released file"), board_codebook(content.released)
    )
    yield from section("record", say("For the record"), board_record(content))
