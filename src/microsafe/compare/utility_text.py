"""Utility of numeric variables as text."""

from __future__ import annotations

from collections.abc import Iterator

from microsafe.compare.propensity import Propensity
from microsafe.compare.result import Utility
from microsafe.compare.table_text import bare_percent
from microsafe.compare.utility import QUANTILES, Distribution, NumberChange
from microsafe.display import format_grid, keep_on_one_line, shorten_list, show_number

_MOST = 8


def tell_utility(utility: Utility) -> list[list[str]]:
    """Return blocks of lines: variables, quantiles, correlations, models, propensity."""
    blocks = [_numbers(utility), _quantiles(utility), _whole(utility)]
    return [*(each for each in blocks if each), *_models(utility)]


def _numbers(utility: Utility) -> list[str]:
    rows = [
        (
            "numbers changed", "mean before", "after", "std. deviation before", "after", "SSE/SST",
            "IL1s", "|x-z|/s",
        )
    ]  # fmt: skip
    for each in utility.numbers[:_MOST]:
        for label, sides in _sides(each):
            old, new = sides
            rows.append(
                (
                    f"{keep_on_one_line(each.name)}{label}",
                    show_number(old.mean, 6), show_number(new.mean, 6),
                    show_number(old.deviation), show_number(new.deviation),
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
    return lines + ([] if utility.propensity is None else [tell_propensity(utility.propensity)])


def tell_propensity(found: Propensity, of: str = "") -> str:
    """Return a line on how well released records can be told from original ones.

    Args:
        found: What was measured.
        of: By which variables.
    """
    terms = "main effects and two-way terms" if found.two_way else "main effects only"
    return (
        f"  propensity{of} (pMSE): {show_number(found.pmse)}, {found.ratio:.2f} times what "
        f"independent files would give ({found.terms:,} terms, {terms}, {found.records:,} records)"
    )


def _models(utility: Utility) -> list[list[str]]:
    """Coefficients before and after; changes are in the unit of the outcome, or of log odds."""
    blocks = []
    for each in utility.models:
        kind = f"{each.kind}, weighted" if each.weighted else each.kind
        of = f"log odds of {each.outcome}" if each.kind == "logistic" else each.outcome
        records = " -> ".join(f"{one:,}" for one in dict.fromkeys(each.records))
        title = f"  {keep_on_one_line(each.formula, 60)} ({kind}; {keep_on_one_line(of)}; "
        lines = [f"{title}{records} records)"]
        if each.problem:
            blocks.append([*lines, f"  {each.problem}"])
            continue
        rows = [("term", "before", "after", "change", "overlap of 95 % intervals, %")]
        rows += [
            (
                keep_on_one_line(one.term),
                show_number(one.estimate[0]),
                show_number(one.estimate[1]),
                show_number(one.change),
                bare_percent(one.overlap),
            )
            for one in each.coefficients
        ]
        rows.append(("mean", "", "", "", bare_percent(each.overlap)))
        lines += format_grid(rows, right=range(1, 5))
        if each.lost:
            lines.append(f"  no longer estimated, counted as 0 %: {shorten_list(each.lost)}")
        if each.left_out:
            names = shorten_list(each.left_out)
            lines.append(f"  left out, as they cannot be estimated before either: {names}")
        blocks.append(lines)
    return blocks
