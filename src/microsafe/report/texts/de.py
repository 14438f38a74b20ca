"""German: words and sentences of the report and of notices."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.language import Language, StepWords

FILE_SENTENCES: Mapping[str, str] = {
    "{names} have a time zone, which {name} cannot hold: what the clock shows there was written.": (
        "{names} haben eine Zeitzone, die {name} nicht aufnehmen kann: Geschrieben wurde die "
        "dortige Uhrzeit."
    ),
    "{names} has a time zone, which {name} cannot hold: what the clock shows there was written.": (
        "{names} hat eine Zeitzone, die {name} nicht aufnehmen kann: Geschrieben wurde die "
        "dortige Uhrzeit."
    ),
    "Write Parquet if the zone matters.": "Für Parquet bleibt die Zone erhalten.",
    "These variables of {name} look like numbers with a decimal comma: {names}.": (
        "Diese Variablen von {name} sehen nach Zahlen mit Dezimalkomma aus: {names}."
    ),
    "Name it to read them as numbers (decimal).": (
        "Es ist anzugeben, damit sie als Zahlen gelesen werden (decimal)."
    ),
    "{name} has {count} columns without a name or a value, which were left out.": (
        "{name} hat {count} Spalten ohne Namen und ohne Werte; sie wurden weggelassen."
    ),
    "{name} has 1 column without a name or a value, which was left out.": (
        "{name} hat 1 Spalte ohne Namen und ohne Werte; sie wurde weggelassen."
    ),
    "Export it again if it should have more variables.": (
        "Fehlen Variablen, ist die Datei erneut zu exportieren."
    ),
    "The first column of {name} has no name and is called {variable}.": (
        "Die erste Spalte von {name} hat keinen Namen und heißt hier {variable}."
    ),
    "Drop it if it only numbers the records.": (
        "Sie ist zu entfernen, wenn sie die Datensätze nur nummeriert."
    ),
    "The years {years} on the first line of {name} were taken as names of variables.": (
        "Die Jahre {years} in der ersten Zeile von {name} gelten als Namen von Variablen."
    ),
    "If that line is a record, put names above it.": (
        "Ist diese Zeile ein Datensatz, gehören Namen darüber."
    ),
    "{name} holds both numbers and text: {mixture}.": (
        "{name} enthält Zahlen und Text: {mixture}."
    ),
    "Declare texts that stand for missing, or correct them.": (
        "Texte, die für fehlende Angaben stehen, sind anzugeben, andere zu berichtigen."
    ),
    "The file label has more than 40 bytes, which {name} cannot hold, and was left out.": (
        "Die Bezeichnung der Datei hat mehr als 40 Byte, die {name} nicht aufnehmen kann; sie "
        "wurde weggelassen."
    ),
    "Shorten it in the input if it should be kept.": (
        "Soll sie bleiben, ist sie in der Eingabe zu kürzen."
    ),
    "{name} is a SAS transport file of version 8: {names} do not fit into version 5.": (
        "{name} ist eine SAS-Transportdatei der Version 8: {names} passen nicht in Version 5."
    ),
    "{name} is a SAS transport file of version 8: {names} does not fit into version 5.": (
        "{name} ist eine SAS-Transportdatei der Version 8: {names} passt nicht in Version 5."
    ),
    "SAS reads it with the macro %XPT2LOC; for programs that cannot, shorten names to 8 bytes, "
    "labels to 40 and text to 200.": "SAS liest sie mit dem Makro %XPT2LOC; für andere Programme "
    "sind Namen auf 8, Bezeichnungen auf 40 und Texte auf 200 Byte zu kürzen.",
    "The first line of {name} begins with # and was taken as names of variables.": (
        "Die erste Zeile von {name} beginnt mit # und gilt als Zeile der Namen."
    ),
    "If lines that begin with # are comments, say so (comment).": (
        "Sind Zeilen, die mit # beginnen, Kommentare, ist das anzugeben (comment)."
    ),
}


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


NAMED: Mapping[str, str] = {
    "Table {names}": "Tabelle {names}",
    "(constant)": "(Konstante)",
    "Shares before and after.": "Anteile vorher und nachher.",
    "Weighted shares before and after.": "Gewichtete Anteile vorher und nachher.",
    "Change of shares in percentage points.": "Änderung der Anteile in Prozentpunkten.",
    "Change of weighted shares in percentage points.": (
        "Änderung der gewichteten Anteile in Prozentpunkten."
    ),
    "The rows and columns that changed most.": (
        "Gezeigt sind die Zeilen und Spalten, die sich am meisten geändert haben."
    ),
    "Changes of the table {names}: the largest is {largest} percentage points.": (
        "Änderungen der Tabelle {names}: Die größte beträgt {largest} Prozentpunkte."
    ),
    "each record counted once": "jeder Datensatz einmal gezählt",
    "weighted": "gewichtet",
    "Counting": "Zählweise",
    "Largest change, points": "Größte Änderung, Punkte",
    "Mean change, points": "Mittlere Änderung, Punkte",
    "No longer in the table": "Nicht mehr in der Tabelle",
    "Cell": "Zelle",
    "Before, %": "Vorher, %",
    "After, %": "Nachher, %",
    "Change, points": "Änderung, Punkte",
    "Relative change, %": "Relative Änderung, %",
    "Cells that changed most.": "Zellen, die sich am meisten geändert haben.",
    "Weighted cells that changed most.": ("Gewichtete Zellen, die sich am meisten geändert haben."),
    "Cells of fewer than {least} records have no relative change.": (
        "Zellen mit weniger als {least} Datensätzen haben keine relative Änderung."
    ),
    "Linear regression: {formula}": "Lineare Regression: {formula}",
    "Logistic regression: {formula}": "Logistische Regression: {formula}",
    "Coefficients with 95 % confidence intervals; the constant is in the table.": (
        "Koeffizienten mit 95-%-Konfidenzintervallen; die Konstante steht in der Tabelle."
    ),
    "Coefficients of {formula} before and after.": (
        "Koeffizienten von {formula} vorher und nachher."
    ),
    "No longer estimated, counted as no overlap: {terms}.": (
        "Nicht mehr geschätzt, als keine Überlappung gezählt: {terms}."
    ),
    "Weighted.": "Gewichtet.",
    "Each record counted once.": "Jeder Datensatz einmal gezählt.",
    "Records: {before} before, {after} after. Mean overlap of the intervals: {overlap}.": (
        "Datensätze: {before} vorher, {after} nachher. Mittlere Überlappung der Intervalle: "
        "{overlap}."
    ),
    "Before (95 % interval)": "Vorher (95-%-Intervall)",
    "After (95 % interval)": "Nachher (95-%-Intervall)",
    "Overlap, %": "Überlappung, %",
    "{low} to {high}": "{low} bis {high}",
    "Those of numbers are drawn for one standard deviation (s.d.).": (
        "Die von Zahlen sind für eine Standardabweichung (s) gezeichnet."
    ),
    "change of the share\nof records, percentage points": (
        "Änderung des Anteils der\nDatensätze, Prozentpunkte"
    ),
    "change of the share\nof weight, percentage points": (
        "Änderung des gewichteten\nAnteils, Prozentpunkte"
    ),
    "{outcome}: coefficient and 95 % confidence interval": (
        "{outcome}: Koeffizient und 95-%-Konfidenzintervall"
    ),
    "{outcome}: log odds and 95 % confidence interval": (
        "{outcome}: Log-Odds und 95-%-Konfidenzintervall"
    ),
    "{formula}, weighted": "{formula}, gewichtet",
    "{term}, per s.d.": "{term}, je s",
    "overlap": "Überlappung",
    "Groups that lost most of what the keys tell ({least} or more records).": (
        "Gruppen, die am meisten von der Aussage der Schlüsselvariablen verloren haben (ab {least} "
        "Datensätzen)."
    ),
}


NUMBERS: Mapping[str, str] = {
    "x is an original value, z the released one, s the standard deviation of the original values. "
    "SSE/SST: Σ(x − z)² over Σ(x − mean)². IL1s: mean of |x − z| over √2 s. Change: mean of "
    "|x − z| over s. Eigenvalue distance: Σ|λ − λ′|/λ of the correlation matrices. pMSE: mean of "
    "(p − c)², p being the chance of a record to be a released one by a logistic regression on "
    "original and released records, c the share of the released ones; independent files of one "
    "distribution have a ratio near 1.": (
        "x ist ein ursprünglicher Wert, z der weitergegebene, s die Standardabweichung der "
        "ursprünglichen Werte. SSE/SST: Σ(x − z)² durch Σ(x − Mittelwert)². IL1s: Mittelwert von "
        "|x − z| durch √2 s. Änderung: Mittelwert von |x − z| durch s. Eigenwertabstand: "
        "Σ|λ − λ′|/λ der Korrelationsmatrizen. pMSE: Mittelwert von (p − c)², wobei p die "
        "Wahrscheinlichkeit eines Datensatzes ist, ein weitergegebener zu sein, nach einer "
        "logistischen Regression über ursprüngliche und weitergegebene Datensätze, und c der "
        "Anteil der weitergegebenen; bei unabhängigen Dateien derselben Verteilung liegt das "
        "Verhältnis nahe 1."
    ),
    "{name}, weighted": "{name}, gewichtet",
    "Mean": "Mittelwert",
    "Standard deviation": "Standardabweichung",
    "SSE/SST": "SSE/SST",
    "IL1s": "IL1s",
    "Change": "Änderung",
    "Numeric variables that were changed, before and after.": (
        "Geänderte numerische Variablen, vorher und nachher."
    ),
    "Change of quantiles, in standard deviations of the original values.": (
        "Änderung der Quantile, in Standardabweichungen der ursprünglichen Werte."
    ),
    "Correlations": "Korrelationen",
    "Weighted correlations": "Gewichtete Korrelationen",
    "largest change {largest}, mean {mean}; eigenvalue distance {eigenvalues}": (
        "größte Änderung {largest}, Mittelwert {mean}; Eigenwertabstand {eigenvalues}"
    ),
    "{pmse}, ratio {ratio}; {terms} terms, {records} records": (
        "{pmse}, Verhältnis {ratio}; {terms} Terme, {records} Datensätze"
    ),
    "Propensity (pMSE)": "Unterscheidbarkeit (pMSE)",
    "Numeric variables together.": "Numerische Variablen zusammen.",
    "Term": "Term",
    "not published": "nicht veröffentlicht",
    "Change of standard deviation": "Änderung der Standardabweichung",
    "Numeric variables whose values are not exact.": (
        "Numerische Variablen, deren Werte nicht genau sind."
    ),
    # Pictures
    "before": "vorher",
    "after": "nachher",
    "after minus before": "nachher minus vorher",
    "records, %": "Datensätze, %",
    "weight, %": "Gewicht, %",
    "{name} before": "{name} vorher",
    "{name} after": "{name} nachher",
    "Distribution of {name} before and after, and records by their value before and after.": (
        "Verteilung von {name} vorher und nachher, und Datensätze nach ihrem Wert vorher und "
        "nachher."
    ),
    "{name}: left the distribution before (area) and after (line), right the records by their "
    "value before and after; on the dotted line nothing has changed. The outer bins also hold what "
    "lies beyond them.": (
        "{name}: links die Verteilung vorher (Fläche) und nachher (Linie), rechts die Datensätze "
        "nach ihrem Wert vorher und nachher; auf der gepunkteten Linie hat sich nichts geändert. "
        "Die äußeren Klassen enthalten auch, was jenseits liegt."
    ),
    "{name} in the released file. The outer bins also hold what lies beyond them.": (
        "{name} in der weitergegebenen Datei. Die äußeren Klassen enthalten auch, was jenseits "
        "liegt."
    ),
    "Distribution of {name} in the released file.": (
        "Verteilung von {name} in der weitergegebenen Datei."
    ),
    "{count} further variable is not drawn.": "{count} weitere Variable ist nicht gezeichnet.",
    "{count} further variables are not drawn.": "{count} weitere Variablen sind nicht gezeichnet.",
    "Correlations before, after, and their difference.": (
        "Korrelationen vorher, nachher und ihre Differenz."
    ),
    "Weighted correlations before, after, and their difference.": (
        "Gewichtete Korrelationen vorher, nachher und ihre Differenz."
    ),
    # What steps did
    "Values changed": "Geänderte Werte",
    "Values mirrored at a bound": "An einer Grenze gespiegelte Werte",
    "Values without noise in strata of one value": (
        "Werte ohne Überlagerung in Schichten mit nur einem Wert"
    ),
    "Outer 1 % of the records that these variables still link": (
        "Äußerste 1 % der Datensätze, die diese Variablen noch zuordnen"
    ),
    "Linkage measured in a sample of so many records": (
        "Zuordnung gemessen an einer Stichprobe von so vielen Datensätzen"
    ),
    "Rank correlations measured in a sample of so many records": (
        "Rangkorrelationen gemessen an einer Stichprobe von so vielen Datensätzen"
    ),
    "Records coded": "Zusammengefasste Datensätze",
    "Share of the weight": "Anteil am Gewicht",
    "Risk was measured with": "Das Risiko wurde gemessen mit",
    "Change of the sum of weights": "Änderung der Summe der Gewichte",
    "Largest change by stratum": "Größte Änderung in einer Schicht",
}

NUMBER_SENTENCES: Mapping[str, str] = {
    "There is no room to compare numbers record by record.": (
        "Für einen Vergleich der Zahlen Datensatz für Datensatz reicht der Speicher nicht."
    ),
    "The records have no order: numbers are not compared record by record.": (
        "Die Datensätze haben keine Reihenfolge: Zahlen werden nicht Datensatz für Datensatz "
        "verglichen."
    ),
    "{share} of the outer {records} records are still nearest to their own original values: noise "
    "hardly protects the tail.": (
        "{share} der äußersten {records} Datensätze liegen noch am nächsten bei ihren eigenen "
        "ursprünglichen Werten: Überlagerung schützt den Rand kaum."
    ),
    "Top-code the variables, use multiplicative noise, or raise the variance.": (
        "Abhilfe: Zusammenfassung am Rand, multiplikative Überlagerung oder größere Varianz."
    ),
    "{count} values got no noise: their stratum has no two different values.": (
        "{count} Werte blieben ohne Überlagerung: Ihre Schicht hat keine zwei verschiedenen Werte."
    ),
    "1 value got no noise: its stratum has no two different values.": (
        "1 Wert blieb ohne Überlagerung: Seine Schicht hat keine zwei verschiedenen Werte."
    ),
    "Take larger strata, or leave them out.": "Abhilfe: größere Schichten oder keine.",
    "{share} % of {records}": "{share} % von {records}",
    "The weight {weight} gives away {variable} as it was before protection: for {share} of the "
    "records it follows from the weight alone. Change what the file shows of the weight by a step, "
    "such as --step '{step}'.": (
        "Das Gewicht {weight} verrät {variable}, wie es vor der Anonymisierung war: Für {share} "
        "der Datensätze folgt es aus dem Gewicht allein. Abhilfe: ein Schritt, der das "
        "weitergegebene Gewicht ändert, etwa --step '{step}'."
    ),
    "Rounding, averages (microaggregate) and noise suit weights; risk is measured with the weights "
    "as they are.": (
        "Für Gewichte eignen sich Runden, Mittelwerte (microaggregate) und Überlagerung; das "
        "Risiko wird mit den Gewichten gemessen, wie sie sind."
    ),
    "The weight {weight} still gives away {variable} as it was before protection: by the released "
    "weights it follows for {after} of the records, by those before for {share}.": (
        "Das Gewicht {weight} verrät {variable}, wie es vor der Anonymisierung war, noch immer: "
        "Aus den weitergegebenen Gewichten folgt es für {after} der Datensätze, aus den "
        "ursprünglichen für {share}."
    ),
    "Round to a larger base, average larger groups, or take more noise.": (
        "Abhilfe: gröber runden, größere Gruppen mitteln oder stärker überlagern."
    ),
    "By the released weights {weight}, {variable} as it was before protection follows for {after} "
    "of the records; by those before it followed for {share}.": (
        "Aus den weitergegebenen Gewichten {weight} folgt {variable}, wie es vor der "
        "Anonymisierung war, für {after} der Datensätze; aus den ursprünglichen folgte es für "
        "{share}."
    ),
    "The weight {name} is released changed; risk was measured with the weights as they were. Their "
    "sum changed by {change}.": (
        "Das Gewicht {name} wird verändert weitergegeben; das Risiko wurde mit den Gewichten "
        "gemessen, wie sie waren. Ihre Summe änderte sich um {change}."
    ),
    "Tell users how the weights were changed.": (
        "Nutzern sollte gesagt werden, wie die Gewichte verändert wurden."
    ),
    "{name} is released changed: figures are weighted as before.": (
        "{name} wird verändert weitergegeben: Die Angaben sind wie zuvor gewichtet."
    ),
    "The released weights change a mean by {mean} at most, a total by {total}.": (
        "Die weitergegebenen Gewichte ändern einen Mittelwert um höchstens {mean}, eine Summe um "
        "{total}."
    ),
    "an unknown share": "einen unbekannten Anteil",
    "the weights as they were; only the file shows them changed": (
        "den Gewichten, wie sie waren; nur die Datei zeigt sie verändert"
    ),
}


WHY: Mapping[str, str] = {
    "Why this plan": "Warum dieser Plan",
    "The recodes and the suppression were chosen by a search for the plan that meets the "
    "policy at the least loss: {loss} of what the keys tell, with blanks in {part} of {all} "
    "records.": (
        "Umkodierungen und Unterdrückung wurden durch eine Suche nach dem Plan gewählt, der die "
        "Vorgaben mit dem geringsten Verlust erfüllt: {loss} dessen, was die Schlüsselvariablen "
        "aussagen, mit unterdrückten Werten in {part} von {all} Datensätzen."
    ),
    "The recodes and the suppression were chosen by a search for the plan that meets the "
    "policy at the least loss, the keys weighed by the uses that matter: loss by uses {uses}, "
    "plain loss {loss} (mean of the keys, all alike), with blanks in {part} of {all} records.": (
        "Umkodierungen und Unterdrückung wurden durch eine Suche nach dem Plan gewählt, der die "
        "Vorgaben mit dem geringsten Verlust erfüllt, wobei die Schlüsselvariablen nach den "
        "wichtigen Nutzungen gewichtet wurden: Verlust nach Nutzungen {uses}, einfacher Verlust "
        "{loss} (Mittel der Schlüsselvariablen, alle gleich), mit unterdrückten Werten in {part} "
        "von {all} Datensätzen."
    ),
    "No plan with these recodes to choose from loses less.": (
        "Kein Plan mit diesen Umkodierungen zur Auswahl verliert weniger."
    ),
    "The search was stopped: a better plan could save at most {gap} of the loss.": (
        "Die Suche wurde beendet: Ein besserer Plan könnte höchstens {gap} des Verlusts sparen."
    ),
    "Any number of records might lose a value.": (
        "Beliebig viele Datensätze durften einen Wert verlieren."
    ),
    "At most {cap} records might lose a value.": (
        "Höchstens {cap} Datensätze durften einen Wert verlieren."
    ),
    "Promised were {blanks} blanks; the steps made {made}.": (
        "Versprochen waren {blanks} unterdrückte Werte; die Schritte ergaben {made}."
    ),
    "So the steps, or the file, were changed after they were proposed.": (
        "Die Schritte oder die Datei wurden also nach dem Vorschlag geändert."
    ),
    "records that lose a value, %": "Datensätze, die einen Wert verlieren, %",
    "loss, % of what the keys tell": "Verlust, % der Aussage der Schlüsselvariablen",
    "loss by uses, %": "Verlust nach Nutzungen, %",
    "chosen": "gewählt",
    "{count}, chosen": "{count}, gewählt",
    "Loss of the cheapest plan by the share of records that may lose a value.": (
        "Verlust des günstigsten Plans nach dem Anteil der Datensätze, die einen Wert verlieren "
        "dürfen."
    ),
    "Records that lose a value": "Datensätze, die einen Wert verlieren",
    "Loss": "Verlust",
    "Loss by uses": "Verlust nach Nutzungen",
    "Plain loss": "Einfacher Verlust",
    "Keys recoded": "Umkodierte Schlüsselvariablen",
    "The cheapest plans that meet the policy.": (
        "Die günstigsten Pläne, die die Vorgaben erfüllen."
    ),
}


COST: Mapping[str, str] = {
    "Can a model tell released records from original ones?": (
        "Kann ein Modell weitergegebene Datensätze von ursprünglichen unterscheiden?"
    ),
    "Propensity (pMSE) by {names}": "Propensity (pMSE) nach {names}",
    "Values blanked: {blanks}; replaced: {replaced}; records changed: {records} of {all}.": (
        "Unterdrückte Werte: {blanks}; ersetzte Werte: {replaced}; veränderte Datensätze: "
        "{records} von {all}."
    ),
    "They stand for {share} of the population.": ("Sie stehen für {share} der Grundgesamtheit."),
    "Combinations of keys in which a record was changed: {cells} of {all}.": (
        "Kombinationen der Schlüsselwerte, in denen ein Datensatz verändert wurde: {cells} von "
        "{all}."
    ),
    "Left out, all lost: {names}.": "Nicht enthalten, ganz verloren: {names}.",
    "left out": "nicht enthalten",
    "Blanks": "Unterdrückt",
    "Share of known values": "Anteil an den bekannten Werten",
    "Replaced": "Ersetzt",
    "Categories": "Ausprägungen",
    "Information lost, bits a record": "Informationsverlust, Bit je Datensatz",
    "Share": "Anteil",
    "Values and information lost by variable; each record counts once.": (
        "Verlust an Werten und Information nach Variablen; jeder Datensatz zählt einmal."
    ),
    "Groups most affected by blanks ({least} or more records).": (
        "Von Unterdrückung am stärksten betroffene Gruppen (ab {least} Datensätzen)."
    ),
    "Variable blanked": "Unterdrückte Variable",
    "Group": "Gruppe",
    "Share of the group": "Anteil an der Gruppe",
    "Tables before and after; changes of shares in percentage points.": (
        "Tabellen vorher und nachher; Änderungen von Anteilen in Prozentpunkten."
    ),
    "Weighted tables before and after; changes of shares in percentage points.": (
        "Hochgerechnete Tabellen vorher und nachher; Änderungen von Anteilen in Prozentpunkten."
    ),
    "{count} two-way table that changed less is not shown.": (
        "{count} zweidimensionale Tabelle mit geringerer Änderung ist nicht dargestellt."
    ),
    "{count} two-way tables that changed less are not shown.": (
        "{count} zweidimensionale Tabellen mit geringerer Änderung sind nicht dargestellt."
    ),
    "Table": "Tabelle",
    "Hellinger distance": "Hellinger-Abstand",
    "Largest change": "Größte Änderung",
    "Where": "Wo",
    "Mean change": "Mittlere Änderung",
    "Weight lost": "Verlorenes Gewicht",
    "whole file": "ganze Datei",
    "Means and totals of numeric variables; the largest change among categories of {least} "
    "records or more.": (
        "Mittelwerte und Summen numerischer Variablen; größte Änderung unter den Ausprägungen mit "
        "mindestens {least} Datensätzen."
    ),
    "By": "Nach",
    "Change of mean": "Änderung des Mittelwerts",
    "Change of total": "Änderung der Summe",
    "Recoding": "Umkodierung",
    "Values set to missing": "Auf fehlend gesetzte Werte",
    "Information lost": "Informationsverlust",
    "Loss by variable, each record counted once, rounded to whole per cent.": (
        "Verlust nach Variablen, jeder Datensatz einmal gezählt, auf ganze Prozent gerundet."
    ),
    "Largest change of a share, points": "Größte Änderung eines Anteils, Prozentpunkte",
    "Tables of the released file against the original; changes in percentage points.": (
        "Tabellen der weitergegebenen Datei im Vergleich zum Original; Änderungen in "
        "Prozentpunkten."
    ),
    "Weighted tables of the released file against the original; changes in percentage points.": (
        "Hochgerechnete Tabellen der weitergegebenen Datei im Vergleich zum Original; Änderungen "
        "in Prozentpunkten."
    ),
    "Largest change of a mean": "Größte Änderung eines Mittelwerts",
    "Weighted means.": "Hochgerechnete Mittelwerte.",
    "Means.": "Mittelwerte.",
    "not in the file": "nicht in der Datei",
    "none": "keine",
    "fewer than {least} values": "weniger als {least} Werte",
    "less than 1 %": "weniger als 1 %",
    "more than 99 %": "mehr als 99 %",
    "less than 0.01": "weniger als 0,01",
    "less than 0.1": "weniger als 0,1",
    "fewer categories": "weniger Ausprägungen",
    "values replaced": "Werte ersetzt",
    "Information lost is the share of a variable's information that the released variable no "
    "longer gives; a value set to missing may be any. Of numbers it is the share of the variance "
    "that released values do not explain. The Hellinger distance of two tables lies between 0, the "
    "same shares, and 1, nothing in common. Tables and means leave out records in which a value is "
    "missing.": (
        "Informationsverlust ist der Anteil der Information einer Variablen, den die "
        "weitergegebene Variable nicht mehr liefert; ein auf fehlend gesetzter Wert kann jeder "
        "sein. Bei Zahlen ist er der Anteil der Varianz, den die weitergegebenen Werte nicht "
        "erklären. Der Hellinger-Abstand zweier Tabellen liegt zwischen 0, dieselben Anteile, und "
        "1, nichts gemeinsam. Tabellen und Mittelwerte lassen Datensätze mit fehlenden Werten aus."
    ),
    "Values set to missing are not missing at random: they were chosen where combinations are "
    "rare. Treat estimates for small groups with care, and prefer weighted estimates.": (
        "Auf fehlend gesetzte Werte fehlen nicht zufällig: Sie wurden dort gewählt, wo "
        "Kombinationen selten sind. Behandeln Sie Schätzungen für kleine Gruppen mit Vorsicht und "
        "bevorzugen Sie hochgerechnete Ergebnisse."
    ),
}


USES: Mapping[str, str] = {
    **NAMED,
    "Loss by uses: {uses}. Plain loss: {plain}.": (
        "Verlust nach Nutzungen: {uses}. Einfacher Verlust: {plain}."
    ),
    "Use that matters": "Wichtige Nutzung",
    "Kind": "Art",
    "How much it matters": "Wie wichtig",
    "variable": "Variable",
    "table": "Tabelle",
    "Loss by the uses that matter.": "Verlust nach den wichtigen Nutzungen.",
    "The loss by uses is the mean of what each use loses, by how much it matters: of a variable or "
    "a table its information, of a model what 95 % confidence intervals no longer share, and the "
    "detail that recodes of its variables took. The plain loss is the mean of the information that "
    "the keys lose, all keys alike.": (
        "Der Verlust nach Nutzungen ist das Mittel dessen, was jede Nutzung verliert, gewichtet "
        "danach, wie wichtig sie ist: bei einer Variablen oder Tabelle ihre Information, bei einem "
        "Modell das, was 95-%-Konfidenzintervalle nicht mehr gemeinsam haben, und das Detail, das "
        "Umkodierungen seiner Variablen genommen haben. Der einfache Verlust ist das Mittel der "
        "Information, die die Schlüsselvariablen verlieren, alle gleich."
    ),
}

# Sentences of comparisons, with their figures in them.
USES_SENTENCES: Mapping[str, str] = {
    "The model {formula} is counted as lost: it cannot be fitted any more: '{name}' was dropped.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "'{name}' wurde entfernt."
    ),
    "The model {formula} is counted as lost: it cannot be fitted any more: "
    "too few records have all of its variables.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "zu wenige Datensätze haben alle seine Variablen."
    ),
    "The model {formula} is counted as lost: it cannot be fitted any more: "
    "all of its records have the same outcome.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "alle seine Datensätze haben denselben Ausgang."
    ),
    "The model {formula} is counted as lost: it cannot be fitted any more: "
    "no category of '{name}' has records.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "keine Kategorie von '{name}' hat Datensätze."
    ),
    "The model {formula} is counted as lost: it cannot be fitted any more: "
    "no category of '{name}' has records with both outcomes.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "keine Kategorie von '{name}' hat Datensätze mit beiden Ausgängen."
    ),
    "The model {formula} is counted as lost: it cannot be fitted any more: "
    "the fit does not converge in {rounds} iterations.": (
        "Das Modell {formula} zählt als verloren, es lässt sich nicht mehr anpassen: "
        "die Anpassung konvergiert nicht in {rounds} Iterationen."
    ),
    "{file} has no variable '{name}'.": "{file} hat keine Variable '{name}'.",
}


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


_TAILS = {
    "share": "Anteil der Grundgesamtheit",
    "replace": "Zusammengefasste Werte werden",
    "strata": "Schichten",
    "least": "Mindestzahl zusammengefasster Datensätze",
    "code": "Schlüssel",
    "label": "Bezeichnung",
}
_TAIL_VALUES = {
    "mean": "ihr Mittelwert, sodass Summen erhalten bleiben",
    "median": "ihr Median",
    "limit": "die Grenze",
}
STEPS: Mapping[str, StepWords] = {
    **PERTURBING_STEPS,
    "sample": StepWords(
        title="Ziehung einer Substichprobe",
        public="Die weitergegebene Datei ist eine Zufallsstichprobe aus der ursprünglichen, "
        "gezogen mit gleicher Wahrscheinlichkeit für alle; die Hochrechnungsgewichte "
        "berücksichtigen das.",
        parameters={
            "fraction": "Auswahlsatz",
            "seed": "Startwert",
            "household": "Haushalt",
            "weight": "Hochrechnungsgewicht",
        },
    ),
    "recode": StepWords(
        title="Vergröberung (globale Umkodierung)",
        public="Ausprägungen einer Variablen wurden in allen Datensätzen gleichermaßen zu gröberen "
        "zusammengefasst.",
        parameters={
            "variable": "Variable",
            "groups": "Neue Schlüssel aus alten",
            "other": "Schlüssel für alle übrigen",
            "breaks": "Klassen",
            "names": "Schlüssel der Klassen",
            "keep": "Beibehaltene Stellen, von links",
            "classification": "Systematik",
            "level": "Stufen nach oben",
            "labels": "Bezeichnungen der neuen Schlüssel",
            "missing": "Neue Schlüssel für fehlende Werte",
        },
    ),
    "top_code": StepWords(
        title="Zusammenfassung am oberen Rand (Top-Coding)",
        public="Die größten Werte einer Variablen wurden zu einer Klasse zusammengefasst.",
        parameters={
            "variable": "Variable",
            "limit": "Ab",
            **_TAILS,
        },
        choices=_TAIL_VALUES,
    ),
    "bottom_code": StepWords(
        title="Zusammenfassung am unteren Rand (Bottom-Coding)",
        public="Die kleinsten Werte einer Variablen wurden zu einer Klasse zusammengefasst.",
        parameters={
            "variable": "Variable",
            "limit": "Bis",
            **_TAILS,
        },
        choices=_TAIL_VALUES,
    ),
    "round": StepWords(
        title="Rundung",
        public="Werte einer numerischen Variablen wurden auf Vielfache einer Zahl gerundet.",
        parameters={
            "variable": "Variable",
            "base": "Auf Vielfache von",
            "random": "Zufällig",
            "identifier": "Kennung",
            "seed": "Startwert",
        },
    ),
    "noise": StepWords(
        title="Zufallsüberlagerung",
        public="Zu Werten numerischer Variablen wurden Zufallszahlen addiert, oder sie wurden mit "
        "Zufallsfaktoren multipliziert; einzelne Werte sind nicht genau, Mittelwerte nahezu.",
        parameters={
            "variables": "Variablen",
            "kind": "Art der Überlagerung",
            "variance": "Varianz der Überlagerung",
            "strata": "Schichten",
            "zeros": "Nullen",
            "lowest": "Nicht unter",
            "highest": "Nicht über",
            "decimals": "Nachkommastellen",
            "publish_variance": "Varianz veröffentlichen",
            "identifier": "Kennung",
            "seed": "Startwert",
        },
        choices={
            "multiplicative": "multiplikativ, Werte ändern sich im Verhältnis zu ihrer Größe",
            "additive": "additiv, für jede Variable unabhängig",
            "correlated": "korreliert wie die Variablen, sodass Korrelationen erhalten bleiben",
            "restored": "korreliert, danach werden die Varianzen wiederhergestellt",
            "keep": "bleiben null",
            "perturb": "werden wie andere geändert",
        },
    ),
    "suppress": StepWords(
        title="Lokale Unterdrückung",
        public="In einigen Datensätzen wurden Werte von Schlüsselvariablen auf fehlend gesetzt, "
        "sodass kein Datensatz durch seine Kombination von Werten auffällt.",
        parameters={
            "above": "Unsicher bei einem Risiko über",
            "k": "Datensätze, die dieselben Schlüsselwerte haben müssen",
            "guarantee": "Zusicherung",
            "costs": "Kosten einer Unterdrückung",
            "spare": "Schlüsselvariablen ohne Unterdrückung",
            "scenarios": "Einzuhaltende Szenarien",
            "linked": "Variablen, die mit einer Schlüsselvariablen unterdrückt werden",
            "household": "Haushalte sind unsicher bei einem Risiko über",
            "up_to": "Kombinationen von höchstens so vielen Schlüsselvariablen",
            "levels": "Identifikationsstufen für Kombinationen von Schlüsselvariablen",
            "people": "Personen der Grundgesamtheit statt Datensätze",
            "together": "Gemeinsame Werte eines Haushalts bei allen Mitgliedern unterdrücken",
            "by_value": "Eine Unterdrückung kostet je nach dem Wert, den sie verbirgt",
            "joint": "Mitglieder erhalten die für den ganzen Haushalt günstigsten Unterdrückungen",
        },
        choices={
            "own": "jeder Datensatz ist durch seine eigenen Unterdrückungen sicher",
            "strict": "sicher auch dann, wenn Datensätze mit Lücken außer Acht bleiben",
            "shared": "Unterdrückungen in anderen Datensätzen zählen mit",
        },
    ),
    "drop": StepWords(
        title="Entfernung von Variablen",
        public="Einige Variablen sind nicht Teil der weitergegebenen Datei.",
        parameters={
            "variables": "Variablen",
            "from_keys": "Schlüsselvariablen dürfen entfernt werden",
        },
    ),
    "microaggregate": StepWords(
        title="Mikroaggregation",
        public="Werte numerischer Variablen wurden durch Durchschnitte kleiner Gruppen ähnlicher "
        "Datensätze ersetzt.",
        parameters={
            "variables": "Variablen",
            "k": "Datensätze je Gruppe, mindestens",
            "method": "Verfahren",
            "strata": "Schichten",
            "small": "Zu kleine Schichten",
            "standardise": "Variablen werden geteilt durch",
            "measure": "Eine Gruppe wird gezeigt durch",
            "weights": "Gewichtet",
            "together": "Haushalt",
            "exact": "Alle Datensätze vergleichen",
            "decimals": "Nachkommastellen",
            "identifier": "Kennung",
        },
        choices={
            "mdav": "alle Variablen gemeinsam (MDAV)",
            "one": "jede Variable für sich, mit dem kleinsten Verlust",
            "refuse": "werden abgewiesen",
            "merge": "kommen zur nächsten",
            "sd": "ihre Standardabweichung",
            "range": "ihre Spannweite",
            "none": "nichts",
            "mean": "ihr arithmetisches Mittel",
            "median": "ihren Median",
        },
    ),
    "rank_swap": StepWords(
        title="Vertauschung benachbarter Ränge (Rank Swapping)",
        public="Werte numerischer Variablen wurden zufällig zwischen Datensätzen mit ähnlichen "
        "Werten vertauscht.",
        parameters={
            "variables": "Variablen",
            "percent": "Größte Änderung des Rangs, in Prozent",
            "strata": "Schichten",
            "seed": "Startwert",
            "identifier": "Kennung",
        },
    ),
    "shuffle": StepWords(
        title="Neuverteilung der Werte (Data Shuffling)",
        public="Werte numerischer Variablen wurden zufällig neu verteilt, sodass ihre Verteilung "
        "und ihre Zusammenhänge mit anderen Variablen erhalten bleiben.",
        parameters={
            "variables": "Variablen",
            "given": "Gegeben",
            "seed": "Startwert",
            "identifier": "Kennung",
        },
    ),
    "renumber": StepWords(
        title="Neue Nummern",
        public="Nummern von Datensätzen oder Haushalten wurden durch zufällige ersetzt, die keine "
        "Information tragen.",
        parameters={"variable": "Variable", "seed": "Startwert"},
    ),
}

# What they did.
RESULT_LABELS: Mapping[str, str] = {
    "Values blanked": "Unterdrückte Werte",
    "Values blanked in linked variables": "Unterdrückte Werte verknüpfter Variablen",
    "Records changed": "Veränderte Datensätze",
    "Records that stay unsafe": "Weiterhin unsichere Datensätze",
    "Records protected only by other records' suppressions": (
        "Datensätze, die nur durch Unterdrückungen in anderen Datensätzen geschützt sind"
    ),
    "Kept": "Umfang",
    "Variance lost": "Verlorene Varianz",
    "Grouped": "Gruppiert",
    "Records with values left as they were": "Datensätze mit unveränderten Werten",
    "Values that changed places": "Vertauschte Werte",
    "Rank correlation": "Rangkorrelation",
    "Follows from others, left out": "Folgt aus anderen und bleibt außer Acht",
}


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
