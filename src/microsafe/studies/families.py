"""Families of a study: read from the file without blanks, beside what is shown of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, Membership
from microsafe.draws import Draws, number_identifiers
from microsafe.engine import Engine
from microsafe.engine.contract import NO_RECORDS
from microsafe.engine.record_access import Form, Selection
from microsafe.errors import NoEstimateError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk.family.members import arrange_families, number_alike
from microsafe.sentences import Sentence
from microsafe.studies.state import StudyState
from microsafe.sums import Floats, total

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import Families, FamilyModel, FamilyView

_PER_MEMBER = 600  # bytes of a model for each record
_REMEDY = "Leave out the household,"
_ALL_MEASURED = 1_000_000  # records up to which all households are measured for one question
_DRAWN = 100_000  # households that are drawn of larger files
_SEED = 0  # so that all who ask draw the same
_MOST_SIZES = 30  # categories that a key with the size of the household may have
_NEARLY_ALL, _HALF, _SOME = 0.95, 0.5, 0.05  # shares of the households


def find_families(
    study: StudyState,
    whole: Engine,
    scenario: Scenario,
    *,
    home: Engine,
    drawn: NDArray[np.bool_] | None = None,
    progress: Progress = silent,
) -> tuple[Families, FamilyModel | None]:
    """Return the households of a file without blanks, and what was learnt from them, once.

    Args:
        study: Remembers it.
        whole: The file without blanks.
        scenario: Names keys, weight and household.
        home: Where the household is known: it may have been dropped since.
        drawn: Which households to look at; all if None.
        progress: Progress callback.

    Returns:
        Households, and their model; None if the file is the population.
    """
    from microsafe.risk import FamilyModel

    assert scenario.household is not None  # noqa: S101
    known = study._families.get(scenario.name)
    plain = replace(scenario.with_estimator("cell"), attack="all", factor=1.0, error={})
    household = read_households(home, scenario.household)
    if drawn is not None:
        household = np.where(drawn[household], household, -1)
    if (
        known is None
        or known[0] is not whole
        or known[1] != plain
        or not np.array_equal(known[2], household)
    ):
        records = int(np.count_nonzero(household >= 0))
        whole.afford(records * _PER_MEMBER, f"for the families of {records:,} records", _REMEDY)
        families = read_families(whole, scenario, household)
        if known is not None and families.look_like(known[3]):  # other numbers tell no more
            model = known[4]
        else:
            model = None if families.weight is None else FamilyModel(families, progress)
        known = study._families[scenario.name] = (whole, plain, household, families, model)
    return known[3:]


def read_families(engine: Engine, scenario: Scenario, household: Index) -> Families:
    """Read the households of a file, given the number of each record's household.

    Records without one, -1, are left out; the others stand for them.
    """
    codes = {key: read_codes(engine, key) for key in scenario.keys}
    for key in scenario.gap_categories:  # a gap is an answer
        codes[key] = codes[key] + (not codes[key].all())
    weight = read_weights(engine, scenario)
    if household.min(initial=0) >= 0:
        return arrange_families(household, codes, weight)
    records = np.flatnonzero(household >= 0)
    numbers, household = np.unique(household[records], return_inverse=True)
    if weight is not None:
        weight = weight[records] * (total(weight) / total(weight[records]))
    part = arrange_families(household, {key: codes[key][records] for key in codes}, weight)
    return replace(part, record=records[part.record], numbers=numbers[part.numbers])


def draw_households(engine: Engine, name: str, household: Index) -> NDArray[np.bool_] | None:
    """Draw households of a very large file, the same whatever the order of its records.

    Args:
        engine: Has the file.
        name: Of the variable with the household number.
        household: Number of each record's household.

    Returns:
        Which are drawn; None if all can be looked at.
    """
    count = int(household.max(initial=-1)) + 1
    if len(household) <= _ALL_MEASURED or count <= _DRAWN:
        return None
    named = number_identifiers(engine.categories(name))
    alone = number_identifiers(np.arange(count - len(named), dtype=np.int64))
    draws = Draws(seed=_SEED, step=0, variable=name).uniforms(np.concatenate([named, alone]))
    there = np.bincount(household, minlength=count) > 0
    drawn = np.zeros(count, np.bool_)
    drawn[np.argsort(np.where(there, draws, 1.0), kind="stable")[:_DRAWN]] = True
    return drawn


def view_families(
    families: Families, shown: Engine, whole: Engine, scenario: Scenario
) -> FamilyView:
    """Return what a file shows of households, beside the same file without blanks."""
    flags = {}
    for key in scenario.keys:
        flags[key] = read_codes(shown, key) > 0
        if key in scenario.gap_categories:
            flags[key] |= read_codes(whole, key) == 0
    return families.view(flags)


def read_households(engine: Engine, name: str) -> Index:
    """Return the number of each record's household, in the order of `Engine.households`."""
    household = read_codes(engine, name) - 1
    alone = np.flatnonzero(household < 0)
    household[alone] = len(engine.categories(name)) + np.arange(len(alone))
    return household


