"""Who could recognise whom: one table of scenarios and intruders, and the verdict that it gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microsafe.display import show_number, show_percent, show_risk
from microsafe.intruders.base import LEAST_RULES, Intruder, IntruderResult, Unit
from microsafe.notices import Notice
from microsafe.options.policy import show_rule_value
from microsafe.results import ResultTable
from microsafe.svg import draw_bars

_OUTCOMES = {"safe": True, "unsafe": False, "unlimited": None}  # whether the rules are met
_WORDS = {
    "safe": "Safe against",
    "unsafe": "Not safe against",
    "unlimited": "No limit is set for",
    "untried": "Not tried",
}
_DECIMALS = 2  # of people who would be found for certain
_DIGITS = 6  # of figures in a lock


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntruderRow:
    """What one intruder would find under one scenario.

    Attributes:
        name: Of the intruder, in plans and on the command line.
        title: In tables, reports and the app.
        knows: One sentence: who, knows what, of whom.
        scenario: Name of the scenario; None if it makes no difference.
        unit: What is counted.
        now: What he would find in the file as it now is.
        before: What he would have found before protection; None if nothing was done, or he was not
            tried.
        rule: The rule of the policy that he is judged by: of several the first that is not met.
        limit: Its limit; None if the policy does not say.
        met: Whether all his rules are met; None without a limit.
    """

    name: str
    title: str
    knows: str
    scenario: str | None
    unit: Unit | None
    now: IntruderResult
    before: IntruderResult | None = None
    rule: str | None = None
    limit: float | None = None
    met: bool | None = None

    @property
    def not_tried(self) -> str:
        """Why he was not tried; empty if he was."""
        return self.now.not_tried

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        before = self.before
        return {
            "name": self.name,
            "scenario": self.scenario,
            "knows": self.knows,
            "unit": self.unit,
            **_figures(self.now),
            "certain": self.now.certain,
            "before": None if before is None else _figures(before),
            "rule": self.rule,
            "limit": self.limit,
            "met": self.met,
            "not_tried": self.not_tried or None,
        }

    def round_figures(self) -> dict[str, Any]:
        """Return what a lock says of him: no words, and figures of six digits."""
        return {name: _round(figure) for name, figure in self.summary().items() if name != "knows"}


class IntruderTable(ResultTable[IntruderRow]):
    """Who could recognise whom, the worst scenario first; then who was not tried, and why."""

    title = "Who could recognise whom"
    headings = ("scenario", "who", "before", "now", "largest chance", "above", "certain", "limit")
    right = (2, 3, 5, 6)

    @property
    def tried(self) -> tuple[IntruderRow, ...]:
        """Those who were tried."""
        return tuple(row for row in self if not row.not_tried)

    @property
    def untried(self) -> tuple[IntruderRow, ...]:
        """Those who were not."""
        return tuple(row for row in self if row.not_tried)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What to know before trusting the figures."""
        said = {notice.text: notice for row in self.tried for notice in row.now.notices}
        return tuple(said.values())

    @property
    def groups(self) -> dict[str, Sequence[IntruderRow]]:
        """What became of each, by word: safe, unsafe, unlimited, untried."""
        tried = {
            word: [row for row in self.tried if row.met is met] for word, met in _OUTCOMES.items()
        }
        return {**tried, "untried": self.untried}

    @property
    def verdict(self) -> str:
        """Say whom the file is safe against, and whom nobody tried."""
        return self._judge(_WORDS)

    def name_rows(self, rows: Iterable[IntruderRow], say: Callable[[str], str] = str) -> list[str]:
        """Name intruders, with their scenarios where there are several.

        Args:
            rows: Some of the table.
            say: Says a title, maybe in another language.
        """
        several = len({row.scenario for row in self if row.scenario is not None}) > 1
        named: dict[str, list[str]] = {}
        for row in rows:
            named.setdefault(say(row.title), []).extend(filter(None, [row.scenario]))
        return [
            f"{title} ({', '.join(scenarios)})" if several and scenarios else title
            for title, scenarios in named.items()
        ]

    def _judge(self, words: Collection[str]) -> str:
        return " ".join(
            f"{_WORDS[word]}: {', '.join(self.name_rows(rows))}."
            for word, rows in self.groups.items()
            if rows and word in words
        )

    def measured(self, scenario: str) -> dict[str, float]:
        """Return what was measured for the rules that intruders are judged by, in a scenario."""
        rows = [row for row in self if row.scenario in (scenario, None)]
        return {rule: value for row in rows for rule, value in row.now.figures.items()}

    def reasons(self, scenario: str) -> dict[str, str]:
        """Return why those were not tried in a scenario who are judged by some rule, by rule."""
        rows = [row for row in self.untried if row.scenario in (scenario, None)]
        return {row.rule: row.not_tried for row in rows if row.rule is not None}

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {"intruders": [row.summary() for row in self]}

    def round_figures(self) -> dict[str, dict[str, Any]]:
        """Return what a lock says of those who were tried, by intruder and scenario."""
        found: dict[str, dict[str, Any]] = {}
        for row in self.tried:
            found.setdefault(row.name, {})[str(row.scenario)] = row.round_figures()
        return found

    def _cells(self) -> list[tuple[str, ...]]:
        return [_show_row(row) for row in self.tried]

    def _picture(self) -> str:
        bars = [(row.title, row.now.expected or 0.0, show_found(row.now)) for row in self.tried]
        return draw_bars("People who would be recognised", bars)

    def _remarks(self) -> Sequence[str]:
        return [self._judge(_OUTCOMES), *explain_untried(self)]


