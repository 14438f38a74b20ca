"""Sound files of every format that is read, small and full of features, with a value in each."""

from __future__ import annotations

import ctypes
import datetime as dt
import gzip
import io
import struct
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pyreadstat
import xlsxwriter

from microsafe.io import write
from microsafe.schema import Schema, Variable

# In every record. A message that has one of them quotes a record.
TEXT, NUMBER = "Zq7Marker", 47114711
ROWS = 24

FRAME = pl.DataFrame(
    {
        "age": [20 + k % 50 for k in range(ROWS)],
        "income": [NUMBER + k / 4 for k in range(ROWS)],
        "name": [f"{TEXT}{k}" for k in range(ROWS)],
        "story": [f"{TEXT} " * (20 + k % 3) for k in range(ROWS)],
        "day": [dt.date(2020, 1, 1) + dt.timedelta(days=k) for k in range(ROWS)],
        "gap": [None if k % 3 else float(k) for k in range(ROWS)],
        "sex": [float(1 + k % 2) for k in range(ROWS)],
        "answer": [float(k % 3) for k in range(ROWS)],
    }
)
LABELS = {
    "age": {20: "twenty", 21: "twenty-one"},
    "sex": {1: "male", 2: "female"},
    "answer": {0: "none", 1: "yes", 2: "no"},
}


