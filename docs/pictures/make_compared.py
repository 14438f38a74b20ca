"""Pictures of what was compared: `uv run python docs/pictures/make_compared.py`."""

from __future__ import annotations

from pathlib import Path

import microsafe as ms
from microsafe.cli.output import write_figure


def main() -> None:
    """Draw the demo's survey: three numbers after noise and rank swapping, tables and models."""
    survey = ms.survey().frame
    study = ms.study(survey, keys=["region", "sex"], weight="weight", household="household")
    moved = study.noise("income", variance=0.1, seed=20260401).rank_swap(
        ["age", "hsize"], percent=20, seed=20260401
    )
    write_figure(moved.compare().plot_numbers, Path(__file__).with_name("numbers-compared.png"))
    keys = ["region", "sex", "age", "marital"]
    blanked = (
        ms.study(survey, keys=keys, weight="weight", household="household")
        .recode("age", breaks=(15, 30, 45, 60, 75))
        .suppress(k=6)
        .noise("income", variance=0.1, seed=20260401)
    )
    found = blanked.compare(
        tables=["region,age", "marital"],
        models=["income ~ age + sex", "marital = 2 ~ age + income"],
    )
    write_figure(found.plot_tables, Path(__file__).with_name("tables-compared.png"))
    write_figure(found.plot_models, Path(__file__).with_name("models-compared.png"))


if __name__ == "__main__":
    main()
