"""The list of formats: one entry is all that a new format needs."""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

import microsafe as ms
from microsafe.app.folders import Folders
from microsafe.app.views.study import safe_name
from microsafe.cli import main
from microsafe.errors import InputError, UsageError
from microsafe.io import can_read, formats, in_batches, read, write
from microsafe.io.column_types import guard_load, kind_of
from microsafe.io.formats import FORMATS, Format
from microsafe.io.source import Source
from microsafe.io.write_request import WriteRequest
from microsafe.schema import Schema, Variable

ROWS = {"region": ["1", "1", "2"], "sex": ["m", "f", None]}


def read_toy(path: Path, *, encoding: str = "utf-8") -> Source:
    frame = pl.DataFrame(json.loads(path.read_text(encoding)))
    variables = tuple(Variable(name=n, kind=kind_of(t)) for n, t in frame.schema.items())
    schema = Schema(source=path.name, variables=variables)
    return Source(
        schema=schema, load=guard_load(schema, frame.select), columnar=True, paths=(path,)
    )


def write_toy(request: WriteRequest) -> None:
    request.path.write_text(json.dumps(request.frame.to_dict(as_series=False)))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Format:
    module = ModuleType("toy_format")
    module.read, module.write = read_toy, write_toy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_format", module)
    entry = Format(
        name="a toy file",
        extensions=(".toy",),
        reader="toy_format",
        writer="toy_format",
        options=("encoding",),
    )
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, entry))
    return entry


def test_a_new_format_is_read_and_written(tmp_path: Path, toy: Format) -> None:
    path, out = tmp_path / "a.TOY", tmp_path / "b.toy"
    path.write_text(json.dumps(ROWS))
    source = read(path, encoding="utf-8")
    assert source.format is toy
    assert source.held == 8 * path.stat().st_size
    write(source.load(source.schema.names), source.schema, out, origin=source)
    assert json.loads(out.read_text()) == ROWS
    with pytest.raises(UsageError, match=r"sheet does not apply to a\.TOY, which is a toy file"):
        read(path, sheet="x")
    assert not in_batches(out, source)


def test_a_new_format_is_known_everywhere(
    tmp_path: Path, toy: Format, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.toy"
    path.write_text(json.dumps(ROWS))
    safe = tmp_path / "safe.toy"
    ms.study(path, keys=["region", "sex"]).suppress(k=2).write(safe)
    assert list(json.loads(safe.read_text())) == ["region", "sex"]
    names = [entry.name for entry in Folders(roots=(tmp_path,)).list_folder(0, "").entries]
    assert names == ["a.toy", "safe.toy"]
    assert safe_name(path) == "a-safe.toy"
    with pytest.raises(SystemExit):
        main(["describe", "--help-all"])
    assert ".toy" in capsys.readouterr().out
    (tmp_path / "a.docx").write_text("x")
    with pytest.raises(InputError, match=r"\.toy"):
        read(tmp_path / "a.docx")
    with pytest.raises(UsageError, match=r"\.toy"):
        formats.check_writable(Path("a.docx"))


def test_the_list_is_sound() -> None:
    extensions = formats.readable_extensions()
    assert len(set(extensions)) == len(extensions)
    for each in FORMATS:
        assert all(extension == extension.lower() for extension in each.extensions)
        assert callable(each.import_reader().read)
        if each.writer:
            assert callable(each.import_writer().write)
        else:
            assert each.instead in formats.writable_extensions()


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("lfs.sav", "lfs-safe.sav"),
        ("lfs.POR", "lfs-safe.sav"),
        ("lfs.sas7bdat", "lfs-safe.xpt"),
        ("lfs.ods", "lfs-safe.xlsx"),
        ("lfs.csv.gz", "lfs-safe.csv.gz"),
        ("lfs.TSV.zip", "lfs-safe.TSV.zip"),
        ("lfs.2020.zip", "lfs.2020-safe.csv.zip"),
        ("lfs", "lfs-safe.csv"),
    ],
)
def test_the_safe_file_is_of_a_format_that_can_be_written(name: str, safe: str) -> None:
    assert safe_name(Path(name)) == safe
    formats.check_writable(Path(safe))


def test_letter_case_does_not_matter() -> None:
    assert can_read(Path("A.SaV"))
    assert not can_read(Path("a.docx"))


def test_what_all_formats_need_is_installed_with_the_package() -> None:
    needed = [re.split(r"[^\w-]", each)[0] for each in metadata.requires("microsafe") or ()
              if "extra ==" not in each]  # fmt: skip
    assert {"fastexcel", "xlsxwriter", "pyreadstat", "polars"} <= set(needed)
