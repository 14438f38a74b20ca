"""What the file as written gives away of suppressed values."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.document import Block, Inline, Paragraph, name
from microsafe.report.parts import table
from microsafe.report.shown_numbers import count, show_percent
from microsafe.report.texts import mark, retell, say
from microsafe.risk import GivenAway, KeyGuesses

_LEAD = mark(
    "Suppressed values that somebody guesses right who has nothing but the file, in its order: "
    "by the value of the record before, by that of other members of the household, or by "
    "another variable that determines the key. Beyond blind guesses, the most frequent value or "
    "that of any record, {share} of all suppressed values are given away."
)


def tell_guesses(found: GivenAway | str | None) -> Iterator[Block]:
    """Yield how many suppressed values are guessed right, or why that is not known."""
    if found is None:
        return
    if isinstance(found, str):
        yield Paragraph(name(f"{say('It could not be measured.')} {retell(found)}"))
        return
    head = (
        say("Key"),
        say("Suppressed"),
        say("Most frequent value"),
        say("Any record"),
        say("Record before"),
        say("Members"),
        say("Other variable"),
    )
    rows = [_row(key) for key in found.keys]
    if len(rows) > 1:
        rows.append(_row(found.total))
    caption = say("Share of the suppressed values that a guess gets right.")
    yield Paragraph(say(_LEAD, share=show_percent(found.share)))
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4, 5, 6))


def _row(found: KeyGuesses) -> tuple[Inline, ...]:
    *shares, last = ("–" if share is None else show_percent(share) for share in found.shares)
    by = f" ({found.by})" if found.by else ""
    return (
        name(found.name) if found.name else say("All keys"),
        count(found.blanks),
        *shares,
        name(last + by),
    )
