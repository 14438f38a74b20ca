"""Text in whatever pieces it is read: a sign may be cut where a piece ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from microsafe.errors import UnreadableFileError
from microsafe.io.text.encoding import DecodedText, open_text


@pytest.fixture(params=[4, 5, 7, 64])
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Files are read in pieces of a few bytes."""
    plain = DecodedText.chunks
    monkeypatch.setattr(
        DecodedText, "chunks", lambda self, size=0, **options: plain(self, request.param, **options)
    )
    return int(request.param)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "text.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("start", range(8))
def test_signs_that_are_cut_come_back_whole(
    tmp_path: Path, pieces: int, encoding: str, start: int
) -> None:
    text = "a" * start + ",é€😀\nplain,é\n" * 3
    path = written(tmp_path, text.encode(encoding))
    given = "utf-16-le" if encoding == "utf-16-le" else None
    assert open_text(path, given).read().decode() == text


def test_what_looks_right_only_if_a_piece_is_left_out_is_not_utf8(
    tmp_path: Path, pieces: int
) -> None:
    """The first byte of a sign ends one piece, the next is plain, its second begins a third."""
    content = b"a" * (pieces - 1) + b"\xc3" + b"b" * pieces + b"\xa9,\n"
    found = open_text(written(tmp_path, content), None)
    assert found.encoding == "windows-1252"
    assert found.notices
    with pytest.raises(UnreadableFileError):
        open_text(written(tmp_path, content), "utf-8")


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_file_that_ends_within_a_sign_is_refused(tmp_path: Path, pieces: int, cut: int) -> None:
    for encoding in ("utf-8", "utf-32-le"):
        content = ("x," * 5 + "😀").encode(encoding)[:-cut]
        with pytest.raises(UnreadableFileError):
            open_text(written(tmp_path, content), encoding)
