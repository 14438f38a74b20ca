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
        id="file-row-names",
        topic="file",
        rule="the first column of a table has values and no name, as R and pandas write the names "
        "of rows",
        fact="The first column of {name} has no name and is called {variable}.",
        remedy="Drop it if it only numbers the records.",
    ),
    NoticeKind(
        id="file-left-out",
        topic="file",
        rule="delimited text has columns without a name and without a value",
        fact="{name} has {count:,} columns without a name or a value, which were left out.",
        one="{name} has 1 column without a name or a value, which was left out.",
        remedy="Export it again if it should have more variables.",
    ),
    NoticeKind(
        id="file-years",
        topic="file",
        rule="years stand among the names of variables, and the records have other values below "
        "them",
        fact="The years {years} on the first line of {name} were taken as names of variables.",
        remedy="If that line is a record, put names above it.",
    ),
    NoticeKind(
        id="file-comment",
        topic="file",
        rule="the names of variables begin with #",
        fact="The first line of {name} begins with # and was taken as names of variables.",
        remedy="If lines that begin with # are comments, say so (comment).",
    ),
    NoticeKind(
        id="decimal-comma",
        topic="file",
        rule="delimited text with `;` or tabs has numbers with a decimal comma in its first "
        "records, and no decimal mark was given",
        fact="These variables of {name} look like numbers with a decimal comma: {names}.",
        remedy="Name it to read them as numbers (decimal).",
    ),
    NoticeKind(
        id="mixed-kinds",
        topic="file",
        rule="a variable of text holds numbers in most records and other texts in some",
        fact="{name} holds both numbers and text: {mixture}.",
        remedy="Declare texts that stand for missing, or correct them.",
    ),
    NoticeKind(
        id="missing-words",
        topic="missing",
        rule="words such as NA stand in a variable that holds numbers otherwise",
        fact="{count:,} variables have {words} among their numbers: {names}.",
        one="{names} has {words} among its numbers.",
        remedy="Treat that as missing: declare it, or take all such words so (na = auto).",
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
        id="r-left-out",
        topic="file",
        rule="a data frame of R has variables that hold lists, matrices or the like",
        fact="{names} of {name} hold no simple values and were left out.",
        remedy="Make plain vectors of them in R if they are needed.",
    ),
    NoticeKind(
        id="r-row-names",
        topic="file",
        rule="a data frame of R has names of rows",
        fact="{name} has names of rows, which were left out.",
        remedy="Make a variable of them in R if they are needed.",
    ),
    NoticeKind(
        id="join-unused",
        topic="household",
        rule="a file of households is joined that has households without persons",
        fact="{count:,} households of {name} have no person in {persons} and were left out.",
        one="One household of {name} has no person in {persons} and was left out.",
        remedy="Check that no person is missing.",
    ),
    NoticeKind(
        id="zone-left-out",
        topic="file",
        rule="moments with a time zone are written into a format that has none",
        fact="{names} have a time zone, which {name} cannot hold: what the clock shows there was "
        "written.",
        one="{names} has a time zone, which {name} cannot hold: what the clock shows there was "
        "written.",
        remedy="Write Parquet if the zone matters.",
    ),
    NoticeKind(
        id="numbers-typed",
        topic="file",
        rule="delimited text goes into a format with types: texts that are all plain numbers, "
        "without zeros before them and of at most 15 digits, become numbers",
        fact="{count:,} variables of plain numbers were written to {name} as numbers: {names}. "
        "Keys and numbers of people keep their spelling.",
        one="{names} holds plain numbers, and was written to {name} as numbers.",
        remedy="Declare the type text where codes are meant.",
    ),
    NoticeKind(
        id="bytes-text",
        topic="file",
        rule="a Parquet or Arrow file declares a variable as bytes, and all values are UTF-8 text",
        fact="{count:,} variables of {name} are declared as bytes but hold UTF-8 text in every "
        "record, and were read as text: {columns}.",
        one="{columns} of {name} is declared as bytes but holds UTF-8 text in every record, and "
        "was read as text.",
        remedy="Declare text as text where the file is made.",
    ),
    NoticeKind(
        id="sas-version",
        topic="file",
        rule="a SAS transport file is written, and a name has more than 8 bytes, a label more than "
        "40 or a text more than 200, though the input is no transport file of version 8",
        fact="{name} is a SAS transport file of version 8: {names} do not fit into version 5.",
        one="{name} is a SAS transport file of version 8: {names} does not fit into version 5.",
        remedy="SAS reads it with the macro %XPT2LOC; for programs that cannot, shorten names to 8 "
        "bytes, labels to 40 and text to 200.",
    ),
    NoticeKind(
        id="sas-label",
        topic="file",
        rule="a SAS transport file is written, and the file label has more than 40 bytes",
        fact="The file label has more than 40 bytes, which {name} cannot hold, and was left out.",
        remedy="Shorten it in the input if it should be kept.",
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
