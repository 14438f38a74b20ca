"""A comparison as one page of text, and as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from microsafe.compare.result import Comparison, Means
from microsafe.compare.utility_text import tell_utility
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
    parts = [_head(result), _losses(result), _groups(result), _tables(result), _means(result)]
    if result.utility is not None:
        parts += tell_utility(result.utility)
    if result.notes:
        parts.append([f"  note: {keep_on_one_line(note, 200)}" for note in result.notes])
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
            [f"  dropped: {', '.join(map(keep_on_one_line, result.dropped))}"]
            if result.dropped
            else []
        ),
    ]


def _losses(result: Comparison) -> list[str]:
    rows = [("variable", "blanks", "share", "replaced", "categories", "bits lost", "of", "share")]
    for each in result.losses:
        changed = each.categories != each.categories_after
        after = f" -> {each.categories_after:,}" if changed else ""
        rows.append(
            (
                keep_on_one_line(each.name),
                "dropped" if each.dropped else f"{each.blanks:,}",
                show_percent(each.blank_share),
                f"{each.replaced:,}",
                f"{each.categories:,}{after}",
                f"{each.lost:.4f}",
                f"{each.entropy:.3f}",
                show_percent(each.lost_share),
            )
        )
    return format_grid(rows, right=range(1, len(rows[0])))


def _groups(result: Comparison) -> list[str]:
    worst = result.worst_groups(_MOST)
    if not worst:
        return []
    rows = [("groups most affected (30 or more records)", "group", "blanks", "of", "share")]
    for each in worst:
        group = keep_on_one_line(f"{each.by} = {each.category}")
        rows.append(
            (
                keep_on_one_line(each.name), group, f"{each.blanks:,}", f"{each.known:,}",
                show_percent(each.share),
            )
        )  # fmt: skip
    return format_grid(rows, right=range(2, len(rows[0])))


def _tables(result: Comparison) -> list[str]:
    shown = (*sorted(result.one_way(), key=lambda each: -each.hellinger)[:_MOST],)
    rows = [("weighted table", "Hellinger", "largest change", "mean change", "weight lost")]
    rows += [
        (
            " x ".join(keep_on_one_line(name, 20) for name in each.names),
            f"{each.hellinger:.4f}",
            f"{100 * each.largest:.3f} pp",
            f"{100 * each.mean:.4f} pp",
            show_percent(each.lost),
        )
        for each in (*shown, *result.two_way()[:_MOST])
    ]
    left_out = len(result.tables) - len(rows) + 1
    lines = format_grid(rows, right=range(1, len(rows[0]))) if len(rows) > 1 else []
    noun = "table" if left_out == 1 else "tables"
    return [*lines, f"  and {left_out:,} {noun} that changed less"] if left_out else lines


def _means(result: Comparison) -> list[str]:
    rows = [("mean and total of", "by", "largest change of mean", "largest change of total")]
    ordered = sorted(result.means, key=lambda each: (bool(each.by), -_size(each)))
    rows += [
        (
            keep_on_one_line(each.name),
            keep_on_one_line(each.by) or "(all)",
            _change(each, "mean_change"),
            _change(each, "total_change"),
        )
        for each in ordered[: 2 * _MOST]
    ]
    return format_grid(rows, right=range(2, len(rows[0]))) if len(rows) > 1 else []


def _size(means: Means) -> float:
    worst = means.worst("mean_change")
    return abs(worst.mean_change) if worst else 0.0


def _change(means: Means, what: str) -> str:
    worst = means.worst(what)
    if worst is None:
        return "-"
    change = getattr(worst, what)
    where = f" ({keep_on_one_line(worst.category, 24)})" if worst.category and change else ""
    return f"{100 * change:+.2f} %{where}"
