"""Perturbed variables in German: texts of the report, sentences of other rooms, words of steps."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.language import StepWords

PERTURBED: Mapping[str, str] = {
    "{count} (before {words}; not meaningful after it)": (
        "{count} (vor {words}; danach nicht aussagekräftig)"
    ),
    " (realised: {value})": " (eingetreten: {value})",
    "Keys that were perturbed": "Zufällig veränderte Schlüsselvariablen",
    "Expected re-identifications without it": "Erwartete Reidentifikationen ohne dies",
    "Expected among records that kept all their keys": (
        "Erwartet unter Datensätzen, deren Schlüsselwerte alle blieben"
    ),
    "{gain} times, {expected} in all": "das {gain}-Fache, insgesamt {expected}",
    "An intruder who knows the chances and has a register hits": (
        "Ein Angreifer, der die Wahrscheinlichkeiten kennt und ein Register hat, trifft"
    ),
    "{combinations}, shown by {records} records": "{combinations}, in {records} Datensätzen",
    "Released combinations that no original record has": (
        "Weitergegebene Kombinationen, die kein ursprünglicher Datensatz hat"
    ),
    "The risk is that of the file before {words}, times the chance that an intruder finds a person "
    "by the keys that he knows; he may leave out keys that were perturbed. The chances add no "
    "error of their own; that of the risk before stays. Sample uniques, k, special uniques, "
    "combinations and diversity are not meaningful after {words}: those in this report are of the "
    "file before it.": (
        "Das Risiko ist das der Datei vor {words}, mal der Wahrscheinlichkeit, dass ein Angreifer "
        "eine Person anhand der ihm bekannten Schlüsselwerte findet; veränderte Schlüsselvariablen "
        "kann er auslassen. Die Wahrscheinlichkeiten fügen keinen eigenen Fehler hinzu; der des "
        "Risikos davor bleibt. Stichprobenunikate, k, besondere Unikate, Kombinationen und "
        "Diversität sind nach {words} nicht aussagekräftig: Die Angaben in diesem Bericht sind die "
        "der Datei davor."
    ),
    # What steps say of their results
    "Values changed": "Geänderte Werte",
    "Values kept": "Unveränderte Werte",
    "Frequencies kept in expectation": "Häufigkeiten bleiben im Erwartungswert erhalten",
    "Relative standard error added to a frequency, at most": (
        "Zusätzlicher relativer Standardfehler einer Häufigkeit, höchstens"
    ),
    "Strata with one category, left as they are": (
        "Schichten mit nur einer Ausprägung, unverändert"
    ),
    "Households that moved": "Getauschte Haushalte",
    "Moved for the sake of": "Getauscht auf der Ebene",
    "Had to move and found no partner": "Mussten tauschen und fanden keinen Partner",
    "Lacking for the rate": "Es fehlen am Anteil",
    "Households without an area, left as they are": "Haushalte ohne Gebietsangabe, unverändert",
    "Largest change of a weighted total": "Größte Änderung einer gewichteten Summe",
}
PERTURBED_SENTENCES: Mapping[str, str] = {
    "After {words}, sample uniques, k, special uniques, combinations and diversity are not "
    "meaningful; those shown are of the file before it.": (
        "Nach {words} sind Stichprobenunikate, k, besondere Unikate, Kombinationen und Diversität "
        "nicht aussagekräftig; die gezeigten sind die der Datei davor."
    ),
    "Judge the file by its risk, which takes account of it.": (
        "Die Datei ist nach ihrem Risiko zu beurteilen, das dies berücksichtigt."
    ),
    "{name} was perturbed only where the risk is high, so that what is left rests on records whose "
    "risk is low, and often estimated too low: by up to 9 % in simulations.": (
        "{name} wurde nur bei hohem Risiko verändert; was bleibt, beruht auf Datensätzen mit "
        "niedrigem Risiko, das oft zu niedrig geschätzt wird: in Simulationen um bis zu 9 %."
    ),
    "Allow for that in the limit.": "Der Grenzwert sollte dem Rechnung tragen.",
    "All members of a household share {name}, but each drew alone: whoever sees who lives together "
    "can read the true value off most of them, and the risk is understated.": (
        "Alle Mitglieder eines Haushalts haben denselben Wert von {name}, aber jedes hat einzeln "
        "gezogen: Wer sieht, wer zusammenlebt, liest den wahren Wert an den meisten ab, und das "
        "Risiko ist unterschätzt."
    ),
    "Draw once for a household (together), or drop the household identifier.": (
        "Je Haushalt sollte einmal gezogen (together) oder die Haushaltsnummer entfernt werden."
    ),
    "{count} strata have one category of {name} only and stay as they are.": (
        "{count} Schichten haben nur eine Ausprägung von {name} und bleiben unverändert."
    ),
    "1 stratum has one category of {name} only and stays as it is.": (
        "1 Schicht hat nur eine Ausprägung von {name} und bleibt unverändert."
    ),
    "Name coarser strata if they are to be protected.": (
        "Sollen sie geschützt werden, sind gröbere Schichten anzugeben."
    ),
    "Households that stand out were swapped first, so that what is left rests on records whose "
    "risk is low, and often estimated too low: in simulations by up to 28 % by the estimator cell, "
    "and by up to 10 % by the model.": (
        "Auffällige Haushalte wurden zuerst getauscht; was bleibt, beruht auf Datensätzen mit "
        "niedrigem Risiko, das oft zu niedrig geschätzt wird: in Simulationen um bis zu 28 % vom "
        "Schätzer „cell“ und um bis zu 10 % vom Modell."
    ),
    "Allow for that in the limit, or measure by the model (estimator).": (
        "Der Grenzwert sollte dem Rechnung tragen, oder das Risiko wird mit dem Modell gemessen "
        "(estimator)."
    ),
    "The weight {name} stayed with households that moved, so that weighted totals of areas change, "
    "by area at most: {changes}.": (
        "Das Gewicht {name} blieb bei den getauschten Haushalten, sodass sich gewichtete Summen "
        "der Gebiete ändern, je Gebiet höchstens um: {changes}."
    ),
    "Move the weight along (carry) if all members share it, calibrate it anew, or let partners "
    "agree on what weights depend on (profile).": (
        "Das Gewicht sollte mitgetauscht (carry), falls alle Mitglieder dasselbe haben, oder neu "
        "kalibriert werden, oder Partner stimmen in dem überein, wovon es abhängt (profile)."
    ),
    "Households that had to move and are still in the same area, by level: {counts}.": (
        "Haushalte, die tauschen mussten und noch im selben Gebiet sind, je Ebene: {counts}."
    ),
    "Ask partners to agree on less (profile), or recode what makes them stand out.": (
        "Partner müssen in weniger übereinstimmen (profile), oder Auffälliges wird umkodiert."
    ),
    "{count} households are lacking for the rate.": "Am Anteil fehlen {count} Haushalte.",
    "1 household is lacking for the rate.": "Am Anteil fehlt 1 Haushalt.",
    "Ask partners to agree on less (profile), or for a lower rate.": (
        "Partner müssen in weniger übereinstimmen (profile), oder der Anteil wird gesenkt."
    ),
    "{name} was perturbed: tables compare its categories before and after.": (
        "{name} wurde zufällig verändert: Tabellen vergleichen die Ausprägungen vorher und nachher."
    ),
    "before {words}; not meaningful after it": "vor {words}; danach nicht aussagekräftig",
    "{kept} (expected {expected}, standard deviation {deviation})": (
        "{kept} (erwartet {expected}, Standardabweichung {deviation})"
    ),
}
PERTURBING_STEPS: Mapping[str, StepWords] = {
    "pram": StepWords(
        title="Post-Randomisierung (PRAM)",
        public="Werte einer kategorialen Variablen wurden zufällig durch andere Ausprägungen "
        "derselben Variablen ersetzt, mit vorher festgelegten Wahrscheinlichkeiten.",
        parameters={
            "variable": "Variable",
            "keep": "Kleinste Wahrscheinlichkeit zu bleiben",
            "matrix": "Wahrscheinlichkeiten",
            "band": "Stellen, um die ein Wert rücken kann",
            "change": "Größte Wahrscheinlichkeit zu rücken",
            "strata": "Schichten",
            "within": "Gruppen von Ausprägungen, die getauscht werden können",
            "above": "Nur Datensätze mit einem Risiko über",
            "together": "Haushalt",
            "identifier": "Kennnummer",
            "seed": "Startwert",
        },
    ),
    "swap": StepWords(
        title="Tausch von Haushalten (Record Swapping)",
        public="Einige Haushalte tauschten die Gebiete, in denen sie wohnen, mit anderen ähnlichen "
        "Haushalten derselben Größe.",
        parameters={
            "household": "Haushalt",
            "areas": "Gebiete",
            "carry": "Mitgetauscht",
            "profile": "Partner stimmen überein in",
            "rate": "Anteil der getauschten Haushalte",
            "risk_keys": "Risikovariablen",
            "k": "Mindestzahl Gleicher in einem Gebiet",
            "above": "Risiko im Gebiet über",
            "seed": "Startwert",
        },
    ),
}
