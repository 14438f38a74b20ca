"""How to use the released file: what blanks mean to an analysis, and how to cite it."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, Paragraph, Span, fill, join, name
from microsafe.report.parts import names, sentence_list
from microsafe.report.texts import mark, say

_LEAD = mark(
    "A blank is a value that was set to missing so that nobody stands out. Blanks are not missing "
    "at random: they were made where combinations of values are rare. Variables with blanks: "
    "{names}."
)
_ADVICE = mark(
    (
        "A blank looks like a question that was not answered. Do not read it as “none” or “no”.",
        "Whatever uses no variable with blanks needs no care on their account.",
        "If fewer than 5 % of the records that you use have a blank, leaving them out changes "
        "little. The tables under “What protection cost” say how far shares and means have moved.",
        "If more have one, show missing as a category of its own, or impute: with all variables of "
        "your analysis and the weight in the model, and several times, so that standard errors "
        "know of it.",
        "Small groups lose most. Combine categories before you publish figures of them.",
    )
)
_WEIGHTS = mark("Weights were not changed for blanks: prefer weighted shares and means to totals.")
_PROMISE = mark(
    "Do not try to find out who somebody is. If you believe that you recognise a person, tell "
    "those who released the file, and nobody else."
)
_WHICH = mark("Version and checksum tell others which file you used.")
_WHICH_VERSION = mark("The version tells others which file you used.")
_WHICH_CHECKSUM = mark("The checksum tells others which file you used.")
_CHECKSUM = 12  # characters that tell one file from another


def explain_blanks(content: Content) -> Iterator[Block]:
    """Yield how to treat blanks, or that there are none; and what users must not do."""
    cost = content.comparison
    if cost.blanks:
        blanked = [loss.name for loss in cost.losses if loss.blanks and not loss.dropped]
        yield Paragraph(fill(say(_LEAD), names=names(blanked)))
        advice = [*_ADVICE, _WEIGHTS] if cost.weight else _ADVICE
        yield from sentence_list(map(say, advice))
    else:
        yield Paragraph(say("No value was blanked: what is missing was missing in the survey."))
    yield Paragraph(say(_PROMISE))


def cite_file(content: Content) -> Iterator[Block]:
    """Yield a line to cite the file by."""
    cover = content.cover
    edition: list[Inline] = [name(cover.release_type)] if cover.release_type else []
    if cover.version:
        edition.append(fill(say("version {version}"), version=name(cover.version)))
    if cover.date:
        edition.append(name(cover.date))
    file: Inline = name(content.output or content.source)
    if content.output_sha256:
        checksum = content.output_sha256[:_CHECKSUM]
        file = fill(
            say("{file} (SHA-256 {checksum}…)"), file=file, checksum=Span(checksum, "checksum")
        )
    parts: list[Inline] = [name(each) for each in (cover.institution, cover.survey) if each]
    parts += [join(edition, ", ")] if edition else []
    yield Paragraph((join([*parts, file], ". "), "."))
    if cover.version or content.output_sha256:
        told = _WHICH_VERSION if cover.version else _WHICH_CHECKSUM
        yield Paragraph(say(_WHICH if cover.version and content.output_sha256 else told))
