"""Make the picture of docs/methods/pram.md: regions of the demo survey before and after PRAM.

uv run python docs/pictures/make_pram.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot

import microsafe as ms

HERE = Path(__file__).parent
OLD, NEW, INK, GRID = "#8fa9bf", "#2f5d86", "#26323d", "#e3e7ea"


def main() -> None:
    """Draw weighted frequencies and transitions."""
    study = ms.study(ms.survey().frame, keys=["region", "sex", "age"], weight="weight")
    done = study.pram("region", keep=0.8, seed=20260101)
    facts: Any = done.steps[-1].facts
    codes = list(facts["shares"])
    before, after = (shares(each, codes) for each in (study, done))
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(9, 4), layout="constrained", width_ratios=(3, 2)
    )
    place = np.arange(len(codes))
    left.bar(place - 0.2, 100 * before, 0.4, color=OLD, label="before")
    left.bar(place + 0.2, 100 * after, 0.4, color=NEW, label="after")
    error = np.array([facts["added_error"][code] for code in codes]) * before
    left.errorbar(place + 0.2, 100 * before, 200 * error, fmt="none", ecolor=INK, lw=1)
    left.set_xticks(place, codes)
    left.set_xlabel("region")
    left.set_ylabel("weighted share, %")
    left.set_title("lines: two standard errors that PRAM adds", fontsize=9, loc="left")
    left.legend(frameon=False)
    left.grid(axis="y", color=GRID)
    left.set_axisbelow(True)
    table = np.array([[facts["transitions"][x].get(z, 0) for z in codes] for x in codes])
    share = 100 * table / table.sum(axis=1, keepdims=True)
    image = right.imshow(np.where(share > 0, share, np.nan), cmap="Blues", norm="log")
    right.set_xticks(place, codes)
    right.set_yticks(place, codes)
    right.set_xlabel("region after")
    right.set_ylabel("region before")
    right.set_title("what became of each region, %", fontsize=9, loc="left")
    figure.colorbar(image, ax=right)
    figure.savefig(HERE / "pram.png", dpi=144)


def shares(study: ms.Study, codes: list[str]) -> np.ndarray:
    """Weighted shares of the regions."""
    engine: Any = study.engine
    table = engine.table().group_by("region").sum()
    weight = dict(zip(table["region"].cast(str).to_list(), table["weight"], strict=True))
    found = np.array([weight[code] for code in codes])
    return found / found.sum()


if __name__ == "__main__":
    main()
