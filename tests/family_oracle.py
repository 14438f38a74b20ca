"""The risk of families by loops over households: slow, and nothing shared with the package."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

ALPHAS = (0.25, 1, 4, 16, 64, 256, 1024)


def entropy(values):
    seen = Counter(value for value in values if value)
    return -sum(n / seen.total() * math.log(n / seen.total()) for n in seen.values())


def cut(values):
    """Group of each code, codes cut in order into groups of equal numbers; 0 for a gap."""
    most, seen = max(values), Counter(value for value in values if value)
    if most < 6:
        return None
    parts, before, group = max(3, int(math.sqrt(most))), 0.0, {0: 0}
    for code in range(1, most + 1):
        share = seen[code] / seen.total()
        group[code] = 1 + min(int((before + share / 2) * parts), parts - 1)
        before += share
    return group


class Chance:
    """One key of one role: rows are (household, code, candidates by name)."""

    def __init__(self, rows, codes, inside, weight, learnt=True):
        self.rows, self.codes, self.inside, self.weight = rows, codes, inside, weight
        self.parents, self.alphas, self.wishes = [], [1.0], []
        there = [row for row in rows if row[1]]
        if not there:
            return
        best, self.alphas[0] = self.fit([], there, [])
        gains = {}
        names = list(there[0][2])
        while len(self.parents) < 3:
            fits = {n: self.fit([*self.parents, n], there, self.alphas) for n in names}
            if not self.parents:
                gains = {name: fit[0] - best for name, fit in fits.items()}
            if not fits:
                break
            name = max(fits, key=lambda n: fits[n][0])
            if fits[name][0] - best < 0.5 * math.log(len(there)):
                break
            best = fits[name][0]
            self.alphas.append(fits[name][1])
            self.parents.append(name)
            ranked = sorted(gains, key=lambda n: -gains[n])
            names = [n for n in ranked[:12] if n not in self.parents]
        told = [n for n in gains if gains[n] > 0.5 * math.log(len(there))]
        spare = sorted((n for n in told if n not in self.parents), key=lambda n: -gains[n])
        self.wishes = [*self.parents, *spare][:20]

    def start(self, code):
        return self.inside[code] if self.inside else 0

    def base(self, code):
        if not self.inside:
            return 1 / self.codes
        return 1 / sum(self.inside[c] == self.inside[code] for c in range(1, self.codes + 1))

    def probability(self, row, names, alphas, left_out, there):
        _, code, known = row
        p = self.base(code)
        for k in range(len(names) + 1):
            n1 = n0 = 0.0
            for other in there:
                alike = self.start(other[1]) == self.start(code)
                if alike and all(other[2][n] == known[n] for n in names[:k]):
                    w = self.weight[other[0]] * (1 - left_out(other))
                    n0 += w
                    n1 += w * (other[1] == code)
            n1, n0 = max(n1, 0.0), max(n0, 0.0)
            p = (n1 + alphas[k] * p) / (max(n0, n1) + alphas[k])
        return p

    def fit(self, names, there, alphas):
        """The best shrinkage of the last table, each row left out of its own."""
        found = []
        for alpha in ALPHAS:
            value = 0.0
            for row in there:
                p = self.probability(
                    row, names, [*alphas, alpha], lambda o, row=row: o is row, there
                )
                value += self.weight[row[0]] * math.log(p)
            found.append((value, alpha))
        return max(found, key=lambda pair: pair[0])

    def surprise(self, row, shown, times):
        there = [each for each in self.rows if each[1]]
        names = [name for name in self.wishes if shown(name)][: len(self.parents)]
        p = self.probability(row, names, self.alphas, lambda o: times * (o[0] == row[0]), there)
        return -math.log(p)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def match_chance(f, mean, fraction, d):
    """E(1/F | f) by integrating t^(f-1) times the generating function of F - f, in pieces."""
    d = max(d, 1e-9)
    a, w = 1 / d + f, d * (1 - fraction) * mean / (1 + d * fraction * mean)
    value, edges = 0.0, [1.0, *(2.0**-k for k in range(1, 50)), 0.0]
    for high, low in pairwise(edges):  # of 1 - t
        u = low + (high - low) * (NODES + 1) / 2
        value += (high - low) / 2 * (WEIGHTS * (1 - u) ** (f - 1) * (1 + w * u) ** -a).sum()
    return value


def measure(homes, weights, shared, keys, shown=None):
    """Risk of each household.

    Args:
        homes: For each household its members, a dictionary of codes each (0 is a gap); members
            stand in the order of the method.
        weights: Of each household.
        shared: Keys that members share.
        keys: Keys of persons, that of the largest entropy first.
        shown: For each household and member the keys that are shown; all of them if None.
    """
    mean = sum(weights) / len(weights)
    scaled = [weight / mean for weight in weights]
    groups = {key: cut([person[key] for home in homes for person in home]) for key in keys}
    most = {key: max(p[key] for home in homes for p in home) for key in (*shared, *keys)}
    chances = []  # (chance, row by home and place, key, names of persons)
    rows = {key: [] for key in shared}
    for h, home in enumerate(homes):
        known = {("size",): min(len(home), 6)}
        for key in shared:
            rows[key].append((h, home[0][key], dict(known)))
            known["shared", key] = home[0][key]
    for key in shared:
        at = {(h, -1): row for h, row in enumerate(rows[key])}
        chances.append((Chance(rows[key], most[key], None, scaled), at, key, {}))
    roles = defaultdict(list)
    for h, home in enumerate(homes):
        for place in range(len(home)):
            roles[min(len(home), 3), min(place + 1, 3)].append((h, place))
    for (size, place), members in sorted(roles.items()):
        for t, key in enumerate(keys):
            parts = [False] if not groups[key] or most[key] <= 12 else [True, False]
            for grouped in parts:
                inside = groups[key] if parts == [True, False] and not grouped else None
                at = {}
                for h, p in members:
                    home = homes[h]
                    known = {("shared", k): home[0][k] for k in shared}
                    if size == 3:
                        known["size",] = min(len(home), 6)
                    if place == 3:
                        known["place",] = min(p, 5)
                    who = {"own": p}
                    if place > 1:
                        who["before"] = p - 1
                    if place == 3:
                        who |= {"first": 0, "second": 1}
                    for name, person in [*list(who.items())[1:], ("own", p)]:
                        for k in keys[:t] if name == "own" else keys:
                            known[name, k] = home[person][k]
                            if groups[k]:
                                known[name, k, "group"] = groups[k][home[person][k]]
                    code = home[p][key]
                    at[h, p] = h, groups[key][code] if grouped else code, known
                codes = max(groups[key].values()) if grouped else most[key]
                chance = Chance(list(at.values()), codes, inside, scaled)
                chances.append((chance, at, key, {"before": -1, "first": 0, "second": 1}))
    sizes = defaultdict(float)
    for home, weight in zip(homes, weights, strict=True):
        sizes[len(home)] += weight

    def whole(h):
        return all(person[key] for person in homes[h] for key in (*shared, *keys))

    def expect(h, times, seen):
        total = 0.0
        for chance, at, key, _ in chances:
            for (home, place), row in at.items():
                if home != h or not row[1] or key not in seen(h, max(place, 0)):
                    continue

                def shows(name, place=place):
                    if name[0] in ("size", "place"):
                        return True
                    person = {"own": place, "before": place - 1, "first": 0, "second": 1}
                    p = 0 if name[0] == "shared" else person[name[0]]
                    return name[1] in seen(h, p) and homes[h][p][name[1]] > 0

                total += chance.surprise(row, shows, times)
        return max((sizes[len(homes[h])] - weights[h]) * math.exp(-total), 1e-9)

    every = {*shared, *keys}
    one = [expect(h, 1, lambda h, p: every) for h in range(len(homes))]
    two = [expect(h, 2, lambda h, p: every) for h in range(len(homes))]

    def content(h):
        members = Counter(tuple(person[key] for key in keys) for person in homes[h])
        return len(homes[h]), tuple(homes[h][0][k] for k in shared), frozenset(members.items())

    alike = [
        [o for o in range(len(homes)) if whole(o) and content(o) == content(h)] if whole(h) else [h]
        for h in range(len(homes))
    ]
    f = [len(each) for each in alike]

    def share(h):
        same = [o for o in range(len(homes)) if min(len(homes[o]), 6) == min(len(homes[h]), 6)]
        return sum(map(whole, same)) / len(same)

    drawn = [whole(h) * share(h) / weights[h] for h in range(len(homes))]
    omega = [
        [0 if m < 0.1 else 1 / (math.sqrt(m) * (1 + m / 10)) for m in means] for means in (one, two)
    ]
    some = range(len(homes))
    above = sum(omega[1][h] * (f[h] - 1) - omega[0][h] * one[h] * drawn[h] for h in some) + 0.6
    c = max(0.0, above / (sum(omega[0][h] * math.sqrt(one[h]) * drawn[h] for h in some) + 2))
    seen = sum(f[h] - 1 for h in some if two[h] < 0.1)
    due = sum((one[h] + c * math.sqrt(one[h])) * drawn[h] for h in some if one[h] < 0.1)
    rare = sum(drawn[h] for h in some if one[h] < 0.1)
    copies = max(0.0, seen - due - 2 * math.sqrt(seen)) / max(rare, 1e-9)

    def risk(mean, f, fraction):
        d = min(1.0, c / math.sqrt(mean))
        return match_chance(f, (mean + c * math.sqrt(mean) + copies) / (1 + d), fraction, d)

    made = []
    for h in some:
        if shown is not None and any(
            person[key] and key not in shown[h][p]
            for p, person in enumerate(homes[h])
            for key in every
        ):
            made.append(risk(expect(h, 1, lambda h, p: shown[h][p]), 1, 0.0))
            continue
        people = sum(weights[o] for o in alike[h])
        fraction = min(1.0, f[h] / people * share(h)) if whole(h) else 0.0
        made.append(risk(two[h] if f[h] > 1 else one[h], f[h], fraction))
    return made, c, copies
