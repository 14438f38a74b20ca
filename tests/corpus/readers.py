"""Independent readers: other libraries than those that microsafe reads the same files with."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from openpyxl.utils.escape import unescape

from corpus.spss_bytes import read_system_file
from corpus.transport_bytes import read_transport
from corpus.values import Clock, Columns, Span, settle_arrow, settle_columns


def delimited(encoding: str = "utf-8", separator: str = ",", **options: Any) -> Any:
    """Return a reader of delimited text, by pandas: every value is text."""

    def look(path: Path) -> Columns:
        frame = pd.read_csv(
            path,
            sep=separator,
            encoding=encoding,
            dtype=str,
            header=None,
            keep_default_na=False,
            na_filter=False,
            **options,
        )
        return _first_row_names(frame.values.tolist())

    return look


def _first_row_names(rows: Sequence[Sequence[Any]]) -> Columns:
    names = [str(name).strip() for name in rows[0]]
    return settle_columns({n: [row[i] for row in rows[1:]] for i, n in enumerate(names)})


def parquet(path: Path) -> Columns:
    # By its handle: a path is searched for parts such as "year=2020".
    with path.open("rb") as file:
        return settle_arrow(pq.read_table(file))


def arrow(path: Path) -> Columns:
    with pa.memory_map(str(path)) as file:
        return settle_arrow(pa.ipc.open_file(file).read_all())


def workbook(path: Path, sheet: str | None = None) -> Columns:
    """Read a sheet by openpyxl, cell by cell."""
    book = openpyxl.load_workbook(path, data_only=True)
    cells = book[sheet] if sheet else book.worksheets[0]
    return _table([[_plain(cell.value) for cell in row] for row in cells.iter_rows()])


def _plain(value: Any) -> Any:
    # Signs that XML cannot hold are spelt _x000D_ in a sheet, and openpyxl leaves them so.
    return unescape(value) if isinstance(value, str) else value


def open_document(path: Path) -> Columns:
    """Read the first sheet by odfpy, cell by cell."""
    sheet = odf.opendocument.load(path).spreadsheet.getElementsByType(odf.table.Table)[0]
    rows = []
    for row in sheet.getElementsByType(odf.table.TableRow):
        cells = [_odf_value(cell) for cell in row.getElementsByType(odf.table.TableCell)]
        rows.append(cells)
    width = max(map(len, rows))
    found = _table([[*row, *[None] * (width - len(row))] for row in rows])
    return {name: _times_of_day(values) for name, values in found.items()}


def _odf_value(cell: Any) -> Any:
    match cell.getAttribute("valuetype"):
        case "string":
            return "\n".join(map(str, cell.getElementsByType(odf.text.P)))
        case "float":
            return float(cell.getAttribute("value"))
        case "boolean":
            return cell.getAttribute("booleanvalue") == "true"
        case "date":
            return dt.datetime.fromisoformat(cell.getAttribute("datevalue"))
        case "time":
            parts = re.findall(r"[\d.]+", cell.getAttribute("timevalue"))
            hours, minutes, seconds = map(float, parts)
            return dt.timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return None


def _times_of_day(values: list[Any]) -> list[Any]:
    """OpenDocument has one kind for both; what never exceeds a day is a time of day."""
    spans = [v.nanoseconds for v in values if isinstance(v, Span)]
    if not spans or max(spans) >= 86_400 * 10**9:
        return values
    return [Clock(v.nanoseconds) if isinstance(v, Span) else v for v in values]


def _table(rows: list[list[Any]]) -> Columns:
    """Return the table on a sheet: no empty rows around it, no empty columns without a name."""
    rows = [[None if _is_blank(cell) else cell for cell in row] for row in rows]
    while not any(cell is not None for cell in rows[0]):
        del rows[0]
    while not any(cell is not None for cell in rows[-1]):
        del rows[-1]
    kept = [i for i, _ in enumerate(rows[0]) if any(row[i] is not None for row in rows)]
    rows[0] = ["" if name is None else name for name in rows[0]]
    found = _first_row_names([[row[i] for i in kept] for row in rows])
    return {name: _one_kind(values) for name, values in found.items()}


def _is_blank(cell: Any) -> bool:
    return cell is None or cell is pd.NaT or (isinstance(cell, float) and pd.isna(cell))


def _one_kind(values: list[Any]) -> list[Any]:
    """Numbers in a column that has text are text, as the documentation says."""
    if any(isinstance(v, str) for v in values) and not all(
        isinstance(v, str | None) for v in values
    ):
        return [spell(value) for value in values]
    return values


def spell(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if value is None or isinstance(value, str) else str(value)


def stata(path: Path) -> Columns:
    frame = pd.read_stata(path, convert_categoricals=False)
    return settle_columns({name: frame[name].tolist() for name in frame.columns})


def sas(path: Path) -> Columns:
    frame = pd.read_sas(path, format="sas7bdat", encoding="utf-8")
    return settle_columns({name: frame[name].tolist() for name in frame.columns})


def spss(path: Path) -> Columns:
    return read_system_file(path).columns


def transport(path: Path) -> Columns:
    return read_transport(path).columns


READERS: dict[str, Callable[[Path], Columns]] = {
    ".csv": delimited(),
    ".parquet": parquet,
    ".arrow": arrow,
    ".feather": arrow,
    ".xlsx": workbook,
    ".ods": open_document,
    ".sav": spss,
    ".zsav": spss,
    ".dta": stata,
    ".xpt": transport,
    ".sas7bdat": sas,
}
