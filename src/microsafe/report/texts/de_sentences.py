"""Sentences of other rooms in German: notices, what makes a variable delicate, what was compared.

They arrive with their figures in them and are recognised by the English template.
"""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.de_files import FILE_SENTENCES
from microsafe.report.texts.de_numbers import NUMBER_SENTENCES
from microsafe.report.texts.de_perturbed import PERTURBED_SENTENCES
from microsafe.report.texts.de_uses import USES_SENTENCES

NOTICES: Mapping[str, str] = {
    "There is no sampling weight: the file is treated as the whole population, and the risk is "
    "1/f.": "Es gibt kein Hochrechnungsgewicht: Die Datei gilt als die gesamte Grundgesamtheit, "
    "und das Risiko ist 1/f.",
    "All weights are 1: the file is treated as the whole population, and the risk is 1/f.": (
        "Alle Gewichte sind 1: Die Datei gilt als die gesamte Grundgesamtheit, und das Risiko ist "
        "1/f."
    ),
    "If the file is a sample, name the weight that says how many people each record stands for.": (
        "Ist die Datei eine Stichprobe, ist das Gewicht anzugeben, das sagt, für wie viele "
        "Personen jeder Datensatz steht."
    ),
    "{count} weights below 1 were raised to 1.": (
        "{count} Gewichte unter 1 wurden auf 1 angehoben."
    ),
    "1 weight below 1 was raised to 1.": "1 Gewicht unter 1 wurde auf 1 angehoben.",
    "A weight is a number of people; check whether the weights were scaled to the sample size.": (
        "Ein Gewicht ist eine Zahl von Personen; zu prüfen ist, ob die Gewichte auf den "
        "Stichprobenumfang normiert wurden."
    ),
    "{count} sample uniques have more than {times} times the median weight.": (
        "{count} Stichprobenunikate haben mehr als das {times}-Fache des mittleren Gewichts "
        "(Median)."
    ),
    "1 sample unique has more than {times} times the median weight.": (
        "1 Stichprobenunikat hat mehr als das {times}-Fache des mittleren Gewichts (Median)."
    ),
    "The risk is low there only because a single weight stands for many people; check these "
    "records before you trust it.": (
        "Das Risiko ist dort nur niedrig, weil ein einzelnes Gewicht für viele Personen steht; "
        "diese Datensätze sind zu prüfen, bevor man dem Wert vertraut."
    ),
    "{count} records are within the limit only because other records have missing keys.": (
        "{count} Datensätze halten den Grenzwert nur ein, weil in anderen Datensätzen "
        "Schlüsselwerte fehlen."
    ),
    "1 record is within the limit only because other records have missing keys.": (
        "1 Datensatz hält den Grenzwert nur ein, weil in anderen Datensätzen Schlüsselwerte fehlen."
    ),
    "Measure again with missing keys as a category of their own, or with a smaller alpha, and "
    "decide with the higher figures in mind.": (
        "Es sollte erneut gemessen werden, mit fehlenden Schlüsselwerten als eigener Ausprägung "
        "oder mit kleinerem Gewicht solcher Übereinstimmungen, und mit Blick auf die höheren Werte "
        "entschieden werden."
    ),
    "{count} records have less than half the risk that they would have if no other record had "
    "missing keys.": (
        "{count} Datensätze haben weniger als die Hälfte des Risikos, das sie hätten, wenn in "
        "keinem anderen Datensatz Schlüsselwerte fehlten."
    ),
    "1 record has less than half the risk that it would have if no other record had missing "
    "keys.": (
        "1 Datensatz hat weniger als die Hälfte des Risikos, das er hätte, wenn in keinem anderen "
        "Datensatz Schlüsselwerte fehlten."
    ),
    "Missing keys are assumed to hide what other records show.": (
        "Von fehlenden Schlüsselwerten wird angenommen, dass sie verdecken, was andere Datensätze "
        "zeigen."
    ),
    "If they were suppressed, they hide rare values, and matches are overstated several times: "
    "measure where they were suppressed, in the same study or plan.": (
        "Wurden sie unterdrückt, verdecken sie seltene Werte, und Übereinstimmungen werden "
        "mehrfach überschätzt: Gemessen werden sollte dort, wo sie unterdrückt wurden, im selben "
        "Plan."
    ),
    "Key {key} has {categories} categories in {records} records: it is almost an identifier.": (
        "Die Schlüsselvariable {key} hat {categories} Ausprägungen in {records} Datensätzen: Sie "
        "ist beinahe ein Identifikator."
    ),
    "Drop it, or recode it before measuring.": (
        "Sie sollte entfernt oder vor der Messung vergröbert werden."
    ),
    "The model of the population expects {expected} re-identifications, {times} times as many as "
    "the estimator 'cell', which is too low where keys are sparse.": (
        "Das Modell der Grundgesamtheit erwartet {expected} Re-Identifikationen, {times}-mal so "
        "viele wie die Schätzung nach Zellen, die bei dünn besetzten Kombinationen zu niedrig ist."
    ),
    "Use the estimator 'model', or record the reason for keeping 'cell'.": (
        "Es sollte nach dem Modell geschätzt oder begründet werden, warum nach Zellen geschätzt "
        "wird."
    ),
    "{share} of the records are sample uniques; with so many, the estimator 'cell' is often too "
    "low. The model was not fitted for comparison: there are too many combinations of keys.": (
        "{share} der Datensätze sind Stichprobenunikate; bei so vielen ist die Schätzung nach "
        "Zellen oft zu niedrig. Das Modell wurde nicht zum Vergleich angepasst: Es gibt zu viele "
        "Kombinationen der Schlüsselwerte."
    ),
    "{share} of the records are sample uniques; with so many, the estimator 'cell' is often too "
    "low. The model of the population gives no estimate to compare it with.": (
        "{share} der Datensätze sind Stichprobenunikate; bei so vielen ist die Schätzung nach "
        "Zellen oft zu niedrig. Das Modell der Grundgesamtheit liefert keine Schätzung zum "
        "Vergleich."
    ),
    "Recode keys, or leave some out.": (
        "Schlüsselvariablen sollten vergröbert oder weggelassen werden."
    ),
    "Suppressed in some members of a household only: {keys}. All members share the value, so "
    "anyone who sees who lives together can fill it in from the others.": (
        "Nur bei einigen Mitgliedern eines Haushalts unterdrückt: {keys}. Alle Mitglieder haben "
        "denselben Wert; wer sieht, wer zusammenlebt, kann ihn aus den anderen ergänzen."
    ),
    "Blank such keys in all members (together), or drop the household identifier.": (
        "Solche Schlüsselwerte sollten bei allen Mitgliedern unterdrückt (together) oder die "
        "Haushaltsnummer weggelassen werden."
    ),
    "These files were there before and were replaced: {names}.": (
        "Diese Dateien waren schon vorhanden und wurden ersetzt: {names}."
    ),
    "Use other names in [output] to keep both.": (
        "Um beide zu behalten, sollten in [output] andere Namen gewählt werden."
    ),
    "{count} records have no household identifier; each is treated as a household of one.": (
        "{count} Datensätze haben keine Haushaltsnummer; jeder gilt als Einpersonenhaushalt."
    ),
    "1 record has no household identifier; it is treated as a household of one.": (
        "1 Datensatz hat keine Haushaltsnummer; er gilt als Einpersonenhaushalt."
    ),
    "Complete the identifiers if you can.": "Die Nummern sollten nach Möglichkeit ergänzt werden.",
    "No key holds the size of the household, but anyone can count the records that share a "
    "{household}.": (
        "Keine Schlüsselvariable enthält die Haushaltsgröße, aber jeder kann die Datensätze mit "
        "demselben Wert von {household} zählen."
    ),
    "Add household size to the keys.": ("Die Haushaltsgröße sollte Schlüsselvariable werden."),
    "The limit is on the risk of a record: {count} of {households} households have a risk above "
    "it.": (
        "Der Grenzwert gilt für das Risiko eines Datensatzes: {count} von {households} Haushalten "
        "haben ein Risiko darüber."
    ),
    "The limit is on the risk of a record: 1 of {households} households has a risk above it.": (
        "Der Grenzwert gilt für das Risiko eines Datensatzes: 1 von {households} Haushalten hat "
        "ein Risiko darüber."
    ),
    "For a limit on household risk, give a household rate or an expected number of households.": (
        "Für einen Grenzwert des Haushaltsrisikos ist eine Rate oder eine erwartete Zahl von "
        "Haushalten anzugeben."
    ),
    "{source} has fewer people than the sample for the keys of {count} records.": (
        "{source} enthält weniger Personen als die Stichprobe für die Schlüsselwerte von {count} "
        "Datensätzen."
    ),
    "{source} has fewer people than the sample for the keys of 1 record.": (
        "{source} enthält weniger Personen als die Stichprobe für die Schlüsselwerte von 1 "
        "Datensatz."
    ),
    "Check that both code the keys in the same way and describe the same population at the same "
    "time.": (
        "Zu prüfen ist, ob beide die Schlüsselvariablen gleich verschlüsseln und dieselbe "
        "Grundgesamtheit zum selben Zeitpunkt beschreiben."
    ),
    "The weights stand for {estimated} people, but {source} has {people}.": (
        "Die Gewichte stehen für {estimated} Personen, {source} enthält jedoch {people}."
    ),
    "Check the weights, and that the counts are of the same population.": (
        "Zu prüfen sind die Gewichte und ob die Zahlen dieselbe Grundgesamtheit betreffen."
    ),
    "The counts of {source} give {ratio} times as many expected re-identifications as the "
    "weights.": (
        "Nach den Zahlen aus {source} sind {ratio}-mal so viele Re-Identifikationen zu erwarten "
        "wie nach den Gewichten."
    ),
    "Trust the counts, and use them as F.": (
        "Den Zahlen ist zu vertrauen; sie sollten als Besetzung der Grundgesamtheit dienen."
    ),
    "A missing key counts as a category of its own here, not as a wildcard: there may be more "
    "sample uniques than in the risk of the records.": (
        "Ein fehlender Schlüsselwert zählt hier als eigene Ausprägung und steht nicht für jede: "
        "Es kann mehr Stichprobenunikate geben als beim Risiko der Datensätze."
    ),
    "If many values are missing, recode or drop the key.": (
        "Fehlen viele Werte, sollte die Schlüsselvariable vergröbert oder entfernt werden."
    ),
    "Use fewer interactions or fewer keys, or another model.": (
        "Zu versuchen sind weniger Wechselwirkungen, weniger Schlüsselvariablen oder ein anderes "
        "Modell."
    ),
    "The sampling fraction is 1: the file is the population, and every sample unique is a "
    "population unique.": (
        "Der Auswahlsatz ist 1: Die Datei ist die Grundgesamtheit, und jedes Stichprobenunikat ist "
        "auch dort einzigartig."
    ),
    "If the file is a sample, name its weight or its sampling fraction.": (
        "Ist die Datei eine Stichprobe, ist ihr Gewicht oder ihr Auswahlsatz anzugeben."
    ),
    "B2 is {z} standard errors from 0: the model is probably too simple and overstates the risk.": (
        "B₂ liegt {z} Standardfehler von 0 entfernt: Das Modell ist vermutlich zu einfach und "
        "überschätzt das Risiko."
    ),
    "B2 is {z} standard errors from 0: the model is probably too rich for this sample and "
    "understates the risk.": (
        "B₂ liegt {z} Standardfehler von 0 entfernt: Das Modell ist für diese Stichprobe "
        "vermutlich zu komplex und unterschätzt das Risiko."
    ),
    "Try more interactions, or let the search choose them.": (
        "Zu versuchen sind mehr Wechselwirkungen oder deren automatische Auswahl."
    ),
    "Try fewer interactions, or let the search choose them.": (
        "Zu versuchen sind weniger Wechselwirkungen oder deren automatische Auswahl."
    ),
    "{count} interactions would help but need tables of more than 400,000 cells, and were left "
    "out: {terms}.": (
        "{count} Wechselwirkungen würden helfen, brauchen aber Tabellen mit mehr als 400\u00a0000 "
        "Zellen und blieben unberücksichtigt: {terms}."
    ),
    "1 interaction would help but needs tables of more than 400,000 cells, and was left out: "
    "{terms}.": (
        "1 Wechselwirkung würde helfen, braucht aber Tabellen mit mehr als 400\u00a0000 Zellen und "
        "blieb unberücksichtigt: {terms}."
    ),
    "Recode keys that have many categories.": (
        "Schlüsselvariablen mit vielen Ausprägungen sollten vergröbert werden."
    ),
    "{name} looks like an identifier but repeats: {categories} values in {records} records. If "
    "several records belong to one person, the risk is overstated.": (
        "{name} sieht wie ein Identifikator aus, wiederholt sich aber: {categories} Werte in "
        "{records} Datensätzen. Gehören mehrere Datensätze zu einer Person, wird das Risiko "
        "überschätzt."
    ),
    "Measure a file with one record per person.": (
        "Gemessen werden sollte eine Datei mit einem Datensatz je Person."
    ),
    "{other} gives {times} times {direction} {what} than {chosen}.": (
        "Abweichung der Modelle: {other} gegenüber {chosen}, Faktor {times} ({direction}, {what})."
    ),
    "At least one of them does not fit this file; see the page on file risk.": (
        "Mindestens eines von beiden passt nicht zu dieser Datei; siehe die Seite zum Risiko der "
        "Datei im Handbuch."
    ),
    "{other} gives {times} times {direction} {what} than {chosen}. It looks at one cell at a "
    "time: where keys are sparse it treats a weight as the size of the cell, and is often several "
    "times too low.": (
        "Abweichung der Modelle: {other} gegenüber {chosen}, Faktor {times} ({direction}, {what}). "
        "Es betrachtet jede Zelle für sich: Bei dünn besetzten Kombinationen gilt ein Gewicht als "
        "Besetzung der Zelle, und der Wert ist oft um ein Mehrfaches zu niedrig."
    ),
    "It looks at one cell at a time: where keys are sparse it treats a weight as the size of the "
    "cell, and is often several times too low.": (
        "Es betrachtet jede Zelle für sich: Bei dünn besetzten Kombinationen gilt ein Gewicht als "
        "Besetzung der Zelle, und der Wert ist oft um ein Mehrfaches zu niedrig."
    ),
    "Choose a limit with that in mind, or use the record risks of the model.": (
        "Das ist bei der Wahl des Grenzwerts zu bedenken, oder es ist nach dem Modell zu schätzen."
    ),
    "The fit did not converge in {count} iterations (margins within {distance}), so there is no "
    "estimate.": (
        "Die Anpassung ist in {count} Schritten nicht konvergiert (Ränder bis auf {distance}); "
        "daher gibt es keine Schätzung."
    ),
    "The risk of the file still moved after {count} iterations, so there is no estimate.": (
        "Das Risiko der Datei änderte sich nach {count} Schritten noch; daher gibt es keine "
        "Schätzung."
    ),
    "The model gives no estimate.": "Das Modell liefert keine Schätzung.",
    "The model was not fitted: there are too many combinations of keys.": (
        "Das Modell wurde nicht angepasst: Es gibt zu viele Kombinationen der Schlüsselwerte."
    ),
}

