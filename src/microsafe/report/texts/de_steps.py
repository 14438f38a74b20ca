"""The words of the steps in German, by `do`."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.de_perturbed import PERTURBING_STEPS
from microsafe.report.texts.language import StepWords

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
            "code": "Schlüssel",
            "label": "Bezeichnung",
        },
    ),
    "bottom_code": StepWords(
        title="Zusammenfassung am unteren Rand (Bottom-Coding)",
        public="Die kleinsten Werte einer Variablen wurden zu einer Klasse zusammengefasst.",
        parameters={
            "variable": "Variable",
            "limit": "Bis",
            "code": "Schlüssel",
            "label": "Bezeichnung",
        },
    ),
    "round": StepWords(
        title="Rundung",
        public="Werte einer numerischen Variablen wurden in allen Datensätzen gleichermaßen "
        "gerundet.",
        parameters={"variable": "Variable", "base": "Auf Vielfache von"},
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
    "renumber": StepWords(
        title="Neue Nummern",
        public="Nummern von Datensätzen oder Haushalten wurden durch zufällige ersetzt, die keine "
        "Information tragen.",
        parameters={"variable": "Variable", "seed": "Startwert"},
    ),
}
