"""The five decisions of a release, filled in: how it was read, who gets it, lists, plan, signature.

Window, command line and Python show the same decisions. Nothing is printed or asked here: a door
shows a `Guide`, and takes another one where somebody knows better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import randbits
from typing import Any

from microsafe.compare.household_separation import separate_members
from microsafe.compare.round_numbers import find_base, find_weight_base
from microsafe.errors import InputError, UsageError
from microsafe.guides.lists import PLACES, Place, VariableLists, list_variables
from microsafe.guides.missing_words import (
    MissingWord,
    find_missing_values,
    treat_as_answers,
    treat_as_missing,
)
from microsafe.guides.persons import PersonPlan, plan_persons, take_persons, tell_persons
from microsafe.guides.scenario import open_scenario, propose_scenario
from microsafe.intruders import add_profile, drops_household
from microsafe.options.policy import Policy
from microsafe.options.profiles import PROFILES, USUAL_PROFILE, ProfileName, find_profile
from microsafe.options.proposal import ProposalOptions
from microsafe.options.reason import is_by_person, reason_by_program
from microsafe.options.scenario import PERSON_ROLES
from microsafe.plan.release import Release
from microsafe.plan.seeds import SEED_BITS
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import Candidate
from microsafe.propose.make_proposal import make_proposal
from microsafe.propose.proposal import NAMES, Proposal
from microsafe.propose.solve import PlanName
from microsafe.results import Result, Rows
from microsafe.steps import Drop, Renumber, Round, Suppress
from microsafe.steps.base import Step
from microsafe.studies.study import Study, study
from microsafe.variables.inventory import Inventory
from microsafe.variables.scenarios import ProposedScenario, propose_scenarios

_SECONDS = 30.0  # that a search for a plan takes
_ANSWERS = reason_by_program("because-answers")
_SENSITIVE = reason_by_program("because-sensitive")
_WAVE = reason_by_program("because-wave")
_EXACT = reason_by_program("because-exact")
_TELLING = reason_by_program("because-telling")
_FINE = 50  # parts of the usual value of an exact number, that rounded ones are multiples of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Guide(Result):
    """Decisions on the way from a file to a release. It never changes: a verb returns another one.

    Attributes:
        study: The file with what stands for missing and one scenario; no step was taken.
        words: Words that are taken as missing.
        answers: Words that look like missing, of which a person says that they are answers.
        by_record: Whether somebody says that each record is somebody else.
        repeated: An identifier that repeats, of which it is not known whether it is the person.
        profile: Who gets the file.
        cards: Who might recognise people, and by which keys; the scenario has the keys of one.
        inventory: All variables of the file, with what was found.
        moved: In which list a person put variables, by name.
        reasons: Why a person keeps variables, by name.
        first: What is done before a plan is searched.
        proposal: Plans to choose from, once they were searched.
        for_persons: The one plan where persons have several records, once it was made.
        choice: Which of them is taken.
        apart: What keeps members of a household apart once that plan is taken.
        seed: For new household numbers, if any go out.
    """

    study: Study
    words: tuple[MissingWord, ...] = ()
    answers: tuple[str, ...] = ()
    by_record: bool = False
    repeated: str | None = None
    profile: ProfileName = USUAL_PROFILE
    cards: tuple[ProposedScenario, ...] = ()
    inventory: Inventory
    moved: Mapping[str, Place] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    first: tuple[Step, ...] = ()
    proposal: Proposal[Study] | None = None
    for_persons: PersonPlan | None = None
    choice: PlanName = "balanced"
    apart: tuple[Step, ...] = ()
    seed: int = field(default_factory=lambda: randbits(SEED_BITS), repr=False)

    @property
    def policy(self) -> Policy:
        """What must be met: as is usual for those who get the file."""
        return add_profile(Policy(), self.profile, self.study.scenario())

    @property
    def lists(self) -> VariableLists:
        """What is left out, what is known outside, and what goes out as it is."""
        first = () if self.plan is None else self.plan.first
        gone = {name for step in (*self.first, *first, *self.apart) for name in step.left_out}
        return self._decided.leave_out(gone)

    @property
    def _decided(self) -> VariableLists:
        """The lists before it is known what members of a household share."""
        return list_variables(self.inventory, self.study.scenario(), self.moved)

    @property
    def household_left_out(self) -> str | None:
        """The household number, if it is left out: for those who get the file, or by the plan."""
        dropped = drops_household(find_profile(self.profile), Policy())
        by_plan = self.plan is not None and bool(self.plan.first)
        return self.study.scenario().household if dropped or by_plan else None

    def keep_word(self, word: str, progress: Progress = silent) -> Guide:
        """Return the guide for a file in which a word is an answer: it begins anew."""
        if word not in {each.word for each in self.words}:
            raise UsageError(f"{word!r} is not taken as missing.")
        start = treat_as_answers(self.study, self.words)
        return begin_guide(
            start,
            self.profile,
            answers=(*self.answers, word),
            by_record=self.by_record,
            progress=progress,
        )

    def count_records(self, progress: Progress = silent) -> Guide:
        """Return the guide for a file in which each record is somebody else: it begins anew."""
        now = self.study.scenario()
        start = open_scenario(self.study, now.keys, now.weight, now.household, progress)
        return begin_guide(
            start, self.profile, answers=self.answers, by_record=True, progress=progress
        )

    def for_profile(self, profile: ProfileName, progress: Progress = silent) -> Guide:
        """Return the guide for others who get the file."""
        find_profile(profile)
        return _prepare(replace(self, profile=profile), progress)

    def with_keys(self, keys: Sequence[str], progress: Progress = silent) -> Guide:
        """Return the guide with other keys that somebody may know."""
        now = self.study.scenario()
        persons = {name: getattr(now, name) for name in PERSON_ROLES} if now.person else {}
        made = open_scenario(self.study, keys, now.weight, now.household, progress, **persons)
        found = made.inventory(progress=progress)
        moved = {name: place for name, place in self.moved.items() if name not in keys}
        return _prepare(replace(self, study=made, inventory=found, moved=moved), progress)

    def move(self, name: str, place: Place, why: str = "", progress: Progress = silent) -> Guide:
        """Return the guide with a variable in another list.

        Args:
            name: Of the variable.
            place: "out", "known" or "answer".
            why: Reason to let it go out; identifiers and what tells a key need one.
            progress: Progress callback.
        """
        known = {variable.name: variable for variable in self.lists.variables}
        if name not in known:
            self.study.schema[name]
            raise UsageError(
                f"{name!r} is the weight, or tells which records belong together, and in no list."
            )
        keys = self.study.scenario().keys
        if place == "known":
            return self.with_keys(tuple(dict.fromkeys((*keys, name))), progress)
        if place == "answer" and known[name].place == "out" and not is_by_person(why):
            raise UsageError(f"Say why {name!r} goes out: {known[name].why}.")
        moved = {**self.moved, name: place}
        made = replace(self, moved=moved, reasons={**self.reasons, **({name: why} if why else {})})
        if name in keys:
            made = made.with_keys([key for key in keys if key != name], progress)
            return _prepare(replace(made, moved={**made.moved, name: place}), progress)
        return _prepare(made, progress)

    def search(self, seconds: float = _SECONDS, progress: Progress = silent) -> Guide:
        """Return the guide with plans to choose from."""
        start = self.study
        for step in self.first:
            start = start.apply(step, progress=progress)
        if start.scenario().person is not None:
            found = plan_persons(start, self.policy, progress=progress)
            return replace(self, for_persons=found)
        proposal = make_proposal(
            start,
            self.policy,
            ProposalOptions(seconds=seconds, keep=tuple(self.reasons)),
            progress=progress,
        )
        return replace(self, proposal=proposal)._keep_apart(progress)

    def choose(self, choice: PlanName, progress: Progress = silent) -> Guide:
        """Return the guide with another plan taken."""
        if choice not in self.plans:
            raise UsageError(f"There is no plan {choice!r}. Choose {', '.join(self.plans)}.")
        return replace(self, choice=choice)._keep_apart(progress)

    def _keep_apart(self, progress: Progress) -> Guide:
        """Return the guide with what keeps members apart: they share more once keys are recoded."""
        limit = self.policy.intruders.get("rejoin")
        if self.plan is None or not self.household_left_out or limit is None:
            return replace(self, apart=())
        made = self.study
        for step in (*self.first, *self.plan.first, *self._recodes):
            made = made.apply(step, progress=progress)
        parted = separate_members(made, limit, self.reasons, keys=True, progress=progress)
        return replace(self, apart=parted)

    @property
    def plans(self) -> Mapping[PlanName, Candidate[Study] | PersonPlan]:
        """The plans to choose from, by name; or the nearest."""
        if self.for_persons is not None:
            return {"balanced": self.for_persons}
        if self.proposal is None:
            return {}
        nearest = self.proposal.shown
        return self.proposal.named or ({} if nearest is None else {"balanced": nearest})

    @property
    def words_found(self) -> str:
        """What a search found, in a sentence; nothing before it."""
        if self.proposal is None:
            return "" if self.for_persons is None else self.for_persons.words
        return " ".join(filter(None, (self.proposal.words, self.proposal.households)))

    @property
    def met(self) -> bool:
        """Whether a plan keeps to all that was asked."""
        if self.for_persons is not None:
            return self.for_persons.met
        return self.proposal is not None and bool(self.proposal.named)

    @property
    def differing(self) -> list[tuple[list[PlanName], Candidate[Study] | PersonPlan]]:
        """Plans that differ, each with all names that it has."""
        found: list[tuple[list[PlanName], Candidate[Study] | PersonPlan]] = []
        for name, plan in self.plans.items():
            same = next((names for names, each in found if each.steps == plan.steps), None)
            if same is None:
                found.append(([name], plan))
            else:
                same.append(name)
        return found

    @property
    def plan(self) -> Candidate[Study] | PersonPlan | None:
        """The plan that is taken; None if none was found."""
        return self.plans.get(self.choice) or next(iter(self.plans.values()), None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that is done to the file, in its order."""
        # A key that goes after blanks were chosen would leave blanks that tell who was rare.
        first = () if self.plan is None else self.plan.first
        return (*self.first, *first, *self._recodes, *self.apart, *self._blanks, *self.last)

    @property
    def _searched(self) -> tuple[Step, ...]:
        """Recodes and blanks of the plan."""
        return () if self.plan is None else self.plan.steps[len(self.plan.first) :]

    @property
    def _recodes(self) -> tuple[Step, ...]:
        """Steps of the plan that are about one key each."""
        return tuple(step for step in self._searched if step.subject)

    @property
    def _blanks(self) -> tuple[Step, ...]:
        gone = {name for step in self.apart for name in step.left_out}
        return tuple(step.forget_keys(gone) for step in self._searched if not step.subject)

    @property
    def last(self) -> tuple[Step, ...]:
        """What is done last, as other steps go by households."""
        return tuple(self._finish())

    def _finish(self) -> Iterator[Step]:
        household, person = self.study.scenario().household, self.study.scenario().person
        if person is not None:
            why = reason_by_program("because-person")
            yield Renumber(variable=person, seed=self.seed, why=why)
        if self.plan is not None and self.plan.first:
            return  # it has left out the household number
        if (limit := self.policy.household_risk) is not None:
            yield Suppress(household=limit, why=reason_by_program("because-families"))
        if self.household_left_out:
            yield Drop((self.household_left_out,), why=reason_by_program("because-household"))
        elif household is not None:
            why = reason_by_program("because-number")
            yield Renumber(variable=household, seed=self.seed, why=why)

    def protect(self, progress: Progress = silent) -> Study:
        """Return the study with everything done."""
        made = self.study
        for step in self.steps:
            made = made.apply(step, progress=progress)
        return made

    @property
    def keep(self) -> Mapping[str, str]:
        """Why variables go out: by a person, or by the program where an answer needs no reason."""
        lists = self.lists
        gone = lists.names("out")
        plain = {
            variable.name: _SENSITIVE if variable.group == "sensitive" else _ANSWERS
            for variable in lists.variables
            if variable.place == "answer"
        }
        if wave := self.study.scenario().wave:
            plain[wave] = _WAVE
        return {n: why for n, why in {**plain, **self.reasons}.items() if n not in gone}

    def release(self, folder: str | Path, progress: Progress = silent, **options: Any) -> Release:
        """Write plan, safe file, reports and lock into a folder, if all rules are met."""
        return self.protect(progress).release(
            folder, profile=self.profile, keep=self.keep, progress=progress, **options
        )

    @property
    def title(self) -> str:
        """What the guide is of."""
        usual = PROFILES[self.profile]
        return f"{self.study.schema.source}: {usual.release_type}, for {usual.who}"

    def _rows(self) -> Rows:
        file, scenario, lists = self.study, self.study.scenario(), self.lists
        words = ", ".join(f'"{word.word}"' for word in self.words)
        yield (
            "1 file",
            f"{file.engine.rows():,} records, {len(file.schema.names)} variables"
            + (f"; {words} taken as missing" if words else ""),
        )
        if persons := tell_persons(file):
            yield "  persons", persons
        elif self.repeated:
            yield "  persons", f"one a record; if {self.repeated}, which repeats, is one: name it"
        policy = self.policy
        yield "2 who gets it", f"{PROFILES[self.profile].who}; risk at most {policy.record_risk}"
        yield "  who might look", f"somebody who knows {', '.join(scenario.keys)}"
        for place, title in PLACES.items():
            names = lists.names(place)
            if place == "out" and self.household_left_out:
                names = (*names, self.household_left_out)
            yield f"3 {title.lower()}", f"{', '.join(names)} ({len(names)})" if names else "none"
        for alike, plan in self.differing:
            mark = " (taken)" if self.choice in alike or plan is self.plan else ""
            yield f"4 {', '.join(NAMES[name] for name in alike)}{mark}", plan.sentence
        if not self.words_found:
            yield "4 plans", "not searched yet"
        elif self.for_persons:
            yield "  why", self.words_found
        elif self.proposal is not None and self.proposal.households:
            yield "  households", self.proposal.households

    def lines(self) -> list[str]:
        """The decisions for a terminal, each of them in full."""
        return [self.title, *(f"  {name}: {words}" for name, words in self._rows())]

    def _picture(self) -> str:
        return "" if self.proposal is None else self.proposal._picture()

    def summary(self) -> dict[str, Any]:
        """Return the decisions for scripts."""
        scenario = self.study.scenario()
        return {
            "profile": self.profile,
            "estimator": scenario.estimator,
            "limit": self.policy.record_risk,
            "keys": list(scenario.keys),
            "weight": scenario.weight,
            "household": scenario.household,
            **({name: getattr(scenario, name) for name in PERSON_ROLES} if scenario.person else {}),
            **({"repeated": self.repeated} if self.repeated else {}),
            "missing_words": {word.word: word.values for word in self.words},
            **{place: list(self.lists.names(place)) for place in PLACES},
            "plans": {name: plan.summary() for name, plan in self.plans.items()},
            "choice": self.choice,
        }


