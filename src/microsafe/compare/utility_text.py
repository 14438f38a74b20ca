"""Utility of numeric variables as text."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.compare.result import Utility
from microsafe.compare.utility import QUANTILES, Distribution, NumberChange
from microsafe.display import format_grid, keep_on_one_line, show_number, show_percent

_MOST = 8


def tell_utility(utility: Utility) -> list[list[str]]:
    """Return blocks of lines: variables, quantiles, correlations, models, propensity."""
    blocks = [_numbers(utility), _quantiles(utility), _whole(utility)]
    return [*(each for each in blocks if each), *_models(utility)]


def _numbers(utility: Utility) -> list[str]:
    rows = [("numbers changed", "mean", "", "std. deviation", "", "SSE/SST", "IL1s", "|x-z|/s")]
    for each in utility.numbers[:_MOST]:
        for label, sides in _sides(each):
            old, new = sides
            rows.append(
                (
                    f"{keep_on_one_line(each.name)}{label}",
                    show_number(old.mean, 6), f"-> {show_number(new.mean, 6)}",
                    show_number(old.deviation), f"-> {show_number(new.deviation)}",
                    *(("", "", "") if label else _losses(each)),
                )
            )  # fmt: skip
    return format_grid(rows, right=range(1, 8)) if len(rows) > 1 else []


def _sides(change: NumberChange) -> Iterator[tuple[str, tuple[Distribution, Distribution]]]:
    """Both distributions of a variable: each record counted once, and by weight."""
    yield "", change.plain
    if change.weighted is not None:
        yield ", weighted", change.weighted


def _losses(change: NumberChange) -> tuple[str, str, str]:
    return f"{change.sse:.4f}", f"{change.il1s:.4f}", f"{change.moved:.4f}"


def _quantiles(utility: Utility) -> list[str]:
    rows = [("change of quantiles, in s.d.", *(f"{100 * each:g} %" for each in QUANTILES))]
    for each in utility.numbers[:_MOST]:
        for label, (old, new) in _sides(each):
            gaps = (
                f"{(b - a) / old.deviation:+.3f}" if old.deviation else "-"
                for a, b in zip(old.quantiles, new.quantiles, strict=True)
            )
            rows.append((f"{keep_on_one_line(each.name)}{label}", *gaps))
    return format_grid(rows, right=range(1, len(rows[0]))) if len(rows) > 1 else []


def _whole(utility: Utility) -> list[str]:
    lines = []
    for each in utility.correlations:
        names = " and ".join(map(keep_on_one_line, each.where))
        kind = "weighted correlations" if each.weighted else "correlations"
        lines.append(
            f"  {kind}: largest change {each.largest:.4f} ({names}), mean {each.mean:.4f}; "
            f"eigenvalue distance {each.eigenvalues:.4f}"
        )
    if (found := utility.propensity) is not None:
        terms = "main effects and two-way terms" if found.two_way else "main effects only"
        lines.append(
            f"  propensity (pMSE): {show_number(found.pmse)}, {found.ratio:.2f} times what "
            f"independent files would give ({found.terms:,} terms, {terms}, {found.records:,} "
            "records)"
        )
    return lines


def _models(utility: Utility) -> list[list[str]]:
    blocks = []
    for each in utility.models:
        kind = ", weighted" if each.weighted else ""
        rows = [
            (f"{keep_on_one_line(each.formula, 60)}{kind}", "before", "after", "overlap of 95 %")
        ]
        rows += [
            (
                keep_on_one_line(one.term),
                show_number(one.estimate[0]),
                show_number(one.estimate[1]),
                show_percent(one.overlap),
            )
            for one in each.coefficients
        ]
        rows.append(("mean", "", "", show_percent(each.overlap)))
        blocks.append(format_grid(rows, right=(1, 2, 3)))
    return blocks
