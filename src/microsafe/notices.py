"""Notices: what makes figures doubtful, and what to try.

Every kind of notice is declared here, those about files in `notice_kinds`.
`docs/reference/make_messages.py` makes the catalogue from the same table, so that none is missing.
Remedies use the words that the options, the app and the report have in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microsafe.errors import shorten
from microsafe.notice_kinds import FILE_KINDS, NoticeKind, Topic
from microsafe.sentences import fill_figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a person should know before trusting the figures.

    Attributes:
        id: Which kind of notice it is; the catalogue lists them all.
        figures: What its sentences show, by place (see `microsafe.sentences`).
    """

    id: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def topic(self) -> Topic:
        """One word to sort by: weight, missing, key, household, file, population."""
        return KINDS[self.id].topic

    @property
    def parts(self) -> tuple[str, ...]:
        """Which sentences of its kind it says: `fact`, or `one` if it counts one, and `remedy`."""
        kind = KINDS[self.id]
        fact = "one" if kind.one and self.figures.get("count") == 1 else "fact"
        return (fact, "remedy") if kind.remedy else (fact,)

    @property
    def text(self) -> str:
        """What is so, why it matters, what to try; in English, of a bounded length."""
        kind = KINDS[self.id]
        said = (fill_figures(getattr(kind, part), self.figures) for part in self.parts)
        return shorten(" ".join(said))

    def __str__(self) -> str:
        """Return the text."""
        return self.text


