from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from microsafe.variables import vocabulary


def test_lists_are_read_as_the_whole_file_would_be() -> None:
    """Each list is found by its lines, whatever a file holds besides."""
    for file in (*vocabulary._list_languages(), vocabulary._PATTERNS):
        whole: dict[str, Any] = tomllib.loads(files(vocabulary).joinpath(file).read_text("utf-8"))
        expected = {
            (table, name): words
            for table, lists in whole.items()
            if isinstance(lists, dict)
            for name, words in lists.items()
        }
        if "given_names" in whole:
            expected["", "given_names"] = whole["given_names"]
        read = {
            place: vocabulary._read_words(file, *place) for place in vocabulary._read_lists(file)
        }
        assert read == expected, file
        assert all(read.values()), file
