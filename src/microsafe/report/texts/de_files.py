"""Notices of how a file was read or written, in German."""

from __future__ import annotations

from collections.abc import Mapping

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
