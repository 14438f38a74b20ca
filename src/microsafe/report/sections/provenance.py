"""For the record: names, checksums, versions, and the plan."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.report.content import Content
from microsafe.report.document import Attachment, Block, Span, name
from microsafe.report.parts import Facts, facts
from microsafe.report.shown_numbers import count
from microsafe.report.texts import say

_PLAN_FILE = "plan.toml"  # as it is attached


def attach_plan(content: Content) -> Attachment | None:
    """Return the plan as the board's report holds it, or None if there is none."""
    return Attachment(_PLAN_FILE, content.plan) if content.plan else None


def board_record(content: Content) -> Iterator[Block]:
    """Yield what it takes to do the same again."""
    rows: Facts = [(say("Input"), name(content.source))]
    if content.sha256:
        rows.append((say("Checksum of the input (SHA-256)"), Span(content.sha256, "checksum")))
    if content.output:
        rows.append((say("Safe file"), name(content.output)))
    if content.output_sha256:
        checksum = Span(content.output_sha256, "checksum")
        rows.append((say("Checksum of the safe file (SHA-256)"), checksum))
    software = ", ".join(f"{program} {version}" for program, version in content.versions.items())
    if software:
        rows.append((say("Software"), name(software)))
    if plan := attach_plan(content):
        rows.append((say("Plan of the release"), plan))
    yield from facts(rows)


def public_record(content: Content) -> Iterator[Block]:
    """Name the released file; the hash of the original would let a guess at it be checked."""
    rows: Facts = []
    if content.output:
        rows.append((say("File"), name(content.output)))
    if content.output_sha256:
        rows.append((say("Checksum (SHA-256)"), Span(content.output_sha256, "checksum")))
    rows.append((say("Records"), count(content.comparison.records)))
    version = content.versions.get("microsafe")
    if version:
        rows.append((say("Protected with"), f"microsafe {version}"))
    yield from facts(rows)
