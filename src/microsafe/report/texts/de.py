"""The reports in German, in the words of official statistics."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.de_cost import COST
from microsafe.report.texts.de_guesses import GUESSES
from microsafe.report.texts.de_numbers import NUMBERS
from microsafe.report.texts.de_perturbed import PERTURBED
from microsafe.report.texts.de_sentences import SENTENCES
from microsafe.report.texts.de_steps import RESULT_LABELS, STEPS
from microsafe.report.texts.de_uses import USES
from microsafe.report.texts.de_why import WHY
from microsafe.report.texts.language import Language

TEXTS: Mapping[str, str] = {
    **COST,
    **GUESSES,
    **RESULT_LABELS,
    **NUMBERS,
    **PERTURBED,
    **USES,
    **WHY,
    # Cover and page
    "Disclosure control report": "Bericht zur statistischen Geheimhaltung",
    "How this file was protected": "Wie diese Datei geschützt wurde",
    "For the disclosure review board. Confidential: limits and risks help an intruder.": (
        "Für das Geheimhaltungsgremium. Vertraulich: Grenzwerte und Risiken helfen einem "
        "Datenangreifer."
    ),
    "For users of the file.": "Für Nutzerinnen und Nutzer der Datei.",
    "Made by {program}. Terms and formulas are in its manual.": (
        "Erstellt mit {program}. Begriffe und Formeln stehen im Handbuch."
    ),
    "Contents": "Inhalt",
    "Institution": "Institution",
    "Survey": "Erhebung",
    "Type of release": "Art der Veröffentlichung",
    "Version": "Version",
    "Date": "Datum",
    "File": "Datei",
    "Signatures.": "Unterschriften.",
    "Signature": "Unterschrift",
    "Name or office": "Name oder Funktion",
    "For the survey": "Für die Erhebung",
    "For the disclosure review board": "Für das Geheimhaltungsgremium",
    "Reason": "Begründung",
    # Sections
    "Summary": "Zusammenfassung",
    "Verdicts, rule by rule": "Prüfergebnis, Regel für Regel",
    "Variables and decisions": "Variablen und Entscheidungen",
    "Scenarios": "Angriffsszenarien",
    "Risk before and after": "Risiko vor und nach der Anonymisierung",
    "The file as a whole": "Die Datei als Ganzes",
    "What was done": "Durchgeführte Maßnahmen",
    "What it cost": "Informationsverlust",
    "Codebook of the released file": "Codebuch der weitergegebenen Datei",
    "For the record": "Nachweise",
    "Methods": "Verfahren",
    "What protection cost": "Informationsverlust durch den Schutz",
    "Using the file": "Hinweise zur Nutzung",
    "The released file": "Die weitergegebene Datei",
    # Verdicts
    "No policy was given, so there are no rules to judge the file by.": (
        "Es wurden keine Regeln vorgegeben, nach denen die Datei zu beurteilen wäre."
    ),
    "Not judged.": "Nicht beurteilt.",
    "Rules met: {met} of {all}.": "Eingehaltene Regeln: {met} von {all}.",
    "Not to be released.": "Nicht zur Weitergabe freigegeben.",
    "Not met, and without a reason to release: {count}.": (
        "Nicht eingehalten und ohne Begründung für eine Freigabe: {count}."
    ),
    "Release by override.": "Freigabe durch begründete Ausnahme.",
    "Not met, and overridden with a reason given below: {count}.": (
        "Nicht eingehalten, mit unten genannter Begründung zugelassen: {count}."
    ),
    "All rules are met.": "Alle Regeln sind eingehalten.",
    "They were measured after the last step.": "Gemessen wurde nach der letzten Maßnahme.",
    "{count} record could not be made safe by suppression alone.": (
        "{count} Datensatz ließ sich durch Unterdrückung allein nicht ausreichend schützen."
    ),
    "{count} records could not be made safe by suppression alone.": (
        "{count} Datensätze ließen sich durch Unterdrückung allein nicht ausreichend schützen."
    ),
    "before: {value}": "vorher: {value}",
    "replaced: {count}": "ersetzt: {count}",
    "{part} of {all}": "{part} von {all}",
    "Risk under the scenario with the most expected re-identifications.": (
        "Risiko im Szenario mit den meisten erwarteten Re-Identifikationen."
    ),
    "at least {limit}": "mindestens {limit}",
    "at most {limit}": "höchstens {limit}",
    "Rule": "Regel",
    "Scenario": "Szenario",
    "Limit": "Grenzwert",
    "Measured": "Gemessen",
    "Verdict": "Ergebnis",
    "Measured on the protected file.": "Gemessen an der geschützten Datei.",
    "{rule}: no estimate. {note}": "{rule}: keine Schätzung. {note}",
    "{rule}: {note}.": "{rule}: {note}.",
    "{rule} is not met. Why the file may be released nevertheless:": (
        "{rule}: nicht eingehalten. Warum die Datei dennoch weitergegeben werden darf:"
    ),
    "{rule}, scenario “{scenario}”, is not met. Why the file may be released nevertheless:": (
        "{rule}, Szenario „{scenario}“: nicht eingehalten. Warum die Datei dennoch weitergegeben "
        "werden darf:"
    ),
    "met": "eingehalten",
    "not met": "nicht eingehalten",
    ", overridden": ", Ausnahme",
    "Largest risk of a record": "Größtes Re-Identifikationsrisiko eines Datensatzes",
    "Expected re-identifications": "Erwartete Re-Identifikationen",
    "Re-identification rate": "Re-Identifikationsrate",
    "Largest household risk": "Größtes Risiko eines Haushalts",
    "Household re-identification rate": "Re-Identifikationsrate der Haushalte",
    "Expected households re-identified": "Erwartete re-identifizierte Haushalte",
    "Sample uniques that are population uniques": (
        "Stichprobenunikate, die auch in der Grundgesamtheit einzigartig sind"
    ),
    "Share of the sample uniques that are population uniques": (
        "Anteil der Stichprobenunikate, die auch in der Grundgesamtheit einzigartig sind"
    ),
    "Expected correct matches with sample uniques": (
        "Erwartete richtige Zuordnungen von Stichprobenunikaten"
    ),
    "Fewest records that share their keys": (
        "Kleinste Zahl von Datensätzen mit denselben Schlüsselwerten"
    ),
    "Variables without a decision, and direct identifiers": (
        "Variablen ohne Entscheidung und direkte Identifikatoren"
    ),
    "Expected by the model, as a multiple of the estimate by cell": (
        "Erwartung nach dem Modell als Vielfaches der Schätzung nach Zellen"
    ),
    # Variables
    "Of {all} in the input, {out} go out; {open} are not decided on.": (
        "Von {all} der Eingangsdatei werden {out} weitergegeben; nicht entschieden: {open}."
    ),
    "{count} variable": "{count} Variable",
    "{count} variables": "{count} Variablen",
    "All variables of the input.": "Alle Variablen der Eingangsdatei.",
    "Variable": "Variable",
    "What makes it delicate": "Warum sie heikel ist",
    "Decision": "Entscheidung",
    "Step or reason": "Maßnahme oder Begründung",
    "step {numbers}": "Maßnahme {numbers}",
    "not released": "nicht weitergegeben",
    "released as a key": "weitergegeben als Schlüsselvariable",
    "released as the weight": "weitergegeben als Hochrechnungsgewicht",
    "released as the household number": "weitergegeben als Haushaltsnummer",
    "released after protection": "weitergegeben nach Schutzmaßnahme",
    "released, with a reason": "weitergegeben, mit Begründung",
    "not decided": "nicht entschieden",
    "refused: direct identifier": "abgelehnt: direkter Identifikator",
    "direct identifier": "direkter Identifikator",
    "record number": "Ordnungsnummer",
    "household number": "Haushaltsnummer",
    "exact date": "genaues Datum",
    "free text": "Freitext",
    "fine geography": "kleinräumige Regionalangabe",
    "coordinates": "Koordinaten",
    "exact number": "genaue Zahl",
    "telling weight": "verräterisches Gewicht",
    "leftover": "technischer Überrest",
    "The records stay in the order of the input.": (
        "Die Datensätze bleiben in der Reihenfolge der Eingangsdatei."
    ),
    "The records stay in the order of the input; nobody decided on it.": (
        "Die Datensätze bleiben in der Reihenfolge der Eingangsdatei; darüber wurde nicht "
        "entschieden."
    ),
    "The records were put into a random order.": (
        "Die Datensätze wurden in eine zufällige Reihenfolge gebracht."
    ),
    # Scenarios
    "Scenario “{name}”": "Szenario „{name}“",
    "Keys, known to the intruder": "Schlüsselvariablen, die der Datenangreifer kennt",
    "Weight": "Hochrechnungsgewicht",
    "none: the file is treated as the whole population": (
        "keines: die Datei gilt als die gesamte Grundgesamtheit"
    ),
    "Household": "Haushalt",
    "not considered": "nicht berücksichtigt",
    "Missing keys": "Fehlende Schlüsselwerte",
    "a missing key may stand for any category": (
        "ein fehlender Schlüsselwert kann für jede Ausprägung stehen"
    ),
    "missing is a category of its own": "fehlend gilt als eigene Ausprägung",
    "a gap counts by the chance that it hides the category, a suppressed value exactly": (
        "eine Lücke zählt mit der Wahrscheinlichkeit, dass sie die Ausprägung verdeckt, ein "
        "unterdrückter Wert genau"
    ),
    "; a match that rests on such a gap counts {weight}": (
        "; eine Übereinstimmung, die auf einer solchen Lücke beruht, zählt {weight}"
    ),
    "Attack": "Angriff",
    "the intruder tries every record": "der Datenangreifer versucht es mit jedem Datensatz",
    "the intruder tries one record, drawn at random": (
        "der Datenangreifer versucht es mit einem zufällig gezogenen Datensatz"
    ),
    "the intruder prefers people who are well represented in the file": (
        "der Datenangreifer bevorzugt Personen, die in der Datei gut vertreten sind"
    ),
    "the intruder prefers records with a high chance of inclusion": (
        "der Datenangreifer bevorzugt Datensätze mit hoher Auswahlwahrscheinlichkeit"
    ),
    "Estimator of the risk": "Schätzung des Risikos",
    "cell: from the records with the same keys and their weights, as in mu-ARGUS": (
        "nach Zellen: aus den Datensätzen mit denselben Schlüsselwerten und ihren Gewichten, wie "
        "in mu-ARGUS"
    ),
    "model: from a model of the population that is fitted to all combinations of keys": (
        "nach dem Modell: aus einem Modell der Grundgesamtheit, das an alle Kombinationen der "
        "Schlüsselwerte angepasst ist"
    ),
    "the records with the same keys, as the file is the population": (
        "aus den Datensätzen mit denselben Schlüsselwerten, da die Datei die Grundgesamtheit ist"
    ),
    "Factor that multiplies every risk": "Faktor, mit dem jedes Risiko multipliziert wird",
    "Chance that a key is recorded with error": (
        "Wahrscheinlichkeit, dass ein Schlüsselwert fehlerhaft erfasst ist"
    ),
    "Keys left out of the file": "Nicht in der Datei enthaltene Schlüsselvariablen",
    # Risk
    "Measure": "Kennzahl",
    "Before": "Vorher",
    "After": "Nachher",
    "Records": "Datensätze",
    "Combinations of keys that occur": "Vorkommende Kombinationen der Schlüsselwerte",
    "Sample uniques, records": "Stichprobenunikate, Datensätze",
    "Expected re-identifications, records": "Erwartete Re-Identifikationen, Datensätze",
    "Standard error of the expected number": "Standardfehler der erwarteten Zahl",
    "Records above it": "Datensätze darüber",
    "Households": "Haushalte",
    "Expected records in them": "Erwartete Datensätze darin",
    "Household limit": "Grenzwert für Haushalte",
    "Households above it": "Haushalte darüber",
    "Expected by known population counts": "Erwartet nach bekannten Bevölkerungszahlen",
    "Population uniques by them, records": "Danach einzigartig in der Grundgesamtheit, Datensätze",
    "What to know before trusting the figures after protection:": (
        "Was zu beachten ist, bevor man den Werten nach der Anonymisierung vertraut:"
    ),
    "Histograms of the risk of records under scenario {scenario}: largest risk {before} before "
    "and {after} after protection.": (
        "Histogramme des Risikos der Datensätze im Szenario {scenario}: größtes Risiko {before} "
        "vor und {after} nach der Anonymisierung."
    ),
    "Records above the limit: {before} before, {after} after.": (
        "Datensätze über dem Grenzwert: {before} vorher, {after} nachher."
    ),
    "Records by risk of re-identification, before and after, on one axis.": (
        "Datensätze nach ihrem Re-Identifikationsrisiko, vorher und nachher, auf einer Achse."
    ),
    "Red lies above the limit.": "Rot liegt über dem Grenzwert.",
    "before: largest risk {risk}": "vorher: größtes Risiko {risk}",
    "after: largest risk {risk}": "nachher: größtes Risiko {risk}",
    "before: {unsafe} of {all} records above the limit": (
        "vorher: {unsafe} von {all} Datensätzen über dem Grenzwert"
    ),
    "after: {unsafe} of {all} records above the limit": (
        "nachher: {unsafe} von {all} Datensätzen über dem Grenzwert"
    ),
    "limit {risk}": "Grenzwert {risk}",
    "risk of re-identification of a record": "Re-Identifikationsrisiko eines Datensatzes",
    "records": "Datensätze",
    # Estimators
    "cell": "Zellen",
    "model": "Modell",
    "By {name}, before": "Nach {name}, vorher",
    "By {name}, after": "Nach {name}, nachher",
    "Both estimators; “{name}” decides.": "Beide Schätzungen; es entscheidet „{name}“.",
    "–: fewer than 5 % of the records are sample uniques, so only one estimator was computed.": (
        "–: Weniger als 5 % der Datensätze sind Stichprobenunikate, daher wurde nur eine "
        "Schätzung berechnet."
    ),
    "By the model of the population {times} times as many re-identifications are expected as by "
    "the estimator “cell”, which decides here (scenario “{scenario}”).": (
        "Nach dem Modell der Grundgesamtheit sind {times}-mal so viele Re-Identifikationen zu "
        "erwarten wie nach der Schätzung „Zellen“, die hier entscheidet (Szenario „{scenario}“)."
    ),
    "Records above the limit": "Datensätze über dem Grenzwert",
    "The risk of a record was estimated {ways}.": (
        "Das Risiko eines Datensatzes wurde geschätzt {ways}."
    ),
    "from the records that share its key values and from their weights": (
        "aus den Datensätzen mit denselben Schlüsselwerten und ihren Gewichten"
    ),
    "from a statistical model of the population, fitted to the sample and its weights": (
        "aus einem statistischen Modell der Grundgesamtheit, angepasst an die Stichprobe und ihre "
        "Gewichte"
    ),
    "as if the file were the whole population": "als wäre die Datei die ganze Grundgesamtheit",
    ", and under other assumptions ": ", und unter anderen Annahmen ",
    # The file as a whole
    "Somebody who is alone in the file with a combination of keys (a sample unique) need not be "
    "alone in the population. A model of the whole cross table of the keys estimates how many "
    "are, and how many would be recognised by matching with a full register.": (
        "Wer in der Datei mit einer Kombination der Schlüsselwerte allein steht (ein "
        "Stichprobenunikat), muss in der Grundgesamtheit nicht allein sein. Ein Modell der ganzen "
        "Kreuztabelle der Schlüsselvariablen schätzt, wie viele es sind und wie viele beim "
        "Abgleich mit einem vollständigen Register erkannt würden."
    ),
    "Ranges are nominal 95 % intervals; their coverage was measured on samples from known "
    "populations. Missing keys count as a category. DIS (data intrusion simulation) needs no "
    "model. It counts people who might be tried, not records, so it is no share of the matches "
    "above it.": (
        "Spannen sind nominelle 95-%-Intervalle; ihre Überdeckung wurde an Stichproben aus "
        "bekannten Grundgesamtheiten gemessen. Fehlende Schlüsselwerte zählen als Ausprägung. DIS "
        "(data intrusion simulation) braucht kein Modell. Gezählt werden Personen, mit denen es "
        "versucht werden könnte, nicht Datensätze; die Zahl ist daher kein Anteil der darüber "
        "genannten Zuordnungen."
    ),
    "B₂ is the bias of the model in standard errors: from −2 to 2 there is no sign of bias; above "
    "2 the risk is overstated, below −2 understated.": (
        "B₂ ist die Verzerrung des Modells in Standardfehlern: Von −2 bis 2 gibt es kein Anzeichen "
        "einer Verzerrung; über 2 wird das Risiko überschätzt, unter −2 unterschätzt."
    ),
    "{level} up to {share}": "{level} bis {share}",
    "very low": "sehr niedrig",
    "low": "niedrig",
    "moderate": "mäßig",
    "high": "hoch",
    "Levels of the share: {bands}, above that high.": (
        "Stufen des Anteils: {bands}, darüber hoch."
    ),
    "Cells of the cross table, empty ones included": (
        "Zellen der Kreuztabelle, leere eingeschlossen"
    ),
    "Average cell size, records": "Mittlere Zellbesetzung, Datensätze",
    "Uniques in the population among them (τ₁)": (
        "Darunter einzigartig in der Grundgesamtheit (τ₁)"
    ),
    "Expected correct matches among them (τ₂)": "Darunter erwartete richtige Zuordnungen (τ₂)",
    "Share of sample uniques that are population uniques": (
        "Anteil der Stichprobenunikate, die in der Grundgesamtheit einzigartig sind"
    ),
    "Chance that a unique match with a random person is correct (DIS)": (
        "Wahrscheinlichkeit, dass die eindeutige Zuordnung einer zufälligen Person richtig ist "
        "(DIS)"
    ),
    "Interactions in the model": "Wechselwirkungen im Modell",
    "none: main effects only": "keine: nur Haupteffekte",
    "B₂, standard errors": "B₂, Standardfehler",
    "After, without suppression": "Nachher, ohne Unterdrückung",
    "Sample uniques without a blank after suppression": (
        "Stichprobenunikate ohne unterdrückten Wert"
    ),
    "Expected correct matches among those": "Unter diesen erwartete richtige Zuordnungen",
    "no estimate": "keine Schätzung",
    "{value} ({low} to {high})": "{value} ({low} bis {high})",
    # Steps
    "Nothing was changed.": "Es wurde nichts verändert.",
    "The file was released as it is.": "Die Datei wurde unverändert weitergegeben.",
    "To protect the people in the file, the data were changed as follows.": (
        "Zum Schutz der Personen in der Datei wurden die Daten wie folgt verändert."
    ),
    "yes": "ja",
    "no": "nein",
    "{low} and above": "{low} und mehr",
    "{low} to {high}": "{low} bis {high}",
    "{low} to under {high}": "{low} bis unter {high}",
    "up to {high}": "bis {high}",
    "under {high}": "unter {high}",
    ", then ": ", dann ",
    "{codes} codes into {parents}": "{codes} Schlüsselnummern zu {parents} zusammengefasst",
    # Codebook
    "Variables and categories of the released file.": (
        "Variablen und Ausprägungen der weitergegebenen Datei."
    ),
    "Category": "Ausprägung",
    "Weighted": "Hochgerechnet",
    "missing": "fehlend",
    "Categories that no record has are not listed.": (
        "Ausprägungen ohne Datensätze sind nicht aufgeführt."
    ),
    "texts": "Texte",
    "dates": "Datumsangaben",
    "times of day": "Uhrzeiten",
    "durations": "Zeitspannen",
    "whole numbers": "ganze Zahlen",
    "numbers": "Zahlen",
    "values of another kind": "Werte anderer Art",
    # For the record
    "Input": "Eingangsdatei",
    "Checksum of the input (SHA-256)": "Prüfsumme der Eingangsdatei (SHA-256)",
    "Safe file": "Geschützte Datei",
    "Checksum of the safe file (SHA-256)": "Prüfsumme der geschützten Datei (SHA-256)",
    "Checksum (SHA-256)": "Prüfsumme (SHA-256)",
    "Software": "Software",
    "Plan of the release": "Plan der Veröffentlichung",
    "Protected with": "Geschützt mit",
    # Figures
    "1 in {many}": "1 von {many}",
    "nearly {odds}": "fast {odds}",
    "under": "unter",
    "over": "über",
}

LANGUAGE = Language(
    code="de",
    html="de",
    texts=TEXTS,
    steps=STEPS,
    sentences=SENTENCES,
    thousands="\u00a0",
    decimal=",",
)
