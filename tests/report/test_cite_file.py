"""The line to cite the file by says what tells it from others: only what is printed there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microsafe.report.document import Paragraph, plain_text
from microsafe.report.sections.use import cite_file
from report.test_report import content


@pytest.mark.parametrize(
    ("version", "checksum", "told"),
    [
        ("1.0", "beef" * 16, "Version and checksum tell others"),
        ("1.0", "", "The version tells others"),
        ("", "beef" * 16, "The checksum tells others"),
        ("", "", None),
    ],
)
def test_only_what_is_printed_tells_the_file(version: str, checksum: str, told: str | None) -> None:
    cover = replace(content().cover, version=version)
    blocks = cite_file(replace(content(), cover=cover, output_sha256=checksum))
    line, *more = [plain_text(each.text) for each in blocks if isinstance(each, Paragraph)]
    assert ("version 1.0" in line) == bool(version)
    assert ("SHA-256 beefbeefbeef" in line) == bool(checksum)
    assert more == ([] if told is None else [f"{told} which file you used."])
