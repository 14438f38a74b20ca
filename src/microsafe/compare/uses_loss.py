"""The loss by uses: what protection cost those uses that matter, beside the plain loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from microsafe.display import format_grid, keep_on_one_line, show_number, show_percent

BY_USES, PLAIN = "loss by uses", "plain loss"  # never one word for both
UseKind = Literal["variable", "table", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLoss:
    """What one use lost.

    Attributes:
        kind: `variable`, `table` or `model`.
        name: Of the variable or of those of the table; the formula of a model.
        weight: How much it matters.
        loss: From 0 to 1: information lost of a variable or a table, or what confidence intervals
            of a model no longer share, and the detail that recodes took from its variables.
        note: What to know of it.
    """

    kind: UseKind
    name: str
    weight: float
    loss: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossByUses:
    """The loss by the uses that matter, and the plain one beside it.

    Attributes:
        plain: Plain loss: the mean of the keys, whatever they matter; of the variables that were
            compared if there are no keys.
        parts: Uses: variables, then tables, then models.
    """

    plain: float
    parts: tuple[UseLoss, ...]

    @property
    def loss(self) -> float:
        """Loss by uses: the mean of all uses by their weights."""
        weighed = math.fsum(each.weight * each.loss for each in self.parts)
        return weighed / math.fsum(each.weight for each in self.parts)

    @property
    def words(self) -> str:
        """Both losses in a few words."""
        return f"{BY_USES} {show_percent(self.loss)}, {PLAIN} {show_percent(self.plain)}"

    @property
    def notes(self) -> Sequence[str]:
        """What to know of single uses."""
        return [each.note for each in self.parts if each.note]

    def round_figures(self) -> LossByUses:
        """Return the same in nine decimals: fits of models may differ in the last digits."""
        parts = (replace(each, loss=round(each.loss, 9)) for each in self.parts)
        return LossByUses(plain=round(self.plain, 9), parts=tuple(parts))

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield both losses as rows of a result."""
        yield BY_USES, f"{show_percent(self.loss)} of what the uses that matter need"
        yield PLAIN, f"{show_percent(self.plain)} (mean of the keys, all alike)"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "loss_by_uses": self.loss,
            "plain_loss": self.plain,
            "uses": [asdict(each) for each in self.parts],
        }

    def lines(self) -> list[str]:
        """Return a table for a terminal, with both losses."""
        rows = [("use that matters", "kind", "weight", "loss")]
        rows += [
            (
                keep_on_one_line(each.name, 60),
                each.kind,
                show_number(each.weight),
                show_percent(each.loss),
            )
            for each in self.parts
        ]
        rows += [
            (BY_USES, "", "", show_percent(self.loss)),
            (f"{PLAIN} (mean of the keys, all alike)", "", "", show_percent(self.plain)),
        ]
        return format_grid(rows, right=(2, 3))