def guide(
    data: object,
    profile: ProfileName = USUAL_PROFILE,
    *,
    seconds: float = _SECONDS,
    by_record: bool = False,
    progress: Progress = silent,
    **reading: Any,
) -> Guide:
    """Propose the five decisions from a file to a release.

    Args:
        data: A file, a frame, or a study; its first scenario counts if it has one.
        profile: Who gets the file: "public", "scientific" or "secure".
        seconds: That the search for plans may take.
        by_record: Whether each record is somebody else, though an identifier repeats as in a panel.
        progress: Progress callback.
        **reading: How a file is read, as for `study`.

    Returns:
        The decisions; `.study` is the file as read, `.proposal` has the plans, `.protect()` the
        data with everything done, and `.release(folder)` writes.

    Example:
        >>> import microsafe as ms
        >>> made = ms.guide("lfs.sav", profile="public")  # doctest: +SKIP
        >>> made.choose("blanks").release("lfs-public")  # doctest: +SKIP
    """
    opened = data if isinstance(data, Study) else study(data, progress=progress, **reading)
    begun = begin_guide(opened, profile, by_record=by_record, progress=progress)
    return begun.search(seconds, progress)


def begin_guide(
    opened: Study,
    profile: ProfileName = USUAL_PROFILE,
    *,
    answers: Collection[str] = (),
    by_record: bool = False,
    progress: Progress = silent,
    **roles: Any,
) -> Guide:
    """Return the decisions before a plan is searched.

    Args:
        opened: The file; its first scenario counts if it has one.
        profile: Who gets the file.
        answers: Words that do not stand for missing, though they look like it.
        by_record: Whether each record is somebody else, though an identifier repeats.
        progress: Progress callback.
        **roles: Keys, weight, household, person and wave that were named.
    """
    find_profile(profile)
    if opened.steps:
        raise UsageError("A guide begins with the file as it was read (rollback(0)).")
    words = tuple(
        word for word in find_missing_values(opened, progress=progress) if word.word not in answers
    )
    opened = treat_as_missing(opened, words)
    found = opened.describe(progress=progress)
    under = opened
    if not opened.scenarios:
        under = propose_scenario(opened, found, **roles, progress=progress)
    under, repeated = (under, None) if by_record else take_persons(under, progress=progress)
    made = Guide(
        study=under,
        words=words,
        answers=tuple(answers),
        by_record=by_record,
        repeated=repeated,
        profile=profile,
        cards=propose_scenarios(found),
        inventory=under.inventory(progress=progress),
    )
    return _prepare(made, progress)


