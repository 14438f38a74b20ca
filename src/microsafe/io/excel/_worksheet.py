"""Read the cells of a worksheet as columns, in the reader process.

The library tells numbers, text, moments and durations apart, but not times from moments, and it
takes words such as NA among numbers for nothing. Asked for durations, it gives the numbers that
moments are in the file, in days, and nothing for cells that hold anything else. Times of
OpenDocument are durations, which it drops if they stand among text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import polars as pl

from microsafe.errors import InputError, UnreadableFileError, did_you_mean
from microsafe.io.column_types import as_time, spell_times
from microsafe.io.excel._workbook_xml import (
    check_extent,
    check_open_document,
    count_errors,
    counts_from_1904,
)

_TOP = 100
_DAY = timedelta(days=1)
_1904 = datetime(1904, 1, 1)
_1904_TICKS = (_1904 - datetime(1970, 1, 1)) // timedelta(milliseconds=1)
_CALENDAR = timedelta(days=60)  # before that Excel's calendar is wrong, and nobody uses it
_MOMENT = r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
_ISO_MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:"  # of OpenDocument, beside dates without a time

Load = Callable[..., pl.DataFrame]
Again = Callable[[Sequence[int], str], list[pl.Series]]


def read_cells(path: str, sheet: str | None) -> tuple[dict[str, Any], pl.DataFrame]:
    """Read a sheet; columns are named by position.

    Returns:
        The first row as text under "header", the names of all sheets under "sheets", cells that
        hold errors by position under "errors"; and the rows below.

    Raises:
        UnreadableFileError: It has cells that would be misread.
    """
    import fastexcel

    check_extent(path, sheet, trust=True)
    has_times = check_open_document(path, sheet)
    book = fastexcel.read_excel(path)
    names = list(book.sheet_names)
    if sheet is not None and sheet not in names:
        raise InputError(
            f"{os.path.basename(path)} has no sheet {sheet!r}.{did_you_mean(sheet, names)}"
        )
    first, header = _find_header(book, sheet, os.path.basename(path))
    load = _make_loader(book, sheet, first + 1)
    body = _load_body(load)
    again = partial(_reload, load, body)
    columns = body.get_columns()
    if has_times:
        columns = _settle_clock(columns, again, header, os.path.basename(path))
    columns = _keep_words(columns, again)
    columns = _settle_times(columns, again, from_1904=counts_from_1904(path))
    frame = pl.DataFrame([c.alias(str(place)) for place, c in enumerate(columns)])
    facts = {"header": header, "sheets": names, "errors": count_errors(path, sheet, first)}
    return facts, frame


def _find_header(book: Any, sheet: str | None, name: str) -> tuple[int, list[str]]:
    """Return where the names stand, and the names."""
    top = book.load_sheet(
        0 if sheet is None else sheet, header_row=None, skip_rows=0, n_rows=_TOP, dtypes="string"
    ).to_polars()
    # Sheets may begin with empty rows; the names stand in the first that is not.
    first = next((i for i, row in enumerate(top.rows()) if any(row)), None)
    if first is None:
        raise InputError(
            f"{name} has no data on the sheet that was read. Name the sheet that holds the data."
        )
    return first, [(cell or "").strip() for cell in top.row(first)]


def _make_loader(book: Any, sheet: str | None, skip: int) -> Load:
    def load(**options: Any) -> pl.DataFrame:
        chosen = 0 if sheet is None else sheet
        loaded = book.load_sheet(chosen, header_row=None, skip_rows=skip, **options)
        return pl.DataFrame(loaded.to_polars())

    return load


def _load_body(load: Load) -> pl.DataFrame:
    """Load all rows, columns of kinds that do not go together as text."""
    import fastexcel

    mixed: dict[str, str] = {}
    while True:
        try:
            return load(
                schema_sample_rows=None, skip_whitespace_tail_rows=True, dtypes=mixed or None
            )
        except fastexcel.UnsupportedColumnTypeCombinationError as error:
            match = re.search(r"__UNNAMED__\d+", str(error))
            if match is None or match[0] in mixed:
                raise
            mixed[match[0]] = "string"


def _reload(load: Load, body: pl.DataFrame, places: Sequence[int], dtype: str) -> list[pl.Series]:
    """Load some columns again, as another type."""
    names = [body.columns[place] for place in places]
    return load(use_columns=names, dtypes=dtype).head(body.height).get_columns()


def _settle_clock(
    columns: list[pl.Series], again: Again, header: Sequence[str], file: str
) -> list[pl.Series]:
    """Return durations of OpenDocument as times of day, which all of them are.

    Raises:
        UnreadableFileError: Some stand among text, from which the library drops them.
    """
    texts = [place for place, column in enumerate(columns) if column.dtype == pl.String]
    for place, times in zip(texts, again(texts, "duration") if texts else (), strict=True):
        if times.is_not_null().any():
            raise UnreadableFileError(
                f"{header[place] or f'Column {place + 1}'} of {file} has times among other values, "
                "which cannot be read from OpenDocument. Save it as .xlsx."
            )
    return [as_time(column) if column.dtype == pl.Duration else column for column in columns]


def _keep_words(columns: list[pl.Series], again: Again) -> list[pl.Series]:
    """Return columns of numbers or moments that hold words, such as NA, as text."""
    gaps = {i: _find_gaps(c) for i, c in enumerate(columns) if c.dtype not in (pl.String, pl.Null)}
    places = [place for place, gap in gaps.items() if gap.any()]
    if not places:
        return columns
    for place, text in zip(places, again(places, "string"), strict=True):
        if (gaps[place] & (text != "")).any():
            columns[place] = text
    return columns


def _find_gaps(column: pl.Series) -> pl.Series:
    """Tell which cells have no value; NaN is one that was spelled."""
    return column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()


def _settle_times(columns: list[pl.Series], again: Again, *, from_1904: bool) -> list[pl.Series]:
    """Return moments as what they are: dates, times of day, durations or moments."""
    settled = list(columns)
    spelled = [place for place, c in enumerate(settled) if _has_moments(c, _ISO_MOMENT)]
    if spelled:
        parsed = zip(spelled, again(spelled, "datetime"), again(spelled, "date"), strict=True)
        for place, moments, days in parsed:
            both = moments.zip_with(moments.is_not_null(), days.cast(moments.dtype))
            if both.null_count() == settled[place].null_count():
                settled[place] = both
    doubtful = []
    for place, column in enumerate(settled):
        if (
            _has_moments(column, _MOMENT)
            or _is_early(column)
            or (from_1904 and column.dtype == pl.Datetime)
        ):
            doubtful.append(place)
        elif column.dtype == pl.Datetime:
            settled[place] = _as_days(column)
    if doubtful:
        for place, serials in zip(doubtful, again(doubtful, "duration"), strict=True):
            settled[place] = _settle_moments(settled[place], serials, from_1904=from_1904)
    return settled


def _is_early(column: pl.Series) -> bool:
    """Tell whether some moment is so early that it may be a time without a day."""
    return column.dtype == pl.Datetime and bool((column < _1904 + _CALENDAR).any())


def _has_moments(column: pl.Series, pattern: str) -> bool:
    return column.dtype == pl.String and bool(column.str.contains(pattern).any())


def _settle_moments(column: pl.Series, serials: pl.Series, *, from_1904: bool) -> pl.Series:
    """Settle a column of moments, or of text with some moments among it."""
    known = serials.is_not_null()
    if not known.any():
        # OpenDocument spells moments out.
        return _as_days(column) if column.dtype == pl.Datetime else column
    moments = column
    if column.dtype == pl.String:
        moments = _pick(column, known).str.to_datetime(time_unit="ms", strict=False)
    if from_1904:
        shifted = (serials.to_physical() + _1904_TICKS).cast(pl.Datetime("ms"))
        moments = shifted.zip_with(known, moments)
    if moments.null_count() < serials.null_count():
        return _as_days(moments)  # some were spelled out, so they are no times
    from_1904 = bool((moments - serials == _1904).any())
    settled = _tell_times(moments, serials, from_1904=from_1904)
    if column.dtype != pl.String or not _pick(column, ~known).drop_nulls().len():
        return settled
    return column.zip_with(~known, _spell_cells(settled, serials))


def _tell_times(moments: pl.Series, serials: pl.Series, *, from_1904: bool) -> pl.Series:
    """Return times if no moment reaches a day, durations if none reaches the calendar."""
    known = serials.drop_nulls()
    clock = _shows_clock(known).any()
    if ((known >= timedelta(0)) & (known < _DAY)).all() and (clock or not from_1904):
        return as_time(serials)
    if clock and (known.abs() < _CALENDAR).all():
        return serials  # such as 26:15, though its format may show 02:15
    return _as_days(moments)


def _spell_cells(settled: pl.Series, serials: pl.Series) -> pl.Series:
    """Spell what stands among text, each cell as what it is."""
    if settled.dtype in (pl.Time, pl.Duration):
        return spell_times(settled)
    times = (serials.abs() < _CALENDAR) & _shows_clock(serials)
    days = _as_days(_pick(settled, ~times))
    spelled = days.cast(pl.String) if days.dtype == pl.Date else days.dt.to_string("%F %T%.f")
    return spell_times(serials).zip_with(times, spelled)


def _shows_clock(serials: pl.Series) -> pl.Series:
    return serials.dt.total_milliseconds() % 86_400_000 != 0


def _as_days(moments: pl.Series) -> pl.Series:
    """Return dates if all moments are midnight."""
    days = moments.cast(pl.Date)
    return days if bool((days.cast(moments.dtype) == moments).all()) else moments


def _pick(column: pl.Series, wanted: pl.Series) -> pl.Series:
    """Return some values of a column, null in place of the others."""
    return column.zip_with(
        wanted, pl.Series([None], dtype=column.dtype).new_from_index(0, len(column))
    )