FINDINGS: Mapping[str, str] = {
    "{share} of its {count} different values are e-mail addresses.": (
        "{share} der {count} verschiedenen Werte sind E-Mail-Adressen."
    ),
    "{share} of its {count} different values are telephone numbers.": (
        "{share} der {count} verschiedenen Werte sind Telefonnummern."
    ),
    "{share} of its {count} different values are built like national identity numbers.": (
        "{share} der {count} verschiedenen Werte sind wie Personenkennziffern aufgebaut."
    ),
    "{share} of its {count} different values are written like names of persons.": (
        "{share} der {count} verschiedenen Werte sind wie Personennamen geschrieben."
    ),
    "{share} of its {count} different values are written like addresses.": (
        "{share} der {count} verschiedenen Werte sind wie Anschriften geschrieben."
    ),
    "{share} of its {count} different values are dates with a day.": (
        "{share} der {count} verschiedenen Werte sind tagesgenaue Datumsangaben."
    ),
    "{share} of its {count} different values are texts of several words.": (
        "{share} der {count} verschiedenen Werte sind Texte aus mehreren Wörtern."
    ),
    "{share} of its {count} different values are pairs of coordinates.": (
        "{share} der {count} verschiedenen Werte sind Koordinatenpaare."
    ),
    "{share} of its {count} different values are amounts to the cent.": (
        "{share} der {count} verschiedenen Werte sind centgenaue Beträge."
    ),
    "{count} different texts in {records} records: nearly every record has its own.": (
        "{count} verschiedene Texte in {records} Datensätzen: Fast jeder Datensatz hat einen "
        "eigenen."
    ),
    "{count} different numbers in {records} records: nearly every record has its own.": (
        "{count} verschiedene Zahlen in {records} Datensätzen: Fast jeder Datensatz hat eine "
        "eigene."
    ),
    "{count} different times in {records} records: nearly every record has its own.": (
        "{count} verschiedene Zeiten in {records} Datensätzen: Fast jeder Datensatz hat eine "
        "eigene."
    ),
    "A whole number that is different in each of {records} records, and the records are in its "
    "order.": (
        "Eine ganze Zahl, die in jedem der {records} Datensätze verschieden ist und nach der die "
        "Datensätze geordnet sind."
    ),
    "A whole number that is different in each of {records} records.": (
        "Eine ganze Zahl, die in jedem der {records} Datensätze verschieden ist."
    ),
    "The records are in the order of this number of their household.": (
        "Die Datensätze sind nach dieser Nummer ihres Haushalts geordnet."
    ),
    "{count} different weights, and each of them occurs in one category of {keys} only.": (
        "{count} verschiedene Gewichte, und jedes kommt nur in einer Ausprägung von {keys} vor."
    ),
    "Its name is that of an index or of another leftover of a program.": (
        "Der Name ist der einer laufenden Nummer oder eines anderen Überrests eines Programms."
    ),
    **{
        f"Its {where} says that it is {what}; {{count}} different values.": (
            f"{wo} zufolge {was}; {{count}} verschiedene Werte."
        )
        for where, wo in (("name", "Dem Namen"), ("label", "Der Bezeichnung"))
        for what, was in (
            ("an e-mail address", "eine E-Mail-Adresse"),
            ("a telephone number", "eine Telefonnummer"),
            ("a national identity number", "eine Personenkennziffer"),
            ("a person's name", "ein Personenname"),
            ("an address", "eine Anschrift"),
            ("the number of a household", "eine Haushaltsnummer"),
            ("the day of a birth, which completes a date", "ein Geburtstag, der ein Datum ergänzt"),
            ("what somebody wrote", "ein frei geschriebener Text"),
            ("a small area", "ein kleines Gebiet"),
            ("a coordinate", "eine Koordinate"),
        )
    },
    **{
        f"Its {where} says that it is a place, one of {{places}}; {{count}} different values.": (
            f"{wo} zufolge ein Ort, einer von {{places}}; {{count}} verschiedene Werte."
        )
        for where, wo in (("name", "Dem Namen"), ("label", "Der Bezeichnung"))
    },
}

