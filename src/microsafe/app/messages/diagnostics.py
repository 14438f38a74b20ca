"""A closer look at risk: by variable, dimension and code; special uniques, tables, diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.app.messages.risk import Band
from microsafe.app.messages.study import KeyValue
from microsafe.variables.profile import Bin


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinationsQuery:
    """Which combinations of values are unsafe.

    Attributes:
        scenario: The first if empty.
        by: Fewer records than `k`, a risk above `above`, or fewer than `k` within sets of keys
            that identification levels ask for.
        k: Records that must share a combination.
        above: Risk above which it is unsafe.
        max_size: Most keys in a combination; all if null. Not with levels.
        levels: Identification levels, as "region=1".
    """

    scenario: str = ""
    by: Literal["k", "risk", "levels"] = "k"
    k: int = 3
    above: float | None = None
    max_size: int | None = None
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UniquesQuery:
    """Minimal sample uniques of at most so many keys, and the sampling fraction (both or null)."""

    scenario: str = ""
    max_size: int | None = None
    fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TabulationQuery:
    """All tables of at most `dimension` keys; a cell needs so many records, or people, or 3."""

    scenario: str = ""
    dimension: int = 3
    min_count: int | None = None
    min_weight: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AreasQuery:
    """Geography, a broader one or none, and the limit on coefficients of variation."""

    scenario: str = ""
    areas: str
    parent: str = ""
    limit: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityQuery:
    """Sensitive variables, those whose values have an order, and what is asked of classes."""

    scenario: str = ""
    sensitive: tuple[str, ...]
    ordered: tuple[str, ...] = ()
    l: float = 2.0  # noqa: E741  # the field's name
    c: float = 2.0
    t: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRiskQuery:
    """How the risk of the file is estimated.

    Attributes:
        scenario: The first if empty.
        model: By which model.
        interactions: Of the log-linear model: none given searches for them, "2" takes all of two
            keys, names such as "age*sex" take these.
        fraction: Sampling fraction, where there is no weight.
        pi: Whether it is taken for each cell or for the file.
        opinions: Other models to ask.
    """

    scenario: str = ""
    model: str = "loglinear"
    interactions: tuple[str, ...] = ()
    fraction: float | None = None
    pi: Literal["cell", "file"] = "cell"
    opinions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericQuery:
    """Which numbers an intruder knows, and with which state the present one is compared.

    Attributes:
        scenario: The first if empty.
        variables: All numbers that steps have changed if empty.
        to: Steps of the state that is compared with.
        width: Half an interval around a released value.
        by: Whether that is a share of the standard deviation or of the ranks.
        repeats: Draws of other seeds to average over; 0 measures this draw.
    """

    scenario: str = ""
    variables: tuple[str, ...] = ()
    to: int = 0
    width: float = 0.05
    by: Literal["deviation", "ranks"] = "deviation"
    repeats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRow:
    """A code of a key: its records, and a count for each dimension."""

    value: KeyValue
    records: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """A key with a count for each dimension, and its codes.

    Attributes:
        key: Its name.
        label: Its label, empty if it has none.
        counts: For each dimension.
        of: What they are counted among, for each dimension; empty if nothing.
        codes: Its codes in order; none if they tell people apart.
        hidden: Codes that are not listed.
    """

    key: str
    label: str
    counts: tuple[int, ...]
    of: tuple[int, ...]
    codes: tuple[CodeRow, ...]
    hidden: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinationFigures:
    """Minimal unsafe combinations.

    Attributes:
        records: In all.
        unsafe_records: That hold at least one.
        combinations: How many there are.
        dimensions: Numbers of keys in them.
        counts: Combinations of each dimension.
        keys: What each key takes part in.
        perturbed: What was done to keys at random; the counts are those before it.
    """

    records: int
    unsafe_records: int
    combinations: int
    dimensions: tuple[int, ...]
    counts: tuple[int, ...]
    keys: tuple[KeyRow, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeShare:
    """A code of a key, and its share of the scores."""

    value: KeyValue
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyShare:
    """A key, its share of the scores, and that of its codes, the largest first."""

    key: str
    label: str
    share: float
    codes: tuple[CodeShare, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueFigures:
    """Special uniques (SUDA).

    Attributes:
        records: In all.
        sample_uniques: Records that no other record matches.
        special: Records with a minimal sample unique.
        combinations: Minimal sample uniques.
        dimensions: Numbers of keys in them.
        counts: Minimal sample uniques of each dimension.
        max_size: Most keys that were looked for.
        largest: Largest score.
        scores: Records by score.
        dis: Records by their DIS score.
        largest_dis: The largest of these.
        match: Chance that a unique match of the file is correct.
        fraction: Sampling fraction that it rests on.
        keys: What each key adds.
        perturbed: What was done to keys at random; the figures are those before it.
    """

    records: int
    sample_uniques: int
    special: int
    combinations: int
    dimensions: tuple[int, ...]
    counts: tuple[int, ...]
    max_size: int
    largest: float
    scores: tuple[Bin, ...]
    dis: tuple[Bin, ...]
    largest_dis: float
    match: float
    fraction: float
    keys: tuple[KeyShare, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionRow:
    """All tables of a dimension: how many, their cells, and the sparse ones."""

    dimension: int
    tables: int
    cells: int
    sparse: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaGroup:
    """Categories to be merged, and what to call them."""

    code: str
    label: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTableRow:
    """A variable, or geography and a key: cells, those above the limit, and what to merge.

    Attributes:
        keys: The variables; the first is the one to be merged.
        cells: That occur.
        above: Of which the coefficient of variation is above the limit.
        largest: The largest.
        merge: Groups of categories; none if nothing is above, or nothing helps.
        supported: Whether no coefficient is above the limit once these are merged.
    """

    keys: tuple[str, ...]
    cells: int
    above: int
    largest: float
    merge: tuple[AreaGroup, ...]
    supported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaFigures:
    """How sure the survey is of the people in small areas.

    Attributes:
        clusters: Households, or records if none are named.
        by_household: Which of the two.
        limit: Of the coefficient of variation.
        tables: Geography, each key, and both together.
        perturbed: What was done to keys at random; the figures are those before it.
    """

    clusters: int
    by_household: bool
    limit: float
    tables: tuple[AreaTableRow, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseTableRow:
    """One table: its keys, cells, sparse cells, and records."""

    keys: tuple[str, ...]
    cells: int
    sparse: int
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackerRow:
    """An intruder: largest and average risk, and the share of records above one."""

    who: Literal["prosecutor", "journalist"]
    above: float
    share: float
    largest: float
    average: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TabulationFigures:
    """All tables of a few keys.

    Attributes:
        records: In all.
        in_sparse: Records in at least one sparse cell.
        dimensions: Of the tables.
        rows: The tables of each dimension, together.
        tables: Those with the most sparse cells.
        all_tables: How many there are.
        keys: Sparse cells of each key and code.
        attackers: What intruders may hope for, on all keys.
        perturbed: What was done to keys at random; the counts are those before it.
    """

    records: int
    in_sparse: int
    dimensions: tuple[int, ...]
    rows: tuple[DimensionRow, ...]
    tables: tuple[SparseTableRow, ...]
    all_tables: int
    keys: tuple[KeyRow, ...]
    attackers: tuple[AttackerRow, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityRow:
    """One measure: its worst class, and the records in classes that fall short."""

    measure: Literal["distinct", "entropy", "recursive", "distance"]
    worst: float
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveRow:
    """A sensitive variable.

    Attributes:
        name: Its name.
        label: Its label, empty if it has none.
        ordered: Whether its values were taken in order.
        measures: Each measure.
        values: Records whose class has one value, two, and so on; the eighth counts more too.
    """

    name: str
    label: str
    ordered: bool
    measures: tuple[DiversityRow, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiversityFigures:
    """l-diversity and t-closeness of sensitive variables.

    Attributes:
        records: In all.
        classes: Of records that share their keys.
        l: Diversity that was asked for.
        c: Of recursive diversity.
        t: Distance that is tolerated.
        variables: What was found.
        perturbed: What was done to keys at random; the figures are those before it.
    """

    records: int
    classes: int
    l: float  # noqa: E741
    c: float
    t: float
    variables: tuple[SensitiveRow, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """What a model says: population uniques, correct matches, and what to know of it."""

    model: str
    tau1: float | None
    tau2: float | None
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileModels:
    """Risk of the file by a model that somebody chose, and by others.

    Attributes:
        sample_uniques: Records alone in their cell.
        share_unique: Of them population uniques, by the model; null if it gives no answer.
        level: That in a word.
        interval: Of both figures; null if the model has none.
        coverage: How often such intervals covered the truth.
        interactions: Of the log-linear model.
        correct_match: Chance that a unique match is correct, from cells of one and two alone.
        fraction: Sampling fraction.
        models: What the model says, then the others.
        notices: What to know before trusting the figures.
        perturbed: What was done to keys at random; the figures are those before it.
    """

    sample_uniques: int
    share_unique: float | None
    level: Literal["very low", "low", "moderate", "high"] | None
    interval: Band | None
    coverage: str
    interactions: tuple[str, ...]
    correct_match: float
    fraction: float
    models: tuple[ModelRow, ...]
    notices: tuple[str, ...]
    perturbed: str
