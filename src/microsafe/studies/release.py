"""The verbs of a study that plan, report on and make a release; `Study` mounts them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    from microsafe.plan.file import Plan
    from microsafe.plan.release import Release
    from microsafe.policy import Policy
    from microsafe.propose.proposal import Proposal
    from microsafe.report import Audience
    from microsafe.study import Study
    from microsafe.uses import Uses


def plan(
    self: Study,
    output: str | Path | None = None,
    *,
    policy: Policy | None = None,
    keep: Mapping[str, str] | None = None,
    report: str = "",
    public_report: str = "",
    codebook: str = "",
    cover: Mapping[str, object] | None = None,
    shuffle: int | None = None,
    keep_order: str = "",
    utility: Uses | Mapping[str, float] | None = None,
    proposal: Proposal | None = None,
) -> Plan:
    """Return what was done as a plan, with every decision spelled out.

    Args:
        output: Name of the safe file, in the folder in which the plan will lie; beside the input,
            `lfs-safe.sav` for `lfs.sav`, if None. A data frame is called `frame.parquet`, and is
            known by the checksum of what `write_file` writes of it.
        policy: What the board asks of the file.
        keep: Reason to keep a variable, by name.
        report: Report for the board (.html, .pdf or .docx), or empty.
        public_report: Report for the public, likewise.
        codebook: Codebook for users of the file (.csv, .xml or .rda), or empty.
        cover: What stands on the cover of both, in the words of a plan's `[report]`.
        shuffle: Seed of the new order of the records; drawn if None.
        keep_order: Reason to keep the order of the input instead.
        utility: Which uses matter, and how much; those of the proposal if None.
        proposal: What the steps were chosen from, for the board's report.
    """
    made: Plan = _planning().make_plan(
        self,
        output,
        policy=policy,
        keep=keep,
        report=report,
        public_report=public_report,
        codebook=codebook,
        cover=cover,
        shuffle=shuffle,
        keep_order=keep_order,
        utility=utility,
        proposal=proposal,
    )
    return made


def report(
    self: Study,
    path: str | Path,
    *,
    audience: Audience = "board",
    policy: Policy | None = None,
    keep: Mapping[str, str] | None = None,
    cover: Mapping[str, object] | None = None,
    shuffle: int | None = None,
    keep_order: str = "",
    utility: Uses | Mapping[str, float] | None = None,
    proposal: Proposal | None = None,
    progress: Progress = silent,
) -> Release:
    """Write the report on a release of the data as they now are, and nothing else.

    Args:
        path: Where to (.html, .pdf or .docx).
        audience: `"board"`, who also reads what is not met, or `"public"`.
        policy: What the board asks of the file.
        keep: Reason to keep a variable, by name.
        cover: What stands on the cover, in the words of a plan's `[report]`.
        shuffle: Seed of the new order of the records; drawn if None.
        keep_order: Reason to keep the order of the input instead.
        utility: Which uses matter, and how much; those of the proposal if None.
        proposal: What the steps were chosen from, for the board's report.
        progress: Progress callback.

    Returns:
        What a release would be; its verdicts tell which rules are met.

    Raises:
        UsageError: There would be no release to tell the public of.
    """
    made: Release = _planning().report(
        self,
        Path(path),
        audience=audience,
        policy=policy,
        keep=keep,
        cover=cover,
        shuffle=shuffle,
        keep_order=keep_order,
        utility=utility,
        proposal=proposal,
        progress=progress,
    )
    return made


def release(
    self: Study,
    folder: str | Path,
    *,
    file: str | None = None,
    input: str | Path | None = None,  # noqa: A002
    policy: Policy | None = None,
    keep: Mapping[str, str] | None = None,
    report: str = "report.html",
    public_report: str = "public.html",
    codebook: str = "",
    cover: Mapping[str, object] | None = None,
    shuffle: int | None = None,
    keep_order: str = "",
    utility: Uses | Mapping[str, float] | None = None,
    proposal: Proposal | None = None,
    progress: Progress = silent,
) -> Release:
    """Write the safe file, reports, plan and lock into a folder, if all rules are met.

    Args:
        folder: Where to; it is made if it is not there and something is written.
        file: Name of the safe file, `lfs-safe.sav` for `lfs.sav` and `frame-safe.parquet` for a
            data frame if None; the plan has its stem.
        input: Where to keep a data frame (.parquet), so that the release can be replayed; nowhere
            if None. It is confidential: choose a place that stays in the house.
        policy: What the board asks of the file.
        keep: Reason to keep a variable, by name.
        report: Report for the board (.html, .pdf or .docx), or empty.
        public_report: Report for the public, likewise.
        codebook: Codebook for users of the file (.csv, .xml or .rda), or empty.
        cover: What stands on the cover of both, in the words of a plan's `[report]`.
        shuffle: Seed of the new order of the records; drawn if None.
        keep_order: Reason to keep the order of the input instead.
        utility: Which uses matter, and how much; those of the proposal if None.
        proposal: What the steps were chosen from, for the board's report.
        progress: Progress callback.

    Returns:
        What became of it; if a rule of the policy is not met, nothing was written.

    Raises:
        InventoryError: A variable is undecided, or a direct identifier would go out.
    """
    made: Release = _planning().release(
        self,
        Path(folder),
        file=file,
        input=None if input is None else Path(input),
        policy=policy,
        keep=keep,
        report=report,
        public_report=public_report,
        codebook=codebook,
        cover=cover,
        shuffle=shuffle,
        keep_order=keep_order,
        utility=utility,
        proposal=proposal,
        progress=progress,
    )
    return made


def _planning() -> Any:
    """The room of plans, which is floors above: it opens studies itself."""
    return import_module("microsafe.plan.verbs")
