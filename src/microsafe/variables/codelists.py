"""Recognise what a variable is by its categories or their labels, in several languages.

Patterns are read alike by Python, Polars (Rust) and Spark (Java).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

CodeList = Literal[
    "sexes", "marital states", "kinds of place", "relatives", "school levels", "activities", "bands"
]

_FIGURE = "[0-9]{1,3}"
CODE_LISTS: Mapping[CodeList, str] = {
    "sexes": r"(?i)^([mfwvhk]|males?|females?|m[aä]nn(lich|er)?|weiblich|frau(en)?|man|men|woman|"
    r"women|"
    r"homme|femme|masculin|f[ée]minin|hombre|mujer|var[óo]n|masculino|femenino|feminino|homem|"
    r"mulher|"
    r"maschio|femmina|maschile|femminile|uomo|donna|vrouw|mannelijk|vrouwelijk|kvinn[ae]|mand|"
    r"kvinde|"
    r"mies|nainen|m[ęe][żz]czyzna|kobieta|boy|girl|divers|diverse|non[- ]binary|other|autre|otro|"
    r"altro|"
    r"outro|anders)$",
    "marital states": r"(?i)\b(un)?married\b|\bwidow|\bdivorc|\bseparated|\bnever[- ]married|"
    r"^single\b|"
    r"cohabit|civil (union|partner)|living together|verheiratet|\bledig\b|verwitwet|geschieden|"
    r"getrennt|"
    r"mari[ée]e?s?\b|c[ée]libataire|veuf|veuve|s[ée]par[ée]|casad[oa]|solter[oa]|viud[oa]|"
    r"separad[oa]|"
    r"solteir[oa]|vi[úu]v[oa]|coniugat|sposat|celibe|nubile|vedov|gehuwd|verweduwd|weduw|"
    r"gescheiden|"
    r"ongehuwd|\bgift\b|ogift|[äa]nka|[äa]nkling|skilt?d?\b|ugift|naimisissa|naimaton|leski|"
    r"eronnut",
    "kinds of place": r"(?i)\burban|\brural|\bcit(y|ies)\b|\btowns?\b|\bvillage|suburb|countryside|"
    r"densely|sparsely|intermediate|\bstadt|st[äa]dtisch|l[äa]ndlich|\bdorf\b|\burbain|urban[oa]|"
    r"stedelijk|platteland|capital|farm",
    "relatives": r"(?i)\bhead\b|\bspouse|\bwife\b|\bhusband|\bchild\b|\bson\b|\bdaughter|"
    r"grandchild|"
    r"\bparents?\b|\bsiblings?\b|\bbrother|\bsister|in[- ]law|not related|other relative|lodger|"
    r"ehepartner|\bkind(er)?\b|enkel|conjoint|enfant|c[óo]nyuge|\bhij[oa]|niet[oa]|coniuge|figli|"
    r"filh[oa]|echtgeno|kleinkind|reference person",
    "school levels": r"(?i)\bprimary|\bsecondary|\btertiary|university|bachelor|\bmaster|doctora|"
    r"no (formal )?(education|schooling)|isced|hauptschul|realschul|abitur|hochschul|grundschul|"
    r"primaire|secondaire|sup[ée]rieur|\bprimaria|\bsecundaria|universi|b[áa]sico|secund[áa]rio|"
    r"licen(za|ciatura)|\blaurea|diploma|basisonderwijs|\bvmbo|\bhavo|\bhbo\b|\bmbo\b|\bgrade\b",
    "activities": r"(?i)employ|\bretired|student|\bpupil|homemak|\bhousewife|inactive|at work|"
    r"erwerbs|arbeitslos|rentner|sch[üu]ler|ch[ôo]m|retrait|[ée]tudiant|ocupad|desemple|parado|"
    r"jubilad|estudiante|occupat|disoccup|pensionat|reformad|aposentad|werkend|werkloos|"
    r"gepensioneerd|"
    r"domestic (tasks|work)|permanently disabled|military",
    "bands": rf"(?i)^({_FIGURE} ?(-|–|to|bis|[àa]|tot) ?{_FIGURE}|{_FIGURE} ?\+|[<>] ?{_FIGURE}|"
    rf"(under|"
    rf"unter|moins de|menos de|meno di|onder) {_FIGURE}|{_FIGURE} (and|or|und|et|y|e|en|ou|o) \S+)"
    r"( ?(years?|yrs|jahre|ans|a[ñn]os|anos|anni|jaar))?( old)?$",
}
_LONGEST = 200  # characters of a label


@cache
def _compile(name: CodeList) -> re.Pattern[str]:
    """Patterns of a list, when it is first asked for."""
    return re.compile(CODE_LISTS[name])


def share_of_labels(labels: Iterable[str], name: CodeList) -> float:
    """Return the share of labels of codes that belong to a list."""
    texts = [label[:_LONGEST].strip() for label in labels]
    return sum(bool(_compile(name).search(text)) for text in texts) / max(len(texts), 1)
