"""What protection cost, for each audience."""

from __future__ import annotations

from microsafe.compare import Comparison, Means, VariableLoss
from microsafe.compare.result import ENOUGH
from microsafe.display import show_percent
from microsafe.report.content import Content
from microsafe.report.markup import Html, escape, fill, join, name
from microsafe.report.parts import bar, note, paragraph, table, variable_title
from microsafe.report.words import SMALL, plural, points, signed_percent

_MOST = 10


def board_cost(content: Content) -> Html:
    """Return blanks, groups, tables and means in full."""
    cost = content.comparison
    hit = cost.touched
    weighed = (
        f", which stand for {show_percent(hit.weight)} of the population" if cost.weight else ""
    )
    lead = paragraph(
        f"{plural(cost.blanks, 'value')} blanked and {hit.values - cost.blanks:,} replaced, in "
        f"{hit.records:,} of {plural(cost.records, 'record')}{weighed}. "
        f"{hit.cells:,} of {plural(hit.all_cells, 'combination')} of keys had a record changed."
    )
    dropped = Html("")
    if cost.dropped:
        dropped = paragraph(fill("Left out: {names}.", names=join(map(name, cost.dropped), ", ")))
    notes = join(note(name(each)) for each in cost.notes)
    return join(
        [lead, dropped, _losses(content), _groups(cost), _tables(cost), _means(cost), notes]
    )


def _losses(content: Content) -> Html:
    losses = content.comparison.losses
    rows = [
        (
            variable_title(each.name, content.labels.get(each.name, "")),
            "left out" if each.dropped else f"{each.blanks:,}",
            bar(each.blank_share, show_percent(each.blank_share)),
            f"{each.replaced:,}",
            _categories(each),
            f"{each.lost:.3f} of {each.entropy:.3f}",
            show_percent(each.lost_share),
        )
        for each in losses
    ]
    head = (
        "Variable", "Blanks", "Share of known values", "Replaced", "Categories",
        "Information lost, bits a record", "Share",
    )  # fmt: skip
    caption = "Values and information lost by variable."
    return table(caption, head, rows, numbers=(1, 2, 3, 4, 5, 6))


def _categories(loss: VariableLoss) -> str:
    same = loss.categories == loss.categories_after
    return f"{loss.categories:,}" + ("" if same else f" → {loss.categories_after:,}")


def _groups(cost: Comparison) -> Html:
    worst = cost.worst_groups(_MOST)
    rows = [
        (
            name(each.name),
            fill("{by} = {category}", by=name(each.by), category=name(each.category)),
            f"{each.blanks:,} of {each.known:,}",
            bar(each.share, show_percent(each.share)),
        )
        for each in worst
    ]
    return table(
        f"Groups most affected by blanks ({ENOUGH} or more records).",
        ("Variable blanked", "Group", "Blanks", "Share of the group"),
        rows,
        numbers=(2, 3),
    )


def _tables(cost: Comparison) -> Html:
    shown = [*cost.one_way(), *cost.two_way()[:_MOST]]
    full = max((each.hellinger for each in shown), default=0.0)
    rows = [
        (
            join(map(name, each.names), " × "),
            bar(each.hellinger, f"{each.hellinger:.4f}", full=full),
            points(each.largest),
            join(map(name, each.where), ", ") if each.where else "–",
            points(each.mean, 3),
            show_percent(each.lost),
        )
        for each in shown
    ]
    left = len(cost.tables) - len(shown)
    weighted = "Weighted tables" if cost.weight else "Tables"
    more = f" {plural(left, 'two-way table')} that changed less not shown." if left else ""
    return table(
        f"{weighted} before and after; changes of shares in percentage points.{more}",
        ("Table", "Hellinger distance", "Largest change", "Where", "Mean change", "Weight lost"),
        rows,
        numbers=(1, 2, 4, 5),
    )


def _means(cost: Comparison) -> Html:
    rows = [
        (
            name(each.name),
            name(each.by) if each.by else "whole file",
            _worst(each, "mean_change"),
            _worst(each, "total_change"),
        )
        for each in cost.means
    ]
    return table(
        "Means and totals of numeric variables; the largest change among categories of "
        f"{ENOUGH} records or more.",
        ("Variable", "By", "Change of mean", "Change of total"),
        rows,
        numbers=(2, 3),
    )


def _worst(means: Means, what: str) -> Html:
    worst = means.worst(what)
    if worst is None:
        return escape("–")
    change = getattr(worst, what)
    if not worst.category or not change:
        return escape(signed_percent(change))
    return fill("{change} ({where})", change=signed_percent(change), where=name(worst.category))


def public_cost(content: Content) -> Html:
    """Return the loss without anything that helps an intruder: coarse shares, no categories."""
    cost = content.comparison
    return join([_public_losses(content), _public_tables(cost), _public_means(cost)])


def _public_losses(content: Content) -> Html:
    rows = []
    for each in content.comparison.losses:
        share, text = coarse(each)
        label = variable_title(each.name, content.labels.get(each.name, ""))
        rows.append((label, _recoding(each), bar(share, text), _round_share(each.lost_share)))
    head = ("Variable", "Recoding", "Values set to missing", "Information lost")
    return table("Loss by variable, rounded to whole per cent.", head, rows, numbers=(2, 3))


def _public_tables(cost: Comparison) -> Html:
    shown = (*cost.one_way(), *cost.two_way()[:_MOST])
    full = max((_whole(each.hellinger) for each in shown), default=0.0)
    # The length of a bar must not tell more than the figure beside it.
    rows = [
        (
            join(map(name, each.names), " × "),
            bar(_whole(each.hellinger), _hundredths(each.hellinger), full=full),
            _tenths(100 * each.largest),
        )
        for each in shown
    ]
    head = ("Table", "Hellinger distance", "Largest change of a share, points")
    weighted = "Weighted tables" if cost.weight else "Tables"
    caption = f"{weighted} of the released file against the original; changes in percentage points."
    return table(caption, head, rows, numbers=(1, 2))


def _public_means(cost: Comparison) -> Html:
    rows = []
    for each in cost.means:
        worst = each.worst("mean_change")
        change = _round_share(abs(worst.mean_change)) if worst else "–"
        rows.append((name(each.name), name(each.by) if each.by else "whole file", change))
    head = ("Variable", "By", "Largest change of a mean")
    return table("Weighted means." if cost.weight else "Means.", head, rows, numbers=(2,))


def coarse(loss: VariableLoss) -> tuple[float, str]:
    """Return the share of blanks as the public sees it: for the bar and in words."""
    if loss.dropped:
        return 1.0, "not in the file"
    if not loss.blanks:
        return 0.0, "none"
    if loss.blanks < SMALL:
        return 0.0, f"fewer than {SMALL} values"
    return _whole(loss.blank_share), _round_share(loss.blank_share)


def _whole(share: float) -> float:
    """A share cut so that its bar tells no more than "less than 1 %" or a whole per cent."""
    return 0.0 if share < 0.01 else round(share, 2)


def _round_share(share: float) -> str:
    if share <= 0:
        return "none"
    if share < 0.01:
        return "less than 1 %"
    return "more than 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def _hundredths(distance: float) -> str:
    return "less than 0.01" if 0 < distance < 0.01 else f"{distance:.2f}"


def _tenths(change: float) -> str:
    return "less than 0.1" if 0 < change < 0.1 else f"{change:.1f}"


def _recoding(loss: VariableLoss) -> str:
    if loss.dropped or not loss.recoded:
        return "none"
    if loss.categories_after < loss.categories:
        return "fewer categories"
    return "values replaced"
