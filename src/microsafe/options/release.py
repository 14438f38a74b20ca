"""What is released: the files of a plan, and what its reports, its lock and a working file hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter
from microsafe.options.policy import Policy
from microsafe.options.profiles import Profile
from microsafe.options.reason import read_reason
from microsafe.options.signature import list_fields
from microsafe.options.uses import Uses
from microsafe.progress import Progress, silent
from microsafe.schema import Code

Audience = Literal["board", "public"]

Report = Annotated[
    str,
    Parameter(
        label="Report for the board", help=".html, .pdf or .docx.", metavar="NAME", unset="none"
    ),
]
PublicReport = Annotated[
    str,
    Parameter(
        label="Report for the public",
        see="reference/report.md",
        help=".html, .pdf or .docx.",
        metavar="NAME",
        unset="none",
    ),
]
OutputCodebook = Annotated[
    str,
    Parameter(
        label="Codebook for users of the file",
        see="reference/codebooks.md",
        help=".csv, .xml (DDI) or .rda.",
        metavar="NAME",
        option="file_codebook",
        unset="none",
    ),
]
Blanks = Annotated[
    Mapping[str, Code],
    Parameter(
        label="Missing code to write for what is missing, by variable",
        metavar="NAME=CODE",
        unset="system missing",
    ),
]
Shuffle = Annotated[
    int | None,
    Parameter(
        label="Seed of a new order of the records",
        help="Households stay together.",
        control="seed",
        unset="drawn",
    ),
]
KeepOrder = Annotated[
    str,
    Parameter(
        label="Reason to keep the order of the records",
        metavar="REASON",
        unset="they are shuffled",
    ),
]
Kept = Annotated[
    Mapping[str, str],
    Parameter(label="Reason to keep a variable, by name", metavar='NAME="reason"'),
]
ProgressOption = Annotated[Progress, Parameter(label="Progress callback")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFiles:
    """Which files are written."""

    file: Annotated[
        str,
        Parameter(
            label="The safe file",
            help="The format is taken from its extension.",
            metavar="NAME",
            option="file_name",
        ),
    ]
    report: Report = ""
    public_report: PublicReport = ""
    codebook: OutputCodebook = ""
    notes: Annotated[
        bool,
        Parameter(label="Keep the comments in the file", help="They may name people."),
    ] = False


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Output(OutputFiles):
    """What a plan writes; names are relative to its folder."""

    blanks: Blanks = field(default_factory=dict)
    shuffle: Shuffle = field(default=None, repr=False)
    keep_order: KeepOrder = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        read_reason(self.keep_order, "to keep the order of the records")
        if self.shuffle is None:
            return
        from microsafe.draws import check_seed  # loads numpy, which help must not

        check_seed(self.shuffle, "of a shuffle")
        if self.keep_order:
            raise UsageError("Records are shuffled, or their order is kept: not both.")


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """Options of `Study.write`."""

    path: Annotated[
        str | Path,
        Parameter(
            label="Where to",
            help="The format is taken from its extension. An existing file is replaced, the input "
            "never.",
        ),
    ] = field(kw_only=False)
    notes: Annotated[
        bool,
        Parameter(label="Keep the comments in the file", help="They may name people."),
    ] = True
    blanks: Blanks = field(default_factory=dict)
    shuffle: Annotated[
        int | None,
        Parameter(
            label="Seed of a new order of the records",
            help="Households of the scenarios stay together.",
            unset="the order of the input",
        ),
    ] = None
    prune: Annotated[
        bool, Parameter(label="Leave out labels and missing codes that no value needs")
    ] = False
    drop: Annotated[Sequence[str], Parameter(label="Variables to leave out")] = ()
    keep: Annotated[
        Mapping[str, str], Parameter(label="Reason to keep a direct identifier, by name")
    ] = field(default_factory=dict)
    progress: ProgressOption = silent


@dataclass(frozen=True, kw_only=True)
class ReleaseDecisions:
    """What is decided of a release."""

    policy: Annotated[Policy | None, Parameter(label="What the board asks of the file")] = None
    profile: Profile = None
    keep: Kept = field(default_factory=dict)
    keep_rest: Annotated[
        str,
        Parameter(
            label="Reason to keep all other answers: variables in which nothing delicate was found",
            metavar="REASON",
            unset="each is named in keep",
        ),
    ] = ""
    cover: Annotated[
        Mapping[str, object] | None,
        Parameter(
            label="What stands on the cover of the reports",
            help="In the words of a plan's [report].",
        ),
    ] = None
    shuffle: Shuffle = None
    keep_order: KeepOrder = ""
    utility: Annotated[
        Uses | Mapping[str, float] | None,
        Parameter(label="Which uses matter, and how much", unset="those of the proposal"),
    ] = None
    proposal: Annotated[
        Any, Parameter(label="What the steps were chosen from, for the board's report")
    ] = None


@dataclass(frozen=True, kw_only=True)
class PlanOptions(ReleaseDecisions):
    """Options of `Study.plan`."""

    output: Annotated[
        str | Path | None,
        Parameter(
            label="Name of the safe file, in the folder in which the plan will lie",
            help="A data frame is called frame.parquet, and is known by the checksum of what "
            "write writes of it.",
            unset="beside the input, lfs-safe.sav for lfs.sav",
        ),
    ] = field(default=None, kw_only=False)
    report: Report = ""
    public_report: PublicReport = ""
    codebook: OutputCodebook = ""


@dataclass(frozen=True, kw_only=True)
class ReportOptions(ReleaseDecisions):
    """Options of `Study.report`."""

    path: Annotated[str | Path, Parameter(label="Where to", help=".html, .pdf or .docx.")] = field(
        kw_only=False
    )
    audience: Annotated[
        Audience,
        Parameter(
            label="Audience",
            choices={"board": "who also reads what is not met", "public": "users of the file"},
        ),
    ] = "board"
    progress: ProgressOption = silent


@dataclass(frozen=True, kw_only=True)
class ReleaseOptions(ReleaseDecisions):
    """Options of `Study.release`."""

    folder: Annotated[
        str | Path,
        Parameter(label="Where to", help="It is made if it is not there and something is written."),
    ] = field(kw_only=False)
    file: Annotated[
        str | None,
        Parameter(
            label="Name of the safe file",
            help="The plan has its stem.",
            metavar="NAME",
            option="file_name",
            unset="lfs-safe.sav for lfs.sav, frame-safe.parquet for a data frame",
        ),
    ] = None
    input: Annotated[
        str | Path | None,
        Parameter(
            label="Where to keep a data frame (.parquet), so that the release can be replayed",
            help="It is confidential: choose a place that stays in the house.",
            unset="nowhere",
        ),
    ] = None
    report: Report = "report.html"
    public_report: PublicReport = "public.html"
    codebook: OutputCodebook = ""
    progress: ProgressOption = silent