def _written(suffix: str, write: Callable[[str], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{suffix}"
        write(str(path))
        return path.read_bytes()


def _text(separator: str) -> bytes:
    return FRAME.write_csv(separator=separator).encode()


def _zipped_text() -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("file.csv", _text(";"))
    return memory.getvalue()


def _fixed_width() -> bytes:
    return "".join(
        f"{age:4d}{income:14.2f}{name:>14s}\n"
        for age, income, name in FRAME.select("age", "income", "name").iter_rows()
    ).encode()


METADATA = b"age 1 4 98 99\n  <RECODEABLE>\nincome 5 14\n  <NUMERIC>\n  <DECIMALS> 2\nname 19 14\n"


def _parquet(**options: Any) -> bytes:
    more = FRAME.with_columns(
        kind=pl.col("name").cast(pl.Categorical),
        odd=pl.col("age") % 2 == 1,
        list=pl.concat_list("age", "age"),
    )
    memory = io.BytesIO()
    more.write_parquet(memory, **options)
    return memory.getvalue()


def _foreign_parquet() -> bytes:
    """With columns that Polars does not know, and some that are not what they say."""
    memory = io.BytesIO()
    pyarrow.parquet.write_table(_foreign(), memory, row_group_size=10)
    return memory.getvalue()


def _foreign() -> pyarrow.Table:
    table = FRAME.drop("gap", "sex", "answer").to_arrow(compat_level=pl.CompatLevel.oldest())
    moments = FRAME["day"].cast(pl.Datetime("us")).to_arrow()
    return (
        table.append_column("moment", moments.cast(pyarrow.timestamp("us", "+05:30")))
        .append_column("wide", table["age"].cast(pyarrow.decimal256(60, 2)))
        .append_column("bytes", table["name"].cast(pyarrow.binary()))
    )


def _arrow(**options: Any) -> bytes:
    memory = io.BytesIO()
    more = FRAME.with_columns(
        kind=pl.col("name").cast(pl.Categorical), list=pl.concat_list("age", "age")
    )
    more.write_ipc(memory, **options)
    return memory.getvalue()


def _foreign_arrow() -> bytes:
    table = (
        _foreign()
        .drop(["wide"])
        .append_column("kind", FRAME["name"].to_arrow().dictionary_encode())
    )
    memory = io.BytesIO()
    with pyarrow.ipc.new_file(memory, table.schema) as file:
        file.write_table(table, max_chunksize=10)
    return memory.getvalue()


def _spss(**options: Any) -> bytes:
    return _written(
        ".sav",
        lambda path: pyreadstat.write_sav(
            FRAME.with_columns(age=pl.col("age").cast(pl.Float64)),
            path,
            file_label="A survey",
            note=["A note", "and another"],
            column_labels={"age": "Age", "income": "Income"},
            variable_value_labels={**LABELS, "name": {f"{TEXT}1": "one"}},
            missing_ranges={"age": [98, {"lo": 99, "hi": 120}], "name": ["none"]},
            variable_measure={"age": "ordinal"},
            **options,
        ),
    )


def _stata(version: int) -> bytes:
    return _written(
        ".dta",
        lambda path: pyreadstat.write_dta(
            FRAME,
            path,
            file_label="A survey",
            column_labels={"age": "Age"},
            variable_value_labels=LABELS,
            version=version,
        ),
    )


def _sas() -> bytes:
    """ReadStat can write such a file, though pyreadstat has no function for it."""
    from pyreadstat import _readstat_writer

    library = ctypes.CDLL(_readstat_writer.__file__)
    for name in ("writer_init", "add_variable"):
        getattr(library, f"readstat_{name}").restype = ctypes.c_void_p
    parts: list[bytes] = []
    handler = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

    @handler
    def keep(data: int, size: int, _: object) -> int:
        parts.append(ctypes.string_at(data, size))
        return size

    writer = ctypes.c_void_p(library.readstat_writer_init())
    library.readstat_set_data_writer(writer, keep)
    string, double = 0, 5
    variables = [
        ctypes.c_void_p(library.readstat_add_variable(writer, name, kind, ctypes.c_size_t(width)))
        for name, kind, width in (
            (b"age", double, 8),
            (b"income", double, 8),
            (b"name", string, 16),
        )
    ]
    library.readstat_begin_writing_sas7bdat(writer, None, ctypes.c_long(ROWS))
    for age, income, name in FRAME.select("age", "income", "name").iter_rows():
        library.readstat_begin_row(writer)
        for variable, value in zip(variables[:2], (age, income), strict=True):
            library.readstat_insert_double_value(writer, variable, ctypes.c_double(value))
        library.readstat_insert_string_value(writer, variables[2], name.encode())
        library.readstat_end_row(writer)
    library.readstat_end_writing(writer)
    library.readstat_writer_free(writer)
    return b"".join(parts)


def _workbook() -> bytes:
    memory = io.BytesIO()
    with xlsxwriter.Workbook(memory, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Persons")
        shown = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, FRAME.columns)
        for number, row in enumerate(FRAME.iter_rows(), start=1):
            for place, value in enumerate(row):
                if isinstance(value, dt.date):
                    sheet.write_datetime(number, place, value, shown)
                elif value is not None:
                    sheet.write(number, place, value)
            clock = dt.time(number % 24, 30)
            sheet.write_datetime(number, FRAME.width, clock, book.add_format({"num_format": 21}))
            result = "#DIV/0!" if number % 5 == 0 else f"{TEXT}_x000D_"
            sheet.write_formula(number, FRAME.width + 1, "=A1", None, result)
        sheet.write_row(0, FRAME.width, ["time", "result"])
        book.add_worksheet("Other").write(0, 0, "x")
    return memory.getvalue()


def _zipped(parts: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return memory.getvalue()


def _open_document() -> bytes:
    def cell(value: object) -> str:
        if isinstance(value, str):
            inside = f"<text:p>{value}</text:p>"
            return f'<table:table-cell office:value-type="string">{inside}</table:table-cell>'
        if isinstance(value, dt.timedelta):
            hours = f"PT{value // dt.timedelta(hours=1)}H30M00S"
            return f'<table:table-cell office:value-type="time" office:time-value="{hours}"/>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    names = ["age", "income", "name"]
    times = [dt.timedelta(hours=k) for k in range(ROWS)]
    rows = [
        [*names, "time"],
        *((*row, t) for row, t in zip(FRAME.select(names).rows(), times, strict=True)),
    ]
    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{urn}:office:1.0" '
        f'xmlns:table="{urn}:table:1.0" xmlns:text="{urn}:text:1.0"><office:body>'
        f'<office:spreadsheet><table:table table:name="Persons">{body}'
        '<table:table-row table:number-rows-repeated="1000"><table:table-cell '
        'table:number-columns-repeated="16000"/></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<?xml version="1.0"?><manifest:manifest '
        f'xmlns:manifest="{urn}:manifest:1.0"></manifest:manifest>'
    )
    return _zipped(
        {
            "mimetype": kind,
            "META-INF/manifest.xml": manifest.encode(),
            "content.xml": content.encode(),
        }
    )


def _binary_workbook() -> bytes:
    def record(number: int, content: bytes = b"") -> bytes:
        head = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
        size = len(content)
        tail = bytes([size]) if size < 128 else bytes([size & 0x7F | 0x80, size >> 7])
        return head + tail + content

    def wide(text: str) -> bytes:
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    def cell(column: int, value: object) -> bytes:
        place = struct.pack("<II", column, 0)
        if isinstance(value, str):
            return record(0x06, place + wide(value))
        return record(0x05, place + struct.pack("<d", value))

    names = ["age", "income", "name"]
    rows = [names, *FRAME.select(names).iter_rows()]
    sheet = record(0x81) + record(0x94, struct.pack("<4I", 0, len(rows) - 1, 0, 2)) + record(0x91)
    for number, row in enumerate(rows):
        sheet += record(0x00, struct.pack("<I", number) + bytes(13))
        sheet += b"".join(cell(place, value) for place, value in enumerate(row))
    sheet += record(0x92) + record(0x82)
    bundle = record(0x9C, struct.pack("<II", 0, 1) + wide("rId1") + wide("Persons"))
    book = record(0x83) + record(0x8F) + bundle + record(0x90) + record(0x84)
    office = "http://schemas.openxmlformats.org"
    links = (
        f'<?xml version="1.0"?><Relationships xmlns="{office}/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{office}/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.bin"/></Relationships>'
    )
    return _zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types"/>'.encode(),
            "xl/_rels/workbook.bin.rels": links.encode(),
            "xl/workbook.bin": book,
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def _old_workbook() -> bytes:
    def record(number: int, content: bytes = b"") -> bytes:
        return struct.pack("<HH", number, len(content)) + content

    def cell(row: int, column: int, value: object) -> bytes:
        place = struct.pack("<HHH", row, column, 0)
        if isinstance(value, str):
            return record(0x0204, place + struct.pack("<HB", len(value), 0) + value.encode())
        return record(0x0203, place + struct.pack("<d", value))

    names = ["age", "income", "name"]
    rows = [names, *FRAME.select(names).iter_rows()]
    sheet = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 1997, 0, 0))
    sheet += record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, 3, 0))
    for number, row in enumerate(rows):
        sheet += b"".join(cell(number, place, value) for place, value in enumerate(row))
    sheet += record(0x000A)
    start = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 1997, 0, 0))
    start += record(0x0042, struct.pack("<H", 1200))
    bundle = struct.pack("<IBBBB", len(start) + 4 + 8 + 7 + 4, 0, 0, 7, 0) + b"Persons"
    stream = start + record(0x0085, bundle) + record(0x000A) + sheet
    return _compound("Workbook", stream)


