"""What protection cost, for each audience."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from microsafe.compare import Comparison, Means, TableChange, VariableLoss
from microsafe.compare.cost_figures import LossByUses, UseLoss
from microsafe.compare.guarantees import GuaranteePrice
from microsafe.compare.worst_groups import ENOUGH
from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, Paragraph, fill, join, name
from microsafe.report.parts import bar, facts, names, note, table, variable_title
from microsafe.report.sections.named import board_named
from microsafe.report.sections.utility import (
    board_utility,
    public_utility,
    secret_spread,
    tell_propensity,
)
from microsafe.report.shown_numbers import (
    count,
    decimals,
    points,
    show_number,
    show_percent,
    signed_percent,
)
from microsafe.report.texts import mark, plural, retell, say, say_category

_MOST = 10
_SMALL = 10  # counts below this are not given to the public


def board_cost(content: Content) -> Iterator[Block]:
    """Yield blanks, groups, tables and means in full."""
    cost = content.comparison
    hit = cost.touched
    told = [
        say(
            "Values blanked: {blanks}; replaced: {replaced}; records changed: {records} of {all}.",
            blanks=count(cost.blanks),
            replaced=count(hit.values - cost.blanks),
            records=count(hit.records),
            all=count(cost.records),
        )
    ]
    if cost.weight:
        share = show_percent(hit.weight)
        told.append(say("They stand for {share} of the population.", share=share))
    told.append(
        say(
            "Combinations of keys in which a record was changed: {cells} of {all}.",
            cells=count(hit.cells),
            all=count(hit.all_cells),
        )
    )
    yield Paragraph(" ".join(told))
    if cost.dropped:
        yield Paragraph(fill(say("Left out, all lost: {names}."), names=names(cost.dropped)))
    yield from _prices(content.prices)
    yield from _losses(content)
    yield from _hardest(cost)
    yield from _groups(cost)
    yield from _tables(cost)
    yield from _propensity(cost)
    yield from _means(cost)
    yield from board_utility(content)
    yield from board_uses(content)
    yield from board_named(content)
    for each in cost.notes:
        yield note(name(retell(each)))


def _prices(found: Sequence[GuaranteePrice]) -> Iterator[Block]:
    """Yield what each guarantee would have cost, those that can be had."""
    head = (say("Guarantee"), say("Blanks"), say("Records changed"), say("Information lost"))
    rows = [
        (
            name(price.guarantee),
            count(price.taken.total),
            count(price.taken.records),
            show_percent(price.lost),
        )
        for price in found
        if price.taken is not None
    ]
    if rows:
        yield from table(say("What each guarantee costs"), head, rows, numbers=(1, 2, 3))


def _losses(content: Content) -> Iterator[Block]:
    losses = content.comparison.losses
    rows = [
        (
            variable_title(loss.name, content.labels.get(loss.name, "")),
            say("left out") if loss.dropped else count(loss.blanks),
            bar(loss.blank_share, show_percent(loss.blank_share)),
            count(loss.replaced),
            _categories(loss),
            say("{part} of {all}", part=decimals(loss.lost, 3), all=decimals(loss.entropy, 3)),
            show_percent(loss.lost_share),
        )
        for loss in losses
    ]
    head = (
        say("Variable"), say("Blanks"), say("Share of known values"), say("Replaced"),
        say("Categories"), say("Information lost, bits a record"), say("Share"),
    )  # fmt: skip
    caption = say("Values and information lost by variable; each record counts once.")
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4, 5, 6))


def _propensity(cost: Comparison) -> Iterator[Block]:
    if cost.propensity is None:
        return
    by = fill(say("Propensity (pMSE) by {names}"), names=names(cost.propensity.variables))
    yield from facts(
        [(by, tell_propensity(cost.propensity))],
        say("How different the file looks as a whole"),
    )


def _categories(loss: VariableLoss) -> str:
    same = loss.categories == loss.categories_after
    return count(loss.categories) + ("" if same else f" → {count(loss.categories_after)}")


def _hardest(cost: Comparison) -> Iterator[Block]:
    """Groups that lost most of what the keys tell, beside the whole file."""
    worst = [group for group in cost.hardest if group.lost > cost.lost][:_MOST]
    if not worst:
        return
    full = worst[0].lost
    rows: list[tuple[Inline, ...]] = [
        (
            (name(group.by), " = ", name(group.category)),
            count(group.records),
            bar(group.lost, show_percent(group.lost), full=full),
            show_percent(group.blank_share),
        )
        for group in worst
    ]
    counted = _choose_counted(cost)
    blanks, known = sum(each.blanks for each in counted), sum(each.known for each in counted)
    rows.append(
        (
            say("whole file"),
            count(cost.records),
            bar(cost.lost, show_percent(cost.lost), full=full),
            show_percent(blanks / max(known, 1)),
        )
    )
    yield from table(
        say("Groups that lost most of what the keys tell ({least} or more records).", least=ENOUGH),
        (say("Group"), say("Records"), say("Information lost"), say("Values blanked")),
        rows,
        numbers=(1, 2, 3),
    )


def _choose_counted(cost: Comparison) -> Sequence[VariableLoss]:
    """Return what the plain loss is the mean of: the keys, or all variables if there are none."""
    return [loss for loss in cost.losses if loss.key] or cost.losses


def _groups(cost: Comparison) -> Iterator[Block]:
    worst = cost.worst_groups(_MOST)
    rows = [
        (
            name(group.name),
            (name(group.by), " = ", name(group.category)),
            say("{part} of {all}", part=count(group.blanks), all=count(group.known)),
            bar(group.share, show_percent(group.share)),
        )
        for group in worst
    ]
    yield from table(
        say("Groups most affected by blanks ({least} or more records).", least=ENOUGH),
        (say("Variable blanked"), say("Group"), say("Blanks"), say("Share of the group")),
        rows,
        numbers=(2, 3),
    )


def _tables(cost: Comparison) -> Iterator[Block]:
    shown = _choose_tables(cost)
    full = max((each.hellinger for each in shown), default=0.0)
    rows = [
        (
            names(each.names, " × "),
            bar(each.hellinger, decimals(each.hellinger, 4), full=full),
            points(each.largest),
            join((name(say_category(one)) for one in each.where), ", ") if each.where else "–",
            points(each.mean, 3),
            show_percent(each.lost),
        )
        for each in shown
    ]
    left = len(cost.tables) - len(shown)
    caption = say("Tables before and after; changes of shares in percentage points.")
    if cost.weight:
        caption = say("Weighted tables before and after; changes of shares in percentage points.")
    if left:
        caption += " " + plural(
            left,
            "{count} two-way table that changed less is not shown.",
            "{count} two-way tables that changed less are not shown.",
        )
    head = (
        say("Table"), say("Hellinger distance"), say("Largest change"), say("Where"),
        say("Mean change"), say("Weight lost"),
    )  # fmt: skip
    yield from table(
        caption,
        head,
        rows,
        numbers=(1, 2, 4, 5),
    )


def _means(cost: Comparison) -> Iterator[Block]:
    rows = [
        (
            name(mean.name),
            name(mean.by) if mean.by else say("whole file"),
            _worst(mean, "mean_change"),
            _worst(mean, "total_change"),
        )
        for mean in filter(_is_shown, cost.means)
    ]
    yield from table(
        say(
            "Means and totals of numeric variables; the largest change among categories of {least} "
            "records or more, by variables by which one changed.",
            least=ENOUGH,
        ),
        (say("Variable"), say("By"), say("Change of mean"), say("Change of total")),
        rows,
        numbers=(2, 3),
    )


def _is_shown(means: Means) -> bool:
    """Tell whether anything changed, or is not known; the whole file is always shown."""
    if not means.by:
        return True
    worst = (means.worst("mean_change"), means.worst("total_change"))
    return any(each is None or each.mean_change or each.total_change for each in worst)


def _worst(means: Means, what: str) -> Inline:
    worst = means.worst(what)
    if worst is None:
        return "–"
    change = getattr(worst, what)
    if not worst.category or not change:
        return signed_percent(change)
    return (signed_percent(change), " (", name(worst.category), ")")


def public_cost(content: Content) -> Iterator[Block]:
    """Yield the loss without anything that helps an intruder: coarse shares, no categories."""
    cost = content.comparison
    yield from _public_losses(content)
    yield from public_uses(content, secret_spread(content), _round_share)
    yield from _public_tables(cost)
    yield from _public_means(cost)
    yield from public_utility(content)


def _choose_tables(cost: Comparison) -> list[TableChange]:
    """One-way tables, those that somebody named, and others that changed most."""
    named = [each for each in cost.named_tables() if len(each.names) > 1]
    others = [each for each in cost.two_way() if not each.named]
    return [*cost.one_way(), *named, *others[:_MOST]]


def _public_losses(content: Content) -> Iterator[Block]:
    rows = []
    hidden = secret_spread(content)
    for loss in content.comparison.losses:
        if loss.dropped:
            continue
        share, text = coarse(loss)
        label = variable_title(loss.name, content.labels.get(loss.name, ""))
        secret = loss.name in hidden
        lost = say("not published") if secret else _round_share(loss.lost_share)
        rows.append((label, _recoding(loss), bar(share, text), lost))
    head = (
        say("Variable"), say("Recoding"), say("Values set to missing"), say("Information lost")
    )  # fmt: skip
    caption = say("Loss by variable, each record counted once, rounded to whole per cent.")
    yield from table(caption, head, rows, numbers=(2, 3))


def _public_tables(cost: Comparison) -> Iterator[Block]:
    shown = _choose_tables(cost)
    full = max((_whole(each.hellinger) for each in shown), default=0.0)
    # The length of a bar must not tell more than the figure beside it.
    rows = [
        (
            names(each.names, " × "),
            bar(_whole(each.hellinger), _hundredths(each.hellinger), full=full),
            _tenths(100 * each.largest),
        )
        for each in shown
    ]
    head = (say("Table"), say("Hellinger distance"), say("Largest change of a share, points"))
    caption = say("Tables of the released file against the original; changes in percentage points.")
    if cost.weight:
        caption = say(
            "Weighted tables of the released file against the original; changes in percentage "
            "points."
        )
    yield from table(caption, head, rows, numbers=(1, 2))


def _public_means(cost: Comparison) -> Iterator[Block]:
    rows = []
    for mean in filter(_is_shown, cost.means):
        worst = mean.worst("mean_change")
        change = _round_share(abs(worst.mean_change)) if worst else "–"
        rows.append((name(mean.name), name(mean.by) if mean.by else say("whole file"), change))
    head = (say("Variable"), say("By"), say("Largest change of a mean"))
    caption = (
        say("Weighted means, by variables by which one changed.")
        if cost.weight
        else say("Means, by variables by which one changed.")
    )
    yield from table(caption, head, rows, numbers=(2,))


def coarse(loss: VariableLoss) -> tuple[float, str]:
    """Return the share of blanks as the public sees it: for the bar and in words."""
    if not loss.blanks:
        return 0.0, say("none")
    if loss.blanks < _SMALL:
        return 0.0, say("fewer than {least} values", least=_SMALL)
    return _whole(loss.blank_share), _round_share(loss.blank_share)


def _whole(share: float) -> float:
    """A share cut so that its bar tells no more than "less than 1 %" or a whole per cent."""
    return 0.0 if share < 0.01 else round(share, 2)


def _round_share(share: float) -> str:
    if share <= 0:
        return say("none")
    if share < 0.01:
        return say("less than 1 %")
    return say("more than 99 %") if 0.99 < share < 1 else f"{100 * share:.0f} %"


def _hundredths(distance: float) -> str:
    return say("less than 0.01") if 0 < distance < 0.01 else decimals(distance, 2)


def _tenths(change: float) -> str:
    return say("less than 0.1") if 0 < change < 0.1 else decimals(change, 1)


def _recoding(loss: VariableLoss) -> str:
    if loss.dropped or not loss.recoded:
        return say("none")
    if loss.categories_after < loss.categories:
        return say("fewer categories")
    return say("values replaced")


_KINDS = mark({"variable": "variable", "table": "table", "model": "model"})
_MEANING = mark(
    "The loss by uses is the mean of what each use loses, by how much it matters: of a variable or "
    "a table its information, of a model what 95 % confidence intervals no longer share, and the "
    "detail that recodes of its variables took. The plain loss is the mean of the information that "
    "the keys lose, all keys alike."
)


def board_uses(content: Content) -> Iterator[Block]:
    """Yield what each use lost; nothing if nobody said which matter."""
    found = content.comparison.uses
    if found is None:
        return
    yield _tell_loss(found, show_percent)
    yield from _tell_uses(found.parts, show_percent)
    yield note(say(_MEANING))
    for each in found.notes:
        yield note(name(retell(each)))


def public_uses(
    content: Content, hidden: frozenset[str], show: Callable[[float], str]
) -> Iterator[Block]:
    """Yield the same, rounded; nothing if it would tell how far secret numbers were moved.

    Uses that need a dropped variable are left out, and so are the means if they count one: whoever
    compares them with the uses that are shown would see that something is missing.

    Args:
        content: Everything that may be said.
        hidden: Variables of which the public must not learn how much they were moved.
        show: Rounds a share.
    """
    cost = content.comparison
    found = cost.uses
    if found is None or hidden:
        return
    told = [part for part in found.parts if not set(part.names).intersection(cost.dropped)]
    counted = _choose_counted(cost)
    whole = len(told) == len(found.parts) and not any(loss.dropped for loss in counted)
    if whole:
        yield _tell_loss(found, show)
    yield from _tell_uses(told, show)
    if whole:
        yield note(say(_MEANING))


def _tell_loss(found: LossByUses, show: Callable[[float], str]) -> Paragraph:
    text = say(
        "Loss by uses: {uses}. Plain loss: {plain}.",
        uses=show(found.loss),
        plain=show(found.plain),
    )
    return Paragraph(text)


def _tell_uses(parts: Sequence[UseLoss], show: Callable[[float], str]) -> Iterator[Block]:
    rows = [
        (name(part.name), say(_KINDS[part.kind]), show_number(part.weight), show(part.loss))
        for part in parts
    ]
    head = (say("Use that matters"), say("Kind"), say("How much it matters"), say("Loss"))
    caption = say("Loss by the uses that matter.")
    yield from table(caption, head, rows, numbers=(2, 3))
