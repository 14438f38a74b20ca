"""Perturbed variables: their true values, and the chance that a value was kept.

After a step that changes values at random, the engine of a study shows what is released. Beside it
is another one, in which variables have their true values. Every later step is taken there: a recode
changes the true values and the released ones alike, a blank is blank in both. Risk is measured on
the true values, times the chance that the intruder finds them in the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.notices import Notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import KeptKeys
from microsafe.risk.record.retention import restrict_keys
from microsafe.schema import HIDDEN, Variable
from microsafe.sentences import Sentence
from microsafe.sums import Floats


def released_name(name: str) -> str:
    """Return the hidden variable that holds the released values of a perturbed one."""
    return f"{name}{HIDDEN}released"


def copy_name(name: str, step: int) -> str:
    """Return the hidden variable that holds what a variable was before a step."""
    return f"{name}{HIDDEN}before {step}"


def meanwhile_name(name: str) -> str:
    """Return the hidden variable that holds what a variable was, while a step is taken."""
    return f"{name}{HIDDEN}meanwhile"


def flag_name(name: str, step: int) -> str:
    """Return the hidden variable that tells which records a step was for."""
    return f"{name}{HIDDEN}chosen {step}"


def hide_variable(variable: Variable, name: str) -> Variable:
    """Return a hidden variable with the values of another."""
    return replace(variable, name=name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassChances:
    """Chances of one perturbing step, by class of records.

    Attributes:
        by: Hidden variables whose categories make the classes.
        categories: Of the variable.
        matrices: For each class, by its categories ("" is missing), the chances from the
            category of the row to that of the column. Other classes were left alone.
    """

    by: tuple[str, ...]
    categories: tuple[str, ...]
    matrices: Mapping[tuple[str, ...], Floats]

    def move(self, classes: Mapping[str, str], chances: Mapping[str, float]) -> dict[str, float]:
        """Return the chances of each category after the step."""
        matrix = self.matrices.get(tuple(classes[name] for name in self.by))
        if matrix is None:
            return dict(chances)
        start = np.array([chances.get(category, 0.0) for category in self.categories])
        made = start @ matrix
        # What no record showed any more by chance would have stayed as it is.
        left = {each: chance for each, chance in chances.items() if each not in self.categories}
        return left | {self.categories[j]: float(made[j]) for j in np.flatnonzero(made).tolist()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExchangeChances:
    """Chances of a step that exchanged values between records, by class of records.

    Attributes:
        step: Its number; all variables that it moved moved together.
        by: Hidden variable whose categories are the classes.
        shares: Of the categories of the variable among records that could be exchanged.
        changed: For each class the share of records that got another value. Others stayed.
    """

    step: int
    by: tuple[str, ...]
    shares: Mapping[str, float]
    changed: Mapping[tuple[str, ...], float]

    @property
    def categories(self) -> tuple[str, ...]:
        """Of the variable."""
        return tuple(self.shares)

    def chance_changed(self, classes: Mapping[str, str]) -> float:
        """Return the chance that some records got another value."""
        return self.changed.get(tuple(classes[name] for name in self.by), 0.0)

    def move(self, classes: Mapping[str, str], chances: Mapping[str, float]) -> dict[str, float]:
        """Return the chances of each category after the step.

        Whoever got another value got each in proportion to its share.
        """
        changed = self.chance_changed(classes)
        made = {category: chance * (1.0 - changed) for category, chance in chances.items()}
        for old, chance in chances.items() if changed else ():
            others = 1.0 - self.shares.get(old, 0.0)
            for new, share in self.shares.items():
                if new != old and share:
                    made[new] = made.get(new, 0.0) + chance * changed * share / others
        return made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecodedCategories:
    """What a later recode made of the categories."""

    new: Mapping[str, str]

    def move(self, chances: Mapping[str, float]) -> dict[str, float]:
        """Return the chances of each category after the recode."""
        made: dict[str, float] = {}
        for category, chance in chances.items():
            made[self.new[category]] = made.get(self.new[category], 0.0) + chance
        return made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transition:
    """All that was done to a variable since it was first perturbed.

    Attributes:
        words: What was done, such as "PRAM of region".
        origin: Hidden variable with its values before that.
        links: Steps that perturbed or recoded it, in order.
    """

    words: Sentence
    origin: str
    links: tuple[ClassChances | ExchangeChances | RecodedCategories, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """Hidden variables that the chances rest on."""
        by = (
            name
            for link in self.links
            if not isinstance(link, RecodedCategories)
            for name in link.by
        )
        return tuple(dict.fromkeys((self.origin, *by)))

    @property
    def categories(self) -> tuple[str, ...]:
        """Categories that there may be now."""
        found: tuple[str, ...] = ()
        for link in self.links:
            if isinstance(link, RecodedCategories):
                found = tuple(dict.fromkeys(link.new[each] for each in found))
            else:
                found = tuple(dict.fromkeys((*found, *link.categories)))
        return found

    @property
    def swapped_by(self) -> int | None:
        """Number of the step that exchanged its values between records, if one did."""
        return next((link.step for link in self.links if isinstance(link, ExchangeChances)), None)

    def move_category(self, classes: Mapping[str, str]) -> tuple[str, dict[str, float]]:
        """Return the true category of some records as it is now, and chances of released ones.

        Args:
            classes: Category of the records by hidden variable; "" if it is missing.
        """
        true = classes[self.origin]
        chances = {true: 1.0}
        for link in self.links:
            if isinstance(link, RecodedCategories):
                true, chances = link.new[true], link.move(chances)
            else:
                chances = link.move(classes, chances)
        return true, chances

    def chances_kept(self, classes: Sequence[Mapping[str, str]]) -> list[float]:
        """Return the same as `chance_kept` for many classes of records."""
        first, later = self.links[0], self.links[1:]
        if not isinstance(first, ExchangeChances) or not all(
            isinstance(e, RecodedCategories) for e in later
        ):
            return [self.chance_kept(class_) for class_ in classes]
        # There may be thousands of areas: who moved to one that has the same name now is counted.
        names = {old: old for old in first.shares}
        for link in later:
            names = {old: link.new[now] for old, now in names.items()}  # type: ignore[union-attr]
        shares: dict[str, float] = {}
        for old, now in names.items():
            shares[now] = shares.get(now, 0.0) + first.shares[old]
        found = []
        for class_ in classes:
            old, changed = class_[self.origin], first.chance_changed(class_)
            own = first.shares.get(old, 0.0)
            back = (shares[names[old]] - own) / (1.0 - own) if later and changed and old else 0.0
            found.append(min(1.0 - changed + changed * back, 1.0) if old else 1.0)
        return found

    def chance_kept(self, classes: Mapping[str, str]) -> float:
        """Return the chance that some records show what they truly are."""
        if not classes[self.origin]:
            return 1.0  # a gap shows nothing
        true, chances = self.move_category(classes)
        return min(chances.get(true, 0.0), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerturbationState:
    """What is known of the perturbed variables of a study.

    Attributes:
        full: Engine with true values, and with released ones in hidden variables.
        transitions: What was done, by variable.
        copies: Which variable each hidden copy is of, and whether that is still the same.
        weights: Sampling weights that are released changed, and what to say of that.
    """

    full: Engine
    transitions: Mapping[str, Transition] = field(default_factory=dict)
    copies: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    weights: Mapping[str, Notice] = field(default_factory=dict)

    @property
    def released(self) -> Engine:
        """The engine that shows what is released."""
        made = self.full
        for name in dict.fromkeys((*self.transitions, *self.weights)):
            made = made.replace_variable(name, released_name(name))
        return made.drop_variables(tuple(self.copies))

    @property
    def truth(self) -> Engine:
        """The engine that shows true values, and nothing hidden."""
        hidden = map(released_name, (*self.transitions, *self.weights))
        return self.full.drop_variables((*hidden, *self.copies))

    def with_copies(
        self, variables: Sequence[str], strata: Sequence[str], step: int
    ) -> PerturbationState:
        """Return the same with copies of what is to be changed, and of what chances rest on.

        Args:
            variables: To be changed; each has a copy of its released values from then on.
            strata: Others that chances rest on.
            step: Number of the step.
        """
        full, copies = self.full, dict(self.copies)
        for name in variables:
            released = released_name(name)
            source = released if released in full.schema else name
            hidden = copy_name(name, step)
            full = full.copy_variable(source, hide_variable(full.schema[source], hidden))
            copies[hidden] = (name, source == name)
            if released not in full.schema:
                full = full.copy_variable(name, hide_variable(full.schema[name], released))
        for name in strata:
            hidden = copy_name(name, step)
            full = full.copy_variable(name, hide_variable(full.schema[name], hidden))
            copies[hidden] = (name, True)
        return replace(self, full=full, copies=copies)

    def find_perturbed(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return those of some keys that were perturbed."""
        return tuple(key for key in keys if key in self.transitions)

    def concerns(self, scenario: Scenario) -> bool:
        """Tell whether a scenario needs true values: of its keys, or of its weight."""
        weighed = scenario.weight in (*self.transitions, *self.weights)
        return weighed or bool(self.find_perturbed(scenario.keys))

    @property
    def exchanged(self) -> tuple[str, ...]:
        """Variables whose categories are those that they were before they were perturbed."""
        return tuple(
            name
            for name, transition in self.transitions.items()
            if not any(isinstance(link, RecodedCategories) for link in transition.links)
        )

    def words(self, keys: Sequence[str]) -> str:
        """Say what was done to some keys: "PRAM of region and age"."""
        return join_words([self.transitions[key].words for key in self.find_perturbed(keys)])

    def with_classes(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return keys with the hidden variables that tell chances apart within their cells."""
        columns = (c for key in self.find_perturbed(keys) for c in self.transitions[key].columns)
        return tuple(dict.fromkeys((*keys, *(self._column(name, keys) for name in columns))))

    def _column(self, hidden: str, keys: Sequence[str]) -> str:
        """A hidden variable, or the key that still says the same."""
        of, same = self.copies[hidden]
        return of if same and of in keys else hidden

    def kept_keys(self, cells: Cells, keys: Sequence[str]) -> KeptKeys:
        """Return the chances that perturbed keys are as they were.

        Args:
            cells: Of the keys with their classes.
            keys: Which of them are keys; bits of sets stand for the keys of the cells.
        """
        chances = {}
        for key in self.find_perturbed(keys):
            group, classes = self._classes(key, cells, keys)
            found = np.array(self.transitions[key].chances_kept(classes))
            shown = cells.codes[cells.keys.index(key)] > 0
            chances[key] = np.where(shown, found[group], 1.0)
        words = {key: self.transitions[key].words for key in chances}
        together: dict[int, tuple[str, ...]] = {}
        for key in chances:
            step = self.transitions[key].swapped_by
            if step is not None:
                together[step] = (*together.get(step, ()), key)
        return KeptKeys(
            keys=cells.keys, chances=chances, words=words, together=tuple(together.values())
        )

    def chances_of(
        self, key: str, cells: Cells, keys: Sequence[str]
    ) -> tuple[NDArray[np.intp], Floats]:
        """Return for each cell a row in a table of chances of what is released, and the table.

        Args:
            key: That was perturbed.
            cells: Of the keys with their classes.
            keys: Which of them are keys.
        """
        transition = self.transitions[key]
        group, classes = self._classes(key, cells, keys)
        place = {category: j for j, category in enumerate(transition.categories, 1)}
        table = np.zeros((len(classes) + 1, len(place) + 1))
        table[-1, 0] = 1.0  # a gap stays one
        for row, kind in enumerate(classes):
            if kind[transition.origin]:
                for category, chance in transition.move_category(kind)[1].items():
                    table[row, place[category]] = chance
        shown = cells.codes[cells.keys.index(key)] > 0
        return np.where(shown, group, len(classes)), table

    def _classes(
        self, key: str, cells: Cells, keys: Sequence[str]
    ) -> tuple[NDArray[np.intp], list[dict[str, str]]]:
        """Class of each cell, and the categories of each class by hidden variable."""
        hidden = self.transitions[key].columns
        columns = [self._column(name, keys) for name in hidden]
        found, group = restrict_keys(cells, columns).project(columns)
        texts = [
            np.array(["", *categories], dtype=object)[codes]
            for categories, codes in zip(found.categories, found.codes, strict=True)
        ]
        return group, [dict(zip(hidden, each, strict=True)) for each in zip(*texts, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredData:
    """What risk is measured on.

    Attributes:
        engine: Its records; true values where keys were perturbed.
        scenario: Whose cells are meant there: with classes, if there are some.
        cells: By the keys of the scenario proper; several may have the same.
        counted: The same with their classes, as the engine has them.
        kept: Chances that perturbed keys were kept; None if none was perturbed.
    """

    engine: Engine
    scenario: Scenario
    cells: Cells
    counted: Cells
    kept: KeptKeys | None


def find_subject(
    engine: Engine,
    known: PerturbationState | None,
    scenario: Scenario,
    *,
    progress: Progress = silent,
) -> MeasuredData:
    """Return what the risk of a scenario is measured on.

    Args:
        engine: Where the records are.
        known: What is known of variables that were perturbed; None if none was.
        scenario: Whose risk it is.
        progress: Progress callback.
    """
    if known is None or not known.find_perturbed(scenario.keys):
        weighed = known is not None and known.concerns(scenario)
        engine = known.full if known is not None and weighed else engine
        cells = engine.risk_cells(scenario, progress=progress)
        return MeasuredData(engine=engine, scenario=scenario, cells=cells, counted=cells, kept=None)
    asked = scenario.with_keys(known.with_classes(scenario.keys))
    cells = known.full.cells(asked, progress=progress)
    return MeasuredData(
        engine=known.full,
        scenario=asked,
        cells=restrict_keys(cells, scenario.keys),
        counted=cells,
        kept=known.kept_keys(cells, scenario.keys),
    )


def join_words(words: Sequence[Sentence]) -> str:
    """Return several deeds as one phrase; equal methods are named once."""
    methods: dict[str, tuple[str, ...]] = {}
    for word in words:
        methods[word.key] = (*methods.get(word.key, ()), *word.figures["names"])
    phrases = [Sentence(key, names=names) for key, names in methods.items()]
    if not phrases:
        return ""
    return reduce(lambda one, other: Sentence("and", first=one, second=other), phrases)
