"""Workbooks by openpyxl, XlsxWriter, pandas and odfpy."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pandas as pd
import xlsxwriter

from corpus.case import MARK, Case
from corpus.readers import open_document, workbook
from corpus.values import Columns, settle_polars
from fuzz.seeds import FRAME, SEEDS

Rows = Sequence[Sequence[Any]]
Save = Callable[[Path, Rows], object]
_AT = dt.datetime

KINDS: dict[str, Rows] = {
    "text of any script": [["name", "sex"], ["Zoë", "m"], ["Łódź", None], ["日本語 😀", "f"]],
    "leading zeros": [["code", "n"], ["01", 1], ["001", 2], ["1", 3]],
    "blanks around text": [["a", "n"], [" a ", 1], ["b", 2]],
    "line ends in text": [["a", "n"], ["one\ntwo", 1], ["three\n\nfour", 2]],
    "very long text": [["a", "n"], ["x" * 32_767, 1], ["y", 2]],
    "whole numbers": [["n", "m"], [1, -5], [2**31, 0], [999_999_999_999_999, None]],
    "numbers": [["x", "y"], [0.1, 1e300], [-2.5, 1e-300], [1 / 3, None]],
    "truth values": [["b", "n"], [True, 1], [False, 2], [None, 3]],
    "dates": [["day", "n"], [_AT(1900, 3, 1), 1], [_AT(2020, 2, 29), 2], [None, 3]],
    "dates up to the year 9999": [["day", "n"], [_AT(9999, 12, 31), 1], [_AT(4000, 1, 1), 2]],
    "moments": [["at", "n"], [_AT(2020, 2, 29, 23, 59, 59), 1], [_AT(1999, 12, 31, 12), 2]],
    "times": [["t", "n"], [dt.time(9, 30), 1], [dt.time(23, 59, 59), 2], [None, 3]],
    "durations": [["d", "n"], [dt.timedelta(hours=30), 1], [dt.timedelta(minutes=5), 2]],
    "variable without a value": [["a", "none"], ["x", None], ["y", None]],
    "numbers and text in one variable": [["a", "n"], ["x", 1], [1, 2], [2.5, 3]],
    "words such as NA": [["a", "b"], ["NA", 1], ["N/A", 2], ["null", 3]],
    "words such as NA beside numbers": [["a", "n"], [1, 1], ["NA", 2], [3, 3]],
    "names of any script": [["net income", "größe", "a.b"], [1, 2, 3], [4, 5, 6]],
    "one record": [["a", "b"], [1, "x"]],
    "one variable": [["a"], ["x"], ["y"]],
    "300 variables": [[f"v{k}" for k in range(300)], list(range(300)), [None, *range(299)]],
}  # fmt: skip


def by_openpyxl(path: Path, rows: Rows, *, first: int = 1, epoch: Any = None) -> None:
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    sheet = book.active
    for row, cells in enumerate(rows, start=first):
        for column, value in enumerate(cells, start=1):
            cell = sheet.cell(row, column, value)
            if isinstance(value, dt.timedelta):
                cell.number_format = "[h]:mm:ss"
    book.save(path)


def by_xlsxwriter(path: Path, rows: Rows, **options: Any) -> None:
    with xlsxwriter.Workbook(path, options) as book:
        sheet = book.add_worksheet()
        shown = {
            kind: book.add_format({"num_format": form})
            for kind, form in (
                (_AT, "yyyy-mm-dd hh:mm:ss"), (dt.time, "hh:mm:ss"), (dt.timedelta, "[h]:mm:ss")
            )
        }  # fmt: skip
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                if isinstance(value, str):
                    sheet.write_string(row, column, value)
                elif value is not None:
                    sheet.write(row, column, value, shown.get(type(value)))


def by_pandas(path: Path, rows: Rows, engine: str = "openpyxl") -> None:
    frame = pd.DataFrame(list(rows[1:]), columns=list(rows[0]), dtype=object)
    frame.to_excel(path, index=False, engine=engine)


def by_odfpy(path: Path, rows: Rows) -> None:
    book = odf.opendocument.OpenDocumentSpreadsheet()
    sheet = odf.table.Table(name="Persons")
    for cells in rows:
        row = odf.table.TableRow()
        for value in cells:
            row.addElement(_odf_cell(value))
        sheet.addElement(row)
    book.spreadsheet.addElement(sheet)
    book.save(path)


def _odf_cell(value: Any) -> Any:
    match value:
        case None:
            return odf.table.TableCell()
        case str():
            cell = odf.table.TableCell(valuetype="string")
            for line in value.split("\n"):
                cell.addElement(odf.text.P(text=line))
            return cell
        case bool():
            return odf.table.TableCell(valuetype="boolean", booleanvalue=str(value).lower())
        case dt.datetime():
            return odf.table.TableCell(valuetype="date", datevalue=value.isoformat())
        case dt.time():
            return odf.table.TableCell(valuetype="time", timevalue=value.strftime("PT%HH%MM%SS"))
        case dt.timedelta():
            minutes, seconds = divmod(int(value.total_seconds()), 60)
            text = f"PT{minutes // 60:02}H{minutes % 60:02}M{seconds:02}S"
            return odf.table.TableCell(valuetype="time", timevalue=text)
    return odf.table.TableCell(valuetype="float", value=repr(value))


WRITERS: dict[str, Save] = {
    "openpyxl": by_openpyxl,
    "xlsxwriter": by_xlsxwriter,
    "pandas": by_pandas,
}
# What a writer makes of it is no longer that: pandas writes times and durations as numbers.
_NOT_BY = {("pandas", "times"), ("pandas", "durations")}


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".xlsx", "look": workbook, **more}
    return Case(name=f"workbook-{name}", holds=holds, make=make, **more)


def _kinds() -> list[Case]:
    found = [
        case(f"{writer}-{kind.replace(' ', '-')}", kind, partial(_save, save=save, rows=rows))
        for kind, rows in KINDS.items()
        for writer, save in WRITERS.items()
        if (writer, kind) not in _NOT_BY
    ]
    found += [
        case(f"odfpy-{kind.replace(' ', '-')}", kind, partial(_save, save=by_odfpy, rows=rows),
             extension=".ods", look=open_document, to=".xlsx")
        for kind, rows in KINDS.items()
        if kind != "durations"
    ]  # fmt: skip
    return found


def _save(path: Path, save: Save, rows: Rows) -> None:
    save(path, rows)


def formats(path: Path) -> dict[str, Any]:
    sheet = openpyxl.load_workbook(path).worksheets[0]
    shown = [cell.number_format for cell in sheet[2] if cell.number_format != "General"]
    formulas = [c.value for c in sheet[2] if isinstance(c.value, str) and c.value.startswith("=")]
    return {"display formats of cells": shown} if shown else {"formulas": formulas}


def _with_sheets(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["other"])
    sheet = book.create_sheet("Persons")
    for row in (["a", "b"], [1, "x"], [2, "y"]):
        sheet.append(row)
    book.save(path)


def _with_empty_row(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, "x"], [2, "y"]):
        book.active.append(row)
    book.active["A5"].number_format = "0.00"
    book.save(path)


def gone(fact: str, look: Callable[[openpyxl.Workbook], object]) -> dict[str, Any]:
    """Say that a workbook has something, and what is written of it has not."""
    return {"facts": lambda path: {fact: look(openpyxl.load_workbook(path))}, "lost": (fact,)}


def _with_formula(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write_row(1, 0, [1])
        sheet.write_formula(1, 1, "=A2*2", None, 2)
        sheet.write_row(2, 0, [2])
        sheet.write_formula(2, 1, "=A3*2", None, 4)


def _with_money(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet, money = book.add_worksheet(), book.add_format({"num_format": "#,##0.00"})
        sheet.write_row(0, 0, ["a"])
        sheet.write_column(1, 0, [1.5, 1234.25], money)


def _mac(path: Path) -> None:
    """Excel for Mac writes an extension with a workbookPr of its own before or behind the first."""
    by_openpyxl(path, KINDS["dates"], epoch=openpyxl.utils.datetime.CALENDAR_MAC_1904)
    parts = {}
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    book = parts["xl/workbook.xml"].decode()
    extension = (
        '<extLst><ext uri="{7523E5D3-25F3-A5E0-1632-64F254C22452}" xmlns:mx='
        '"http://schemas.microsoft.com/office/mac/excel/2008/main"><x14:workbookPr xmlns:x14='
        '"http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" defaultImageDpi="0"/>'
        "</ext></extLst></workbook>"
    )
    assert re.search(r'date1904="(1|true)"', book)
    parts["xl/workbook.xml"] = book.replace("</workbook>", extension).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)


def _returns(path: Path) -> None:
    by_xlsxwriter(path, [["a", "n"], ["one\r\ntwo", 1], ["x", 2]])


def _seed(path: Path, extension: str) -> None:
    path.write_bytes(SEEDS[extension][0]())


def _seeded(_: Path) -> Columns:
    return settle_polars(FRAME.select("age", "income", "name"))


def _special() -> list[Case]:
    dates, plain = KINDS["dates"], [["a", "b"], [1, "x"], [2, "y"]]
    mac = openpyxl.utils.datetime.CALENDAR_MAC_1904
    return [
        case("openpyxl-1904", "dates counted from 1904",
             lambda p: by_openpyxl(p, dates, epoch=mac)),
        case("xlsxwriter-1904", "dates counted from 1904",
             lambda p: by_xlsxwriter(p, dates, date_1904=True)),
        case("mac-1904", "dates counted from 1904", _mac),
        case("named-sheet", "other sheets", _with_sheets, options={"sheet": "Persons"},
             look=partial(workbook, sheet="Persons"), look_back=workbook,
             **gone("other sheets", lambda book: book.sheetnames[1:])),
        case("formula", "formulas", _with_formula, facts=formats, lost=("formulas",)),
        case("money", "display formats of cells", _with_money, facts=formats,
             lost=("display formats of cells",)),
        case("empty-rows-above", "empty rows above the names",
             lambda p: by_openpyxl(p, plain, first=4),
             **gone("empty rows above the names", lambda book: not book.worksheets[0]["A1"].value)),
        case("empty-rows-below", "empty rows below the records",
             _with_empty_row,
             **gone("empty rows below the records", lambda book: book.worksheets[0].max_row > 3)),
        case("empty-row-between", "records without a value",
             lambda p: by_openpyxl(p, [*plain[:2], [None, None], plain[2]])),
        case("carriage-returns", "line ends in text", _returns),
        case("xlsm", "values", lambda p: by_openpyxl(p, plain), extension=".xlsm", to=".xlsx"),
        *[case(extension[1:], "values", partial(_seed, extension=extension), look=_seeded,
               extension=extension, to=".xlsx", look_back=workbook)
          for extension in (".xls", ".xlsb")],
        case("pandas-index", "nameless first column",
             lambda p: pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_excel(p)),
        case("pandas-xlsxwriter", "values", lambda p: by_pandas(p, plain, engine="xlsxwriter")),
        case("pandas-ods", "values", lambda p: by_pandas(p, plain, engine="odf"),
             extension=".ods", look=open_document, to=".xlsx"),
        case("years-as-names", "years as names",
             lambda p: by_openpyxl(p, [["town", 2019, 2020], ["A", 1, 2], ["B", 3, 4]])),
        case("constant-memory", "values",
             lambda p: by_xlsxwriter(p, plain, constant_memory=True)),
        case("refused-two-variables-of-one-name", "two variables of one name",
             lambda p: by_openpyxl(p, [["a", "a"], [MARK, 2]]), refused="two variables named 'a'"),
        case("refused-no-records", "no records",
             lambda p: by_openpyxl(p, [["a", "b"]]), refused="no records"),
        case("refused-no-content", "no content",
             lambda p: by_openpyxl(p, []), refused="no data"),
        case("refused-no-workbook", "damaged files",
             lambda p: p.write_bytes(b"PK\3\4" + MARK.encode()),
             refused="cannot be read as a workbook"),
        case("refused-long-times", "durations in OpenDocument",
             lambda p: by_odfpy(p, KINDS["durations"]), extension=".ods", refused="as .xlsx"),
        case("refused-far-away", "a cell far away from all others",
             _add_far, refused="16384|1,048,576|1048576"),
    ]  # fmt: skip


def _add_far(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    book.active.cell(1_048_576, 16_384, MARK)
    book.save(path)


CASES = [*_kinds(), *_special()]
