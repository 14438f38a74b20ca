"""How PRAM is done to records: chances by class of records, the draw, and what came of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import RowLookup
from microsafe.cells import Cells
from microsafe.codes import spell_code
from microsafe.draws import Draws
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, RecordBatch, RecordValues, Selection
from microsafe.errors import InputError, UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Variable
from microsafe.steps.pram import kernel as pram
from microsafe.steps.risky_records import (
    household_form,
    household_numbers,
    translate_codes,
)
from microsafe.sums import Floats, sum_by, total

_MOST_CATEGORIES = 2000
_MOST_SHOWN = 50  # categories of a matrix that is written down
PER_CHANCE = 24  # bytes at work
_FAR = 4.0  # standard deviations from which on a share kept is a fault
_SAME = 1e-9
_AT_ONCE = 1 << 16  # records


@dataclass(frozen=True, slots=True, kw_only=True)
class PramChances:
    """How chances are made: by `keep`, a `matrix`, or a `band`."""

    keep: float | None = None
    matrix: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    band: int | None = None
    change: float | None = None
    within: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PramDesign:
    """Chances for every class of records.

    Attributes:
        engine: With hidden variables for all that the classes rest on.
        target: The hidden variable that is to be changed.
        start: Hidden variable with its values before.
        by: Hidden variables that make the classes.
        flag: The one of them that tells which records are meant, if not all are.
        categories: Of the variable; those of `order` say in which order they are drawn.
        order: Places of the categories.
        classes: Codes of each class, a row each, and the categories of each column.
        count: Records by class and category.
        weight: Their weights.
        matrices: Chances by class.
        household: Variable whose records draw together.
        identifier: Variable by which records draw.
        weighed: Scenario that gives the weight.
        draws: Random numbers.
    """

    engine: Engine
    target: str
    start: str
    by: tuple[str, ...]
    flag: str | None
    categories: tuple[str, ...]
    order: NDArray[np.intp]
    classes: NDArray[np.int64]
    texts: tuple[Sequence[str], ...]
    count: Floats
    weight: Floats
    matrices: Floats
    household: str | None
    identifier: str | None
    weighed: Scenario
    draws: Draws

    def matrices_by_text(self) -> dict[tuple[str, ...], Floats]:
        """Return the chances by the categories of each class; "" is missing."""
        words = [["", *text] for text in self.texts]
        return {
            tuple(words[j][code] for j, code in enumerate(row)): self.matrices[place]
            for place, row in enumerate(self.classes.tolist())
        }

    @property
    def chance_kept(self) -> Floats:
        """Chance to stay, by class and category."""
        return np.diagonal(self.matrices, axis1=1, axis2=2)

    @property
    def single(self) -> int:
        """Strata that have but one category."""
        chosen = np.ones(len(self.classes), np.bool_)
        if self.flag is not None:
            chosen = self.classes[:, -1] == code_of("1", self.texts[-1])
        return int(np.count_nonzero(chosen & (np.count_nonzero(self.count, axis=1) == 1)))


def code_of(category: str, categories: Sequence[str]) -> int:
    """Return the code of a category; one that there is none of is behind all others."""
    return [*categories, category].index(category) + 1


def check_categories(name: str, ways: PramChances, categories: Sequence[str]) -> None:
    """Refuse a variable whose categories cannot be exchanged that way.

    Raises:
        InputError: They are too few, too many, or others than those that are named.
    """
    count = len(categories)
    if count < 2:
        what = "is missing in every record" if not count else "has one category only"
        raise InputError(f"{name!r} {what}: there is nothing to exchange. Leave the step out.")
    if count > _MOST_CATEGORIES:
        raise InputError(
            f"{name!r} has {count:,} categories, and at most {_MOST_CATEGORIES:,} can be "
            "exchanged. Recode it first."
        )
    named = {*ways.matrix, *(code for group in ways.within for code in group)}
    if ways.matrix:
        lacking = sum(category not in ways.matrix for category in categories)
        if lacking:
            raise InputError(
                f"The matrix of {name!r} has no row for {lacking:,} of its {count:,} categories. "
                "Name all of them; a category that is to stay has the chance 1 for itself."
            )
        named |= {code for row in ways.matrix.values() for code in row}
    for code in sorted(named.difference(categories)):
        raise InputError(f"No record has the category {code!r} of {name!r}. Take it out.")


def check_strata(engine: Engine, columns: Mapping[str, str]) -> None:
    """Refuse strata that no record belongs to.

    Args:
        engine: Has them.
        columns: Hidden variable that holds each, by its name.
    """
    for name, hidden in columns.items():
        if not len(engine.categories(hidden)):
            raise InputError(f"{name!r} is missing in every record and makes no strata.")


def check_households(engine: Engine, household: str, columns: Mapping[str, str]) -> None:
    """Refuse variables that differ between members who draw together.

    Args:
        engine: Has them.
        household: Variable that tells households apart.
        columns: Hidden variable that holds each, by its name.
    """
    found = engine.find_constant_keys(Scenario(keys=tuple(columns.values()), household=household))
    for name, hidden in columns.items():
        if hidden not in found:
            raise InputError(
                f"{name!r} differs between members of a household, so that one draw cannot serve "
                "all of them. Leave out together, or name a variable that all members share."
            )


def count_classes(
    cells: Cells, categories: Sequence[str]
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return the classes, and how many records they have in each category; missing is none."""
    classes, group = cells.project(cells.keys[:-1])
    place = {category: j for j, category in enumerate(categories)}
    known = np.array([-1, *(place[category] for category in cells.categories[-1])])[cells.codes[-1]]
    shown = np.flatnonzero(known >= 0)
    shape = (len(classes), len(categories))
    packed = group[shown] * len(categories) + known[shown]
    count, weight = (
        sum_by(packed, each[shown].astype(np.float64), shape[0] * shape[1]).reshape(shape)
        for each in (cells.count, cells.weight)  # a class and a category are one cell
    )
    codes = [code.astype(np.int64) for code in classes.codes]
    rows = np.stack(codes, axis=1) if codes else np.zeros((len(classes), 0), np.int64)
    return rows, count, weight


