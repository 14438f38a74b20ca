"""The verbs that tell what steps cost or would cost, and which to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from microsafe.errors import UsageError
from microsafe.options.policy import REJOIN_LIMIT, Policy
from microsafe.options.proposal import ProposalRequest
from microsafe.options.signature import with_options
from microsafe.options.uses import Uses
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import measure
from microsafe.sentences import Sentence
from microsafe.steps.base import Step
from microsafe.steps.perturbation import find_subject
from microsafe.studies.measure import MeasureVerbs
from microsafe.studies.perturbed_keys import perturbed_words
from microsafe.studies.protect import ProtectVerbs

if TYPE_CHECKING:  # loaded when a verb needs them: who measures a file waits for none of them
    from microsafe.compare.comparison import Comparison
    from microsafe.compare.family_protection import FamilyMeasures
    from microsafe.compare.guarantees import PriceTable
    from microsafe.compare.preview import Figures, Preview
    from microsafe.compare.suggest import Suggestions
    from microsafe.propose.proposal import Proposal
    from microsafe.steps import Suppress


class CompareVerbs(ProtectVerbs):
    """A study that can be compared with what it was, or might become."""

    __slots__ = ()

    def preview(
        self,
        change: Step | Self,
        *,
        scenario: str | None = None,
        limit: float | None = None,
        uses: Uses | Mapping[str, float] | None = None,
        progress: Progress = silent,
    ) -> Preview:
        """Return what a step would do to risk and information; this study does not change.

        Args:
            change: A step, or a study made from this one by a verb.
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, for the figures.
            uses: Which uses matter, and how much: the loss is measured by them too.
            progress: Progress callback.
        """
        from microsafe.compare.numeric_utility import compare_briefly
        from microsafe.compare.preview import Preview
        from microsafe.compare.step_loss import find_moved, measure_information, takes_numbers
        from microsafe.compare.use_loss import measure_uses

        weighed = Uses.of(uses)
        after = self.apply(change, progress=progress) if isinstance(change, Step) else change
        taken = after.steps[len(self.steps) :]
        if not taken or after.steps[: len(self.steps)] != self.steps:
            raise UsageError("The change was not made from this study. Preview a step instead.")
        figures = [_measure_state(state, scenario, limit, progress) for state in (self, after)]
        weight = self.scenario(scenario).weight
        numbers, correlations, pictures = compare_briefly(
            self.engine, after.engine, find_moved(taken, takes_numbers), weight
        )
        return Preview(
            steps=tuple(each.step for each in taken),
            before=figures[0],
            after=figures[1],
            information=measure_information(self, after),
            numbers=numbers,
            correlations=correlations,
            pictures=pictures,
            uses=None if weighed is None else measure_uses(self, after, weighed, progress=progress),
            labels=find_labels(self.schema, self.scenario(scenario).keys),
        )

    def suggest(
        self,
        scenario: str | None = None,
        *,
        limit: float | None = None,
        most: int = 10,
        progress: Progress = silent,
    ) -> Suggestions:
        """Return recodes of the keys that lower risk most for the least loss, the best first.

        Args:
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, for the figures.
            most: How many to return.
            progress: Progress callback.
        """
        from microsafe.compare.step_loss import find_shown
        from microsafe.compare.suggest import suggestions

        self._refuse_persons("Recodes are suggested by record, and persons here have several")
        chosen = self.scenario(scenario)
        return suggestions(
            self._truth.engine,
            chosen,
            reference=self._reference(chosen, progress=progress),
            limit=limit,
            most=most,
            perturbed_by=perturbed_words(self, chosen),
            changed=find_shown(self, chosen),
            progress=progress,
        )

    def guarantee_prices(self, suppression: Suppress, *, progress: Progress = silent) -> PriceTable:
        """Return what a suppression costs under each guarantee; this study does not change.

        Args:
            suppression: What to suppress, whatever its own guarantee is.
            progress: Progress callback.

        References:
            docs/methods/suppression.md.
        """
        from microsafe.compare.guarantees import PriceTable, price_guarantees

        return PriceTable(
            price_guarantees(self, suppression, progress=progress),
            labels=find_labels(self.schema, self.scenario().keys),
        )

    def family_measures(
        self,
        scenario: str | None = None,
        *,
        limit: float | None = None,
        rejoin: float = REJOIN_LIMIT,
        seed: int = 0,
        progress: Progress = silent,
    ) -> FamilyMeasures:
        """Return what protects families, with figures of this file before any blank.

        Broader ages; the household number dropped, without the size and without what else puts
        members together again; the two oldest; one person a household; blanks, if there is a limit.

        Args:
            scenario: Name of the scenario; the first if None.
            limit: Largest risk of a household.
            rejoin: Largest share of the members who may be put together again.
            seed: Of steps that draw; draw your own before you take one of them.
            progress: Progress callback.

        References:
            docs/households.md.
        """
        from microsafe.compare.family_protection import FamilyLimits, measure_families

        self._refuse_persons("Families of a panel are not measured, as members come and go")
        limits = FamilyLimits(risk=limit, rejoin=rejoin)
        return measure_families(self, scenario, limits=limits, seed=seed, progress=progress)

    def compare(
        self,
        to: int = 0,
        *,
        by: Sequence[str] = (),
        tables: str | Sequence[str | Sequence[str]] = (),
        models: str | Sequence[str] = (),
        uses: Uses | Mapping[str, float] | None = None,
        progress: Progress = silent,
    ) -> Comparison:
        """Say what the steps since the first `to` have cost.

        Args:
            to: How many steps the other state has; 0 is the data as read, or the sample as
                drawn.
            by: Further categorical variables for tables and groups.
            tables: Tables to compare cell by cell, such as `"region,age"` or a list of names.
            models: Regressions to compare, such as `"income ~ age + sex"`; logistic if the outcome
                has two values, or if `"work = yes ~ age + sex"` says which category is meant.
            uses: Which uses matter, and how much: the loss is measured by them too. Weights of
                variables, or `Uses` with tables and models.
            progress: Progress callback.
        """
        from microsafe.compare.cost import compare as compare_states
        from microsafe.compare.step_loss import (
            compare_told,
            find_exchanged,
            find_moved,
            follow_steps,
            moves_numbers,
        )
        from microsafe.compare.tables import read_tables
        from microsafe.compare.use_loss import measure_uses

        before, weighed = self._before(to), Uses.of(uses)
        for name in by:
            before.schema[name]
        asked = (models,) if isinstance(models, str) else tuple(models)
        known = self._perturbation
        found = compare_states(
            before.engine,
            self.engine,
            before.scenarios,
            by=by,
            tables=read_tables(tables),
            models=asked,
            exchanged=find_exchanged(before, self),
            told=partial(compare_told, before, self),
            renew=partial(follow_steps, before, self),
            measured=find_moved(self.steps[len(before.steps) :], moves_numbers),
            progress=progress,
        )
        found = replace(found, labels=find_labels(before.schema, [e.name for e in found.losses]))
        if weighed is not None:
            found = replace(found, uses=measure_uses(before, self, weighed, progress=progress))
        if known is None or found.weight not in known.weights:
            return found
        # The same records beside themselves, so that the weights are those that are released.
        again = compare_states(
            self.engine,
            self.engine,
            self.scenarios,
            by=[name for name in by if name in self.schema],
            numbers=tuple(dict.fromkeys(mean.name for mean in found.means)),
            progress=progress,
        )
        return replace(found, notes=(*found.notes, _tell_weights(found, again)))

    @with_options(ProposalRequest)
    def propose(self, options: ProposalRequest) -> Proposal[Self]:  # noqa: D417
        """Return the recodes and blanks that meet a policy at the least loss.

        Args:
            OPTIONS

        References:
            docs/methods/propose.md.
        """
        from microsafe.intruders import add_profile
        from microsafe.propose.make_proposal import make_proposal

        policy = options.policy or Policy()
        if options.profile is not None:
            policy = add_profile(policy, options.profile, self.scenario())
        elif options.policy is None:
            raise UsageError("Say what must be met: a policy, or who gets the file (profile).")
        return make_proposal(
            self,
            policy,
            options,
            kept=None if options.search is None else Path(options.search),
            progress=options.progress,
        )


def _measure_state(
    state: MeasureVerbs, scenario: str | None, limit: float | None, progress: Progress
) -> Figures:
    from microsafe.compare.preview import Figures

    if state.scenario(scenario).person is not None:
        found = state.risk(scenario, one_estimator=True, progress=progress).measured
        return Figures.of(found, limit, "")
    chosen = state.scenario(scenario)
    subject = find_subject(state.engine, state._perturbation, chosen, progress=progress)
    reference = state._reference(chosen, progress=progress)
    found = measure(subject.cells, chosen, reference=reference, kept=subject.kept)
    return Figures.of(found, limit, perturbed_words(state, chosen))


def _tell_weights(found: Comparison, again: Comparison) -> Sentence:
    """Say what other weights do to means and totals."""
    new = {(m.name, m.by, d.category): d for m in again.means for d in m.domains}
    both = [
        (each, d, new[each.name, each.by, d.category])
        for each in found.means
        for d in each.domains
        if (each.name, each.by, d.category) in new and d.mean[1] and d.total[1]
    ]
    if not both:
        return Sentence("weights-changed", name=found.weight)
    shifts = [
        (abs(other.mean[0] / one.mean[1] - 1), abs(other.total[0] / one.total[1] - 1))
        for _, one, other in both
    ]
    mean, total = (max(each) for each in zip(*shifts, strict=True))
    return Sentence("weights-shift", name=found.weight, mean=mean, total=total)
