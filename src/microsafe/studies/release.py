"""The verbs that write the data, plan a release, report on it and make it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from microsafe.options.parameter import variable_names
from microsafe.options.release import PlanOptions, ReleaseOptions, ReportOptions, WriteOptions
from microsafe.options.signature import with_options
from microsafe.studies.compare import CompareVerbs
from microsafe.studies.variable_inventory import refuse_identifiers
from microsafe.variables.inventory import Inventory

if TYPE_CHECKING:  # loaded when a verb needs them; plans are above, as they open studies themselves
    from microsafe.plan.model import Plan
    from microsafe.plan.release import Release


class ReleaseVerbs(CompareVerbs):
    """A study that can be written and released."""

    __slots__ = ()

    @with_options(WriteOptions)
    def write(self, options: WriteOptions) -> Inventory:  # noqa: D417
        """Write the data as they now are: a working file, not a release.

        Direct identifiers are refused. Everything else goes out: `release` asks for a decision
        on every variable.

        Args:
            OPTIONS

        Returns:
            The inventory; its `unchanged` are the variables that went out as they came in. What
            to know of the file is among its notices.

        Raises:
            InventoryError: A direct identifier would go out.
        """
        self._check_output(options.path)
        gone = variable_names(options.drop)
        made = self.drop(gone) if gone else self
        found = made.inventory(keep=options.keep or {}, progress=options.progress)
        refuse_identifiers(found)
        order = None if options.shuffle is None else made._new_order(options.shuffle)
        told = made._write_file(
            options.path,
            notes=options.notes,
            blanks=options.blanks,
            shuffle=order,
            prune=options.prune,
            progress=options.progress,
        )
        return replace(found, notices=(*found.notices, *told))

    @with_options(PlanOptions)
    def plan(self, options: PlanOptions) -> Plan:  # noqa: D417
        """Return what was done as a plan, with every decision spelled out.

        Args:
            OPTIONS
        """
        from microsafe.plan.from_study import make_plan

        return make_plan(self, options)

    @with_options(ReportOptions)
    def report(self, options: ReportOptions) -> Release:  # noqa: D417
        """Write the report on a release of the data as they now are, and nothing else.

        Args:
            OPTIONS

        Returns:
            What a release would be; its verdicts tell which rules are met.

        Raises:
            UsageError: There would be no release to tell the public of.
        """
        from microsafe.plan.from_study import make_report

        return make_report(self, options)

    @with_options(ReleaseOptions)
    def release(self, options: ReleaseOptions) -> Release:  # noqa: D417
        """Write the safe file, reports, plan and lock into a folder, if all rules are met.

        Args:
            OPTIONS

        Returns:
            What became of it; if a rule of the policy is not met, nothing was written.

        Raises:
            InventoryError: A variable is undecided, or a direct identifier would go out.
        """
        from microsafe.plan.from_study import make_release

        return make_release(self, options)