def order_categories(variable: Variable, categories: Sequence[str]) -> NDArray[np.intp]:
    """Return the places of categories in the order that is declared, or that of their labels."""
    listed = variable.order or variable.labels
    labels = {spell_code(code): place for place, code in enumerate(listed)}
    if not all(category in labels for category in categories):
        return np.arange(len(categories))
    return np.argsort([labels[category] for category in categories], kind="stable")


def make_matrices(
    name: str,
    ways: PramChances,
    categories: Sequence[str],
    order: NDArray[np.intp],
    weight: Floats,
    chosen: NDArray[np.bool_],
) -> Floats:
    """Return the chances of each class; those that are not meant stay as they are.

    Args:
        name: Of the variable.
        ways: How chances are made.
        categories: Of the variable.
        order: Their places.
        weight: By class and category.
        chosen: Which classes are meant.
    """
    size = len(categories)
    matrices = np.broadcast_to(np.eye(size), (len(weight), size, size)).copy()
    place = {category: j for j, category in enumerate(categories)}
    groups = [[place[code] for code in group] for group in ways.within] or [list(range(size))]
    given = _given_matrix(name, ways, categories) if ways.matrix else None
    if ways.keep is not None:
        _check_keep(name, ways.keep, weight[chosen], groups)
    for row in np.flatnonzero(chosen & weight.any(axis=1)).tolist():
        shares = weight[row] / weight[row].sum()
        if given is not None:
            matrices[row] = given
        elif ways.keep is not None:
            matrices[row] = pram.grouped_matrix(shares, ways.keep, groups)
        elif ways.band is not None and ways.change is not None:
            ordered = pram.banded_matrix(shares[order], ways.change, ways.band)
            matrices[row][np.ix_(order, order)] = ordered
    return matrices


def _check_keep(name: str, keep: float, weight: Floats, groups: Sequence[Sequence[int]]) -> None:
    least = max(
        (pram.least_keep(row[group]) for row in weight for group in groups if row[group].any()),
        default=0.0,
    )
    if keep < least:
        raise InputError(
            f"keep of {name!r} must be at least {math.ceil(least * 1e4) / 1e4:g}: the rarest "
            "category is as frequent as that. Raise keep, or name other strata."
        )