COMPARED: Mapping[str, str] = {
    "{name} was dropped: all of its information is lost.": (
        "{name} wurde entfernt: Die gesamte Information ist verloren."
    ),
    "{name} has new numbers: compared by mean, total and information lost.": (
        "{name} hat neue Zahlen: verglichen nach Mittelwert, Summe und verlorener Information."
    ),
    "{name} was recoded: tables compare the categories released ({kept}); the recode alone loses "
    "{share} of the information.": (
        "{name} wurde umkodiert: Tabellen vergleichen die veröffentlichten Ausprägungen ({kept}); "
        "die Umkodierung allein verliert {share} der Information."
    ),
    "{name} was changed: tables compare the categories that still agree ({kept}) and take all "
    "others as one.": (
        "{name} wurde geändert: Tabellen vergleichen die noch übereinstimmenden Ausprägungen "
        "({kept}) und fassen alle übrigen zusammen."
    ),
    "{name} was changed and no category agrees: compared by information lost only.": (
        "{name} wurde geändert, und keine Ausprägung stimmt überein: verglichen nur nach der "
        "verlorenen Information."
    ),
    "{name} was dropped: there are no means to compare.": (
        "{name} wurde entfernt: Es gibt keine Mittelwerte zu vergleichen."
    ),
    "{name} does not hold numbers on both sides: no means are compared.": (
        "{name} enthält nicht auf beiden Seiten Zahlen: Mittelwerte werden nicht verglichen."
    ),
}

