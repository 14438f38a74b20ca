"""The picture of numbers before and after: `uv run python docs/pictures/make_compared.py`."""

from __future__ import annotations

from pathlib import Path

import microsafe as ms
from microsafe.cli.output import write_figure


def main() -> None:
    """Draw three numbers of the demo's survey after noise and rank swapping."""
    survey = ms.survey().frame
    study = ms.study(survey, keys=["region", "sex"], weight="weight", household="household")
    moved = study.noise("income", variance=0.1, seed=20260401).rank_swap(
        ["age", "hsize"], percent=20, seed=20260401
    )
    write_figure(moved.compare().plot_numbers, Path(__file__).with_name("numbers-compared.svg"))


if __name__ == "__main__":
    main()