def explain_untried(table: IntruderTable) -> Iterator[str]:
    """Say why each of those who were not tried was not."""
    for row in table.untried:
        for who in table.name_rows([row]):
            yield f"{who} was not tried: {row.not_tried}"


def show_found(result: IntruderResult) -> str:
    """Return how many of what would be found, and how that is known if not all were looked at."""
    if result.expected is None:
        return "–"
    found = f"{show_number(result.expected)} {result.unit}"
    if result.standard_error is None:
        return found
    error, share = show_number(result.standard_error), show_percent(result.share)
    return f"{found} ± {error} (by {share} of the file)"


def show_limit(row: IntruderRow) -> str:
    """Return the limit of a row, and whether it is met."""
    if row.rule is None or row.limit is None:
        return "none"
    bound = "at least" if row.rule in LEAST_RULES else "at most"
    met = "met" if row.met else "not met"
    return f"{row.rule} {bound} {show_rule_value(row.rule, row.limit, row.scenario)}: {met}"


def _show_row(row: IntruderRow) -> tuple[str, ...]:
    now = row.now
    return (
        row.scenario or "",
        row.title,
        "" if row.before is None else show_found(row.before),
        show_found(now),
        "–" if now.largest is None else show_risk(now.largest),
        "–" if now.above is None else f"{now.above:,}",
        "–" if now.certain is None else show_number(round(now.certain, _DECIMALS)),
        show_limit(row),
    )


def judge_row(
    kind: type[Intruder], now: IntruderResult, limits: Mapping[str, float]
) -> dict[str, Any]:
    """Return rule, limit and whether all rules are met, as a row has them."""
    standing = {rule: limit for rule, limit in kind.standing.items() if rule in now.figures}
    limits = {**limits, **standing}
    rules = [rule for rule in kind.judged_by() if rule in limits]
    if now.not_tried or not rules:
        return {"rule": [*rules, kind.judged_by()[0]][0]}
    unmet = [rule for rule in rules if not now.meets(rule, limits[rule])]
    rule = (unmet or rules)[0]
    return {"rule": rule, "limit": limits[rule], "met": not unmet}


def order_rows(rows: Sequence[IntruderRow]) -> list[IntruderRow]:
    """Put the scenario in which most would be found first, and those not tried last, merged."""
    worst: dict[str | None, float] = {}
    for row in rows:
        worst[row.scenario] = max(worst.get(row.scenario, 0.0), row.now.expected or 0.0)
    tried = [row for row in rows if not row.not_tried]
    tried.sort(key=lambda row: -worst[row.scenario])
    return [*tried, *_merge_untried([row for row in rows if row.not_tried], len(worst))]


def _merge_untried(rows: Sequence[IntruderRow], scenarios: int) -> Iterator[IntruderRow]:
    """Name those once who were not tried in any scenario for the same reason."""
    alike: dict[tuple[str, str], list[IntruderRow]] = {}
    for row in rows:
        alike.setdefault((row.name, row.not_tried), []).append(row)
    for group in alike.values():
        if len(group) == scenarios > 1:
            first = group[0]
            yield IntruderRow(
                name=first.name, title=first.title, knows=first.knows, scenario=None,
                unit=first.unit, now=first.now, rule=first.rule,
            )  # fmt: skip
        else:
            yield from group


def _figures(result: IntruderResult) -> dict[str, Any]:
    figures = {"expected": result.expected, "largest": result.largest, "above": result.above}
    if result.standard_error is None:
        return figures
    return figures | {"share": result.share, "standard_error": result.standard_error}


def _round(figure: Any) -> Any:
    """Round what may differ in its last digits between machines."""
    if isinstance(figure, dict):
        return {name: _round(value) for name, value in figure.items()}
    return float(f"{figure:.{_DIGITS}g}") if isinstance(figure, float) else figure
