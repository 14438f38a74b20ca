"""Whole files that no library reads are called what they are."""

from __future__ import annotations

import pytest

from microsafe.errors import UnreadableFileError
from microsafe.io import list_sheets, read


def test_an_encrypted_file_of_spss(tmp_path):
    path = tmp_path / "a.sav"
    path.write_bytes(b"\x1c" + bytes(7) + b"ENCRYPTEDSAV\x15" + bytes(15) + b"\xa7" * 400)
    with pytest.raises(UnreadableFileError, match="encrypted with a password") as caught:
        read(path)
    assert "damaged" not in str(caught.value)


@pytest.mark.parametrize(
    ("start", "version"),
    [("09000400", 2), ("09020600", 3), ("09040600", 4)],
)
def test_a_worksheet_of_old_excel(tmp_path, start, version):
    path = tmp_path / "a.xls"
    path.write_bytes(bytes.fromhex(start) + b"\0\0\x10\0" + bytes(100))
    for open_file in (read, list_sheets):
        with pytest.raises(UnreadableFileError, match=rf"Excel {version}, .* as \.xlsx") as caught:
            open_file(path)
    assert "damaged" not in str(caught.value)