def _compound(name: str, stream: bytes) -> bytes:
    """Return a compound file with one stream, as old Office files are."""
    sector, end, free = 512, 0xFFFFFFFE, 0xFFFFFFFF
    stream = stream.ljust(max(4096, -(-len(stream) // sector) * sector), b"\0")
    count = len(stream) // sector
    chain = [*range(1, count), end, end, 0xFFFFFFFD]  # stream, directory, this table
    table = struct.pack("<128I", *chain, *[free] * (128 - len(chain)))

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        wide = title.encode("utf-16-le")
        return (
            wide.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(wide) + 2 if title else 0, kind, 1, free, free, child)
            + bytes(16 + 4 + 16)
            + struct.pack("<IQ", start, size)
        )

    folder = entry("Root Entry", 5, 1, end, 0) + entry(name, 2, free, 0, len(stream))
    folder = folder.ljust(sector, b"\0")
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIIII", 0, 1, count, 0, 4096, end, 0, end, 0, count + 1)
    return header.ljust(sector, b"\xff") + stream + folder + table


def _r_data(suffix: str, *, packed: bool = False) -> bytes:
    frame = FRAME.with_columns(odd=pl.col("age") % 2 == 1, moment=pl.col("day").cast(pl.Datetime))
    more: dict[str, dict[str, Any]] = {
        "sex": {"labels": LABELS["sex"], "missing": (9,), "missing_ranges": ((97.0, 99.0),)},
        "name": {"label": "A name", "order": (f"{TEXT}1", f"{TEXT}0")},
    }
    variables = (Variable(name=name, **more.get(name, {})) for name in frame.columns)
    schema = Schema(source="x", variables=tuple(variables), notes=("A survey",))
    content = _written(suffix, lambda path: write(frame, schema, path))
    return content if packed else gzip.decompress(content)


SEEDS: dict[str, tuple[Callable[[], bytes], ...]] = {
    ".csv": (lambda: _text(","), lambda: _text(";")),
    ".tsv": (lambda: _text("\t"),),
    ".gz": (lambda: gzip.compress(_text(","), mtime=0),),
    ".zip": (_zipped_text,),
    ".asc": (_fixed_width,),
    ".parquet": (
        _foreign_parquet,
        lambda: _parquet(compression="zstd"),
        lambda: _parquet(compression="snappy", row_group_size=20),
        lambda: _parquet(compression="uncompressed", statistics=False),
        lambda: _parquet(compression="gzip", use_pyarrow=True),
        lambda: _parquet(
            use_pyarrow=True,
            pyarrow_options={
                "data_page_version": "2.0",
                "use_dictionary": False,
                "column_encoding": {
                    "age": "DELTA_BINARY_PACKED",
                    "name": "DELTA_BYTE_ARRAY",
                    "story": "DELTA_LENGTH_BYTE_ARRAY",
                    "income": "BYTE_STREAM_SPLIT",
                },
            },
        ),
    ),
    ".arrow": (
        lambda: _arrow(compression="uncompressed"),
        lambda: _arrow(compression="lz4"),
        lambda: _arrow(compression="zstd", compat_level=pl.CompatLevel.oldest()),
        _foreign_arrow,
    ),
    ".sav": (lambda: _spss(), lambda: _spss(row_compress=True)),
    ".zsav": (lambda: _spss(compress=True),),
    ".por": (
        lambda: _written(".por", lambda path: pyreadstat.write_por(FRAME.drop("story"), path)),
    ),
    ".dta": (lambda: _stata(15), lambda: _stata(12), lambda: _stata(8)),
    ".sas7bdat": (_sas,),
    ".xpt": (
        lambda: _written(".xpt", lambda path: pyreadstat.write_xport(FRAME, path)),
        lambda: _written(
            ".xpt", lambda path: pyreadstat.write_xport(FRAME, path, file_format_version=5)
        ),
    ),
    ".xlsx": (_workbook,),
    ".xls": (_old_workbook,),
    ".ods": (_open_document,),
    ".xlsb": (_binary_workbook,),
    ".rds": (lambda: _r_data(".rds"), lambda: _r_data(".rds", packed=True)),
    ".rdata": (lambda: _r_data(".rdata"),),
}