def read_weights(engine: Engine, scenario: Scenario) -> Floats | None:
    """Return the weight of each record; None if the file is the population."""
    if scenario.weight is None:
        return None
    weights = read_values(engine, scenario.weight, "number").astype(np.float64)
    return np.maximum(weights, 1.0) if scenario.clip_weights else weights


def read_codes(engine: Engine, name: str) -> Index:
    """Return the codes of a variable by record, in input order; 0 is missing."""
    return read_values(engine, name, "code").astype(np.intp)


def read_values(engine: Engine, name: str, form: Form) -> NDArray[Any]:
    """Return a variable by record, in input order, 0 where it is missing.

    Raises:
        MicrosafeError: The engine keeps records elsewhere.
    """
    if gap := engine.gaps.get(NO_RECORDS):
        raise gap.error(f"Values of records of {engine.schema.source}: {gap.reason}.")
    batches = engine.columns(Selection(forms={name: form}))
    values = [batch.columns[name] for batch in batches]
    return np.concatenate([np.where(value.missing, 0, value.data) for value in values])


def find_size_notice(engine: Engine, families: Families) -> tuple[Notice, ...]:
    """Say if a key holds the size of households and many lack members in the file."""
    for column, key in enumerate(families.shared_keys):
        known = list(engine.categories(key))
        if not known or len(known) > _MOST_SIZES or not all(map(str.isdecimal, known)):
            continue
        code = families.shared[:, column]
        said = np.array([0, *map(int, known)])[np.minimum(code, len(known))]
        differs = (said != families.size) & (code > 0)
        # Where it is another number, it is less than the members now and then, or hardly ever them.
        if np.mean(said >= families.size) > _NEARLY_ALL and np.mean(differs) < _HALF:
            share = float(np.mean(differs))
            told = make_notice("family-present", key=key, share=share)
            return (told,) if share > _SOME else ()
    return ()


def match_households(written: Membership, known: Floats, read: Membership, count: int) -> Index:
    """Find for each household that was read back the one that was written.

    Several that show the same stand for each other, in the order of a figure.

    Args:
        written: Cells of the households that were written.
        known: The figure of each.
        read: Cells of those that were read back, numbered alike.
        count: How many these are.

    Raises:
        NoEstimateError: They do not show the same.
    """
    offset = len(known)
    home = np.concatenate([written.household, read.household + offset])
    records = np.concatenate([written.records, read.records])
    home = np.repeat(home, records)
    cell = np.repeat(np.concatenate([written.cell, read.cell]), records) + 1
    first = np.flatnonzero(np.r_[True, home[1:] != home[:-1]])
    size, home = np.diff(np.r_[first, len(home)]), home[first]
    alike = number_alike(size, first, cell[:, None], np.zeros((len(first), 0), np.int64))
    before = np.flatnonzero(home < offset)
    after = np.flatnonzero(home >= offset)
    before = before[np.lexsort((known[home[before]], alike[before]))]
    after = after[np.argsort(alike[after], kind="stable")]
    if not np.array_equal(alike[before], alike[after]):
        raise NoEstimateError(Sentence("households-differ"))
    rows = np.zeros(count, np.intp)
    rows[home[after] - offset] = home[before]
    return rows
