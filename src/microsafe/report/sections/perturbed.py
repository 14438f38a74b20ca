"""Keys that were perturbed: what that did, and counts that it made meaningless."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.document import Block, name
from microsafe.report.parts import Facts, facts, note
from microsafe.report.shown_numbers import count, show_number
from microsafe.report.texts import mark, retell, say
from microsafe.risk import Risk

_READING = mark(
    "The risk is that of the file before {words}, times the chance that an intruder finds a person "
    "by the keys that he knows; he may leave out keys that were perturbed. The chances add no "
    "error of their own; that of the risk before stays. Sample uniques, k, special uniques, "
    "combinations and diversity are not meaningful after {words}: those in this report are of the "
    "file before it."
)


def count_before(number: int, risk: Risk) -> str:
    """Return a count that stops being evidence where keys were perturbed."""
    if risk.perturbed is None:
        return count(number)
    said = say("{count} (before {words}; not meaningful after it)")
    return said.format(count=count(number), words=retell(risk.perturbed.words))


def show_perturbed(after: Risk) -> Iterator[Block]:
    """Yield what perturbation of keys did; nothing if none was perturbed."""
    found = after.perturbed
    if found is None:
        return
    kept = show_number(found.kept_expected)
    if found.kept_realised is not None:
        kept += say(" (realised: {value})", value=show_number(found.kept_realised))
    rows: Facts = [
        (say("Keys that were perturbed"), name(retell(found.words))),
        (say("Expected re-identifications without it"), show_number(found.expected_before)),
        (say("Expected among records that kept all their keys"), kept),
    ]
    if found.informed_gain is not None:
        informed = show_number(found.informed_gain * after.expected)
        gain = say(
            "{gain} times, {expected} in all",
            gain=show_number(found.informed_gain, 3),
            expected=informed,
        )
        rows.append((say("An intruder who knows the chances and has a register hits"), gain))
    if found.new_combinations is not None:
        new = say(
            "{combinations}, shown by {records} records",
            combinations=count(found.new_combinations),
            records=count(found.new_records or 0),
        )
        rows.append((say("Released combinations that no original record has"), new))
    yield from facts(rows)
    yield note(say(_READING, words=retell(found.words)))
