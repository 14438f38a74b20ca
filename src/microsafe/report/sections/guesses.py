"""What the file as written gives away of suppressed values."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.document import Block, Inline, Paragraph, fill, name
from microsafe.report.parts import table
from microsafe.report.shown_numbers import count, show_percent
from microsafe.report.texts import mark, retell, say
from microsafe.risk import KeyGuesses, RecoverableBlanks, TellingVariables

_LEAD = mark(
    "Suppressed values that somebody guesses right who has nothing but the file, in its order: "
    "by the value of the record before, by that of other members of the household, or by "
    "another variable that tells of the key. Beyond blind guesses, the most frequent value or "
    "that of any record, {share} of all suppressed values are given away."
)

_UNKNOWN = mark("What other variables tell of changed keys could not be measured.")
_DETERMINED = mark(
    "{key} was changed, but its original values follow from variables that go out: {shares} of "
    "what the file does not show of it."
)
_TOLD = mark(
    "{key} was changed; of what the file does not show of it, other variables tell: {shares}."
)


def tell_guesses(
    found: RecoverableBlanks | str | None, telling: TellingVariables | str | None
) -> Iterator[Block]:
    """Yield how many suppressed values are guessed right, or why that is not known.

    Args:
        found: The suppressed values that the file gives away.
        telling: What variables that go out tell of changed keys.
    """
    yield from map(Paragraph, say_telling(telling))
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


def say_telling(found: TellingVariables | str | None) -> Iterator[Inline]:
    """Yield a line for each key that was changed and that other variables give back in part."""
    if isinstance(found, str):
        yield name(f"{say(_UNKNOWN)} {retell(found)}")
        return
    if found is None:
        return
    for text, told in ((_DETERMINED, found.determining), (_TOLD, found.notable)):
        for key in dict.fromkeys(row.key for row in told):
            shares = [f"{row.words} {show_percent(row.share)}" for row in told if row.key == key]
            yield fill(say(text), key=name(key), shares=name(", ".join(shares)))


def _row(found: KeyGuesses) -> tuple[Inline, ...]:
    *shares, last = ("–" if share is None else show_percent(share) for share in found.shares)
    by = f" ({found.by})" if found.by else ""
    return (
        name(found.name) if found.name else say("All keys"),
        count(found.blanks),
        *shares,
        name(last + by),
    )
