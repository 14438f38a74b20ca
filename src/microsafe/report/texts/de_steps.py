"""The words of the steps in German, by `do`."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.de_perturbed import PERTURBING_STEPS
from microsafe.report.texts.language import StepWords

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
