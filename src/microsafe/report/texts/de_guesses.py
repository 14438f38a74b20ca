"""What a file gives away, and missing keys, in German."""

from __future__ import annotations

from collections.abc import Mapping

GUESSES: Mapping[str, str] = {
    # What the file gives away, and missing keys
    "What the file gives away": "Was die Datei verrät",
    "Suppressed values that somebody guesses right who has nothing but the file, in its order: "
    "by the value of the record before, by that of other members of the household, or by "
    "another variable that determines the key. Beyond blind guesses, the most frequent value or "
    "that of any record, {share} of all suppressed values are given away.": (
        "Unterdrückte Werte, die jemand richtig errät, der nur die Datei in ihrer Reihenfolge hat: "
        "am Wert des vorhergehenden Datensatzes, am Wert anderer Haushaltsmitglieder oder an einer "
        "anderen Variable, die die Schlüsselvariable bestimmt. Über blindes Raten "
        "hinaus (häufigster Wert oder Wert eines beliebigen Datensatzes) werden {share} aller "
        "unterdrückten Werte verraten."
    ),
    "It could not be measured.": "Dies konnte nicht gemessen werden.",
    "Key": "Schlüsselvariable",
    "Suppressed": "Unterdrückt",
    "Most frequent value": "Häufigster Wert",
    "Any record": "Beliebiger Datensatz",
    "Record before": "Vorhergehender Datensatz",
    "Members": "Haushaltsmitglieder",
    "Other variable": "Andere Variable",
    "All keys": "Alle Schlüsselvariablen",
    "Share of the suppressed values that a guess gets right.": (
        "Anteil der unterdrückten Werte, die richtig erraten werden."
    ),
    "May stand for any category (wildcard)": "Steht für jede Ausprägung (wildcard)",
    "A category of its own (category)": "Eine eigene Ausprägung (category)",
    "Weighed by the chance of each category (expected)": (
        "Gewichtet mit der Wahrscheinlichkeit jeder Ausprägung (expected)"
    ),
    "{rule}, the scenario's": "{rule}, Regel des Szenarios",
    "Largest risk": "Größtes Risiko",
    "Rate": "Rate",
    "Above the limit": "Über dem Grenzwert",
    "After protection, under each rule for keys that are missing or suppressed.": (
        "Nach der Anonymisierung, für jede Regel zu fehlenden oder unterdrückten Schlüsselwerten."
    ),
    "The share of population uniques is {level}, and yet {above} above the limit on the risk of a "
    "record. This is no contradiction: the share is an average over all sample uniques, the limit "
    "is about each record. A calm file does not make up for them.": (
        "Der Anteil der in der Grundgesamtheit Einmaligen ist {level}, und doch {above} über dem "
        "Grenzwert für das Risiko eines Datensatzes. Das ist kein Widerspruch: Der Anteil ist ein "
        "Durchschnitt über alle in der Stichprobe Einmaligen, der Grenzwert gilt für jeden "
        "Datensatz. Eine unauffällige Datei wiegt sie nicht auf."
    ),
    "{count} record lies": "liegt {count} Datensatz",
    "{count} records lie": "liegen {count} Datensätze",
    "Expected with missing keys weighed, as a multiple": (
        "Erwartete Re-Identifikationen bei gewichteten fehlenden Schlüsselwerten, als Vielfaches"
    ),
    "Suppressed values guessed right beyond chance": (
        "Über den Zufall hinaus richtig erratene unterdrückte Werte"
    ),
}
