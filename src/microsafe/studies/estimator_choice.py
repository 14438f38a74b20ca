"""Which estimator a file needs: a model of the population where many records are sample uniques."""

from __future__ import annotations

from dataclasses import dataclass, replace

from microsafe.cells import Cells
from microsafe.errors import TooManyCellsError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Estimator, Scenario
from microsafe.progress import Progress, silent
from microsafe.studies.reference import MOST_CELLS
from microsafe.studies.state import StudyState

SPARSE = 0.05  # share of sample uniques from which on a model is needed


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorChoice:
    """What a file says of the estimator for a set of keys.

    Attributes:
        share: Of the records that are sample uniques in the file as read, a gap being a category.
        fits: Whether a model can be fitted to so many cells.
    """

    share: float
    fits: bool

    @property
    def sparse(self) -> bool:
        """Whether so many records are sample uniques that the estimators may differ."""
        return self.share >= SPARSE

    @property
    def estimator(self) -> Estimator:
        """The estimator for such a file."""
        return "model" if self.sparse and self.fits else "cell"

    @property
    def notice(self) -> Notice:
        """Say what was chosen, and why."""
        if self.sparse and not self.fits:
            return make_notice("estimator-too-many", share=self.share)
        return make_notice(f"estimator-{self.estimator}", share=self.share)


def choose_estimator(
    study: StudyState, scenario: Scenario, *, drawn: bool = False, progress: Progress = silent
) -> EstimatorChoice:
    """Choose by the file as read, whatever steps have made of it since.

    Args:
        study: The file is that which it began with.
        scenario: Its keys count as they were before the first step.
        drawn: Whether the sample counts that was drawn first, if one was.
        progress: Progress callback.
    """
    if scenario.weight is None:
        return EstimatorChoice(share=0.0, fits=False)
    start = study._source._before() if drawn else study._source.rollback(0)
    known = {each.name: each for each in start.scenarios}
    asked = known.get(scenario.name, scenario)
    if not set(asked.variables) <= set(start.schema.names):  # a step made some of them
        start, asked = study, scenario
    cells, alone = count_alone(start, asked, progress)
    return EstimatorChoice(share=alone / cells.records, fits=fits_model(cells))


def fits_model(cells: Cells) -> bool:
    """Tell whether a model can be fitted to so many cells."""
    return cells.alike is None and len(cells) <= MOST_CELLS


def count_alone(study: StudyState, scenario: Scenario, progress: Progress) -> tuple[Cells, int]:
    """Return the cells of a file, gaps as a category, and how many records are alone in theirs.

    They are those by which risk is measured, or else only have the number of records.
    """
    counted = replace(
        scenario.without_estimator(), missing="category", alpha=1.0, attack="all", error={},
        household=None,
    )  # fmt: skip
    try:
        cells = study.engine.risk_cells(counted, progress=progress)
    except TooManyCellsError:  # with so many different weights
        cells = study.engine.risk_cells(replace(counted, weight=None), progress=progress)
    return cells, int(cells.members[cells.count == 1].sum())