def _prepare(guide: Guide, progress: Progress) -> Guide:
    """Return a guide with what is done before a plan is searched, and no plan yet."""
    lists, scenario = guide._decided, guide.study.scenario()
    first: list[Step] = []
    if out := lists.names("out"):
        first.append(Drop(out, why=reason_by_program("because-out")))
    first += [
        Round(variable=name, base=find_base(guide.study, name, _FINE), why=_EXACT)
        for name in lists.names("answer", ["exact number"])
        if name not in guide.reasons
    ]
    start = guide.study
    for step in first:
        start = start.apply(step, progress=progress)
    limit = guide.policy.intruders.get("rejoin")
    if guide.household_left_out and limit is not None:
        first += separate_members(start, limit, guide.reasons, progress=progress)
    rounded = {name for step in first if step.reweighs for name in step.targets}
    weight = scenario.weight
    if weight is not None and weight not in rounded and _tells_keys(guide.inventory, weight):
        base = find_weight_base(start, weight)
        if scenario.person is not None:
            raise InputError(
                f"{weight!r} of {start.schema.source} tells keys, and risk of persons with several "
                f"records goes by weights as they are. Round it in the file, to multiples of "
                f"{base:g}, and begin anew."
            )
        first.append(Round(variable=weight, base=base, why=_TELLING))
    return replace(guide, first=tuple(first), proposal=None, for_persons=None, apart=())


def _tells_keys(found: Inventory, weight: str) -> bool:
    """Tell whether keys follow from the weight."""
    row = next(row for row in found.rows if row.name == weight)
    return any(finding.kind == "telling weight" for finding in row.findings)
