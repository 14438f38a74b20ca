"""Page one: what the board decides on, and signs. What stands behind it follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.intruders import INTRUDERS, LEAST_RULES, IntruderRow, IntruderTable
from microsafe.options.policy import (
    ESTIMATOR,
    GAPS,
    GIVEN_AWAY,
    INVENTORY,
    TELLING,
    is_chance,
)
from microsafe.options.reason import is_by_person
from microsafe.report.content import Content
from microsafe.report.document import Block, Inline, Judgement, LineBreak, Span, fill, join, name
from microsafe.report.parts import Facts, facts, note, reason_in_words, table
from microsafe.report.sections.cover import signature_lines
from microsafe.report.sections.estimators import higher_in_words
from microsafe.report.sections.guesses import say_telling
from microsafe.report.sections.intruders import UNITS, judge_in_words
from microsafe.report.sections.scenarios import name_keys
from microsafe.report.sections.verdicts import show_ruling
from microsafe.report.shown_numbers import (
    count,
    show_number,
    show_odds,
    show_percent,
    show_rule_value,
)
from microsafe.report.texts import mark, plural, say, tell_notice
from microsafe.report.units import find_units
from microsafe.risk import TellingVariables
from microsafe.variables.profile import VariableProfile

_FEW = 2  # of a kind that are named here, so that all fits a page; the others stand further below
_NAMES = 8  # variables that are named
_LONG = 100  # characters of a reason
# Rules that hold always, or ask what blanks hide: none of them limits how easily somebody is found.
_NOT_ON_RISK = frozenset({ESTIMATOR, GAPS, GIVEN_AWAY, INVENTORY, TELLING})


def tell_decision(content: Content) -> Iterator[Block]:
    """Yield who could recognise whom, what is open, and the lines to sign."""
    yield _judge(content)
    if content.intruders is not None:
        yield from _recognised(content, content.intruders)
    yield from facts(_points(content))
    yield from signature_lines(content.cover)


def _judge(content: Content) -> Judgement:
    verdicts = content.verdicts
    if not verdicts:
        text = say("No policy was given, so there are no rules to judge the file by.")
        return Judgement("plain", say("Not judged."), text)
    unmet = [verdict for verdict in verdicts if not verdict.met]
    told = say("Rules met: {met} of {all}.", met=len(verdicts) - len(unmet), all=len(verdicts))
    found = content.intruders
    safe, unsafe = (
        "" if found is None else judge_in_words(found, [word]) for word in ("safe", "unsafe")
    )
    limited = any(verdict.rule not in _NOT_ON_RISK for verdict in verdicts)
    if not limited:
        told = f"{say('No limit on risk was set.')} {told}"
    if not unmet:
        told += f" {say('They were measured after the last step.')}"
        if not limited:
            return Judgement("plain", say("Not judged."), told)
        if unsafe:  # rules are met by a formula that misses what the intruder sees
            return Judgement("plain", unsafe, f"{told} {safe}".rstrip())
        return Judgement("go", safe or say("All rules are met."), told)
    if any(not each.reason for each in unmet):
        headline = say("Not to be released.")
        barred = sum(not each.reason for each in unmet)
        more = say("Not met, and without a reason to release: {count}.", count=barred)
    else:
        headline = say("Release by override.")
        more = say("Not met, and overridden with a reason given below: {count}.", count=len(unmet))
    return Judgement("stop", headline, " ".join(filter(None, (told, more, safe))))


def _recognised(content: Content, found: IntruderTable) -> Iterator[Block]:
    """Yield each intruder where he finds most, before and after."""
    several = len(content.measured) > 1
    worst = _find_worst(found)
    head = (
        say("Who"),
        say("Finds before"),
        say("Finds after"),
        say("Chance before"),
        say("Chance after"),
        say("Limit"),
    )
    usual = worst[0].now.unit if worst else "records"
    caption = say(
        "Who could recognise whom: how many he would find of {all}, and the chance of the one who "
        "is easiest to find.",
        all=_units(worst[0]) if worst else "",
    )
    rows = [_show_row(row, several=several, usual=usual) for row in worst]
    yield from table(caption, head, rows, numbers=(1, 2, 3, 4))
    unsafe = [notice for row in found.groups["unsafe"] for notice in row.now.notices]
    for told in dict.fromkeys(tell_notice(each) for each in unsafe if each.id == "family-formula"):
        yield note(name(told))
    for each in content.measured[:_FEW]:
        keys = _shorten(name_keys(each.before))
        text = say("Keys, known to the intruder: {keys}.")
        if several:
            text = say("Keys, known to the intruder in scenario “{scenario}”: {keys}.")
        yield note(fill(text, keys=keys, scenario=name(each.before.scenario.name)))


def _find_worst(found: IntruderTable) -> list[IntruderRow]:
    """Return one row for each intruder who was tried: the scenario in which he comes furthest."""
    worst: dict[str, IntruderRow] = {}
    for row in found.tried:
        other = worst.get(row.name)
        if other is None or _rank(row) > _rank(other):
            worst[row.name] = row
    return list(worst.values())


def _rank(row: IntruderRow) -> tuple[bool, float]:
    return row.met is False, row.now.expected or 0.0


def _units(row: IntruderRow) -> str:
    return say(UNITS[row.now.unit], count=count(row.now.units))


def _show_row(row: IntruderRow, *, several: bool, usual: str) -> tuple[Inline, ...]:
    """A row; what is counted is named where it is not the usual."""
    scenario = f" ({row.scenario})" if several and row.scenario else ""
    sides = (row.before, row.now)
    found = ["–" if each is None else _show_found(each.expected) for each in sides]
    brief = say(INTRUDERS[row.name].brief)
    if row.now.unit != usual:
        brief = say("{brief}; counted among {all}", brief=brief, all=_units(row))
    return (
        (name(f"{say(row.title)}{scenario}"), Span(brief, "label")),
        *found,
        *("–" if each is None or each.largest is None else show_odds(each.largest)
          for each in sides),
        _show_limit(row),
    )  # fmt: skip


def _show_found(expected: float | None) -> str:
    return "–" if expected is None else show_number(expected)


def _show_limit(row: IntruderRow) -> Inline:
    if row.met is None or row.rule is None or row.limit is None:
        return say("no limit")
    word = Span(say("met"), "met") if row.met else Span(say("not met"), "unmet")
    if row.rule in INTRUDERS[row.name].standing:
        return word
    if is_chance(row.rule):
        return (show_odds(row.limit), ", ", word)
    least = mark("at least {limit}" if row.rule in LEAST_RULES else "at most {limit}")
    return (say(least, limit=show_rule_value(row.rule, row.limit, row.scenario)), ", ", word)


def _points(content: Content) -> Facts:
    """What the board has to know besides."""
    rows: list[tuple[str, Sequence[Inline]]] = [
        (say("Overridden"), _overridden(content)),
        (say("Sensitive"), _sensitive(content)),
        (say("Not protected"), _unprotected(content)),
        (say("What it cost"), [_cost(content)]),
        (say("Reasons by the program"), _program_reasons(content)),
        (say("What you sign"), [_signed(content)]),
    ]
    return [(what, join(lines, LineBreak())) for what, lines in rows if lines]


def _overridden(content: Content) -> list[Inline]:
    """Rules that are not met and delicate variables that stay, each with its reason."""
    units = find_units(content.measured)
    by_rule: dict[tuple[str, str, str], list[str]] = {}
    for verdict in content.verdicts:
        if not verdict.met and verdict.reason:
            rule, limit, value = show_ruling(verdict, units)
            by_rule.setdefault((rule, limit, verdict.reason), []).append(value)
    told = [_say_override(*key, values) for key, values in by_rule.items()]
    by_reason: dict[str, list[VariableProfile]] = {}
    for row in _released(content):
        if row.findings and row.decision.why and is_by_person(row.decision.why):
            by_reason.setdefault(row.decision.why, []).append(row)
    for why, rows in by_reason.items():
        kinds = dict.fromkeys(say(each.kind) for row in rows for each in row.findings)
        text = say("{names}: kept although delicate ({kinds}). {reason}")
        names = _shorten([row.name for row in rows])
        told.append(fill(text, names=names, kinds=", ".join(kinds), reason=_reason(why)))
    return _few(told) or [say("No rule, and nothing that was found to be delicate.")]


def _say_override(rule: str, limit: str, why: str, values: Sequence[str]) -> Inline:
    value = ", ".join(dict.fromkeys(values))
    text = say("{rule}: {value} where {limit} is the limit. {reason}")
    return fill(text, rule=name(rule), value=value, limit=limit, reason=_reason(why))


def _sensitive(content: Content) -> list[Inline]:
    if content.inventory is None:
        return []
    found = [row.name for row in _released(content) if row.sensitive]
    if not found:
        return [say("No variable that goes out was found to be sensitive.")]
    text = say("{names}: whoever recognises somebody learns these.")
    return [fill(text, names=_shorten(found))]


def _unprotected(content: Content) -> list[Inline]:
    """Rules that are not met without a reason, and all that no rule speaks of."""
    units = find_units(content.measured)
    told: list[Inline] = []
    for verdict in content.verdicts:
        if not verdict.met and not verdict.reason:
            rule, limit, value = show_ruling(verdict, units)
            text = say("{rule}: {value} where {limit} is the limit.")
            told.append(fill(text, rule=name(rule), value=value, limit=limit))
    told = _few(told)
    if found := content.intruders:
        words = (judge_in_words(found, [each]) for each in ("unsafe", "unlimited", "untried"))
        told += map(name, filter(None, words))
    if stuck := sum(step.stuck for step in content.steps):
        told.append(_say_stuck(stuck, of_persons=set(units.values()) == {"persons"}))
    told += map(name, higher_in_words([each.after for each in content.measured])[:_FEW])
    told += _telling(content.telling)
    return told or [say("Nothing else was tried.")]


def _say_stuck(stuck: int, *, of_persons: bool) -> str:
    if of_persons:
        return plural(
            stuck,
            "{count} person could not be made safe by suppression alone.",
            "{count} persons could not be made safe by suppression alone.",
        )
    return plural(
        stuck,
        "{count} record could not be made safe by suppression alone.",
        "{count} records could not be made safe by suppression alone.",
    )


def _telling(found: TellingVariables | str | None) -> list[Inline]:
    """What other variables tell of each key that was changed, the best of them by key."""
    if found is None or isinstance(found, str):
        return list(say_telling(found))
    best: dict[str, str] = {}
    for row in (*found.determining, *found.notable):
        best.setdefault(row.key, f"{row.key} {show_percent(row.share)} ({row.words})")
    if not best:
        return []
    text = say("Of what was taken from keys, other variables tell: {told}.")
    return [fill(text, told=_shorten(list(best.values())))]


def _cost(content: Content) -> Inline:
    cost = content.comparison
    blanks = plural(cost.blanks, "{count} value was blanked (set to missing).",
                    "{count} values were blanked (set to missing).")  # fmt: skip
    changed = say(
        "{part} of {all} records were changed ({share}).",
        part=count(cost.touched.records),
        all=count(cost.records),
        share=show_percent(cost.touched.records / max(cost.records, 1)),
    )
    return f"{blanks} {changed}"


def _program_reasons(content: Content) -> list[Inline]:
    """How much rests on reasons that nobody gave."""
    steps = sum(bool(s.step.why) and not is_by_person(s.step.why) for s in content.steps)
    kept = sum(
        bool(row.decision.why) and not is_by_person(row.decision.why) for row in _released(content)
    )
    if not steps and not kept:
        return []
    return [
        say(
            "{kept} variables go out, and {steps} of {all} steps were taken, for reasons that the "
            "program wrote. Read them under “Decisions”.",
            kept=kept,
            steps=steps,
            all=len(content.steps),
        )
    ]


def _signed(content: Content) -> Inline:
    if any(not each.met and not each.reason for each in content.verdicts):
        return say("Nothing: no file was written, as rules are not met.")
    text = say("That {file} is released with all that stands on this page.")
    kind = content.cover.release_type
    if kind:
        text = say("That {file} is released as “{kind}”, with all that stands on this page.")
    return fill(text, file=name(content.output or content.source), kind=name(kind))


def _released(content: Content) -> list[VariableProfile]:
    rows = () if content.inventory is None else content.inventory.rows
    return [row for row in rows if row.decision.role != "dropped"]


def _reason(why: str) -> Inline:
    """A reason, cut if it is long: it stands in full further below."""
    return reason_in_words(why, _LONG)


def _few(lines: Iterator[Inline] | Sequence[Inline]) -> list[Inline]:
    told = list(lines)
    if len(told) <= _FEW + 1:
        return told
    return [*told[:_FEW], say("{count} more stand further below.", count=len(told) - _FEW)]


def _shorten(names: Sequence[str]) -> Inline:
    shown = join((name(each) for each in names[:_NAMES]), ", ")
    if len(names) <= _NAMES:
        return shown
    return (shown, say(" and {count} more", count=len(names) - _NAMES))
