"""A comparison as one page of text, and as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from microsafe.compare.result import Comparison, Means
from microsafe.compare.table_text import bare_percent, tell_tables
from microsafe.compare.utility_text import tell_propensity, tell_utility
from microsafe.display import format_grid, keep_on_one_line, show_percent

_MOST = 5  # lines of each kind, so that the page stays one page


def plain(value: Any) -> Any:
    """Return a value that JSON can hold; what is not a number becomes None."""
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def page(result: Comparison) -> str:
    """Return what a statistician reads in a minute."""
    parts = [_head(result), _losses(result)]
    parts += [result.uses.lines()] if result.uses else []
    parts += [_hardest(result), _groups(result), *tell_tables(result)]
    if result.propensity is not None:
        names = ", ".join(map(keep_on_one_line, result.propensity.variables))
        parts.append([tell_propensity(result.propensity, f" by {names}")])
    parts.append(_means(result))
    if result.utility is not None:
        parts += tell_utility(result.utility)
    if notes := result._remarks():
        parts.append([f"  note: {keep_on_one_line(note, 200)}" for note in notes])
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(result: Comparison) -> list[str]:
    hit = result.touched
    share = show_percent(hit.records / max(result.records, 1))
    weighted = f"{show_percent(hit.weight)} of the weight" if result.weight else "no weight"
    return [
        result.title,
        f"  {result.blanks:,} values suppressed and {hit.values - result.blanks:,} replaced in "
        f"{hit.records:,} records ({share}; {weighted})",
        f"  {hit.cells:,} of {hit.all_cells:,} combinations of keys changed",
        *(
            [f"  dropped, all lost: {', '.join(map(keep_on_one_line, result.dropped))}"]
            if result.dropped
            else []
        ),
    ]


def _losses(result: Comparison) -> list[str]:
    rows = [
        (
            "variable", "blanks", "blanks, %", "replaced", "categories", "bits before",
            "bits lost", "information lost, %",
        )
    ]  # fmt: skip
    for each in result.losses:
        changed = each.categories != each.categories_after
        after = f" -> {each.categories_after:,}" if changed else ""
        rows.append(
            (
                keep_on_one_line(each.name),
                "dropped" if each.dropped else f"{each.blanks:,}",
                bare_percent(each.blank_share),
                f"{each.replaced:,}",
                f"{each.categories:,}{after}",
                f"{each.entropy:.3f}",
                f"{each.lost:.4f}",
                bare_percent(each.lost_share),
            )
        )
    grid = format_grid(rows, right=range(1, len(rows[0])))
    return [*grid, "  bits lost: each record counts once, a blank may be any value"]


def _hardest(result: Comparison) -> list[str]:
    """Groups that lost most of the keys' information, beside the whole file."""
    worst = result.hardest[:_MOST]
    if not worst:
        return []
    head = "groups hit hardest (30 or more records)"
    rows = [(head, "records", "information lost, %", "blanks", "blanks, %")]
    rows += [
        (
            keep_on_one_line(f"{each.by} = {each.category}"), f"{each.records:,}",
            bare_percent(each.lost), f"{each.blanks:,}", bare_percent(each.blank_share),
        )
        for each in worst
    ]  # fmt: skip
    counted = [each for each in result.losses if each.key] or result.losses
    blanks, known = sum(each.blanks for each in counted), sum(each.known for each in counted)
    rows.append(
        (
            "whole file", f"{result.records:,}", bare_percent(result.lost), f"{blanks:,}",
            bare_percent(blanks / max(known, 1)),
        )
    )  # fmt: skip
    return format_grid(rows, right=range(1, len(rows[0])))


def _groups(result: Comparison) -> list[str]:
    worst = result.worst_groups(_MOST)
    if not worst:
        return []
    rows = [("most blanks (30 or more records)", "group", "blanks", "of", "blanks, %")]
    for each in worst:
        group = keep_on_one_line(f"{each.by} = {each.category}")
        rows.append(
            (
                keep_on_one_line(each.name), group, f"{each.blanks:,}", f"{each.known:,}",
                bare_percent(each.share),
            )
        )  # fmt: skip
    return format_grid(rows, right=range(2, len(rows[0])))


def _means(result: Comparison) -> list[str]:
    """Relative changes; the categories in which they are largest stand beside them."""
    rows = [
        (
            "mean and total of", "by", "largest change of mean, %", "in",
            "largest change of total, %", "in",
        )
    ]  # fmt: skip
    ordered = sorted(result.means, key=lambda each: (bool(each.by), -_size(each)))
    rows += [
        (
            keep_on_one_line(each.name),
            keep_on_one_line(each.by) or "(all)",
            *_change(each, "mean_change"),
            *_change(each, "total_change"),
        )
        for each in ordered[: 2 * _MOST]
    ]
    return format_grid(rows, right=(2, 4)) if len(rows) > 1 else []


def _size(means: Means) -> float:
    worst = means.worst("mean_change")
    return abs(worst.mean_change) if worst else 0.0


def _change(means: Means, what: str) -> tuple[str, str]:
    worst = means.worst(what)
    if worst is None:
        return "-", ""
    change = getattr(worst, what)
    where = keep_on_one_line(worst.category, 24) if worst.category and change else ""
    return f"{100 * change:+.2f}", where
