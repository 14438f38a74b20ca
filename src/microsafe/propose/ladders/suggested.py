"""Rungs that the data suggest: what a key is, recognised by the shape of its codes and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.engine.transformations import numbers_of
from microsafe.propose.ladders.category_rungs import (
    MOST_LISTED,
    MOST_RUNGS,
    KeyCategories,
    Part,
    neighbour_rungs,
    parent_rungs,
    pool_rungs,
    prefix_rungs,
)
from microsafe.propose.ladders.hierarchy_files import classification_rungs
from microsafe.propose.ladders.ladder import Ladder, Rung, as_values, build_ladder, has_huge
from microsafe.propose.ladders.number_rungs import number_rungs
from microsafe.schema import Variable
from microsafe.steps.recode import Recode
from microsafe.sums import Floats
from microsafe.variables.classifications import BRITISH_POSTCODE, CODE_SHAPES, DIGIT_CODES
from microsafe.variables.roles import likely_measure
from microsafe.variables.vocabulary import Topic, says

_MANY = 25  # numbers from which bins are worth having; of fewer, neighbours are joined
_LONG_CODE = 4  # digits from which codes with leading zeros are a classification
_MANY_PLACES = 10  # categories from which it is looked for variables that they are parts of
_FULL = 0.75  # share of whole numbers that have all their digits; others lost leading zeros

_FIGURE = r"[0-9]+(?:\.[0-9]+)?"
_RANGE = re.compile(
    rf"(?P<under>under|below|less than|up to|<=?|unter|bis|moins de|menos de)?\s*"
    rf"(?P<low>{_FIGURE})(?:\s*(?:-|–|to|bis|à|a)\s*<?(?P<high>{_FIGURE}))?\s*"
    r"(?P<over>\+|(?:and|or|&) (?:over|more|above|older)|plus|und mehr|et plus|y más)?"
    r"(?:\s*(?:years?|yrs?|jahre|ans|años)(?: old)?)?",
    re.IGNORECASE,
)


FindParents = Callable[[], Iterable[tuple[str, Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class _Band:
    """A range of numbers that a name spells; an end that is open is None."""

    low: float | None
    high: float | None

    @property
    def start(self) -> float:
        """Where it lies: its lower end, or just below its upper one."""
        return self.low if self.low is not None else float(self.high or 0) - 1e-9


def suggest_ladder(
    variable: Variable,
    categories: Sequence[str],
    count: NDArray[np.int64],
    *,
    parents: FindParents = lambda: (),
) -> Ladder:
    """Return the ladder that the data suggest for a key; it may have rung 0 only.

    The first that fits: codes that are shortened, ranges such as "20-24", variables that the key
    determines, names with a common beginning, bins of numbers, neighbours of an order, codes by
    their first characters, rare categories pooled.

    Args:
        variable: The key.
        categories: Its categories in order; code c is `categories[c - 1]`.
        count: Records of each category.
        parents: Finds variables that the key determines: their names, and what each category has
            there. Asked only if it matters.

    References:
        docs/methods/ladders.md.
    """
    ladder = build_ladder(variable, categories, ())
    if has_huge(variable, categories):
        return ladder
    keys = KeyCategories.of(variable, categories, count)

    def climb_parents(keys: KeyCategories) -> Iterator[Rung]:
        many = len(keys) == len(categories) >= _MANY_PLACES
        return parent_rungs(keys, parents() if many else ())

    finders = (
        _code_rungs,
        _digit_rungs,
        _band_rungs,
        _ordered_rungs,
        climb_parents,
        prefix_rungs,
        _beginning_rungs,
        pool_rungs,
    )
    for find in finders:
        if len(categories) > MOST_LISTED and find in (climb_parents, prefix_rungs, pool_rungs):
            continue
        ladder = build_ladder(variable, categories, list(find(keys)), optional=True)
        if len(ladder) > 1:
            return _shorten(ladder)
    return ladder


def _shorten(ladder: Ladder) -> Ladder:
    """As many rungs as a ladder has by default, spread over those that there are."""
    above = len(ladder) - 1
    if above <= MOST_RUNGS:
        return ladder
    kept = [0, *(-(-each * above // MOST_RUNGS) for each in range(1, MOST_RUNGS + 1))]
    return Ladder(
        ladder.key,
        tuple(ladder.rungs[each] for each in kept),
        steps=tuple(ladder.steps[each] for each in kept),
        words=tuple(ladder.words[each] for each in kept),
        labels=tuple(ladder.labels[each] for each in kept),
    )


def _code_rungs(keys: KeyCategories) -> Iterator[Rung]:
    """Codes of a known build, shortened where they can be cut."""
    if keys.variable.kind in ("integer", "number"):
        return
    zeros = any(re.match("0[0-9]", code) for code in keys.codes)
    if keys.numeric and not zeros and not _says(keys.variable, "industry"):
        return  # 10.11 may be a number, 01.11 is none
    for shape in CODE_SHAPES:
        if all(re.fullmatch(shape.pattern, code) for code in keys.codes):
            yield from _cut_rungs(keys, shape.name, shape.cuts)
            return
    found = [BRITISH_POSTCODE.fullmatch(code) for code in keys.codes]
    if found and all(found):
        outward = {match[0]: match[1] for match in found if match}
        area = {match[1]: match[2] for match in found if match}
        yield from classification_rungs(keys.variable.name, [outward, area], "the postcode")


def _cut_rungs(keys: KeyCategories, name: str, cuts: Iterable[int]) -> Iterator[Rung]:
    for keep in cuts:
        cut = [code[:keep] for code in keys.codes if len(code) > keep]
        if cut and all(each[-1].isalnum() for each in cut):
            step = Recode(variable=keys.variable.name, keep=keep)
            yield Rung(step, f"{_count(keep, 'character')} of the {name}")


def _digit_rungs(keys: KeyCategories) -> Iterator[Rung]:
    """Codes of digits, shortened one by one, where the name or label says what they are.

    Leading zeros say it too; as numbers, codes may have lost theirs.
    """
    variable, codes = keys.variable, keys.codes
    topic = _topic(variable)
    name, least = DIGIT_CODES[topic] if topic else ("code", _LONG_CODE)
    if variable.measure == "scale" or not all(re.fullmatch("[0-9]{1,9}", c) for c in codes):
        return
    longest = max(map(len, codes), default=0)
    full = sum(len(code) == longest for code in codes)
    if longest < least:
        return
    if variable.kind == "text":
        if full == len(codes) and (topic or any(code.startswith("0") for code in codes)):
            yield from _cut_rungs(keys, name, range(longest - 1, 0, -1))
    elif topic and full >= _FULL * len(codes):
        for keep in range(longest - 1, 0, -1):
            yield Rung(_divide(keys, longest - keep), f"{_count(keep, 'digit')} of the {name}")


def _beginning_rungs(keys: KeyCategories) -> Iterator[Rung]:
    """Codes of one length without names, by ever fewer of their first characters.

    Only as far as that joins at least every other code, and leaves more than one group.
    """
    lengths = {len(code) for code in keys.codes}
    if keys.variable.kind != "text" or len(lengths) != 1 or keys.variable.labels:
        return
    (length,) = lengths
    for keep in range(length - 1, 0, -1):
        groups = len({code[:keep] for code in keys.codes})
        if 2 <= groups <= len(keys) / 2 and all(code[:keep].isalnum() for code in keys.codes):
            yield from _cut_rungs(keys, "code", [keep])


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _divide(keys: KeyCategories, digits: int) -> Recode:
    """The step that takes digits off the end of numbers."""
    size = 10**digits
    starts = sorted({int(code) // size for code in keys.codes})
    return Recode(
        variable=keys.variable.name,
        groups={str(s): ((str(s * size), str((s + 1) * size - 1)),) for s in starts},
    )


def _topic(variable: Variable) -> Topic | None:
    """What the name or the label says, if it is a classification."""
    return next((code for code in DIGIT_CODES if _says(variable, code)), None)


def _says(variable: Variable, topic: Topic) -> bool:
    return says(variable.name, topic) or says(variable.label, topic)


def _band_rungs(keys: KeyCategories) -> Iterator[Rung]:
    """Names such as "20-24" or "85 and over": bands of twice and four times the width."""
    found = [_parse_band(label) for label in keys.labels]
    bands = [band for band in found if band is not None]
    wide = sum(band.low is not None and band.low != band.high for band in bands)
    if not wide or len(bands) < len(keys):
        return
    order = sorted(range(len(bands)), key=lambda place: bands[place].start)
    sorted_bands = [bands[place] for place in order]
    if any(a.high is None or b.low is None or a.high > b.low for a, b in pairwise(sorted_bands)):
        return  # they overlap

    def name(part: Sequence[int]) -> str:
        return _band_name(bands[part[0]], bands[part[-1]])

    lows = [band.low for band in sorted_bands if band.low is not None]
    width, often = Counter(np.diff(lows).round(9).tolist()).most_common(1)[0]
    if 2 * wide < len(bands) or 2 * often < len(lows) - 1:
        yield from neighbour_rungs(keys, order, name)
        return
    for times in (2, 4):
        groups: dict[int, list[int]] = {}
        for place in order:
            groups.setdefault(int(bands[place].start // (width * times)), []).append(place)
        parts: list[Part] = [(name(part), part) for part in groups.values()]
        yield Rung(keys.merge(parts), f"bands of {width * times:g}")


def _parse_band(name: str) -> _Band | None:
    found = _RANGE.fullmatch(name.strip())
    if found is None or (found["under"] and (found["high"] or found["over"])):
        return None
    low = float(found["low"])
    if found["under"]:
        return _Band(None, low)
    if found["over"]:
        return None if found["high"] else _Band(low, None)
    high = float(found["high"] or low)
    return _Band(low, high) if high >= low else None


def _band_name(first: _Band, last: _Band) -> str:
    if first.low is None:
        return f"up to {last.high:g}"
    return f"{first.low:g} and over" if last.high is None else f"{first.low:g}-{last.high:g}"


def _ordered_rungs(keys: KeyCategories) -> Iterator[Rung]:
    """Numbers in bins, or neighbours of an order joined."""
    variable = keys.variable
    numbers = numbers_of(as_values(variable, keys.codes))
    if not _is_ordered(variable, numeric=numbers is not None):
        return
    if numbers is not None and not keys.labelled and len(keys) >= _MANY:
        yield from number_rungs(variable, numbers, keys.count)
        return
    order = _order(keys, numbers)
    yield from neighbour_rungs(keys, order, lambda part: _span_name(keys, part))


def _is_ordered(variable: Variable, *, numeric: bool) -> bool:
    """Whether neighbours belong together: as declared, numbers without labels, or levels."""
    if numeric and _says(variable, "education"):
        return True
    measure = likely_measure(variable, numeric=numeric)
    if measure == "unknown":
        return numeric and not variable.labels and _topic(variable) is None
    return measure in ("ordinal", "scale")


def _order(keys: KeyCategories, numbers: Floats | None) -> list[int]:
    """Categories as declared, by number, or as their labels are listed; other texts have none."""
    declared = {spell_code(code): place for place, code in enumerate(keys.variable.order)}
    if declared and all(code in declared for code in keys.codes):
        return sorted(range(len(keys)), key=lambda place: declared[keys.codes[place]])
    if numbers is not None:
        return [int(place) for place in np.argsort(numbers, kind="stable")]
    listed = {str(code).strip(): place for place, code in enumerate(keys.variable.labels)}
    if not keys.labelled:
        return []
    return sorted(range(len(keys)), key=lambda place: listed[keys.codes[place]])


def _span_name(keys: KeyCategories, part: Sequence[int]) -> str:
    word = "or" if len(part) == 2 else "to"
    return f"{keys.labels[part[0]]} {word} {keys.labels[part[-1]]}"
