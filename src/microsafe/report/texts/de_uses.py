"""The loss by uses, in German."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.report.texts.de_named import NAMED

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
