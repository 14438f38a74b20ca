"""What protection cost, in German."""

from __future__ import annotations

from collections.abc import Mapping

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
