"""Numeric variables that were changed, in German."""

from __future__ import annotations

from collections.abc import Mapping

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
