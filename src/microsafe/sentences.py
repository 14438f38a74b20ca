"""Sentences that reports say in every language: known by their id, with their figures.

A `Sentence` is its English text to whoever prints it, compares it or writes it as JSON; the
languages of the reports find their own words by its id. All of them are declared here, those that
a person should know before trusting figures in `notices`.

Figures keep their values: `{share:percent}` says how a template shows one. Besides the formats of
Python there are `percent`, `number` and `list`, all with digits: `percent.3`, `list.5`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from microsafe.display import shorten_list, show_number, show_percent

SENTENCES: Mapping[str, str] = {
    # Reasons that the program writes into plans
    "because-answers": "answers, in which nothing delicate was found",
    "because-sensitive": "answers that are sensitive: nobody can be found by them",
    "because-wave": "it tells records of a person apart",
    "because-exact": "exact numbers find the record",
    "because-telling": "the weights tell keys as they were before protection",
    "because-out": "names, places, dates, texts and what tells a key are left out",
    "because-shared": "members of a household share them, and could be told by them",
    "because-shared-weight": "members of a household share a weight",
    "because-person": "it links the records of a person, and may be known outside",
    "because-families": "families are recognised by all their members",
    "because-household": "who lives with whom tells families",
    "because-number": "its numbers may be known outside",
    "because-order": "its numbers may be known outside, and carry the order of the file",
    "because-weight": "as it is, it gives a key away",
    "because-named": "nobody needs them",
    "because-delicate": "they tell more than an answer, and may be known outside",
    "because-unseen": "nobody sees who lives with whom",
    "because-proposed": "part of the plan with a loss of {lost:percent} (recodes: {recodes:,}, "
    "blanks: {blanks:,})",
    "because-proposed-weighed": "part of the plan that loses {lost:percent} of the keys as they "
    "were weighed (recodes: {recodes:,}, blanks: {blanks:,})",
    # Parts of others
    "and": "{first} and {second}",
    "over": "over {number:.0f}",
    "more": "more",
    "fewer": "fewer",
    "matches": "expected correct matches",
    "uniques": "population uniques",
    "share-unknown": "an unknown share",
    "names": "{names:list}",
    "order": "the order of the records",
    "names-and-order": "{names:list} and the order of the records",
    "its-name": "Its name",
    "its-label": "Its label",
    "pram-of": "PRAM of {names}",
    "swapping-of": "swapping of {names}",
    "numbers": "{count:,} numbers",
    "one-number": "1 number",
    "texts": "{count:,} texts",
    "one-text": "1 text",
    "mixture": "{numbers}, {texts}, {missing:,} missing",
    "change": "{share:percent.3}",
    "no-change": "0 %",
    "change-by-stratum": "{change} ({by}: {largest})",
    # What makes a variable delicate
    "values-email": "{share:percent} of its {count:,} different values are e-mail addresses.",
    "values-phone": "{share:percent} of its {count:,} different values are telephone numbers.",
    "values-national-id": "{share:percent} of its {count:,} different values are built like "
    "national identity numbers.",
    "values-check-digits": "Its values have the check digits of a number that identifies people or "
    "what is theirs: {scheme}.",
    "values-url": "{share:percent} of its {count:,} different values are addresses of web pages or "
    "names of users.",
    "values-postcode": "{share:percent} of its {count:,} different values are full postcodes.",
    "values-network": "{share:percent} of its {count:,} different values are addresses of devices "
    "in a network.",
    "values-hash": "{share:percent} of its {count:,} different values are keys that programs give "
    "to people or records.",
    "values-vehicle": "{share:percent} of its {count:,} different values are built like numbers of "
    "vehicles.",
    "labels-of-codes": "By the labels of its codes: {finding}",
    "own-code": "{count:,} different codes of {length} characters, one for each record or person.",
    "said-account": "{source} says that it is the number of an account, a document or a device; "
    "{count:,} different values.",
    "values-person": "{share:percent} of its {count:,} different values are written like names of "
    "persons.",
    "values-address": "{share:percent} of its {count:,} different values are written like "
    "addresses.",
    "values-date": "{share:percent} of its {count:,} different values are dates with a day.",
    "values-words": "{share:percent} of its {count:,} different values are texts of several words.",
    "values-position": "{share:percent} of its {count:,} different values are pairs of "
    "coordinates.",
    "values-cents": "{share:percent} of its {count:,} different values are amounts to the cent.",
    "own-text": "{count:,} different texts in {records:,} records: nearly every record has its "
    "own.",
    "own-number": "{count:,} different numbers in {records:,} records: nearly every record has its "
    "own.",
    "own-time": "{count:,} different times in {records:,} records: nearly every record has its "
    "own.",
    "record-number": "A whole number that is different in each of {records:,} records.",
    "record-number-in-order": "A whole number that is different in each of {records:,} records, "
    "and the records are in its order.",
    "person-number": "It links the records of a person, and may be known outside.",
    "household-in-order": "The records are in the order of this number of their household.",
    "telling-weight": "{count:,} different weights, and each of them occurs in one category of "
    "{keys} only.",
    "tells-a-key": "{share:percent} of the values of {key} can be told from it beyond what is "
    "released of {key}.",
    "would-tell-a-key": "{share:percent} of the values of {key} can be told from it, whatever is "
    "done to {key}.",
    "declared-role": "It is declared so: role {role}.",
    "declared-identifier": "It is declared so: it identifies people.",
    "declared-no-identifier": "It is declared to be no identifier.",
    "declared-text": "It is declared so: type text.",
    "leftover": "Its name is that of an index or of another leftover of a program.",
    "said-email": "{source} says that it is an e-mail address; {count:,} different values.",
    "said-phone": "{source} says that it is a telephone number; {count:,} different values.",
    "said-national-id": "{source} says that it is a national identity number; {count:,} different "
    "values.",
    "said-person": "{source} says that it is a person's name; {count:,} different values.",
    "said-person-number": "{source} says that it is the number of a person or record; {count:,} "
    "different values.",
    "said-address": "{source} says that it is an address; {count:,} different values.",
    "said-household": "{source} says that it is the number of a household; {count:,} different "
    "values.",
    "said-birthday": "{source} says that it is the day of a birth, which completes a date; "
    "{count:,} different values.",
    "said-free-text": "{source} says that it is what somebody wrote; {count:,} different values.",
    "said-small-area": "{source} says that it is a small area; {count:,} different values.",
    "said-place": "{source} says that it is a place, one of {count:,}; {count:,} different values.",
    "said-coordinate": "{source} says that it is a coordinate; {count:,} different values.",
    # What the policy is judged by
    "no-estimate": "The model gives no estimate.",
    "no-estimate-for-keys": "The model of the population gives no estimate for these keys. Use "
    "fewer of them, or the estimator 'cell'.",
    "not-fitted": "The model was not fitted: there are too many combinations of keys.",
    "fit-not-converged": "The fit did not converge in {count:,} iterations (margins within "
    "{distance:.1g}), so there is no estimate.",
    "risk-not-at-rest": "The risk of the file still moved after {count:,} iterations, so there is "
    "no estimate.",
    "before-perturbation": "before {words}; not meaningful after it",
    "determining": "it follows from what goes out: {pairs:list}",
    "hits-with-guesses": "records found once hidden keys are guessed, of {exact:number} without "
    "guesses",
    "limit-of-households": "the limit is that of {rule}, which each record must meet where the "
    "household number does not go out",
    "met-by-gaps": "{rules} would not be met if missing keys were weighed",
    # Who was not tried, and why
    "not-tried": "not tried: {reason}",
    "untried-panel": "Members of households come and go in a panel, so that their joint keys are "
    "not measured.",
    "persons-together": "Several records of a person are not put beside each other. Keep one "
    "record of each.",
    "keys-made": "Its keys were made by steps: nobody knows what they were before.",
    "none-sensitive": "No variable is declared sensitive. Declare those that are.",
    "sensitive-missing": "There is no value of {names:list}.",
    "untried-second": "Earlier releases are not compared with this one.",
    "numbers-unchanged": "No step has changed a number. Name those that somebody may know to "
    "numeric-risk.",
    "key-perturbed": "{names} was perturbed.",
    "keys-perturbed": "{names} were perturbed.",
    "households-uncounted": "The people of the population are counted, and its households are not.",
    "records-apart": "Records are put beside each other on one machine. Open a random sample of "
    "the file without Spark.",
    "household-unnamed": "The scenario names no household.",
    "household-withheld": "The household number does not go out.",
    "household-released": "The household number goes out, so that nothing needs to be joined.",
    "household-single": "No household has two members in the file.",
    "undrawn-unknown": "Under the estimator 'cell' combinations that were not drawn are not known.",
    "recoded-after-blanks": "Keys were changed after values were suppressed. Suppress last.",
    "records-elsewhere": "More was blanked than the method chose, and the records are in Spark.",
    "blanks-untold": "Blanks were chosen {how}, so it is not known what others would lose. Use the "
    "guarantee 'view'.",
    "blanks-by-value": "by the value",
    "blanks-jointly": "for households together",
    "blanks-by-households": "by the risk of households",
    "blanks-of-few-keys": "by combinations of few keys",
    "blanks-by-people": "by people of the population",
    "blanks-shared": "under the guarantee 'shared'",
    "blanks-for-others": "for other scenarios",
    "blanks-by-wave": "wave by wave",
    # What was compared, and how
    "variable-lost": "{name} was dropped: all of its information is lost.",
    "variable-perturbed": "{name} was perturbed: tables compare its categories before and after.",
    "numbers-new": "{name} has new numbers: compared by mean, total and information lost.",
    "variable-recoded": "{name} was recoded: tables compare the categories released ({kept:,}); "
    "the recode alone loses {share:percent} of the information.",
    "variable-changed": "{name} was changed: tables compare the categories that still agree "
    "({kept:,}) and take all others as one.",
    "categories-changed": "{name} was changed and no category agrees: compared by information lost "
    "only.",
    "means-gone": "{name} was dropped: there are no means to compare.",
    "means-none": "{name} does not hold numbers on both sides: no means are compared.",
    "numbers-no-room": "There is no room to compare numbers record by record.",
    "numbers-no-order": "The records have no order: numbers are not compared record by record.",
    "weights-changed": "{name} is released changed: figures are weighted as before.",
    "weights-shift": "{name} is released changed: figures are weighted as before. The released "
    "weights change a mean by {mean:percent.3} at most, a total by {total:percent.3}.",
    "table-gone": "The table {names} cannot be made any more: {name} was dropped.",
    "table-by-name": "The table {names} takes the categories of {name} for what they are called, "
    "though values were exchanged.",
    "table-differs": "The table {names} cannot be compared: no category of {name} means what it "
    "meant, or no record has all of its variables.",
    "unknown-variable": "{source} has no variable {name!r}.{hint}",
    "model-lost": "The model {formula} is counted as lost: it {problem}.",
    "model-unfit": "cannot be fitted any more: {why}",
    "fit-dropped": "{name!r} was dropped",
    "fit-few-records": "too few records have all of its variables",
    "fit-one-outcome": "all of its records have the same outcome",
    "fit-no-records": "no category of {name!r} has records",
    "fit-no-outcomes": "no category of {name!r} has records with both outcomes",
    "fit-unconverged": "the fit does not converge in {rounds} iterations",
    "fit-separated": "by {terms} the outcome of some records is told without error (separation)",
    # What steps say of their results
    "yes": "yes",
    "no": "no",
    "grouped-in-blocks": "in blocks, as there are too many records to compare them all",
    "correlation-change": "{pair}: {before:.3f} before, {after:.3f} after",
    "sample-of-records": "sample of {share:.6g} % of records: {drawn:,} of {all:,}; {weight} "
    "multiplied by {factor:.6g}",
    "sample-of-households": "sample of {share:.6g} % of households: {homes:,} of {all_homes:,}, "
    "{drawn:,} of {all:,} records; {weight} multiplied by {factor:.6g}",
    "family-nothing": "nothing",
    "family-ages": "{key} in bands of {width:.0f}",
    "family-drop": "drop {names:list}",
    "family-noise": "noise on {name}",
    "family-blanks": "blanks until no household is above {limit:.6g}",
    "members-one": "one person of each household",
    "members-oldest": "the two oldest of each household",
    "members-one-kept": "one person of each of {homes:,} households: {kept:,} of {all:,} records; "
    "{weight} multiplied by the members of the household",
    "members-oldest-kept": "the two oldest of each of {homes:,} households: {kept:,} of {all:,} "
    "records",
    "share-of-records": "{share:percent} of {records:,}",
    "values-kept": "{kept:percent} (expected {expected:percent}, standard deviation "
    "{deviation:percent})",
    "weights-as-they-were": "the weights as they were; only the file shows them changed",
    # Why something could not be compared or estimated
    "households-differ": "The households that were read back are not those that were written.",
    "records-unordered": "The records of {source} have no order, so they cannot be compared one "
    "by one.",
    "table-of-numbers": "{name!r} holds numbers, too many to be categories of a table. Recode "
    "it into bins first, or name it in a model.",
    "table-too-fine": "{name!r} has more than {most:,} categories, too many for a table. Recode "
    "it first.",
    "table-too-large": "The table {names} has too many cells. Name fewer variables.",
    "model-refused": "The model {formula!r} cannot be fitted: {why}. Leave out a term, or take "
    "another outcome.",
    "model-category": "{name!r} has no category {category!r} among those that are released. "
    "Name one of these, by its code or its label.",
    "model-outcome": "{name!r} has {count:,} categories, and a logistic model explains one of "
    "them. Write '{name} = CATEGORY ~ {terms}'.",
    "model-term-changed": "{name!r} has other categories now, so the model cannot be compared. "
    "Leave it out.",
    "model-term-too-fine": "{name!r} has too many categories for a model. Leave it out.",
    # What came of a step
    "result-blanks": "Values blanked",
    "result-records-changed": "Records changed",
    "result-unsafe": "Records that stay unsafe",
    "result-sample": "Kept",
    "result-variance-lost": "Variance lost",
    "result-grouped": "Grouped",
    "result-left": "Records with values left as they were",
    "result-ranks-swapped": "Values that changed places",
    "result-correlation": "Rank correlation",
    "result-redundant": "Follows from others, left out",
    "result-leaning": "Records protected only by other records' suppressions",
    "result-households-parted": "Households told by their size, parted into households of one",
    "result-linked-blanks": "Values blanked in linked variables",
    "result-values-changed": "Values changed",
    "result-values-kept": "Values kept",
    "result-frequencies-kept": "Frequencies kept in expectation",
    "result-mirrored": "Values mirrored at a bound",
    "result-coded": "Records coded",
    "result-coded-weight": "Share of the weight",
    "result-without-noise": "Values without noise in strata of one value",
    "result-outer-linked": "Outer 1 % of the records that these variables still link",
    "result-linkage-sample": "Linkage measured in a sample of so many records",
    "result-correlation-sample": "Rank correlations measured in a sample of so many records",
    "result-added-error": "Relative standard error added to a frequency, at most",
    "result-single-strata": "Strata with one category, left as they are",
    "result-households-moved": "Households that moved",
    "result-moved-at": "Moved for the sake of",
    "result-lacking": "Lacking for the rate",
    "result-no-partner": "Had to move and found no partner",
    "result-total-change": "Largest change of a weighted total",
    "result-without-area": "Households without an area, left as they are",
    "result-weight-of-risk": "Risk was measured with",
    "result-weight-change": "Change of the sum of weights",
    "result-weight-change-by-stratum": "Largest change by stratum",
}


class Sentence(str):
    """A sentence in English that other languages know by its id.

    Attributes:
        key: Its id in `SENTENCES`.
        figures: What its template shows, by place.
    """

    key: str
    figures: Mapping[str, Any]

    def __new__(cls, key: str, /, **figures: Any) -> Sentence:
        """Return a sentence; a place may hold another one."""
        sentence = super().__new__(cls, fill_figures(SENTENCES[key], figures))
        sentence.key, sentence.figures = key, figures
        return sentence

    def __reduce__(self) -> tuple[Callable[..., Sentence], tuple[str, Mapping[str, Any]]]:
        """Keep the id and the figures in copies."""
        return _make_again, (self.key, self.figures)


def _make_again(key: str, figures: Mapping[str, Any]) -> Sentence:
    return Sentence(key, **figures)


def fill_figures(template: str, figures: Mapping[str, Any]) -> str:
    """Put figures into an English template."""
    parts = []
    for text, place, spec, conversion in Formatter().parse(template):
        parts.append(text)
        if place is not None:
            parts.append(show_figure(figures[place], spec or "", quoted=conversion == "r"))
    return "".join(parts)


def show_figure(figure: Any, spec: str, *, quoted: bool = False) -> str:
    """Return a figure as English writes it.

    Args:
        figure: A number, a name, several names, or numbers by name.
        spec: How numbers are shown; a name has no format.
        quoted: Whether a name stands in quotation marks.
    """
    kind, *digits = spec.split(".", 1)
    match figure:
        case str():
            return repr(figure) if quoted else str(figure)
        case Mapping():
            return ", ".join(f"{name} {show_figure(value, spec)}" for name, value in figure.items())
        case list() | tuple():
            return ", ".join(figure) if kind != "list" else shorten_list(figure, *map(int, digits))
    if show := {"percent": show_percent, "number": show_number}.get(kind):
        return show(figure, *map(int, digits))
    return format(figure, spec)
