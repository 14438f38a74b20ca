"""All that `study` takes: assumptions, how the file is read and described, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from microsafe.options.declaration import Declaration
from microsafe.options.parameter import Parameter
from microsafe.options.reading import EngineOptions, FileOptions
from microsafe.options.scenario import Assumptions
from microsafe.progress import Progress, silent


@dataclass(frozen=True, kw_only=True)
class StudyOptions(EngineOptions, FileOptions, Assumptions):
    """Options of `study`."""

    variables: Annotated[
        Mapping[str, Declaration],
        Parameter(
            label="What is said of variables, by name", help="It counts more than the codebook."
        ),
    ] = field(default_factory=dict)
    progress: Annotated[
        Progress,
        Parameter(
            label="Progress callback",
            help="Used while a text file is checked, and while the file chooses an estimator.",
        ),
    ] = silent