_WHOLE = "the file is treated as the whole population, and the risk is 1/f."
_NAME_WEIGHT = (
    "If the file is a sample, name the weight that says how many people each record stands for."
)
_SEE_MISSING = (
    "Compare with the figures for missing keys as a category of their own: those are the careful "
    "ones."
)
_BIASED = "B2 is {z:.1f} standard errors from 0: the model is probably "
_TOO_SIMPLE = _BIASED + "too simple and overstates the risk."
_TOO_RICH = _BIASED + "too rich for this sample and understates the risk."
_KINDS = (
    NoticeKind(
        id="blank-means-another",
        topic="missing",
        rule="a suppression leaves one category of a key, and blanks",
        fact="One category is left of {keys}: a blank there means another one.",
        remedy="Recode the key into broader categories, or drop it.",
    ),
    NoticeKind(
        id="view-parted",
        topic="missing",
        rule="after a suppression under the guarantee `view` that follows another one, some are "
        "above its limit among those who would be shown in the same way",
        fact="Blanks of an earlier suppression part those who are blanked in the same way: "
        "{count:,} are above the limit for one who knows how blanks are chosen.",
        one="Blanks of an earlier suppression part those who are blanked in the same way: 1 is "
        "above the limit for one who knows how blanks are chosen.",
        remedy="Undo the earlier suppression, and suppress once under the guarantee 'view'.",
    ),
    NoticeKind(
        id="key-blanked",
        topic="missing",
        rule="a suppression leaves no value of a key",
        fact="All values of {keys} were blanked.",
        remedy="Recode the key into broader categories before, so that some of it stays, or drop "
        "it.",
    ),
    NoticeKind(
        id="method-about",
        topic="missing",
        rule="the intruder who knows the method is played, and some records lost more than was "
        "chosen for them alone: for other members of their household, for another scenario, or by "
        "a second suppression",
        fact="Risk for one who knows the method is about right: some records lost more values than "
        "was decided for them alone, and how often that happens was learnt from the file.",
        remedy="Under the guarantee 'view', one suppression for one scenario gives exact figures.",
    ),
    NoticeKind(
        id="weight-none",
        topic="weight",
        rule="no weight is named",
        fact=f"There is no sampling weight: {_WHOLE}",
        remedy=_NAME_WEIGHT,
    ),
    NoticeKind(
        id="weight-all-one",
        topic="weight",
        rule="every weight equals 1",
        fact=f"All weights are 1: {_WHOLE}",
        remedy=_NAME_WEIGHT,
    ),
    NoticeKind(
        id="weight-clipped",
        topic="weight",
        rule="weights below 1 are raised to 1 on request, and there is at least one",
        fact="{count:,} weights below 1 were raised to 1.",
        one="1 weight below 1 was raised to 1.",
        remedy="A weight is a number of people; check whether the weights were scaled to the "
        "sample size.",
    ),
    NoticeKind(
        id="weight-heavy",
        topic="weight",
        rule="f = 1 and F̂ is more than 10 times the median weight of the file",
        fact="{count:,} sample uniques have more than {times:.0f} times the median weight.",
        one="1 sample unique has more than {times:.0f} times the median weight.",
        remedy="The risk is low there only because a single weight stands for many people; check "
        "these records before you trust it.",
    ),
    NoticeKind(
        id="weight-telling",
        topic="weight",
        rule="after steps: there are at most a tenth as many different weights as "
        "records, and for 10 % of the records or more, all records of their weight had one "
        "category of a variable that is no longer there, has fewer categories or was perturbed",
        fact="The weight {weight!r} gives away {variable!r} as it was before protection: for "
        "{share:percent} of the records it follows from the weight alone. Change what the file "
        "shows of the weight by a step, such as --step '{step}'.",
        remedy="Rounding, averages (microaggregate) and noise suit weights; risk is measured with "
        "the weights as they are.",
    ),
    NoticeKind(
        id="weight-telling-still",
        topic="weight",
        rule="likewise, though a step changed the weight for release: for 10 % of the records or "
        "more, all records of their released weight, or of released weights beside theirs, had one "
        "category",
        fact="The weight {weight!r} still gives away {variable!r} as it was before protection: by "
        "the released weights it follows for {after:percent} of the records, by those before for "
        "{share:percent}.",
        remedy="Round to a larger base, average larger groups, or take more noise.",
    ),
    NoticeKind(
        id="weight-telling-less",
        topic="weight",
        rule="likewise, if it is fewer than 10 %",
        fact="By the released weights {weight!r}, {variable!r} as it was before protection follows "
        "for {after:percent} of the records; by those before it followed for {share:percent}.",
        remedy="Tell users how the weights were changed.",
    ),
    NoticeKind(
        id="weight-changed",
        topic="weight",
        rule="a step changed a weight for release; in brackets the largest change in a stratum",
        fact="The weight {name!r} is released changed; risk was measured with the weights as they "
        "were. Their sum changed by {change}.",
        remedy="Tell users how the weights were changed.",
    ),
    NoticeKind(
        id="variable-determines",
        topic="key",
        rule="after steps: a variable that goes out, or two together, tells 90 % or more of the "
        "original values of a key that was recoded, blanked or dropped, beyond what is released "
        "of the key itself, on records held out (z >= 4); not if it is a key in each scenario that "
        "has the key",
        fact="The original values of {key!r} follow from variables that go out ({shares:percent} "
        "of what is not shown). Leave these out, or recode them like {key!r}.",
        remedy="The rule 'telling' is not met until then, or until it is overridden with a reason; "
        "a weight is rounded or given noise.",
    ),
    NoticeKind(
        id="variable-tells",
        topic="key",
        rule="likewise, from 10 % to 90 %",
        fact="Other variables that go out tell some of the original values of {key!r} that the "
        "file does not show: {shares:percent}.",
        remedy="Recode these variables too, or leave them out, if that is more than you want to "
        "give away.",
    ),
    NoticeKind(
        id="telling-unmeasured",
        topic="key",
        rule="after steps that change keys, where records are not on this machine or there is no "
        "room for them",
        fact="What variables tell of changed keys was not measured. {reason}",
        remedy="Open a random sample of the file on one machine.",
    ),
    NoticeKind(
        id="missing-limit",
        topic="missing",
        rule="with a limit: without other records' missing keys the risk would be above it",
        fact="{count:,} records are within the limit only because other records have missing keys.",
        one="1 record is within the limit only because other records have missing keys.",
        remedy=_SEE_MISSING,
    ),
    NoticeKind(
        id="missing-half",
        topic="missing",
        rule="without a limit: without other records' missing keys the risk would be more than "
        "twice as high",
        fact="{count:,} records have less than half the risk that they would have if no other "
        "record had missing keys.",
        one="1 record has less than half the risk that it would have if no other record had "
        "missing keys.",
        remedy=_SEE_MISSING,
    ),
    NoticeKind(
        id="missing-unknown",
        topic="missing",
        rule="missing keys count with the estimated chance of a match, some match rests on them, "
        "and what they hide is not known: nothing was suppressed in this study",
        fact="Missing keys are assumed to hide what other records show.",
        remedy="If they were suppressed, they hide rare values, and matches are overstated several "
        "times: measure where they were suppressed, in the same study or plan.",
    ),
    NoticeKind(
        id="missing-answer",
        topic="missing",
        rule="the estimator is `model`, gaps of the key are integrated out, and 95 % of them, at "
        "least 20, are in categories of another key in which 95 % of the records have one",
        fact="Key {other!r} decides where key {key!r} is missing: its gaps seem to be an answer, "
        "such as 'not applicable', which an intruder knows.",
        remedy='Let them be a category: missing = {{ {key} = "category" }} in a plan, '
        "--missing {key}=category.",
    ),
    NoticeKind(
        id="key-identifier",
        topic="key",
        rule="more than half as many categories as records, in files of at least 20 records",
        fact="Key {key!r} has {categories:,} categories in {records:,} records: it is almost an "
        "identifier.",
        remedy="Drop it, or recode it before measuring.",
    ),
    NoticeKind(
        id="estimator-model",
        topic="file",
        rule="no estimator is named, there is a weight, and 5 % of the records or more are sample "
        "uniques in the file as read, a gap being a category",
        fact="The file chose the estimator 'model': {share:percent} of its records are sample "
        "uniques (gaps counted as a category), and 5 % are enough.",
        remedy="Name the estimator 'cell' only to compare with other programs.",
    ),
    NoticeKind(
        id="estimator-cell",
        topic="file",
        rule="no estimator is named, there is a weight, and less than 5 % of the records are "
        "sample uniques in the file as read",
        fact="The file chose the estimator 'cell': {share:percent} of its records are sample "
        "uniques (gaps counted as a category), less than 5 %.",
        remedy="Name the estimator 'model' if you are in doubt.",
    ),
    NoticeKind(
        id="estimator-too-many",
        topic="file",
        rule="no estimator is named, 5 % of the records or more are sample uniques, and there "
        "are more than 5 million combinations of keys, or more than come from Spark",
        fact="The estimator is 'cell', although {share:percent} of the records are sample uniques: "
        "a model of the population cannot be fitted to so many combinations of keys.",
        remedy="Recode keys, or leave some out.",
    ),
    NoticeKind(
        id="model-higher",
        topic="file",
        rule="the estimator is `cell`, 5 % of the records or more are sample uniques, and the "
        "model expects more than 1.25 times as many re-identifications",
        fact="The model of the population expects {expected:number} re-identifications, "
        "{times:number.3} times as many as the estimator 'cell', which is too low where keys are "
        "sparse.",
        remedy="Use the estimator 'model', or record the reason for keeping 'cell'.",
    ),
    NoticeKind(
        id="model-skipped",
        topic="file",
        rule="the estimator is `cell`, 5 % of the records or more are sample uniques, and there "
        "are more than 5 million combinations of keys, or more than come from Spark",
        fact="{share:percent} of the records are sample uniques; with so many, the estimator "
        "'cell' is often too low. The model was not fitted for comparison: there are too many "
        "combinations of keys.",
        remedy="Recode keys, or leave some out.",
    ),
    NoticeKind(
        id="model-none",
        topic="file",
        rule="the same, where the model gives no estimate",
        fact="{share:percent} of the records are sample uniques; with so many, the estimator "
        "'cell' is often too low. The model of the population gives no estimate to compare it "
        "with.",
        remedy="Recode keys, or leave some out.",
    ),
    NoticeKind(
        id="noise-outer",
        topic="file",
        rule="after noise, where 20 % or more of the outer 1 % of the records are still nearest to "
        "their own original, by the variables of the step alone",
        fact="{share:percent} of the outer {records:,} records are still nearest to their own "
        "original values: noise hardly protects the tail.",
        remedy="Top-code the variables, use multiplicative noise, or raise the variance.",
    ),
    NoticeKind(
        id="noise-still",
        topic="file",
        rule="noise by stratum, where a variable has the same value throughout a stratum",
        fact="{count:,} values got no noise: their stratum has no two different values.",
        one="1 value got no noise: its stratum has no two different values.",
        remedy="Take larger strata, or leave them out.",
    ),
    NoticeKind(
        id="household-readable",
        topic="household",
        rule="after suppression with `together = false` and without a limit on household risk: a "
        "key that is the same for all members of every household was suppressed in some of them",
        fact="Suppressed in some members of a household only: {keys}. All members share the value, "
        "so anyone who sees who lives together can fill it in from the others.",
        remedy="Blank such keys in all members (together), or drop the household identifier.",
    ),
    NoticeKind(
        id="household-unassigned",
        topic="household",
        rule="at least one record has no household identifier",
        fact="{count:,} records have no household identifier; each is treated as a household of "
        "one.",
        one="1 record has no household identifier; it is treated as a household of one.",
        remedy="Complete the identifiers if you can.",
    ),
    NoticeKind(
        id="household-size",
        topic="household",
        rule="some household has two members or more, and no key with at most 100 categories, all "
        "whole numbers, equals the number of members in at least 90 % of the records",
        fact="No key holds the size of the household, but anyone can count the records that share "
        "a {household!r}.",
        remedy="Add household size to the keys.",
    ),
    NoticeKind(
        id="household-limit",
        topic="household",
        rule="a limit on the risk of records is asked for, a household is named, and some "
        "households have a risk above the limit",
        fact="The limit is on the risk of a record: {count:,} of {households:,} households have a "
        "risk above it.",
        one="The limit is on the risk of a record: 1 of {households:,} households has a risk "
        "above it.",
        remedy="For a limit on household risk, give a household rate or an expected number of "
        "households.",
    ),
    NoticeKind(
        id="family-records",
        topic="household",
        rule="the estimator is `model`, a household is named, and records stay in Spark",
        fact="The risk of households by their joint keys needs records on this machine; the risk "
        "shown is by the published formula, which says nothing of who knows a whole family.",
        remedy="Write the records to a file and measure it with engine='local'.",
    ),
    NoticeKind(
        id="family-formula",
        topic="household",
        rule="the estimator is `cell`, and the policy has a rule about households",
        fact="By cell, the policy judges households by the published formula, which misses who "
        "knows a whole family: its rules can be met where the table says that they are not.",
        remedy="Choose the estimator 'model', which judges all by the joint keys of members.",
    ),
    NoticeKind(
        id="members-oldest",
        topic="household",
        rule="only the two oldest of each household were kept",
        fact="The file holds the two oldest of each household: it no longer represents children, "
        "nor others who live with two who are older.",
        remedy="Say so to users, or keep one person of each household.",
    ),
    NoticeKind(
        id="rejoined",
        topic="household",
        rule="the household number does not go out, and members can be put together by what they "
        "share",
        fact="{share:percent} of the members of households of two or more can be put together "
        "again by {names}.",
        remedy="Round or perturb the weight, and recode or drop what members share.",
    ),
    NoticeKind(
        id="rejoined-by-order",
        topic="household",
        rule="the household number does not go out, and members lie side by side in a file whose "
        "order is kept",
        fact="{share:percent} of the members of households of two or more lie side by side, as the "
        "order of the records is kept.",
        remedy="Let the records be shuffled.",
    ),
    NoticeKind(
        id="inferred",
        topic="file",
        rule="a variable is called sensitive, and who could recognise whom is tried",
        fact="By keys, {variable!r} is guessed right for {inside:percent} of the people in the "
        "file and {control:percent} of others: an advantage of {advantage:percent}. Records that "
        "look alike have at least {values} different values (l), in shares at most {distance:.2f} "
        "away from those of the file (t).",
        remedy="Coarsen the variable or the keys if that is more than you want to tell.",
    ),
    NoticeKind(
        id="family-few",
        topic="household",
        rule="the risk of households by their joint keys is estimated from fewer than 500 of them",
        fact="The file has {count:,} households, too few to learn how families are made: the risk "
        "of households may be a quarter too high.",
        one="The file has 1 household, too few to learn how families are made.",
        remedy="Take the figures as a rough guide.",
    ),
    NoticeKind(
        id="family-weights",
        topic="household",
        rule="the weights of members differ by more than 1 % in more than 5 % of the households, "
        "and the risk of households by their joint keys is estimated",
        fact="In {share:percent} of the households members have different weights; each household "
        "counts with the mean of its members.",
        remedy="Use household weights if there are any.",
    ),
    NoticeKind(
        id="family-drawn",
        topic="household",
        rule="intruders are tried on more than a million records without their risk being measured "
        "first: families are looked at in 100,000 households, always the same",
        fact="Families were looked at in {count:,} of {households:,} households, drawn at random: "
        "numbers of them are scaled up, and the largest chance is that of those drawn.",
        remedy="Measure the risk (microsafe risk) to have every household looked at.",
    ),
    NoticeKind(
        id="family-copies",
        topic="household",
        rule="alike households are far more often in the sample together than by chance",
        fact="Households repeat like copies, as in synthetic files: their risk is estimated on the "
        "safe side.",
        remedy="Check that the file has each household once.",
    ),
    NoticeKind(
        id="family-gaps",
        topic="household",
        rule="the risk of households by their joint keys is estimated, keys are missing, and fewer "
        "than three keys differ between members",
        fact="With fewer than three keys of persons, the risk of the {count:,} households with a "
        "missing key is overstated.",
        one="With fewer than three keys of persons, the risk of the household with a missing key "
        "is overstated.",
        remedy="Take the figure as an upper bound.",
    ),
    NoticeKind(
        id="family-present",
        topic="household",
        rule="the key with the size of the household differs from the members present in more than "
        "5 % of the households, and their risk by joint keys is estimated",
        fact="{key} differs from the members present in {share:percent} of the households: their "
        "risk is by the members present.",
        remedy="Check that all members of a household are in the file.",
    ),
    NoticeKind(
        id="population-contradicted",
        topic="population",
        rule="known counts of the population are given as a check, and for the keys of some "
        "records they are below the number of records",
        fact="{source} has fewer people than the sample for the keys of {count:,} records.",
        one="{source} has fewer people than the sample for the keys of 1 record.",
        remedy="Check that both code the keys in the same way and describe the same population at "
        "the same time.",
    ),
    NoticeKind(
        id="population-size",
        topic="population",
        rule="the weights add up to more than 1.1 or less than 0.9 times the known population",
        fact="The weights stand for {estimated:,.0f} people, but {source} has {people:,.0f}.",
        remedy="Check the weights, and that the counts are of the same population.",
    ),
    NoticeKind(
        id="population-differs",
        topic="population",
        rule="known counts give more than 1.25 times or less than 0.8 times as many expected "
        "re-identifications as the weights",
        fact="The counts of {source} give {ratio:.2f} times as many expected re-identifications as "
        "the weights.",
        remedy="Trust the counts, and use them as F.",
    ),
    NoticeKind(
        id="file-missing",
        topic="missing",
        rule="risk of the file as a whole, where keys are missing and gaps are not integrated out: "
        "after suppression, by another model than the calibrated one, or as the scenario says",
        fact="A missing key counts as a category of its own here, not as a wildcard: there may be "
        "more sample uniques than in the risk of the records.",
        remedy="If many values are missing, recode or drop the key.",
    ),
    NoticeKind(
        id="file-no-estimate",
        topic="file",
        rule="the model gives no estimate, for example because τ was still changing when the fit "
        "ended",
        fact="{remark}",
        remedy="Use fewer interactions or fewer keys, or another model.",
    ),
    NoticeKind(
        id="file-population",
        topic="file",
        rule="the weights add up to the number of records, or the sampling fraction is given as 1",
        fact="The sampling fraction is 1: the file is the population, and every sample unique is a "
        "population unique.",
        remedy="If the file is a sample, name its weight or its sampling fraction.",
    ),
    NoticeKind(
        id="file-too-simple",
        topic="file",
        rule="B₂ of a log-linear model is more than 2 standard errors above 0",
        fact=_TOO_SIMPLE,
        remedy="Try more interactions, or let the search choose them.",
    ),
    NoticeKind(
        id="file-too-rich",
        topic="file",
        rule="B₂ of a log-linear model is more than 2 standard errors below 0",
        fact=_TOO_RICH,
        remedy="Try fewer interactions, or let the search choose them.",
    ),
    NoticeKind(
        id="model-simplified",
        topic="file",
        rule="the fit of the model of the population does not converge with all interactions "
        "that the search chose, so the last ones were left out again",
        fact="The fit of the model did not converge with all interactions that would help: "
        "{count:,} were left out, and the risk is rather over- than understated.",
        one="The fit of the model did not converge with all interactions that would help: "
        "1 was left out, and the risk is rather over- than understated.",
        remedy="Recode keys that have many categories, or leave some out.",
    ),
    NoticeKind(
        id="model-scatter",
        topic="missing",
        rule="gaps in keys are integrated out, and how much cells vary around the model is told "
        "differently by all records and by those that show all keys: the expected matches of the "
        "file, before protection, differ by 3 % or more",
        fact="{expected:,.1f} matches are expected of the file if all records tell how much cells "
        "vary around the model, and {other:,.1f} if only those do that show all keys.",
        remedy="The first figure is used. Where many keys are missing few records show all, and "
        "the second is the weaker one; where they are few, take the larger.",
    ),
    NoticeKind(
        id="file-passed-over",
        topic="file",
        rule="an interaction would improve the model, but its tables would have more than 400,000 "
        "cells together",
        fact="{count:,} interactions would help but need tables of more than 400,000 cells, and "
        "were left out: {terms:list.5}.",
        one="1 interaction would help but needs tables of more than 400,000 cells, and was left "
        "out: {terms:list.5}.",
        remedy="Recode keys that have many categories.",
    ),
    NoticeKind(
        id="persons",
        topic="key",
        rule="the scenario names the person, whose records are of waves",
        fact="{records:,} records are {persons:,} persons ({name}) in {count:,} waves ({wave}), "
        "and risk is of persons. Keys that change enter once for each wave: {names:list.5}.",
        remedy="Leave out keys of which nobody outside knows how they change.",
    ),
    NoticeKind(
        id="persons-by-wave",
        topic="key",
        rule="the scenario names the person, who has more than 16 keys as those that change enter "
        "once for each wave",
        fact="Scenario {name!r} has {count:,} keys of a person, and at most 16 are compared "
        "together: the risk of a person is that of the riskiest of {waves:,} waves. Who knows a "
        "person in several waves finds more. Keys that change, for fewest persons first: "
        "{names:list.5}.",
        remedy="Leave out keys that change, or recode them until they no longer do.",
    ),
    NoticeKind(
        id="persons-in-order",
        topic="key",
        rule="the scenario names the person and no wave, and no variable is called one",
        fact="{records:,} records are {persons:,} persons ({name}), and risk is of persons. "
        "No variable tells waves apart: the first record of a person in the file counts as the "
        "first wave, and so on up to {count:,}.",
        remedy="Name the variable that tells waves apart (wave).",
    ),
    NoticeKind(
        id="persons-events",
        topic="key",
        rule="the scenario names the person, who has more than 12 records",
        fact="{records:,} records are {persons:,} persons ({name}), some with more than 12, which "
        "count as events: risk is of persons by keys that never change. Left out: "
        "{names:list.5}.",
        remedy="Who knows events of a person finds more: see how far variables that date or place "
        "them can be made coarser.",
    ),
    NoticeKind(
        id="persons-change",
        topic="key",
        rule="the scenario names the person, and a variable that is called sex, year or date of "
        "birth changes between records of one",
        fact="{count:,} persons ({name}) change what nobody changes: {names:list.5}. Either "
        "several people share a number, or values are wrong.",
        one="One person ({name}) changes what nobody changes: {names:list.5}. Either several "
        "people share a number, or a value is wrong.",
        remedy="Look whether {name} is the person, and correct what is wrong: who seems to change "
        "is told by that.",
    ),
    NoticeKind(
        id="persons-households",
        topic="household",
        rule="the scenario names the person and the household",
        fact="A person counts for the household of the first wave ({name}); {count:,} persons are "
        "in several. Families are not measured, as their members come and go.",
        remedy="Measure one wave by itself for families, or leave the household out.",
    ),
    NoticeKind(
        id="file-rows-repeat",
        topic="file",
        rule="the model of the population, where a variable that is an identifier by its role or "
        "its name, and not the household, repeats in 5 % of the records or more, and sex and birth "
        "change in 5 % of those that repeat at most; where rows repeat by what follows here, any "
        "variable in which they hardly ever change",
        fact="{name!r} looks like an identifier but repeats: {categories:,} values in "
        "{records:,} records. If several records belong to one person, the risk is wrong: too "
        "low if they are waves of a panel, too high if they are events.",
        remedy="Name the person (person).",
    ),
    NoticeKind(
        id="rows-seem-repeated",
        topic="file",
        rule="the model of the population expects 30 records or more to be alone with their keys, "
        "and less than half as many are",
        fact="Rows seem to repeat persons: {count:,} records are alone with their keys, and the "
        "model of the population expects {expected:,.0f}. If so, the risk is far too low.",
        remedy="Name the person (person), or keep one record of each person.",
    ),
    NoticeKind(
        id="waves-in-file",
        topic="file",
        rule="the model of the population, where a variable that is no key is called wave, round "
        "or year and has 2 to 60 values, and no person is named",
        fact="{name!r} tells {count:,} waves apart by its name. If a person has records in several "
        "of them, the risk is far too low.",
        remedy="Name the person (person), or ignore this if each wave asked other people.",
    ),
    NoticeKind(
        id="file-models-differ",
        topic="file",
        rule="τ₂ of two models, or τ₁ where a model has no τ₂, differs by a factor of 1.5 or more",
        fact="By {other} there are {times:.1f} times {direction} {what} than by {chosen}.",
        remedy="At least one of them does not fit this file; see the page on file risk.",
    ),
    NoticeKind(
        id="file-cells-differ",
        topic="file",
        rule="the same, where the lower figure is that of benedetti-franconi",
        fact="The simple estimate ({other}) is {times:.1f} times lower than that of {chosen}.",
        remedy="With so many rare combinations, trust the model.",
    ),
    NoticeKind(
        id="microaggregated-alone",
        topic="file",
        rule="several variables are microaggregated, each alone",
        fact="{names} were grouped each alone: at least k records share a value of one variable, "
        "not those of all, and most stay close to what they were.",
        remedy="Group them together (method mdav) if somebody may know several of them.",
    ),
    NoticeKind(
        id="microaggregated-left",
        topic="file",
        rule="records miss some of the variables, and fewer than k miss the same ones",
        fact="{count:,} records have values of {names} that were left as they were, as fewer than "
        "k records miss the same variables.",
        one="1 record has values of {names} that were left as they were, as fewer than k records "
        "miss the same variables.",
        remedy="Choose a smaller k, microaggregate variables apart, or suppress these values.",
    ),
    NoticeKind(
        id="shuffled-redundant",
        topic="file",
        rule="a variable that shuffling is given follows from the others, or does not vary",
        fact="{names} follows from the other variables that shuffling is given, or is always the "
        "same, and was left out.",
        remedy="Check that it is what you meant to name; nothing is lost by leaving it out.",
    ),
    NoticeKind(
        id="perturbed-keys",
        topic="key",
        rule="a key of the scenario was perturbed",
        fact="After {words}, sample uniques, k, special uniques, combinations and diversity are "
        "not meaningful; those shown are of the file before it.",
        remedy="Judge the file by its risk, which takes account of it.",
    ),
    NoticeKind(
        id="perturbed-targeted",
        topic="key",
        rule="only records above a limit on risk were perturbed",
        fact="{name!r} was perturbed only where the risk is high, so that what is left rests on "
        "records whose risk is low, and often estimated too low: by up to 9 % in simulations.",
        remedy="Allow for that in the limit.",
    ),
    NoticeKind(
        id="perturbed-members",
        topic="household",
        rule="PRAM without a household of a variable that all members of every household share",
        fact="All members of a household share {name!r}, but each drew alone: whoever sees who "
        "lives together can read the true value off most of them, and the risk is understated.",
        remedy="Draw once for a household (together), or drop the household identifier.",
    ),
    NoticeKind(
        id="pram-single",
        topic="key",
        rule="PRAM within strata, some of which have but one category of the variable",
        fact="{count:,} strata have one category of {name!r} only and stay as they are.",
        one="1 stratum has one category of {name!r} only and stays as it is.",
        remedy="Name coarser strata if they are to be protected.",
    ),
    NoticeKind(
        id="swap-targeted",
        topic="key",
        rule="record swapping of keys",
        fact="Households that stand out were swapped first, so that what is left rests on records "
        "whose risk is low, and often estimated too low: in simulations by up to 28 % by the "
        "estimator cell, and by up to 10 % by the model.",
        remedy="Allow for that in the limit, or measure by the model (estimator).",
    ),
    NoticeKind(
        id="swap-weights",
        topic="weight",
        rule="record swapping between areas whose weights differ, without carrying the weight",
        fact="The weight {name!r} stayed with households that moved, so that weighted totals of "
        "areas change, by area at most: {changes:percent}.",
        remedy="Move the weight along (carry) if all members share it, calibrate it anew, or let "
        "partners agree on what weights depend on (profile).",
    ),
    NoticeKind(
        id="swap-stuck",
        topic="household",
        rule="households that had to move found no partner",
        fact="Households that had to move and are still in the same area, by level: {counts:,}.",
        remedy="Ask partners to agree on less (profile), or recode what makes them stand out.",
    ),
    NoticeKind(
        id="swap-lacking",
        topic="household",
        rule="fewer households could be swapped than the rate asks for",
        fact="{count:,} households are lacking for the rate.",
        one="1 household is lacking for the rate.",
        remedy="Ask partners to agree on less (profile), or for a lower rate.",
    ),
)
KINDS: Mapping[str, NoticeKind] = {kind.id: kind for kind in (*_KINDS, *FILE_KINDS)}


def make_notice(kind: str, **figures: Any) -> Notice:
    """Return a notice of a kind with its figures."""
    return Notice(id=KINDS[kind].id, figures=figures)
