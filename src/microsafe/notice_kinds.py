"""What a kind of notice is, and the kinds that are about files: how they were read and written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Topic = Literal["weight", "missing", "key", "household", "file", "population"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeKind:
    """A kind of notice.

    Attributes:
        id: Stable name.
        topic: What it is about.
        rule: When it appears, for the catalogue.
        fact: What is so; figures in braces.
        one: The same if the count is 1, where the sentence differs.
        remedy: What to do; empty if there is nothing to do.
    """

    id: str
    topic: Topic
    rule: str
    fact: str
    one: str = ""
    remedy: str = ""


FILE_KINDS = (
    NoticeKind(
        id="plan-older",
        topic="file",
        rule="`replay` of a release from before all variables, and the order of the records, had "
        "to be decided on",
        fact="A new plan would ask for a decision on {what}.",
        remedy="microsafe plan update proposes them.",
    ),
    NoticeKind(
        id="outputs-replaced",
        topic="file",
        rule="`protect` replaces files that were there before",
        fact="These files were there before and were replaced: {names}.",
        remedy="Use other names in [output] to keep both.",
    ),
    NoticeKind(
        id="file-encoding",
        topic="file",
        rule="a text file is not UTF-8, and no encoding was given",
        fact="{name} is not UTF-8 and was read as {encoding}.",
        remedy="Name another encoding if letters look wrong.",
    ),
    NoticeKind(
        id="missing-words",
        topic="missing",
        rule="words such as NA stand in a variable that holds numbers otherwise",
        fact="{name} holds {words} among numbers.",
        remedy="Declare that as missing, or take all such words as missing (na = auto).",
    ),
    NoticeKind(
        id="codebook-others",
        topic="file",
        rule="a codebook speaks of variables that the file does not have",
        fact="{codebook} also speaks of variables that the file does not have: {names}.",
        remedy="Check their spelling if the file should have them.",
    ),
    NoticeKind(
        id="file-sheets",
        topic="file",
        rule="a workbook has several sheets, and none was named",
        fact="{name} has several sheets: {sheet}, the first, was read; not {others}.",
        remedy="Name the sheet if the data are on another.",
    ),
    NoticeKind(
        id="file-errors",
        topic="file",
        rule="cells of a worksheet hold an error, such as #N/A or #DIV/0!",
        fact="{name} has {count:,} cells that hold an error instead of a value, read as missing: "
        "{names}.",
        one="{name} has a cell that holds an error instead of a value, read as missing: {names}.",
        remedy="Correct the formulas if they should hold values.",
    ),
    NoticeKind(
        id="argus-keyword",
        topic="file",
        rule="mu-ARGUS metadata or a recode has a keyword that microsafe does not know",
        fact="{where}: the keyword <{word}> is unknown and was ignored.",
        remedy="Check its spelling.",
    ),
    NoticeKind(
        id="argus-code-list",
        topic="file",
        rule="mu-ARGUS metadata or a recode names a code list that is not in the same folder",
        fact="{owner}: the code list {name} was not found, so there are no labels.",
        remedy="Put it into the folder of the file that names it.",
    ),
    NoticeKind(
        id="argus-related",
        topic="file",
        rule="mu-ARGUS metadata name a related variable that is not there",
        fact="{owner}: the related variable {name} does not exist, so nothing is linked to it.",
        remedy="Check its spelling in the metadata.",
    ),
)
