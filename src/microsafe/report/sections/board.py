"""The report for the board: page one to decide by, and all that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_uppercase

from microsafe.report.content import Content
from microsafe.report.document import Section
from microsafe.report.parts import section
from microsafe.report.sections.codebook import board_codebook
from microsafe.report.sections.cost import board_cost
from microsafe.report.sections.decision import tell_decision
from microsafe.report.sections.families import tell_families
from microsafe.report.sections.guesses import tell_guesses
from microsafe.report.sections.intruders import board_intruders
from microsafe.report.sections.population_uniques import tell_whole
from microsafe.report.sections.provenance import board_record
from microsafe.report.sections.risk import tell_risks
from microsafe.report.sections.scenarios import tell_scenarios
from microsafe.report.sections.small_areas import tell_small_areas
from microsafe.report.sections.steps import board_steps
from microsafe.report.sections.variables import tell_decisions, tell_variables
from microsafe.report.sections.verdicts import tell_verdicts
from microsafe.report.sections.why import explain_plan
from microsafe.report.texts import say
from microsafe.report.units import find_units


def decide_section(content: Content) -> Section:
    """Return what stands on the first page."""
    return Section("decision", say("For decision"), tuple(tell_decision(content)))


def board_sections(content: Content) -> Iterator[Section]:
    """Yield the sections in their order, and what only some will look up as annexes."""
    yield from _main_sections(content)
    for letter, annex in zip(ascii_uppercase, _annexes(content), strict=False):
        title = say("Annex {letter}: {title}", letter=letter, title=annex.title)
        yield replace(annex, title=title)


def _main_sections(content: Content) -> Iterator[Section]:
    found = content.intruders
    who = () if found is None else board_intruders(found)
    yield from section("intruders", say("Who could recognise whom"), who)
    verdicts = tell_verdicts(content.verdicts, find_units(content.measured))
    yield from section("verdicts", say("Verdicts, rule by rule"), verdicts)
    yield from section("decisions", say("Decisions"), tell_decisions(content))
    yield from section("scenarios", say("Scenarios"), tell_scenarios(content))
    yield from section("steps", say("What was done"), board_steps(content))
    why = explain_plan(content.proposed, content.steps)
    yield from section("why", say("Why this plan"), why)
    yield from section("families", say("What protects families"), tell_families(content.families))
    guesses = tell_guesses(content.given_away, content.telling)
    yield from section("guesses", say("What the file gives away"), guesses)


def _annexes(content: Content) -> Iterator[Section]:
    measured = content.measured
    yield from section("risk", say("Risk before and after"), tell_risks(measured))
    yield from section("whole", say("The file as a whole"), tell_whole(measured))
    yield from section("areas", say("Small areas"), tell_small_areas(content.areas))
    yield from section("cost", say("What it cost"), board_cost(content))
    yield from section("variables", say("Variables, one by one"), tell_variables(content))
    codebook = board_codebook(content.released)
    yield from section("codebook", say("Codebook of the released file"), codebook)
    yield from section("record", say("For the record"), board_record(content))
