"""Files of other programs are opened rightly, written back, and still the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.case import Case, run_case
from corpus.every import CASES


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_of_another_program(case: Case, tmp_path: Path) -> None:
    run_case(case, tmp_path)


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert len(names) >= 150
