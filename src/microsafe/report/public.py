"""The report for users of the file: what was done and what it cost, and nothing for intruders."""

from __future__ import annotations

from microsafe.report.content import Content
from microsafe.report.cost import public_cost
from microsafe.report.estimators import public_estimators
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import facts, note, paragraph, section

_READING = (
    "Information lost is the share of a variable's entropy that the released variable no longer "
    "gives. The Hellinger distance of two tables lies between 0, the same shares, and 1, nothing "
    "in common. Tables and means leave out records in which a value is missing."
)
_USING = (
    "Values set to missing are not missing at random: they were chosen where combinations are "
    "rare. Treat estimates for small groups with care, and prefer weighted estimates."
)


def public(content: Content) -> Html:
    """Return the body of the report."""
    return join(
        [
            section("methods", "Methods", _methods(content)),
            section("loss", "What protection cost", public_cost(content), note(_READING)),
            section("use", "Using the file", _use(content)),
            section("record", "The released file", _record(content)),
        ]
    )


def _methods(content: Content) -> Html:
    told = dict.fromkeys(each.step.public for each in content.steps)
    if not told:
        return join(
            [paragraph("The file was released as it is."), public_estimators(content.measured)]
        )
    items = join(fill("<li>{text}</li>\n", text=name(each)) for each in told)
    parts = [
        paragraph("To protect the people in the file, the data were changed as follows."),
        fill('<ul class="notices">\n{items}</ul>\n', items=items),
    ]
    if content.comparison.dropped:
        names = join(map(name, content.comparison.dropped), ", ")
        parts.append(paragraph(fill("Variables not in the released file: {names}.", names=names)))
    return join([*parts, public_estimators(content.measured)])


def _use(content: Content) -> Html:
    return paragraph(_USING) if content.comparison.blanks else Html("")


def _record(content: Content) -> Html:
    """Name the released file; the hash of the original would let a guess at it be checked."""
    rows: list[tuple[object, object]] = []
    if content.output:
        rows.append(("File", name(content.output)))
    if content.output_sha256:
        hashed = fill('<code class="hash">{text}</code>', text=content.output_sha256)
        rows.append(("SHA-256", hashed))
    rows.append(("Records", f"{content.comparison.records:,}"))
    version = content.versions.get("microsafe")
    if version:
        rows.append(("Protected with", f"microsafe {version}"))
    return facts("", rows)