def _given_matrix(name: str, ways: PramChances, categories: Sequence[str]) -> Floats:
    given = np.array([[ways.matrix[x].get(z, 0.0) for z in categories] for x in categories])
    try:
        return pram.normal_rows(given)
    except ValueError as error:
        what = "have chances below 0" if str(error) == "negative" else "do not sum to 1"
        raise UsageError(f"Rows of the matrix of {name!r} {what}. Correct them.") from None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PramKernel:
    """Draws new categories for some records."""

    target: str
    by: tuple[str, ...]
    codes: tuple[NDArray[np.int64], ...]
    lookup: RowLookup
    table: pram.DrawTable
    order: NDArray[np.intp]
    draws: Draws
    household: str | None

    def __call__(self, batch: RecordBatch) -> Mapping[str, RecordValues]:
        """Return the new codes."""
        now = batch.columns[self.target]
        rank = np.concatenate([[0], np.argsort(self.order)])  # what is missing keeps what it has
        codes = (self.order + 1).astype(now.data.dtype)
        data = np.empty_like(now.data)
        for start in range(0, len(data), _AT_ONCE):  # what the processor has at hand
            piece = batch.part(start, start + _AT_ONCE)
            place = rank[piece.columns[self.target].data]
            made = self.table.draw(self._find_class(piece), place, self._words(piece))
            np.take(codes, made, out=data[start : start + _AT_ONCE])
        return {self.target: RecordValues(data=data, missing=now.missing)}

    def _find_class(self, batch: RecordBatch) -> NDArray[np.intp]:
        """Which matrix holds for each record: the last, an identity, for those of no class."""
        if not self.by:
            return np.zeros(0, np.intp)
        columns = zip(self.by, self.codes, strict=True)
        coded = [table[batch.columns[name].data] for name, table in columns]
        found = self.lookup.find(coded, len(batch.numbers))
        return np.where(found < 0, self.table.bounds.shape[0] - 1, found)

    def _words(self, batch: RecordBatch) -> NDArray[np.uint64]:
        """A word for each record; that of its household if members draw together."""
        if self.household is None:
            return self.draws.words(batch.numbers)[:, 0]
        homes = batch.columns[self.household]
        words = self.draws.words(household_numbers(homes))[:, 0]
        alone = self.draws.words(batch.numbers, draw=1)[:, 0]
        return np.where(homes.missing, alone, words)


def randomise(design: PramDesign) -> tuple[Engine, Mapping[str, object]]:
    """Draw new categories, and count what came of it."""
    engine, size = design.engine, len(design.categories)
    order = design.order
    ordered = design.matrices[:, order][:, :, order]
    kernel = PramKernel(
        target=design.target,
        by=design.by,
        codes=tuple(
            translate_codes(engine, name, text)
            for name, text in zip(design.by, design.texts, strict=True)
        ),
        lookup=RowLookup.of(
            list(design.classes.T), [len(text) for text in design.texts], len(design.classes)
        ),
        table=pram.DrawTable.of(
            np.concatenate([ordered, np.eye(size)[None]]) if design.by else ordered
        ),
        order=order,
        draws=design.draws,
        household=design.household,
    )
    forms: dict[str, Form] = dict.fromkeys((design.target, *design.by), "code")
    if design.household is not None:
        forms[design.household] = household_form(engine, design.household)
    selection = Selection(forms=forms, identifier=design.identifier)
    made = engine.map_records(selection, [engine.schema[design.target]], kernel)
    return made, _tell_facts(design, made)


def _tell_facts(design: PramDesign, made: Engine) -> Mapping[str, object]:
    pairs = made.cells(Scenario(keys=(design.start, design.target)))
    texts = [["", *category] for category in pairs.categories]
    transitions: dict[str, dict[str, int]] = {}
    rows = zip(*(codes.tolist() for codes in pairs.codes), pairs.count.tolist(), strict=True)
    for old, new, records in rows:
        if old and new:
            transitions.setdefault(texts[0][old], {})[texts[1][new]] = records
    kept = design.chance_kept
    shares = design.weight / np.maximum(design.weight.sum(axis=1, keepdims=True), 1e-300)
    moved = np.einsum("kx,kxz->kz", shares, design.matrices)
    facts: dict[str, Any] = {
        "values": int(design.count.sum()),
        "kept": sum(row.get(old, 0) for old, row in transitions.items()),
        "expected": total((design.count * kept).ravel()),
        "deviation": math.sqrt(_variance_kept(design)),
        "keeps_margin": bool(np.abs(moved - shares).max(initial=0.0) <= _SAME),
        "single": design.single,
        "transitions": transitions,
    }
    added = _added_errors(design)
    if added is not None:
        facts["added_error"] = dict(zip(design.categories, added.tolist(), strict=True))
    if len(design.classes) == 1:
        facts["shares"] = dict(zip(design.categories, shares[0].tolist(), strict=True))
    if len(design.classes) == 1 and len(design.categories) <= _MOST_SHOWN:
        facts["matrix"] = {
            old: {
                new: float(p)
                for new, p in zip(design.categories, design.matrices[0][x], strict=True)
                if p
            }
            for x, old in enumerate(design.categories)
        }
    return facts


