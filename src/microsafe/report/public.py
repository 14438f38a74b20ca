"""The report for users of the file: what was done and what it cost, and nothing for intruders."""

from __future__ import annotations

from microsafe.report.codebook import public_codebook
from microsafe.report.content import Content
from microsafe.report.cost import public_cost
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import facts, note, paragraph, section
from microsafe.report.risk_tables import public_estimators
from microsafe.report.shown_numbers import count
from microsafe.report.steps import public_steps
from microsafe.report.texts import mark, say

_READING = mark(
    "Information lost is the share of a variable's information that the released variable no "
    "longer gives; a value set to missing may be any. Of numbers it is the share of the variance "
    "that released values do not explain. The Hellinger distance of two tables lies between 0, the "
    "same shares, and 1, nothing in common. Tables and means leave out records in which a value is "
    "missing."
)
_USING = mark(
    "Values set to missing are not missing at random: they were chosen where combinations are "
    "rare. Treat estimates for small groups with care, and prefer weighted estimates."
)


def public(content: Content) -> Html:
    """Return the body of the report."""
    codebook = public_codebook(content.released)
    return join(
        [
            section("methods", say("Methods"), _methods(content)),
            section("codebook", say("Codebook of the released file"), codebook),
            section("loss", say("What protection cost"), public_cost(content), note(say(_READING))),
            section("use", say("Using the file"), _use(content)),
            section("record", say("The released file"), _record(content)),
        ]
    )


def _methods(content: Content) -> Html:
    estimators = public_estimators(content.measured)
    if not content.steps:
        return join([paragraph(say("The file was released as it is.")), estimators])
    lead = say("To protect the people in the file, the data were changed as follows.")
    parts = [paragraph(lead), *public_steps(content)]
    if content.shuffled:
        parts.append(paragraph(say("The records were put into a random order.")))
    return join([*parts, estimators])


def _use(content: Content) -> Html:
    return paragraph(say(_USING)) if content.comparison.blanks else Html("")


def _record(content: Content) -> Html:
    """Name the released file; the hash of the original would let a guess at it be checked."""
    rows: list[tuple[object, object]] = []
    if content.output:
        rows.append((say("File"), name(content.output)))
    if content.output_sha256:
        hashed = fill('<code class="hash">{text}</code>', text=content.output_sha256)
        rows.append((say("Checksum (SHA-256)"), hashed))
    rows.append((say("Records"), count(content.comparison.records)))
    version = content.versions.get("microsafe")
    if version:
        rows.append((say("Protected with"), f"microsafe {version}"))
    return facts("", rows)
