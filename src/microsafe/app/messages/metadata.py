"""Variables: how the file is read, and what a person says of each variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from microsafe.options.declaration import Declaration, Type
from microsafe.options.reading import ReadingOptions
from microsafe.variables.profile import CategoryCount, VariableProfile

ReadingOption = Literal["sheet", "encoding", "separator", "comment"]
CodebookFormat = Literal["csv", "xml", "rda"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingProposal:
    """Words that look like missing in a column of numbers, their records, and what to declare."""

    name: str
    words: tuple[str, ...]
    records: int
    declaration: Declaration


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMetadata:
    """What is said so far.

    Attributes:
        reading: How the file is read.
        options: Which options its format has.
        sheets: Of a workbook.
        declarations: What was said of variables, by name.
        proposals: What the values suggest to say.
    """

    reading: ReadingOptions
    options: tuple[ReadingOption, ...]
    sheets: tuple[str, ...]
    declarations: Mapping[str, Declaration]
    proposals: tuple[MissingProposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataRequest:
    """Read the file so; `fresh` gives up scenarios and steps that do not fit any more."""

    reading: ReadingOptions = field(default_factory=ReadingOptions)
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationRequest:
    """What one variable would be if this was said of it."""

    name: str
    declaration: Declaration = field(default_factory=Declaration)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableReading(VariableProfile):
    """One variable as it would be read.

    Attributes:
        type: What it is, as declared or found.
        missing_labels: Labels of codes that mean missing, by code.
        odd: Values that are not what they are declared to be, with their records.
        odd_others: How many further values are not that too few records have to be shown.
    """

    type: Type
    missing_labels: Mapping[str, str]
    odd: tuple[CategoryCount, ...]
    odd_others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookRequest:
    """Read a codebook below one of the folders that were named at start."""

    folder: int
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Codebook:
    """What a codebook says of variables of the file; `unknown` names those it does not have."""

    declarations: Mapping[str, Declaration]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookQuery:
    """The codebook of the file in a format."""

    format: CodebookFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookFile:
    """A file of a codebook: itself, or a code list beside it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookFiles:
    """The files of a codebook."""

    files: tuple[CodebookFile, ...]