RESULTS: Mapping[str, str] = {
    "{names} were grouped each alone: at least k records share a value of one variable, not those "
    "of all, and most stay close to what they were.": (
        "{names} wurden jede für sich gruppiert: Mindestens k Datensätze haben denselben Wert "
        "einer Variablen, nicht aber aller, und die meisten bleiben nahe bei dem, was sie waren."
    ),
    "Group them together (method mdav) if somebody may know several of them.": (
        "Gruppieren Sie sie gemeinsam (MDAV), wenn jemand mehrere davon kennen kann."
    ),
    "{count} records have values of {names} that were left as they were, as fewer than k records "
    "miss the same variables.": (
        "{count} Datensätze haben Werte von {names}, die unverändert blieben, weil weniger als k "
        "Datensätzen dieselben Variablen fehlen."
    ),
    "1 record has values of {names} that were left as they were, as fewer than k records miss the "
    "same variables.": (
        "1 Datensatz hat Werte von {names}, die unverändert blieben, weil weniger als k "
        "Datensätzen dieselben Variablen fehlen."
    ),
    "Choose a smaller k, microaggregate variables apart, or suppress these values.": (
        "Wählen Sie ein kleineres k, aggregieren Sie die Variablen getrennt, oder unterdrücken Sie "
        "diese Werte."
    ),
    "{names} follows from the other variables that shuffling is given, or is always the same, and "
    "was left out.": (
        "{names} folgt aus den anderen Variablen, die der Neuverteilung gegeben sind, oder ist "
        "immer gleich, und bleibt außer Acht."
    ),
    "Check that it is what you meant to name; nothing is lost by leaving it out.": (
        "Prüfen Sie, ob Sie diese Variable meinten; es geht nichts verloren, wenn sie fehlt."
    ),
    "in blocks, as there are too many records to compare them all": (
        "in Blöcken, weil es zu viele Datensätze sind, um alle zu vergleichen"
    ),
    "{pair}: {before} before, {after} after": "{pair}: {before} vorher, {after} nachher",
    "sample of {share} % of records: {drawn} of {all}; {weight} multiplied by {factor}": (
        "Stichprobe von {share} % der Datensätze: {drawn} von {all}; {weight} multipliziert mit "
        "{factor}"
    ),
    "sample of {share} % of households: {homes} of {all_homes}, {drawn} of {all} records; {weight} "
    "multiplied by {factor}": (
        "Stichprobe von {share} % der Haushalte: {homes} von {all_homes}, {drawn} von {all} "
        "Datensätzen; {weight} multipliziert mit {factor}"
    ),
    "{names} and the order of the records": "{names} und die Reihenfolge der Datensätze",
    "the order of the records": "die Reihenfolge der Datensätze",
}

WORDS: Mapping[str, str] = {
    "more": "mehr",
    "fewer": "weniger",
    "expected correct matches": "erwartete richtige Zuordnungen",
    "population uniques": "Unikate in der Grundgesamtheit",
    "all recoded": "alle umkodierten",
    "never released": "nie veröffentlicht",
}

SENTENCES: Mapping[str, str] = {
    **FILE_SENTENCES,
    **NOTICES, **FINDINGS, **COMPARED, **RESULTS, **WORDS, **NUMBER_SENTENCES,
    **PERTURBED_SENTENCES,
    **USES_SENTENCES,
}  # fmt: skip
