"""Words in names and labels by what they speak of, in several languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
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
    "sex",
    "age",
    "year of birth",
    "date of birth",
    "birth",
    "place",
    "settlement",
    "marital status",
    "citizenship",
    "country of birth",
    "attainment",
    "activity status",
    "household size",
    "relationship",
    "ethnic group",
    "religion",
    "language",
    "children",
    "tenure",
    "dwelling",
    "health",
    "politics",
    "intimate life",
    "offences",
    "wealth",
    "record id",
    "line number",
    "flag",
    "design",
    "survey time",
    "somebody else",
    "head",
    "past",
]

_PERSON = (
    "respondents?|persons?|pers|resp|head|members?|child|mother|father|husband|wife|spouse|"
    "partner|patient|student|pupil|teacher|interviewer|contact|participant|applicant|owner|"
    "befragte[rn]?|mutter|vater|kind|repondant|enquete|chef|encuestad[oa]|entrevistad[oa]|persona|"
    "jefe|madre|padre|intervistato|pessoa|inquirido|respondent|persoon|kontaktperson|osoby"
)
_NAME = "name|nom|nome|nombres?|naam|namn|navn|nimi|nazwa"
_OF = "(of|de|du|del|della|di|do|da|van|des|der|la|le|el|the|household|menage|hogar|hh)"
_NUMBER = (
    "(id|no|nr|num|number|nummer|code|identifier|identification|identifikation|serial|numero|"
    "identifiant|identificador|identificativo|progressivo|record identifier|distinguir)"
)
_HOUSE = (
    "household|haushalts?|dwelling|housing unit|logement|viviendas?|domicilio|alloggio|woning|"
    "menage|hogar|famiglia|famille|huishoud(en|ens)|agregado|hushalls?|"
    "husholdnings?|husstands?|kotitalou(s|den)|gospodarstw[oa]"
)

WORDS: Mapping[Topic, str] = {
    "weight": r"weight|wght|\b(w|wt|wgt|gewicht|pond(er)?|peso|poids|vekt|vikt|waga)\b"
    r"|\w*gewicht(ung)?\b|hochrechnung\w*|ponder\w+|\bpesos?\b|\bfexp\w*|\bcoef(f|q\w*|icient|"
    r"iciente)?\b"
    r"|\bfacteur d (extrapolation|expansion)|\bf(ac)?tor (de )?(expansi?(on|ao)|elevacion)\b|"
    r"\bfac(tor)? exp\w*"
    r"|\bcoefficiente di (riporto|espansione)|weging\w*|ophoogfactor|\b(per|hh|person|indiv)wt\b"
    r"|\bwt([a-z]|per|hh|ind|pp|final)\b|\b[a-z]{1,3}weigh\b|\bpesi\b|uppraknings\w*|painokerroin",
    "household": rf"^(hh|hhid|hh ?id|hh ?num|hid|household( ?id)?|ori hid|hserial|famid|idhh)$"
    r"|^(id|num|no|nr) ?(hh|hog(ar)?|men(age)?|fam(iglia)?|haushalt|vivienda|casa)$|^hhnr(akt)?$"
    r"|^(nquest|nomen|folio ?viv|id ?folio|idmen|menid|hhserial)$"
    rf"|^hh ?{_NUMBER}$|\b({_HOUSE}) ?s? ?(serial )?{_NUMBER}\b"
    rf"|\b{_NUMBER} ({_OF} )*({_HOUSE})\b(?! (members?|size|persons?|people))",
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
    r"|\bcoord(?!inator|ination)\w*|\beasting\b|\bnorthing\b|\bbreitengrad\b|\blangengrad\b|"
    r"\blatitud\b|\blongitud\b"
    r"|\blatitudine\b|\blongitudine\b|\bbreedtegraad\b|\blengtegraad\b|\bxcoord\b|\bycoord\b",
    "amount": r"\bincomes?\b|\bearn\w*|\bwages?\b|\bsalar\w*|\bpay\b|\bturnover\b|\bamounts?\b"
    r"|\bexpend\w*|\bcosts?\b|\bprices?\b|\bvalues?\b|\bsales\b|\brevenues?\b|\bassets?\b|\brent\b"
    r"|\btax(es)?\b|\bpensions?\b|\w*einkommen\w*|\b(netto|brutto)?(lohn|verdienst)\w*|"
    r"\bgehalt\w*|\bumsatz\w*|\brevenus?\b"
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
    "sex": r"\b(sex|gender|gndr|geschlecht|sexe|sexo|genero|sesso|genere|geslacht|kon|kjonn|koen"
    r"|sukupuoli|plec)\b",
    "age": r"\b(age|agea|alter|edad|idade|eta|leeftijd|lft|alder|ika|wiek)\b"
    r"|\b(alters|leeftijds)(gruppen?|klassen?|groep)\b|\bage ?(y|yr|yrs|years|grp|grps|gr|group|"
    r"cat)"
    r"s?\b",
    "year of birth": r"\byear of birth\b|\bbirth ?(year|yr)\b|\bb?yob\b|\byrbrn\b|\byearbir\w*"
    r"|\bgeburtsjahr\b|\bgebjahr\b|\bannee de naissance\b|\bannais\w*|\bano de (nacimiento|"
    r"nascimento)\b"
    r"|\banno di nascita\b|\bannasc\b|\bgeboortejaar\b|\bgebjaar\b|\bfodelsear\b|\bfodselsar\b"
    r"|\bsyntymavuosi\b|\brok urodzenia\b",
    "date of birth": r"\bdate of birth\b|\bbirth ?(date|day|month)\b|\bdob\b|\bmonth of birth\b"
    r"|\bgeb(urts)?(datum|dat|tag|monat)\b|\bdate (de )?naiss(ance)?\b|\bdatenais\w*|\bdnais\b"
    r"|\bmois de naissance\b|\b(fecha|mes|dia)( de)? nac(imiento)?\b|\bfec?h?nac\w*|\bf nac\w*"
    r"|\b(data|mes|dia)( de)? nasc(imento)?\b|\b(data|mese|giorno) di nascita\b|\bdatanasc\w*"
    r"|\bgeboorte(datum|maand|dag)\b|\bfodelse(datum|dag)\b|\bfodselsdato\b|\bsyntymaaika\b"
    r"|\bdata urodzenia\b",
    "birth": r"\b(birth|born|geburt|geboren|naissance|nacimiento|nascita|nascimento|geboorte|"
    r"fodd)\b",
    "place": r"\bregions?\b|\bregion(e|al)?\b|\bregiao\b|\bregio\b|\bnuts\b|\bprovin(ce|cia|cie|"
    r"z)s?\b"
    r"|\bprov\b|\bcount(y|ies)\b|\bdistricts?\b|\bdistritos?\b|\bdepartements?\b|\bdepartamentos?\b"
    r"|\bbundesland\b|\bkantone?\b|\bcanton\b|\bmunicip\w+|\bcommunes?\b|\bcomune\b|\bconcelho\b"
    r"|\bgemeinde\w*|\bgemeente\w*|\bkommune?n?\b|\b(land)?kreis\b|\bregierungsbezirk\b|\blaan\b"
    r"|\bcomunidad autonoma\b|\baglomerado\b|\bccaa\b|\bvoivodeship\b|\bwojewodztwo\b|\bpowiat\b|"
    r"\bmaakunta\b"
    r"|\bkunta\b|\blan\b|\bfylke\b|\bgovernorate\b|\boblast\b|\bprefecture\b|\blga\b|\bwilaya\b"
    r"|\bpuma\b|\bmetarea\b|\bstatefips?\b|\bcount(y|ry)?fips?\b|\bgeolev\b|\bgeo ?[0-9]\b|"
    r"\bcntry\b"
    r"|^(state|country|land|pays|pais|paese|zone|ward|town|city|ciudad|uf|zona|estado|"
    r"stratum region)"
    r"( ([0-9]+|code|codes|name|fips|of (residence|interview|survey)))*$|\bplace of residence\b"
    r"|\bpost ?codes?\b|\bpostal code\b|\bzip( ?code)?\b|\bplz\b|\bpostleitzahl\b|\bcode postal\b"
    r"|\bcodigo postal\b|\bcap\b|\blsoa\b|\bmsoa\b|\boutput area\b|\bcensus tract\b",
    "settlement": r"\burba(n|in)\w*|\brural\b|\bdegurba\b|\burbrur\b|\btype of (place|settlement|"
    r"locality)\b"
    r"|\bstadt land\b|\bsiedlungs\w*|\bgemeindegrosse\w*|\bmilieu( de residence)?\b|\bdomicil\b"
    r"|\bdegre d urbanisation\b|\bgra(do|u) (de |di )?urbani\w+|\bstedelijk\w*|\bsize of (place|"
    r"town|"
    r"settlement|municipality|community)\b|\bhabitat\b|\btaajama\w*|\btatort\w*|"
    r"\bmetro(politan)?\b",
    "marital status": r"\bmarital\b|\bmar(i|s)?stat?\w*\b|\bmarst\b|\bmarsta\b|\bcivil status\b"
    r"|\bcivil(stand|status)\b|\bfamilienstand\b|\bfamstand\b|\bzivilstand\b|\betat (civil|"
    r"matrimonial)\b"
    r"|\b(situation|statut) (familiale|matrimoniale?)\b|\bmatri(moniale?)?\b|\besta?do? ?(civil|"
    r"conyugal)"
    r"\b|\bstato civile\b|\bstaciv\w*|\bburgerlijke (staat|stand)\b|\bburgst\b|\bsivilstand\b"
    r"|\bsiviilisaaty\b|\bstan cywilny\b",
    "citizenship": r"\bcitizen(ship)?s?\b|\bnational(ity|itat)\b|^national$|\bstaats(angehorigkeit|"
    r"burgerschaft)"
    r"\b|\bstaatsang\b|\bnationalite\b|\bnaciona(lidad|lidade|l)\b|\bcittadinanza\b|\bcittad\b"
    r"|\bnationaliteit\b|\bmedborgarskap\b|\bstatsborgerskap\b|\bkansalaisuus\b|\bobywatelstwo\b",
    "country of birth": r"\bcountry of birth\b|\bbirth ?(country|place)\b|\bcountryb\b|"
    r"\bcountry born\b"
    r"|\bborn in (the )?\w+\b|\bplace of birth\b|\bbpl\b|\bbplcountry\b|\bnativity\b|"
    r"\bgeburtsland\b"
    r"|\bgebland\b|\b(pays|lieu) de naissance\b|\bpaysnais\b|\b(pais|lugar) de nac\w*"
    r"|\bpais (de )?nasc\w*|\bnaturalidade\b|\b(paese|luogo|stato) di nascita\b|\bgeboorteland\b"
    r"|\bgebland\b|\bfodelseland\b|\bfode(lse)?land\b|\bsyntymamaa\b|\bkraj urodzenia\b",
    "attainment": r"\bisced\w*|\beisced\b|\bhat ?(lev\w*|[0-9]+)\b|\bedlevel\b|\bedattain\w*|"
    r"\bedlvl\w*"
    r"|^educ?$|^educ ?(lvl|lev|level|cat|cd|d)$|^education(al)?( (level|attainment|status|category|"
    r"achieved|completed|qualification))?$|\b(highest|level|attain\w+|completed|"
    r"years)\b.*\beducation\w*"
    r"|\b(highest|years of) (\w+ ){0,2}(qualification|school\w*|grade|degree|diploma|educ)\b|"
    r"\bschooling\b"
    r"|\beducation(al)? (level|attain\w*)\b|\bschulabschluss\b|\bbildungs?\w*\b|\bschulbildung\b|"
    r"\bausbildung\b"
    r"|\bniveau (d )?(etudes?|instruction|education|scolaire)\b|\bdiplome?s?\b|\bdiplom\b"
    r"|\bnivel (\w+ )?(estudios?|educa\w+|instruccion|instrucao|ensino|escolar\w*)\b|"
    r"\bescolaridade?\b"
    r"|\bescolaridad\b|\bestudios\b|\bnivinst\w*|\bhabilitacoes\b|\btitolo (di )?studio\b|"
    r"\btitstu\w*"
    r"|\b(livello|grado) di istruzione\b|\bistruzione\b|\bopleiding\w*|\butbildning\w*|"
    r"\butdanning\w*"
    r"|\buddannelse\w*|\bkoulutus\w*|\bwyksztalcenie\b",
    "activity status": r"\b(activity|employment|labou?r ?(force|market)?|working|work|economic|job)"
    r" status\b|\bilostat\b|\bmainstat\b|\bempstat\w*|\blabforce\b|\bstapro\b|\bwstator\b|"
    r"\bmnactic\b"
    r"|\bstatus in employment\b|\bclasswk\w*|\bclass of worker\b|\berwerbs\w*|"
    r"\bberufliche stellung\b"
    r"|\b(statut|situation) (d )?(activite|emploi|professionnelle?)\b|\bactivite principale\b"
    r"|\bsituacion (laboral|profesional|de actividad)\b|\b(relacion con la|"
    r"condicion de) actividad\b"
    r"|\bcondicao (perante o trabalho|no trabalho)\b|\bsituacao (na profissao|profissional)\b"
    r"|\bcondizione (professionale|lavorativa|occupazionale)\b|\barbeids(positie|status|markt\w*)\b"
    r"|\bsysselsattning\w*|\bsysselsetting\w*|\bmain activity\b|\beconomic activity\b"
    r"|\bcurrently working\b",
    "household size": r"\b(household|family|hh) ?size\b|\bhh?si?ze?\b|"
    r"\bsize of (the )?(household|family)\b"
    r"|\b(number|nr|no|num) of (\w+ ){0,3}(persons?|people|members|residents)\b|\bfamsize\b|"
    r"\bnumprec\b"
    r"|\bpersons in (the )?household\b|\bhhmmb\b|\bhhmem\b|\bhh ?members\b|\bhaushaltsgrosse\b|"
    r"\bhhgr\b|\bpersonen im haushalt\b"
    r"|\btaille (du )?menage\b|\btaillem\b|\bnombre de personnes\b|\btam(ano)? (del )?hogar\b"
    r"|\b(numero|n) de (personas|miembros|pessoas)\b|\btothog\b|\b(dimensao|tamanho) do agregado\b"
    r"|\b(numero|n) (dei |di )?componenti\b|\bncomp\b|\bampiezza (della )?famiglia\b"
    r"|\bhuishoud\w*(grootte|omvang)\b|\baantal (personen|leden)\b|\bhushallsstorlek\b"
    r"|\bkotitalouden koko\b|\bliczba osob\b",
    "relationship": r"\brelat\w* (to|with) (\w+ ){0,2}(head|reference|respondent|hoh)\b|"
    r"\brelated?\b"
    r"|^relation(ship)?$|\brelhead\b|\brel ?hoh\b|\blien (de parente|avec)\b|\blienp\w*|"
    r"\bparente\w*"
    r"|\brelacion (de parentesco|con (el|la) (jef\w+|cabeza|persona))\b|"
    r"\brelazione (di parentela|con)\b|\brelpar\b"
    r"|\bstellung im haushalt\b|\bverwandtschaft\w*|\b(plaats|positie) in het huishouden\b",
    "ethnic group": r"\bethnic\w*|\bethn\b|\bracial\b|\brace[a-z]?\b|\bethnie\b|\betni(a|co|ca|e)\b"
    r"|\bethnisch\w*|\betnisch\w*|\betniciteit\b|\btribe\b|\bcaste\b|\braca\b|\bcor ou raca\b"
    r"|\bindigen\w*|\bmigrationshintergrund\b|\bherkomst\b",
    "religion": r"\breligio\w*|\breligi[ao]\b|\brelig\b|\bdenomination\b|\brlgdnm\b|\bkonfession\w*"
    r"|\bculte\b|\bgodsdienst\w*|\bgeloof\b|\breligiao\b|\buskonto\b|\bwyznanie\b",
    "language": r"\b(mother|home|native|main|first) (tongue|language)\b|\blanguage\b.*\b(spoken|"
    r"home)\b"
    r"|^(language|lang|lnghom\w*)$|\bmuttersprache\b|\blangue (maternelle|parlee)\b"
    r"|\blengua (materna|indigena)\b|\bidioma\w*|\blingua (materna|madre)\b|\bmoedertaal\b"
    r"|\bmodersmal\b|\baidinkieli\b|\bjezyk ojczysty\b",
    "children": r"\b(number|nr|no|num|total) of (\w+ ){0,3}children\b|\bchildren ever born\b|"
    r"\bnchild\b"
    r"|\bchborn\b|\b(anzahl|zahl) (der )?kinder\b|\bkinderzahl\b|\bnombre d enfants\b|\bnbenf\w*"
    r"|\b(numero|n) de (hijos|filhos)\b|\bnumero (di )?figli\b|\baantal kinderen\b|\bantal barn\b",
    "tenure": r"\btenure\b|\bownershi?p\b|\bstatut d occupation\b|\btenencia\b|"
    r"\bregimen de tenencia\b"
    r"|\bregime de ocupacao\b|\btitolo (di )?godimento\b|\bwohneigentum\b|\beigen woning\b",
    "dwelling": r"\btype of (the )?(dwelling|housing|building|house)\b|\bdwelling ?type\b"
    r"|\btype de (logement|batiment|construction)\b|\btipo de (vivienda|alojamento|edificio)\b"
    r"|\btipo di abitazione\b|\bgebaudetyp\b|\bwoningtype\b|\bsoort woning\b",
    "health": r"\bhealth\b|\bdiseases?\b|\bdiagnos\w*|\bhiv\b|\baids\b|\bdisab\w*|\bicd\b|"
    r"\billness\w*"
    r"|\bcancer\b|\bdiabet\w*|\bdepress\w*|\bchronic\b|\bpregnan\w*|\babortion\w*|\bstillb\w*"
    r"|\banaemia\b|\bbmi\b|\bsymptoms?\b|\bcauses? of death\b|\bgesundheit\w*|\bkrank\w*|"
    r"\bbehinder\w*"
    r"|\bschwanger\w*|\bsante\b|\bmaladies?\b|\bhandicap\w*|\bsalud\b|\benfermedad\w*|\bdiscapac\w*"
    r"|\bembaraz\w*|\bsaude\b|\bdoencas?\b|\bdeficiencia\b|\bsalute\b|\bmalatti[ae]\b|"
    r"\bdisabilita\b"
    r"|\bgezondheid\w*|\bziekten?\b|\bhalsa\b|\bsjukdom\w*|\bhelse\b|\bterveys\w*|\bzdrowi\w*",
    "politics": r"\bvot(e|ed|ing)\b|\bpolitical part\w*|\bparty (feel|close|voted|member)\w*"
    r"|\b(trade )?union (member\w*)?\b|\bleft right (scale|placement)\b|\blrscale\b|"
    r"\bgewerkschaft\w*"
    r"|\bsyndicat\b|\bsyndicale?\b|\bsindica(to|l|le)\b|\bpartei\w*|\bpartido\b|\bpartito\b|"
    r"\bvakbond\w*"
    r"|\bplacement on left right\b|\bpartij\w*",
    "intimate life": r"\bsexual\w*|\bsexuell\w*|\bsexuel\w*|\bsessual\w*|\bseksu\w*|\bcontracept\w*"
    r"|\bsex partners?\b|\bnumber of (\w+ )?partners\b|\b(had|had first|recent) sex\b|"
    r"\bcircumcis\w*",
    "offences": r"\bcrim\w*|\bconvict\w*|\barrest\w*|\bprison\w*|\bviolen\w*|\babuse[ds]?\b|"
    r"\bvictim\w*"
    r"|\bdrugs?\b|\balcohol\w*|\bsmok\w*|\bstraf\w*|\bdelit\w*|\breato\b|\bdelito\b",
    "wealth": r"\bwealth\b|\bdebts?\b|\bsavings?\b|\bnet worth\b|\bmortgage\b|\bloans?\b|"
    r"\bbenefits?\b"
    r"|\bvermogen\w*|\bschulden\b|\bpatrimoine\b|\bdettes?\b|\bpatrimonio\b|\bdeudas?\b|"
    r"\bdividas?\b"
    r"|\bincdecil\w*|\binctot\b|\bhinc\w*|\bconsum\w+|\bdepenses?\b|\bspes[ae]\b|\bdespesas?\b"
    r"|\bausgaben\b|\buitgaven\b|\brenda\b|\bsueldos?\b|\bsalarios?\b|\bretribuzione\b|\bpay\b",
    "record id": r"^(id|pid|iid|idno|indid|idind|pidp|caseid|case ?id|serial|persnr|pers ?id|"
    r"person ?id"
    r"|respid|resp ?id|respondent ?id|subject ?id|patient ?id|uuid|guid|key|rec ?id|record ?id|nro"
    r"|idpers\w*|ident|identif\w*|lfd ?nr|laufnummer|lopnr|interview ?id|interview key|quest ?id"
    r"|ind ?id|member ?id|id ?persona?|id ?pessoa|personal id)$|\b(person(al)?|individual|"
    r"respondent|"
    r"patient|member|case|record|interview|unique) ?s? ?(id|identifier|identification|"
    r"identification"
    r" number|serial number|key)\b|\b(identifiant|identificador|identificativo|kennung|"
    r"kennnummer)\b"
    r"|\bidentification (code|number)\b|\b(id|identifier) (of|for) (the )?(person|individual|"
    r"respondent|member)\b",
    "line number": r"\bpernum\b|\bline ?(number|no|num|nr)\b|\bperson(s)? (number|no|nr)\b|"
    r"\bperson ?nr\b"
    r"|\bsequence number\b|\bhhseqnum\b|\bmember (number|no)\b|\bnumero d ordre\b|"
    r"\bn(umero)? de orden\b"
    r"|\bnumero d ordine\b|\bnumero de ordem\b|\bpersonennummer\b|\bvolgnummer\b|\broster\b"
    r"|\bposition in (the )?household\b|^(ordre|nordine|nordem|norden|indiv|nind|line|lineno)$",
    "flag": r"\bflags?\b|\bimput\w*|\bedited\b| f$|\ballocation\b|\bquality (code|mark)\b"
    r"|\bindicador de imputacion\b|^q[a-z]{3,}$",
    "design": r"\bstrat(um|a|e|en)?\b|\bestratos?\b|\bstrata?i?d?\b|\bstrat[io]\b|\bpsu\w*|\bssu\b"
    r"|\bsampling (unit|stratum|domain)\b|\bclusters?\b|\bgrappe\b|\bconglomerado\b|"
    r"\benumeration area\b"
    r"|^(ea|clust|eacode|ea ?id|upm|zd|segment|segmento)$|\brotation\w*|\breplicate\b|\brepwt\w*"
    r"|\bjackknife\b|\bbootstrap\b|\bschicht\b|\bvarunit\b|\bvarstrat\w*|\bprob\b",
    "survey time": r"^(year|jahr|annee|ano|anno|jaar|wave|welle|round|vague|ola|quarter|quartal|"
    r"trimestre|kwartaal|month|monat|mois|mes|mese|maand|week|refweek|refyear|refmonth|essround|"
    r"intyear|intmonth|syear|panelwave)$|\b(year|month|week|quarter|day|date|time|wave|round|"
    r"start|end)"
    r" of (the )?(\w+ )?(survey|interview|sample|questionnaire|reference)\b|\binterview (year|"
    r"month|date)"
    r"|\bsurvey (year|round|wave|date)\b|\breference (year|week|month|quarter)\b|\berhebungs\w+"
    r"|\bfecha de (la )?(entrevista|encuesta)\b|\bdate (de l |d )?enquete\b|\bdata (da |"
    r"dell )?entrevista"
    r"|\bdata (dell )?intervista\b|\binterview(datum|monat|jahr)\b|\bref(erence)? ?week\b",
    "somebody else": r"\b(mothers?|fathers?|partners?|spouses?|husbands?|wife|parents?|"
    r"interviewers?"
    r"|employers?|mutter|vater|eltern|ehepartner|mere|pere|conjoint|epoux|madre|padre|conyuge|"
    r"pareja"
    r"|mae|pai|conjuge|coniuge|moeder|vader|siblings?|enqueteur|entrevistador|second|third|"
    r"fourth|fifth"
    r"|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|youngest|oldest|eldest|previous wife)\b"
    r"|\binterviewer\w*|\bemof\b|\bemom\b",
    "head": r"\bhead\b|\breference person\b|\bchef\b|\bjefe\b|\bcapofamiglia\b|\bchefe\b|\bhaupt\w+"
    r"|\bchild( s)?\b|\blast\b|\bfirst\b|\bkostwinner\b",
    "past": r"\bprevious\w*|\bformer\w*|\bpast\b|\b(one|a|1|5|five) years? (ago|before|earlier)\b"
    r"|\bbefore\b|\bwhen (he|she|you|r|respondent)\b|\bat (first|age|time of)\b|\blast (year|job|"
    r"occupation)\b|\b[0-9]+ years ago\b|\bvor (einem|1) jahr\b|\bil y a\b|\bhace (un|1) ano\b"
    r"|\buntil\b|\bfruher\w*|\banterior\b|\bprecedent\w*|\bvorig\w*",
}

# What else a word may belong to.
UNLESS: Mapping[Topic, str] = {
    "weight": r"\b(kilo\w*|kgs?|grams?|pounds?|lbs|height|bmi|body|birth|loss|for (age|height)|"
    r"size of|"
    r"korper\w*|geburts?\w*|corporel\w*|naissance|nac(er|imiento)|nasc(er|ita|imento)|corporal|"
    r"corporeo|"
    r"lichaams\w*|geboorte\w*)\b|\b(over|under)weight\b|gewicht in\b|\bweigh(s|ed|ing)\b",
    "sex": r"\bsex (partner|with|work|education|before|in|at)\w*|\b(had|first|last|recent|safe|"
    r"same|have|"
    r"having|anal|paid|by) sex\b|\bboth sex\w*|\b(equal|pay) gender\b|\bgender (equality|roles?|"
    r"gap)\b",
    "age": r"\bage (at(?! (interview|survey|census|enumeration|last birthday))|when|first|"
    r"started|left|since|of (first|last|youngest|oldest|building|dwelling))\b"
    r"|\b(old|working|legal|pension|retirement|school|youngest|under|over|any) ?age\b|\baged?\b.*"
    r"\b(first|completed education|finished|left)\b|\bat what age\b|\balter bei\b|\bage (au|a la|"
    r"de fin)\b"
    r"|\bedad (al|a la|en que|del primer)\b|\beta (al|alla)\b|\bleeftijd (bij|waarop)\b|\bper age\b"
    r"|\b(for|by) age\b|\bidade (ao|a data|com que)\b|\bold age\b|\bage and sex\b|\bnot of age\b",
    "place": r"\bgemeindegross\w*|\bbirth\w*|\bborn\b|\bnaissance\b|\bnac\w*|\bnasc\w*|"
    r"\bgeburts?\w*|\bgeboorte\w*|\bwork\w*"
    r"|\bjob\b|\bago\b|\bpreviou\w*|\blast\b|\bmigrat\w*|\borigin\b|\bcitizen\w*|\btravail\b|"
    r"\btrabajo\b"
    r"|\blavoro\b|\btrabalho\b|\barbeits\w*|\bstate of\b(?! (residence|interview))|\btype of\b",
    "settlement": r"\bwork\b|\bmigrat\w*|\bago\b|\bbirth\b|\bchildhood\b",
    "country of birth": r"\bmonth\b|\byear\b",
    "attainment": r"\bfield of\b|\bstate of\b|\bcurrent\w*\b|\bpartner\b|\bexpend\w*|\bcosts?\b"
    r"|\ballowance\w*|\bbildungs(urlaub|ausgaben)\b",
    "religion": r"\bhow religious\b|\bservices\b|\bnot\b|\bpray\b",
    "language": r"\b(interview|questionnaire|respondent s answers)\b|\bsecond\b",
    "household size": r"\b(aged|under|over|employed|working|moins|menores|sleeping|years|rooms|"
    r"female|"
    r"male|eligible|de facto|establishment|local unit|firm|enterprise|working at)\b",
    "activity status": r"\bhealth\b",
    "health": r"\bcare (costs?|expend\w*)\b|\bhealth (minister|sector)\b|"
    r"\bhealth insurance number\b",
    "design": r"\bregion\b|\bcluster analysis\b|\bweights?\b",
    "occupation": r"\b(situacion|situacao|situation|condizione|condicao|condicion|posizione|"
    r"posicion|status)\b|"
    r"\bstatut\b|\bstellung\b|\btitolo\b|\bregime\b",
    "amount": r"\bplausible values?\b|\bvalues survey\b",
}


__all__ = ["Topic", "plain_words", "says"]

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "’": "'"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")


@cache
def _compile(words: str) -> re.Pattern[str]:
    """A pattern when it is first asked for: all of them would take a tenth of a second."""
    return re.compile(words)


@lru_cache(maxsize=8192)
def plain_words(text: str) -> str:
    """Return a name or label in small letters without accents, its words apart."""
    apart = _CAMEL.sub(" ", text.translate(_LETTERS))
    bare = unicodedata.normalize("NFKD", apart).encode("ascii", "ignore").decode().casefold()
    return " ".join(re.findall(r"[a-z]+|[0-9]+", bare))


def says(text: str, topic: Topic) -> bool:
    """Tell whether a name or label speaks of something."""
    words = plain_words(text)
    if not _compile(WORDS[topic]).search(words):
        return False
    return topic not in UNLESS or not _compile(UNLESS[topic]).search(words)
