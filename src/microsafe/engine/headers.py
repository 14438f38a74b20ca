"""What names and labels of variables say, in several languages; the one place that knows them.

Languages: English, German, French, Spanish, Italian, Dutch, Portuguese, Danish, Norwegian,
Swedish, Finnish and Polish.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Literal

Topic = Literal[
    "weight",
    "household",
    "identifier",
    "person name",
    "e-mail",
    "telephone",
    "national id",
    "address",
    "date",
    "day of birth",
    "free text",
    "small area",
    "area",
    "coordinate",
    "amount",
    "occupation",
    "industry",
    "education",
    "leftover",
]

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "’": "'"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")

_PERSON = (
    "respondents?|persons?|pers|resp|head|members?|child|mother|father|husband|wife|spouse|"
    "partner|patient|student|pupil|teacher|interviewer|contact|participant|applicant|owner|"
    "befragte[rn]?|mutter|vater|kind|repondant|enquete|chef|encuestad[oa]|entrevistad[oa]|persona|"
    "jefe|madre|padre|intervistato|pessoa|inquirido|respondent|persoon|kontaktperson|osoby"
)
_NAME = "name|nom|nome|nombres?|naam|namn|navn|nimi|nazwa"
_OF = "(of|de|du|del|della|di|do|da|van|des|der|la|le|el|the|household|menage|hogar|hh)"
_NUMBER = "(id|no|nr|num|number|nummer|code|identifier|identification|identifikation|serial|numero)"
_HOUSE = (
    "household|haushalts?|menage|hogar|famiglia|famille|huishoud(en|ens)|agregado|hushalls?|"
    "husholdnings?|husstands?|kotitalou(s|den)|gospodarstw[oa]"
)

_WORDS: Mapping[Topic, str] = {
    "weight": r"weight|wght|\b(w|wt|wgt|gewicht|pond(er)?|peso|poids|vekt|vikt|waga)\b",
    "household": rf"^(hh|hhid|hh ?id|hh ?num|hid|household( ?id)?|ori hid|hserial|famid|idhh)$"
    rf"|^hh ?{_NUMBER}$|\b({_HOUSE}) ?s? ?{_NUMBER}\b|\b{_NUMBER} ({_OF} )*({_HOUSE})\b",
    "identifier": r"(^|\b)(id|pid|caseid|serial|name|surname|phone|email|e mail|address|ssn|"
    r"passport)\b",
    "person name": rf"^(({_PERSON}) s? ?)?({_NAME}) ?s?( {_OF})*( ({_PERSON}))?( [0-9]+)?$"
    rf"|\b({_PERSON}) (s )?({_NAME})\b|\b({_NAME})( {_OF})+ ({_PERSON})\b"
    r"|\b(sur|fore|first|last|full|family|given|middle|maiden|nick|user) ?names?\b"
    r"|\b(nach|vor|zu|familien|geburts)namen?\b|\b(pre)noms?\b|\bnom de famille\b"
    r"|\bapellidos?\b|\bcognome\b|\bapelido\b|\bsobrenome\b|\b(achter|voor|familie)naam\b"
    r"|\b(efter|for|tilltals)namn\b|\b(efter|etter|for|mellom)navn\b|\b(suku|etu)nimi\b"
    r"|\bnazwisk[oa]\b|\bimi(e|ona)\b",
    "e-mail": r"\be ?mails?\b|\bcourriel\b|\bcorreo( electronico)?\b|\bposta elettronica\b"
    r"|\be ?post(adress)?\b|\bsahkoposti\b",
    "telephone": r"phone|\btel\b|\btelef\w*|\bmobil(e|nummer|nr|)\b|\bhandy\w*|\bcelular\b"
    r"|\bpuhelin\w*|\bgsm\b|\bmatkapuhelin\b",
    "national id": r"\bssn\b|\bsocial (security|insurance)\b|\bnational (id\w*|insurance)\b"
    r"|\bnino\b|\bpassport\b|\bpass(nummer|nr)\b|\bpnr\b|\bperson ?(nummer|nr)\b"
    r"|\bfodsels(nummer|nr)\b|\bcpr\b|\bhenkilotunnus\b|\bhetu\b|\bkennitala\b|\bbsn\b"
    r"|\bburgerservicenummer\b|\brijksregister\w*|\bdni\b|\bnif\b|\bnie\b|\bcodice fiscale\b"
    r"|\bcod ?fis\w*|\bnir\b|\bsecurite sociale\b|\bseguridad social\b|\bpesel\b|\bnip\b"
    r"|\bsteuer ?(id|nummer)\b|\bsozialversicherung\w*|\bsvnr\b|\bahv\w*|\bcpf\b|\bcurp\b"
    r"|\b(personal)?ausweis\w*|\b(identity|id) card\b|\btax ?(id|file|number|no)\b"
    r"|\bdriv\w* licen[cs]e\b|\bnhs\b|\bpersonal (id\w*|number|code)\b|\bnumero de identidad\b",
    "address": r"\baddress\b|\badress(e|en)?\b|\bdireccion\b|\bdomicilio\b|\bindirizzo\b"
    r"|\bendereco\b|\bmorada\b|\badres\b|\bosoite\b|\bstreet\b|\bstrasse\b|\brue\b|\bcalle\b"
    r"|\bstraat\b|\bgatuadress\b|\bulica\b",
    "date": r"\bdates?\b|\bdate ?of|birth ?da(te|y)|\bbirth$|\bdob\b|datum\b|\bfecha\b|\bdata\b"
    r"|\bdato\b|\bpaiva\w*|\bgeburts(tag|datum)\b|\bnaissance\b|\bnacimiento\b|\bnascita\b"
    r"|\bnascimento\b|\bfodelse(dag|datum)\b|\bfodselsdato\b|\bgeboorte\b|\burodzenia\b",
    "day of birth": r"\bday of birth\b|\bbirth ?day\b|\bgeburtstag\b|\bjour de naissance\b"
    r"|\bdia de naci?miento\b|\bgiorno di nascita\b|\bgeboortedag\b",
    "free text": r"\bcomments?\b|\bremarks?\b|\bspecif(y|ied)\b|\bverbatim\b|\bopen ?end(ed)?\b"
    r"|\bfree ?text\b|\bbemerkung(en)?\b|\bfreitext\b|\bcommentaires?\b|\bprecise[rz]\b"
    r"|\bobservacion(es)?\b|\bespecifi(car|que)\b|\bosservazion[ei]\b|\bnote?s\b"
    r"|\bopmerking(en)?\b|\btoelichting\b|\bobservac(ao|oes)\b|\bkommentar\w*|\banmerkning\w*"
    r"|\bhuomautu\w*|\buwagi\b",
    "small area": r"\bpost ?codes?\b|\bpostal code\b|\bzip( ?code)?\b|\bplz\b|\bpostleitzahl\b"
    r"|\bcode postal\b|\bcodigo postal\b|\bcodice postale\b|\bpost(nummer|nr)\b|\bpostinumero\b"
    r"|\bkod pocztowy\b|\bcensus (tract|block|section)\b|\bseccion censal\b"
    r"|\benumeration (area|district)\b|\bvillage\b|\bneighbou?rhood\b|\bbuurt\b|\bhamlet\b"
    r"|\bcluster( number)?$|\bpsu\b|\bprimary sampling unit\b|\boutput area\b|\blsoa\b",
    "area": r"\bregions?\b|\bdistricts?\b|\bmunicipalit\w*|\bcommune\b|\bcounty\b|\bprovin\w*"
    r"|\bnuts\b|\btown\b|\bcity\b|\bparish\b|\bgemeinde\w*|\blandkreis\b|\bkreis\b|\bort\b"
    r"|\bdepartement\b|\bmunicipio\b|\bciudad\b|\bcomune\b|\bconcelho\b|\bfreguesia\b"
    r"|\bgemeente\w*|\bkommune?n?\b|\bkunta\b|\bgmin[ay]\b|\bpowiat\b|\bplace of\b|\bgeo\w*",
    "coordinate": r"\blat(itude)?\b|\blon(gitude)?\b|\blng\b|\bgps\w*|\bkoordinat(?!or|ion)\w*"
    r"|\bcoord(?!inator|ination)\w*|\beasting\b|\bnorthing\b|\bbreitengrad\b|\blangengrad\b|\blatitud\b|\blongitud\b"
    r"|\blatitudine\b|\blongitudine\b|\bbreedtegraad\b|\blengtegraad\b|\bxcoord\b|\bycoord\b",
    "amount": r"\bincomes?\b|\bearn\w*|\bwages?\b|\bsalar\w*|\bpay\b|\bturnover\b|\bamounts?\b"
    r"|\bexpend\w*|\bcosts?\b|\bprices?\b|\bvalues?\b|\bsales\b|\brevenues?\b|\bassets?\b|\brent\b"
    r"|\btax(es)?\b|\bpensions?\b|\beinkommen\w*|\blohn\w*|\bgehalt\w*|\bumsatz\w*|\brevenus?\b"
    r"|\bsalaires?\b|\bingresos?\b|\brenta\b|\bgastos?\b|\breddit[oi]\b|\binkomen\w*|\bloon\b"
    r"|\brendimento\w*|\binkomst\w*|\binntekt\w*|\bindkomst\w*|\btulot?\b|\bdochod\w*",
    "occupation": r"\bisco\b|\boccup\w*|\bocc\b|\bberuf\w*|\bkldb\b|\bprofession\w*|\bprofesion\w*"
    r"|\bocupac\w*|\bprofissao\b|\bprofissoes\b|\bberoep\w*|\byrke\w*|\bstilling\w*|\bammat\w*"
    r"|\bzawod\w*",
    "industry": r"\bnace\b|\bisic\b|\bnaics\b|\bindustr\w*|\bwirtschaftszweig\w*|\bbranch(e|en)\b"
    r"|\bsecteur\w*|\beconomic (activity|sector)\b|\bactivite economique\b|\brama de actividad\b"
    r"|\bactividad economica\b|\battivita economica\b|\batividade economica\b|\bbedrijfstak\w*"
    r"|\bnaring(sgren)?\b|\bnaering\b|\btoimiala\w*|\bpkd\b",
    "education": r"\bisced\b|(?<!field of )\beducation(al)?\b|\beduc\b|\bschulabschluss\b"
    r"|\bbildung(sstand|sabschluss)?\b|\bniveau d etudes?\b|\bdiplome\b|\bnivel de estudios\b"
    r"|\bescolaridade\b|\btitolo di studio\b|\bopleiding(sniveau)?\b|\butbildning(sniva)?\b"
    r"|\butdanning(sniva)?\b|\buddannelse\b|\bkoulutus(taso|aste)?\b|\bwyksztalcenie\b",
    "leftover": r"^unnamed( [0-9]+)*$|^(level|index level)( [0-9]+)*$|^(row ?)?index$"
    r"|^row ?names?$|^row ?(id|nr|no|num|number)$|^x$|^merge$|^filter$|^source ?file$",
}
_TOPICS = {topic: re.compile(words) for topic, words in _WORDS.items()}


def plain_words(text: str) -> str:
    """Return a name or label in small letters without accents, its words apart."""
    apart = _CAMEL.sub(" ", text.translate(_LETTERS))
    bare = unicodedata.normalize("NFKD", apart).encode("ascii", "ignore").decode().casefold()
    return " ".join(re.findall(r"[a-z]+|[0-9]+", bare))


def says(text: str, topic: Topic) -> bool:
    """Tell whether a name or label speaks of something."""
    return bool(_TOPICS[topic].search(plain_words(text)))
