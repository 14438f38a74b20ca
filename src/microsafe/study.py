"""A study: data and one or more disclosure scenarios. It never changes; verbs give new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe import releasing
from microsafe.compare import verbs as comparing
from microsafe.engine import Engine, EngineName, Memory, open_engine
from microsafe.engine.record_order import NewOrder
from microsafe.errors import UsageError, did_you_mean
from microsafe.inventory import verbs as listing
from microsafe.measuring import (
    counts,
    declaring,
    file,
    frames,
    numbers,
    overview,
    records,
    variables,
)
from microsafe.measuring import reference as looking_up
from microsafe.notices import Notice
from microsafe.options.declaration import (
    Declaration,
    Declarations,
    RoleDefaults,
    find_defaults,
    merge_declarations,
)
from microsafe.options.parameter import variable_names
from microsafe.options.scenario import Attack, Estimator, LowWeights, Missing, Scenario
from microsafe.progress import Progress, silent
from microsafe.propose import verbs as proposing
from microsafe.schema import Code, Schema
from microsafe.steps import numeric_verbs as exchanging
from microsafe.steps import verbs as protecting
from microsafe.steps.base import Taken
from microsafe.steps.perturbation import Perturbation
from microsafe.variables.coordinates import refuse_coordinates
from microsafe.variables.inventory import Inventory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Study:
    """Data and the scenarios under which its risk is measured.

    Most verbs are written in the room of their stage and only mounted here.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
        steps: What was done to the data so far.
        perturbation: What is known of variables that were perturbed; None if none was.
        declarations: What persons said of variables, by name.
        _as_read: The engine before that was said; None if nothing was.
        _before: The study before the last step.
        _written_by: The study whose file this is, where it was written and is read back.
        _models: Models of the population, fitted once for a file and its keys.
        _measured: Risk that was measured of late, for a file that is read back.
        _truth: The study without the steps that perturbed variables.
        _input: The file and how it was read, as options of `study`; nothing for data frames.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...] = ()
    notices: tuple[Notice, ...] = ()
    steps: tuple[Taken, ...] = ()
    perturbation: Perturbation | None = None
    declarations: Declarations = field(default_factory=dict)
    _as_read: Engine | None = None
    _before: Study | None = None
    _written_by: Study | None = None
    _truth: Study | None = None
    _models: looking_up.Models = field(default_factory=dict)
    _measured: records.Measurements = field(default_factory=dict)
    _input: Mapping[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""
        return self.engine.schema

    @property
    def frame(self) -> Any:
        """The records as they now are, in the kind of frame that came in; Polars for files.

        It stays in memory: `write` and `release` decide what may leave.
        """
        return self.engine.frame()

    @property
    def truth(self) -> Study:
        """The study without the steps that perturbed variables; itself if there are none."""
        return self._truth or self

    def scenario(self, name: str | None = None) -> Scenario:
        """Return the scenario of that name, or the first."""
        if not self.scenarios:
            raise UsageError("The study has no scenario: name its key variables (keys=...).")
        if name is None:
            return self.scenarios[0]
        for scenario in self.scenarios:
            if scenario.name == name:
                return scenario
        hint = did_you_mean(name, [scenario.name for scenario in self.scenarios])
        raise UsageError(f"The study has no scenario {name!r}.{hint}")

    def with_scenario(self, name: str, *, keys: Iterable[str], **changes: Any) -> Study:
        """Return the study with one more key set.

        Args:
            name: What to call it, such as "nosy neighbour".
            keys: Variables that this intruder knows.
            **changes: Whatever else differs from the first scenario: weight, household,
                missing, alpha, attack, factor, error, low_weights, estimator.

        Raises:
            InputError: A key holds coordinates.
        """
        if any(name == scenario.name for scenario in self.scenarios):
            raise UsageError(f"The study already has a scenario {name!r}.")
        keys = variable_names(keys)
        if self.scenarios:
            added = replace(self.scenarios[0].with_keys(keys), name=name, **changes)
        else:
            added = Scenario(name=name, keys=keys, **changes)
        added.check(self.schema)
        refuse_coordinates(self.engine, added.keys)
        truth = self._truth
        if truth is not None:
            truth = replace(truth, scenarios=(*truth.scenarios, added))
        return replace(self, scenarios=(*self.scenarios, added), _truth=truth)

    @property
    def roles(self) -> RoleDefaults:
        """What persons and the file declare: keys, weight, levels, costs and so on."""
        return find_defaults(merge_declarations(self.engine.declarations, self.declarations))

    # Say what variables are, and look at them
    declare = declaring.declare
    propose_declarations = declaring.propose_declarations
    preview_variables = variables.preview_variables
    describe = listing.describe
    inventory = listing.inventory

    # Measure
    risk = records.risk
    limit = records.limit
    file_risk = file.file_risk
    combinations = counts.combinations
    uniques = counts.uniques
    tabulation = counts.tabulation
    diversity = counts.diversity
    tau = file.tau
    numeric_risk = numbers.numeric_risk
    reference = looking_up.reference
    is_blanked = looking_up.is_blanked

    # Protect: each verb takes a step
    apply = protecting.apply
    sample = protecting.sample
    recode = protecting.recode
    top_code = protecting.top_code
    bottom_code = protecting.bottom_code
    round = protecting.round_values
    noise = protecting.noise
    drop = protecting.drop
    microaggregate = exchanging.microaggregate
    rank_swap = exchanging.rank_swap
    shuffle = exchanging.shuffle
    swap = exchanging.swap
    renumber = protecting.renumber
    pram = protecting.pram
    suppress = protecting.suppress

    if not TYPE_CHECKING:  # or every name would look like a verb to a type checker
        __getattr__ = protecting.find_verb

    # Compare
    preview = comparing.preview
    suggest = comparing.suggest
    compare = comparing.compare
    propose = proposing.propose

    # Hand out
    to_pandas = frames.to_pandas
    to_polars = frames.to_polars
    to_arrow = frames.to_arrow

    def undo(self) -> Study:
        """Return the study before the last step."""
        if self._before is None:
            raise UsageError("There is no step to undo.")
        return self._before

    def rollback(self, to: int) -> Study:
        """Return the study after its first `to` steps; 0 is the data as read."""
        if not 0 <= to <= len(self.steps):
            raise UsageError(f"Roll back to a number of steps from 0 to {len(self.steps)}.")
        return self if to == len(self.steps) else self.undo().rollback(to)

    def before(self, to: int = 0) -> Study:
        """Return what the study is compared with: its first `to` steps, a sample at least.

        Protection begins with the sample as drawn; the file that it was drawn from is not
        released.
        """
        drawn = sum(taken.step.place == "first" for taken in self.steps)
        return self.rollback(max(to, drawn))

    def without_suppression(self, *, progress: Progress = silent) -> Study:
        """Return the study with all its steps but suppression, in their order.

        Steps change whole variables, whatever is blank in them, so they stay what they were. Those
        that draw at random draw anew if they come after suppression: ask `truth` instead.
        """
        suppresses = [bool(taken.blanks) for taken in self.steps]
        kept = suppresses.index(True) if True in suppresses else len(suppresses)
        made = self.rollback(kept)
        for taken, gone in zip(self.steps[kept:], suppresses[kept:], strict=True):
            if not gone:
                made = made.apply(taken.step, progress=progress)
        return made

    def read_back(self, data: Study) -> Study:
        """Return data that were read from the file that this study wrote, as such.

        What was suppressed or perturbed is known then, as it is here; nothing else is shared.
        """
        return replace(data, _written_by=self, perturbation=self.perturbation, _truth=self._truth)

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
        self.check_output(path)
        gone = variable_names(drop)
        made = self.drop(gone) if gone else self
        found = made.inventory(keep=keep or {}, progress=progress)
        listing.refuse_identifiers(found)
        order = None if shuffle is None else made.new_order(shuffle)
        told = made._write_data(
            path, notes=notes, blanks=blanks, shuffle=order, prune=prune, progress=progress
        )
        return replace(found, notices=(*found.notices, *told))

    def new_order(self, seed: int) -> NewOrder:
        """Return the order of records that a seed gives, households of the scenarios together."""
        homes = dict.fromkeys(each.household for each in self.scenarios if each.household)
        return NewOrder(seed=seed, households=tuple(name for name in homes if name in self.schema))

    def write_file(
        self,
        path: str | Path,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: NewOrder | None = None,
        prune: bool = False,
        progress: Progress = silent,
    ) -> None:
        """Write the data as `write` does, but ask for nothing: a release has its own gate."""
        self._write_data(
            path, notes=notes, blanks=blanks, shuffle=shuffle, prune=prune, progress=progress
        )

    def _write_data(
        self,
        path: str | Path,
        *,
        notes: bool,
        blanks: Mapping[str, Code] | None,
        shuffle: NewOrder | None,
        prune: bool,
        progress: Progress,
    ) -> tuple[Notice, ...]:
        """Write the data; return what to know of the file."""
        return self.engine.write(
            str(path), notes=notes, blanks=blanks, shuffle=shuffle, prune=prune, progress=progress
        )

    def check_output(self, path: str | Path) -> None:
        """Raise what `write` would say of the format, before any work is done for it."""
        self.engine.check_output(str(path))

    # Plan, report, release
    plan = releasing.plan
    report = releasing.report
    release = releasing.release

    __repr__ = overview.print_study
    _repr_html_ = overview.make_study_page


def study(
    data: object,
    *,
    keys: Iterable[str] = (),
    weight: str | None = None,
    household: str | None = None,
    missing: Missing = "wildcard",
    alpha: float = 1.0,
    attack: Attack = "all",
    factor: float = 1.0,
    error: Mapping[str, float] | None = None,
    low_weights: LowWeights = "refuse",
    estimator: Estimator = "cell",
    why: str = "",
    meta: str | Path | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    comment: str | None = None,
    na: Sequence[str] = (),
    sheet: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    join: object = None,
    on: str | None = None,
    join_sheet: str | None = None,
    variables: Mapping[str, Declaration] | None = None,
    codebook: str | Path | None = None,
    engine: EngineName = "local",
    master: str | None = None,
    most_cells: int | None = None,
    memory: str | int | Memory | None = None,
    progress: Progress = silent,
) -> Study:
    """Open a file or a frame for study.

    Args:
        data: Path of a file (.csv, .parquet, .sav, .dta, .sas7bdat, .xpt, .xlsx, .rds, mu-ARGUS
            .asc), or a pandas, Polars or PyArrow frame. With `engine="spark"` also a Spark frame,
            the name of a table, or a folder of Parquet files.
        keys: Variables that an intruder may know of a person; those that are declared to be keys
            if none is named.
        weight: Sampling weight; the one that is declared if None.
        household: Household identifier; likewise.
        missing: `"wildcard"`, `"category"` or `"expected"` (see `Scenario`).
        alpha: How much a match that rests on a gap of the other record counts.
        attack: `"all"`, `"random"`, `"ratio"` or `"weight"`.
        factor: Multiplies every risk.
        error: Chance, by key, that it is recorded with error.
        low_weights: `"refuse"` weights below 1, or `"clip"` them to 1.
        estimator: `"cell"` or `"model"` (see `Scenario`).
        why: Why this scenario, written to the plan and the report.
        meta: Metadata of a fixed-width file (.rda), if not beside it.
        encoding: Of a text file; detected if None.
        separator: Of a text file; detected if None.
        comment: Character that lines of a text file begin with which are left out, such as "#".
        na: Texts that stand for missing; `"auto"` for the usual words (NA, ., k.A. and so on) in
            variables that hold numbers otherwise.
        sheet: Of a workbook, the first if None; or data frame of an `.RData` file.
        decimal: Decimal mark of numbers that are written as text, `"."` or `","`. Variables that
            hold nothing but such numbers are read as numbers.
        thousands: Their thousands mark, likewise.
        join: File or frame of the households of persons: each person gets the variables of its
            household. `encoding`, `separator` and `na` hold for both files.
        on: Variable that both have, and that tells households apart.
        join_sheet: Of the workbook of households; the first if None.
        variables: What is said of variables, by name (see `Declaration`).
        codebook: File that says it: a codebook in CSV, DDI-Codebook (.xml) or .rda of mu-ARGUS.
            Of variables that the file does not have nothing is taken; `variables` count more.
        engine: Where records are kept and counted: `"local"`, on this machine, or `"spark"`.
        master: Where Spark runs, such as `"local[4]"`, `"yarn"` or `"sc://host"`; by default the
            session in use, or all cores of this machine.
        most_cells: Combinations of keys that Spark may send to this machine; 20 million if None.
        memory: Most memory that the embedded engine may use, such as `"4GB"`, or bytes; what does
            not fit waits in private files, or is refused. `Memory` of another study if both are
            to keep to one limit. No limit if None.
        progress: Progress callback, used while a text file is checked.

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.sav", keys=["region", "age"], weight="w")  # doctest: +SKIP
        >>> s.risk()  # doctest: +SKIP
    """
    codes = (na,) if isinstance(na, str) else tuple(na)
    auto = declaring.AUTO in codes
    codes = tuple(code for code in codes if code != declaring.AUTO)
    found = open_engine(
        data,
        engine=engine,
        master=master,
        most_cells=most_cells,
        memory=memory,
        progress=progress,
        meta=meta,
        encoding=encoding,
        separator=separator,
        comment=comment,
        na=codes,
        sheet=sheet,
        decimal=decimal,
        thousands=thousands,
        join=join,
        on=on,
        join_sheet=join_sheet,
    )
    read: dict[str, Any] = {"meta": meta, "encoding": encoding, "separator": separator}
    read |= {"na": codes, "sheet": sheet}
    read |= {"comment": comment, "decimal": decimal, "thousands": thousands}
    read |= {"join": join, "on": on, "join_sheet": join_sheet}
    files = isinstance(data, str | Path) and isinstance(join, str | Path | None)
    file = {"file": data, **read} if files else {}
    notices, written = declaring.read_declarations(codebook, found.schema)
    made = Study(engine=found, notices=(*found.notices, *notices), _input=file)
    said = declaring.find_declarations(
        found,
        merge_declarations(written, variables or {}),
        auto=auto,
        decimal=decimal or "",
        thousands=thousands or "",
        progress=progress,
    )
    given = (keys := variable_names(keys)) or weight is not None or household is not None
    made = made.declare(said) if said else made
    roles = find_defaults(made.declarations)
    if said and not given and not roles.keys:
        return made
    keys, weight = keys or roles.keys, weight or roles.weight
    household = household or roles.household
    if not keys:
        if weight is not None or household is not None:
            raise UsageError("A weight or household belongs to a scenario: name its keys too.")
        return made
    return replace(made, scenarios=()).with_scenario(
        "main",
        keys=keys,
        weight=weight,
        household=household,
        missing=missing,
        alpha=alpha,
        attack=attack,
        factor=factor,
        error=error or {},
        low_weights=low_weights,
        estimator=estimator,
        why=why,
    )
