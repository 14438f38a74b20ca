"""Verdicts and files."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.study import Remark
from microsafe.options.policy import Verdict
from microsafe.report import ReportFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What the policy says of the present state; `allowed` if nothing stands in the way.

    Attributes:
        allowed: Whether every rule is met or overridden with a reason.
        verdicts: Rule by rule, the inventory first.
        open: Variables that nobody has decided on, and direct identifiers that would go out.
    """

    allowed: bool
    verdicts: tuple[Verdict, ...]
    open: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFile:
    """A file that was written."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseResult:
    """What became of a release; nothing was written unless it is allowed.

    Attributes:
        allowed: Whether every rule is met or overridden with a reason.
        verdicts: On the safe file as it was read back.
        open: Variables without a decision, and direct identifiers that would have gone out.
        folder: Where the files lie, for people.
        files: What was written.
        notices: On the safe file as it was read back.
    """

    allowed: bool
    verdicts: tuple[Verdict, ...]
    open: tuple[str, ...]
    folder: str
    files: tuple[WrittenFile, ...]
    notices: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedPlan:
    """A release of the file that is open, by its lock.

    Attributes:
        plan: Name of the plan.
        file: Name of the safe file.
        report: Name of the report for the board, if one was written.
        public_report: Name of the report for the public, likewise.
    """

    plan: str
    file: str
    report: str
    public_report: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseList:
    """Releases in a folder of the file that is open, by name of the plan.

    Attributes:
        plans: They.
        formats: Formats that reports can be made in; some need a further library.
    """

    plans: tuple[ReleasedPlan, ...]
    formats: tuple[ReportFormat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLink:
    """Address of a report while the app runs; it opens nothing else."""

    address: str
    name: str