def _variance_kept(design: PramDesign) -> float:
    """Variance of the number of values that stay."""
    squares = design.count
    if design.household is not None:
        squares = _sum_squares(design, replace_weight=True)
    return total((squares * design.chance_kept * (1.0 - design.chance_kept)).ravel())


def _added_errors(design: PramDesign) -> Floats | None:
    """What the draws add to the standard error of each frequency, relative to it.

    None if there are too many different weights to go through them.
    """
    try:
        squares = _sum_squares(design, replace_weight=False)
    except InputError:
        return None
    variance = np.einsum("kx,kxz->z", squares, design.matrices * (1.0 - design.matrices))
    sums = design.weight.sum(axis=0)
    added: Floats = np.sqrt(variance) / np.maximum(sums, 1e-300)
    return added


def _sum_squares(design: PramDesign, *, replace_weight: bool) -> Floats:
    """Sums of squared weights of what draws together, by class and category.

    Args:
        design: Of the step.
        replace_weight: Whether every record weighs 1.
    """
    asked = design.weighed
    if replace_weight or asked.weight is None:
        asked = Scenario(keys=asked.keys, household=asked.household)
        if asked.household is None:
            return design.count
    else:
        asked = split_by_weight(asked)
    cells = design.engine.cells(asked)
    each = cells.weight / cells.count
    place, shape = _places(design, cells), design.count.shape
    shown = place >= 0
    if design.household is None:
        found = sum_by(place[shown], (cells.count * each**2)[shown], shape[0] * shape[1])
        return found.reshape(shape)
    members = design.engine.membership(asked)
    seen = shown[members.cell]
    home, sums = members.household[seen], (members.records * each[members.cell])[seen]
    pair, first = np.unique(
        home * (shape[0] * shape[1]) + place[members.cell[seen]], return_inverse=True
    )
    weights = sum_by(first, sums, len(pair))
    return sum_by(pair % (shape[0] * shape[1]), weights**2, shape[0] * shape[1]).reshape(shape)


def _places(design: PramDesign, cells: Cells) -> NDArray[np.int64]:
    """Class and category of each cell as one number; -1 where the variable is missing."""
    lookup = RowLookup.of(
        list(design.classes.T), [len(text) for text in design.texts], len(design.classes)
    )
    row = lookup.find(cells.codes[:-1], len(cells))
    known = {category: j for j, category in enumerate(design.categories)}
    code = np.array([-1, *(known[category] for category in cells.categories[-1])])[cells.codes[-1]]
    return np.where(code >= 0, row * len(design.categories) + code, -1)


def judge_kept(name: str, facts: Mapping[str, Any]) -> None:
    """Refuse a draw that kept far more or fewer values than expected.

    Raises:
        InputError: It is four standard deviations off.
    """
    if abs(facts["kept"] - facts["expected"]) > _FAR * facts["deviation"] + 0.5:
        raise InputError(
            f"PRAM of {name!r} kept {facts['kept']:,} values where {facts['expected']:,.1f} were "
            "expected, more than four standard deviations off. That is chance in one of 16,000 "
            "draws: take another seed, and report it if it comes again."
        )


def weigh_as(
    scenarios: Sequence[Scenario], keys: tuple[str, ...], household: str | None
) -> Scenario:
    """Return a scenario that weighs records as those of the study do."""
    for scenario in scenarios:
        if scenario.weight is not None:
            return Scenario(
                keys=keys,
                weight=scenario.weight,
                clip_weights=scenario.clip_weights,
                household=household,
            )
    return Scenario(keys=keys, household=household)


def split_by_weight(weighed: Scenario) -> Scenario:
    """Return the same scenario with cells of one weight each."""
    return Scenario(
        keys=weighed.keys, weight=weighed.weight, clip_weights=weighed.clip_weights,
        household=weighed.household, attack="weight",
    )  # fmt: skip


def count_weighed(engine: Engine, weighed: Scenario, *, progress: Progress = silent) -> Cells:
    """Return the cells of a scenario: from those split by weight, unless these are too many.

    Who needs both counts once.
    """
    if weighed.weight is not None:
        with suppress(InputError):
            return engine.cells(split_by_weight(weighed), progress=progress).project(weighed.keys)[
                0
            ]
    return engine.cells(weighed, progress=progress)
