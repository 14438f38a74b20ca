"""Why this plan, in German."""

from __future__ import annotations

from collections.abc import Mapping

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
