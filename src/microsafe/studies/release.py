"""The verbs that write the data, plan a release, report on it and make it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.options.parameter import variable_names
from microsafe.options.policy import Policy
from microsafe.options.uses import Uses
from microsafe.progress import Progress, silent
from microsafe.propose.proposal import Proposal
from microsafe.schema import Code
from microsafe.studies.compare import CompareVerbs
from microsafe.studies.variable_inventory import refuse_identifiers
from microsafe.variables.inventory import Inventory

if TYPE_CHECKING:  # loaded when a verb needs them; plans are above, as they open studies themselves
    from microsafe.plan.model import Plan
    from microsafe.plan.release import Release
    from microsafe.report import Audience


class ReleaseVerbs(CompareVerbs):
    """A study that can be written and released."""

    __slots__ = ()

    def write(
        self,
        path: str | Path,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: int | None = None,
        prune: bool = False,
        drop: str | Iterable[str] = (),
        keep: Mapping[str, str] | None = None,
        progress: Progress = silent,
    ) -> Inventory:
        """Write the data as they now are: a working file, not a release.

        Direct identifiers are refused. Everything else goes out: `release` asks for a decision
        on every variable.

        Args:
            path: Where to, the format by its extension; an existing file is replaced, the input
                never.
            notes: Whether the notes that the file carries about itself are kept.
            blanks: Missing code to write for what is missing, by variable; system missing if
                it is not named.
            shuffle: Seed of a new order of the records, households of the scenarios together; the
                order of the input if None.
            prune: Whether labels and missing codes that no value needs are left out.
            drop: Variables to leave out.
            keep: Reason to keep a direct identifier, by name.
            progress: Progress callback.

        Returns:
            The inventory; its `unchanged` are the variables that went out as they came in. What
            to know of the file is among its notices.

        Raises:
            InventoryError: A direct identifier would go out.
        """
        self._check_output(path)
        gone = variable_names(drop)
        made = self.drop(gone) if gone else self
        found = made.inventory(keep=keep or {}, progress=progress)
        refuse_identifiers(found)
        order = None if shuffle is None else made._new_order(shuffle)
        told = made._write_file(
            path, notes=notes, blanks=blanks, shuffle=order, prune=prune, progress=progress
        )
        return replace(found, notices=(*found.notices, *told))

    def plan(
        self,
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
        proposal: Proposal[Any] | None = None,
    ) -> Plan:
        """Return what was done as a plan, with every decision spelled out.

        Args:
            output: Name of the safe file, in the folder in which the plan will lie; beside the
                input, `lfs-safe.sav` for `lfs.sav`, if None. A data frame is called
                `frame.parquet`, and is known by the checksum of what `write` writes of it.
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
        from microsafe.plan.from_study import make_plan

        return make_plan(
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

    def report(
        self,
        path: str | Path,
        *,
        audience: Audience = "board",
        policy: Policy | None = None,
        keep: Mapping[str, str] | None = None,
        cover: Mapping[str, object] | None = None,
        shuffle: int | None = None,
        keep_order: str = "",
        utility: Uses | Mapping[str, float] | None = None,
        proposal: Proposal[Any] | None = None,
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
        from microsafe.plan.from_study import make_report

        return make_report(
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

    def release(
        self,
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
        proposal: Proposal[Any] | None = None,
        progress: Progress = silent,
    ) -> Release:
        """Write the safe file, reports, plan and lock into a folder, if all rules are met.

        Args:
            folder: Where to; it is made if it is not there and something is written.
            file: Name of the safe file, `lfs-safe.sav` for `lfs.sav` and `frame-safe.parquet` for a
                data frame if None; the plan has its stem.
            input: Where to keep a data frame (.parquet), so that the release can be replayed;
                nowhere if None. It is confidential: choose a place that stays in the house.
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
        from microsafe.plan.from_study import make_release

        return make_release(
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
