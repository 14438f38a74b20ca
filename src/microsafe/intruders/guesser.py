"""The guesser: he fills in what the file hides of keys from everything that it shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from microsafe.cells import Index
from microsafe.intruders.base import AttackedFile, Hits, Intruder, IntruderResult, find_sum_error
from microsafe.intruders.record_parts import part_records
from microsafe.options.policy import MUCH_HIGHER, TELLING
from microsafe.progress import Progress, silent
from microsafe.risk.counts.hidden_values import (
    PARTS,
    Afford,
    Codes,
    Guesses,
    HiddenKey,
    Right,
    calibrate,
    code_variable,
)
from microsafe.risk.counts.telling import SURE
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import Floats, total


@dataclass(frozen=True, slots=True, kw_only=True)
class GuesserIntruder(Intruder):
    """Guesses hidden keys from every other variable, then looks for the person."""

    name = "guesser"
    title = "Guesser"
    brief = "Guesses hidden values from all else that the file shows"
    knows = (
        "Someone who knows the keys of one person and guesses what the file hides of keys from "
        "everything else that it shows."
    )
    assumes = (
        "What goes with what is known, from records that show the key or from other data in which "
        "values are hidden in the same way; hidden keys are guessed one by one."
    )
    term = GlossaryTerm(
        name="intruder: guesser",
        meaning="Someone who fills in blanked, recoded and dropped keys by their most likely "
        "values, given all that the file shows, and then matches by all keys.",
        see="[Guesser](methods/intruder-guesser.md)",
        sdcmicro="–",
        muargus="–",
    )
    unit = "records"
    rules = (TELLING,)
    standing = MappingProxyType({TELLING: MUCH_HIGHER})
    by_record = True
    when_perturbed = False
    with_population = False
    with_persons = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        """Count the records that are found by what they show, or by guesses that are right."""
        earlier = file.earlier()
        if earlier is None:
            return self.skip(Sentence("keys-made"))
        risk = file.record_risk()
        aims = list_aims(file, earlier, len(risk))
        if not aims:
            return replace(
                _count(risk, {"screen": risk}, np.ones(len(risk), np.bool_), told=False), figures={}
            )
        drawn, decided = decide(file, aims, risk, progress)
        chances = {way: chance for way, (_, chance) in decided.items()}
        told = not {key for aim in aims for key in aim.changed}.isdisjoint(file.told())
        allowed = file.limits.get("record_risk", 0.0) * len(risk)
        return _count(risk, chances, drawn, told=told, allowed=allowed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aim:
    """What the file hides of an earlier state of it, all of which he fills in.

    Attributes:
        changed: Original codes of keys that are hidden at least in part, and what is shown.
        risk: Of each record if all of that were known.
    """

    changed: dict[str, tuple[Index, Index]]
    risk: Floats

    def guess(
        self,
        coded: Mapping[str, tuple[Codes, ...]],
        part: Index,
        drawn: Right,
        afford: Afford,
        progress: Progress,
    ) -> dict[str, tuple[Floats, Floats]]:
        """Return what he expects of each record if he fills it in, and what comes of it, by way.

        Both are 0 where there is nothing to fill in.
        """
        hides = np.zeros(len(part), np.bool_)
        right: dict[str, Right] = {}
        chance: dict[str, Floats] = {}
        for done, (key, (original, shown)) in enumerate(self.changed.items()):
            progress("guessing keys", done / len(self.changed))
            hidden = HiddenKey.of_records(original[drawn], shown[drawn], part)
            hides[hidden.hidden] = True
            others = [coded[name] for name in coded if name != key]
            for way, guesses in hidden.guess(others, afford).items():
                right.setdefault(way, np.ones(len(part), np.bool_))[hidden.hidden] &= guesses.right
                chance.setdefault(way, np.ones(len(part)))[hidden.hidden] *= guesses.chance
        found, risk = {}, self.risk[drawn][hides]
        for way in right:
            both = Guesses(right=right[way][hides], chance=chance[way][hides])
            sure, hit = np.zeros((2, len(part)))
            sure[hides] = calibrate(both, part[hides]) * risk
            hit[hides] = both.right * risk
            found[way] = sure, hit
        return found


def decide(
    file: AttackedFile, aims: Sequence[Aim], risk: Floats, progress: Progress = silent
) -> tuple[Right, dict[str, tuple[Right, Floats]]]:
    """Choose for each record whether to guess what is hidden of it.

    Args:
        file: That is attacked.
        aims: What may be guessed.
        risk: Of each record by what it shows.
        progress: Progress callback.

    Returns:
        Which records are looked at; by way of guessing, of which of them guesses promise more, and
        what comes of each.
    """
    shown = dict(_read_variables(file, progress))
    truths = [codes for aim in aims for codes, _ in aim.changed.values()]
    part, drawn = part_records(file.households(), [*truths, *shown.values()], PARTS)
    coded = {name: code_variable(codes[drawn]) for name, codes in shown.items()}
    own = risk[drawn]
    best: dict[str, Floats] = {}
    chances: dict[str, Floats] = {}
    for aim in aims:
        found = aim.guess(coded, part[drawn], drawn, file.afford_guesses, progress)
        for way, (sure, hit) in found.items():
            most = best.get(way, own)
            chances[way] = np.where(sure > most, hit, chances.get(way, own))
            best[way] = np.maximum(sure, most)
    return drawn, {way: (best[way] > own, chances[way]) for way in chances}


def list_aims(file: AttackedFile, earlier: Sequence[AttackedFile], records: int) -> list[Aim]:
    """Return what a file hides of earlier states of it; of two that had the same keys the first."""
    aims: list[Aim] = []
    for each in earlier:
        changed = _find_hidden(file, each, records)
        if changed and all(_differ(changed, aim.changed) for aim in aims):
            aims.append(Aim(changed=changed, risk=each.record_risk()))
    return aims


def _find_hidden(
    file: AttackedFile, earlier: AttackedFile, records: int
) -> dict[str, tuple[Index, Index]]:
    """Return original codes of keys that are hidden in some record, and what is shown of them."""
    none, found = np.zeros(records, np.intp), {}
    for key in earlier.scenario.keys:
        original = earlier.shown(key)
        shown = file.shown(key) if key in file.schema else none
        if len(HiddenKey.of_records(original, shown, none).asked):
            found[key] = original, shown
    return found


def _differ(
    some: Mapping[str, tuple[Index, Index]], others: Mapping[str, tuple[Index, Index]]
) -> bool:
    return some.keys() != others.keys() or not all(
        np.array_equal(some[key][0], others[key][0]) for key in some
    )


def _count(
    risk: Floats, chances: dict[str, Floats], drawn: Right, *, told: bool, allowed: float = 0.0
) -> IntruderResult:
    """Count hits of the best way of guessing, scaled up where not all records were looked at.

    Args:
        risk: Of each record by what it shows.
        chances: By way of guessing what becomes of the records that were drawn.
        drawn: Which they are.
        told: Whether some variable tells much of a key; else what he gains is no matter of its
            rule: he knows how blanks are chosen.
        allowed: Hits that a file may have which just keeps to the limit on a record; his rule asks
            for a reason above that only.
    """
    share, exact, own = float(np.mean(drawn)), total(risk), risk[drawn]
    gains = {way: total(chance - own) / share for way, chance in chances.items()}
    best = max(gains, key=lambda way: gains[way])
    gain, chance = (gains[best], chances[best]) if gains[best] > 0 else (0.0, own)
    spread = math.sqrt(total((chance - own) ** 2)) / share
    judged = told and gain >= SURE * spread and exact + gain > allowed
    counted = gain if judged else 0.0
    return IntruderResult(
        unit="records",
        units=len(risk),
        expected=exact + gain,
        largest=Hits(chance=chance).largest,
        figures={TELLING: 1.0 + counted / exact if exact else 1.0},
        chances=chance if share == 1.0 else None,
        found={"exact": exact, **{way: exact + each for way, each in gains.items()}},
        share=share,
        standard_error=find_sum_error(chance - own, share),
    )


def _read_variables(file: AttackedFile, progress: Progress) -> Iterator[tuple[str, Index]]:
    """Read what the file shows of each record, and of other members where they are seen."""
    names = [variable.name for variable in file.schema if variable.kind != "other"]
    home = file.households() if file.scenario.household in file.schema else None
    for done, name in enumerate(names):
        progress("reading what may tell of keys", done / len(names))
        codes = file.shown(name)
        yield name, codes
        if home is not None and name != file.scenario.household:
            least, most = _find_others(codes, home)
            yield f"least {name} of others", least
            yield f"most {name} of others", most


def _find_others(codes: Index, home: Index) -> tuple[Index, Index]:
    """Return the lowest and the highest code that other members show; 0 if none does."""
    never = int(codes.max(initial=0)) + 1
    found = []
    for values in (np.where(codes > 0, codes, never), never - codes):
        order = np.lexsort((values, home))
        there, ordered = home[order], values[order]
        start = np.flatnonzero(np.r_[True, there[1:] != there[:-1]])
        size = np.diff(np.r_[start, len(there)])
        first = np.repeat(ordered[start], size)
        second = ordered[np.minimum(start + 1, len(ordered) - 1)]
        first[start] = np.where(size > 1, second, never)  # the lowest sees the next
        back = np.empty_like(first)
        back[order] = first
        found.append(back)
    least, most = found
    return np.where(least < never, least, 0), never - most
