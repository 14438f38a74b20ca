"""Tables and models that somebody named, in German."""

from __future__ import annotations

from collections.abc import Mapping

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
