"""Columns of many kinds: 81 that identify people, and 106 that do not, however they are called."""
# ruff: noqa: E501, SIM905

from __future__ import annotations

import datetime as dt
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

PEOPLE = 120
RNG = np.random.default_rng(30)
Make = Callable[[], Sequence[Any]]


def number(low: int, high: int) -> int:
    return int(RNG.integers(low, high))


def digits(count: int) -> str:
    return "".join(map(str, RNG.integers(0, 10, count)))


def letters(count: int, of: str = string.ascii_uppercase) -> str:
    return "".join(of[each] for each in RNG.integers(0, len(of), count))


def some(make: Callable[[], Any], count: int = PEOPLE) -> list[Any]:
    """So many different values."""
    found: dict[Any, None] = {}
    while len(found) < count:
        found[make()] = None
    return list(found)


def day(low: int = 1930, high: int = 2005) -> dt.date:
    return dt.date(number(low, high), number(1, 13), number(1, 29))


def luhn(body: str) -> str:
    total = 0
    for place, sign in enumerate(reversed(body)):
        doubled = int(sign) * (2 - place % 2)
        total += doubled // 10 + doubled % 10
    return body + str(-total % 10)


def weighted(body: str, weights: Sequence[int]) -> int:
    return sum(int(d) * w for d, w in zip(body, weights, strict=True))


def until(make: Callable[[], str | None]) -> Callable[[], str]:
    """The next number that has a check digit: a rest of ten has none."""

    def found() -> str:
        while (made := make()) is None:
            pass
        return made

    return found


def in_groups(number: str) -> str:
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def iban() -> str:
    body = digits(18)
    check = 98 - int(f"{body}131400") % 97  # DE
    return f"DE{check:02d}{body}"


def french() -> str:
    body = f"{number(1, 3)}{number(0, 100):02d}{number(1, 13):02d}{number(10, 95)}{digits(6)}"
    return f"{body}{97 - int(body) % 97:02d}"


def belgian() -> str:
    body = f"{day(1930, 1999):%y%m%d}{digits(3)}"
    return f"{body}{97 - int(body) % 97:02d}"


def spanish() -> str:
    body = digits(8)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


def finnish() -> str:
    born, own = f"{day(1930, 1999):%d%m%y}", f"{number(2, 900):03d}"
    return f"{born}-{own}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(born + own) % 31]}"


def norwegian() -> str | None:
    body = f"{day(1930, 1999):%d%m%y}{digits(3)}"
    first = -weighted(body, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    if first == 10:
        return None
    body += str(first)
    second = -weighted(body, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return None if second == 10 else body + str(second)


def turkish() -> str:
    body = str(number(1, 10)) + digits(8)
    d = [int(sign) for sign in body]
    tenth = (7 * sum(d[0::2]) - sum(d[1::2])) % 10
    return f"{body}{tenth}{(sum(d) + tenth) % 10}"


def brazilian() -> str:
    body = digits(9)
    for _ in range(2):
        rest = weighted(body, range(len(body) + 1, 1, -1)) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def german_tax() -> str:
    place, kept = number(1, 10), RNG.permutation(10)[:9].tolist()
    body = "".join(map(str, [*kept[:place], kept[0], *kept[place:]]))
    product = 10
    for sign in body:
        total = (int(sign) + product) % 10 or 10
        product = 2 * total % 11
    return body + str((11 - product) % 10)


def croatian() -> str:
    body, product = digits(10), 10
    for sign in body:
        total = (int(sign) + product) % 10 or 10
        product = 2 * total % 11
    return body + str((11 - product) % 10)


def pesel() -> str:
    body = f"{day(1930, 1999):%y%m%d}{digits(4)}"
    return body + str(-weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def romanian() -> str:
    body = f"{number(1, 3)}{day(1930, 1999):%y%m%d}{number(1, 47):02d}{digits(3)}"
    rest = weighted(body, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return body + str(1 if rest == 10 else rest)


def czech() -> str:
    born = day(1954, 1999)
    while True:
        body = f"{born:%y}{born.month + 50 * number(0, 2):02d}{born:%d}{digits(3)}"
        if (rest := int(body) % 11) < 10:
            return body[:6] + "/" + body[6:] + str(rest)


def estonian() -> str | None:
    body = f"{number(3, 5)}{day(1930, 1999):%y%m%d}{digits(3)}"
    rest = weighted(body, (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    return None if rest == 10 else body + str(rest)


def bulgarian() -> str:
    body = f"{day(1930, 1999):%y%m%d}{digits(3)}"
    return body + str(weighted(body, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10)


def swedish() -> str:
    return luhn(f"{day(1930, 1999):%y%m%d}{digits(3)}")


def dutch() -> str | None:
    body = digits(8)
    rest = weighted(body, range(9, 1, -1)) % 11
    return None if rest == 10 else body + str(rest)


def portuguese() -> str:
    body = "2" + digits(7)
    rest = -weighted(body, range(9, 1, -1)) % 11
    return body + str(rest % 10 if rest < 11 else 0)


def austrian() -> str | None:
    own, born = f"{number(100, 999)}", f"{day(1930, 1999):%d%m%y}"
    check = weighted(own + born, (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11
    return None if check == 10 else f"{own}{check} {born}"


def swiss() -> str:
    body = "756" + digits(9)
    check = -weighted(body, (1, 3) * 6) % 10
    return f"756.{body[3:7]}.{body[7:11]}.{body[11]}{check}"


def greek() -> str:
    body = "0" + digits(7)
    return body + str(weighted(body, (256, 128, 64, 32, 16, 8, 4, 2)) % 11 % 10)


def hungarian() -> str:
    body = digits(8)
    return body + str(weighted(body, (3, 7) * 4) % 10)


def nhs() -> str | None:
    body = digits(9)
    check = -weighted(body, range(10, 1, -1)) % 11
    return None if check == 10 else body + str(check)


def emso() -> str | None:
    body = f"{day(1930, 1999):%d%m}9{number(30, 99)}50{digits(3)}"
    check = -weighted(body, (7, 6, 5, 4, 3, 2) * 2) % 11
    return None if check == 10 else body + str(check)


def irish() -> str:
    body = digits(7)
    return body + "WABCDEFGHIJKLMNOPQRSTUV"[weighted(body, range(8, 1, -1)) % 23]


def ukrainian() -> str:
    body = digits(9)
    return body + str(weighted(body, (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10)


def snils() -> str:
    body = digits(9)
    return f"{body}{weighted(body, range(9, 0, -1)) % 101 % 100:02d}"


GIVEN = ("Anna Maria Jan Peter Lena Paul Sofia Luca Emma Jonas Eva Marek Ivan Olga Hans Julia Karin "
         "Lars Nina Pablo Rosa Tomas Ulrike Viktor Wanda Xenia Yusuf Zoran Beate Carla").split()  # fmt: skip
STEMS = "Al Ber Cor Dan Ek Fer Gar Hol Ib Jan Kov Lin Mar Nor Ol Pet Quin Ros Sal Tor".split()
ENDS = "sen son mann ova ski berg dal hart etti ez ic aro ien ert".split()


def surname() -> str:
    return STEMS[number(0, len(STEMS))] + ENDS[number(0, len(ENDS))]


def given() -> str:
    return GIVEN[number(0, len(GIVEN))]


def address() -> str:
    street = ("Hauptstraße", "Rue de Lyon", "Calle Mayor", "Kerkstraat", "High Street")[
        number(0, 5)
    ]
    return f"{street} {number(1, 200)}"


def network() -> str:
    return ".".join(str(number(1, 255)) for _ in range(4))


HEX = "0123456789abcdef"


def uuid() -> str:
    return "-".join(letters(n, HEX) for n in (8, 4, 4, 4, 12))


def host() -> str:
    return ":".join(letters(2, HEX) for _ in range(6))


def vehicle() -> str:
    return letters(3, "WVAUZ") + letters(8, "ABCDEFGHJKLMNPR123456789") + digits(6)


# Whether the values carry check digits or have the shape of an address; what they are called.
CHECKED: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "IBAN": ("iban", iban),
    "card": ("card_number", lambda: luhn("4" + digits(14))),
    "card in groups": ("credit_card", lambda: in_groups(luhn("5" + digits(14)))),
    "French number": ("nir", french),
    "Belgian number": ("rijksregisternummer", belgian),
    "Spanish DNI": ("dni", spanish),
    "Finnish code": ("hetu", finnish),
    "Norwegian number": ("fødselsnummer", until(norwegian)),
    "Turkish number": ("tckn", turkish),
    "Brazilian CPF": ("cpf", brazilian),
    "German tax number": ("steuer_id", lambda: next(
        n for n in iter(german_tax, "") if n[0] != "0")),
    "Croatian OIB": ("oib", croatian),
    "Polish PESEL": ("pesel", pesel),
    "Romanian CNP": ("cnp", romanian),
    "Czech number": ("rodne_cislo", czech),
    "Estonian code": ("isikukood", until(estonian)),
    "Bulgarian EGN": ("egn", bulgarian),
    "Swedish number": ("personnummer", swedish),
    "Dutch BSN": ("bsn", until(dutch)),
    "Portuguese NIF": ("nif", portuguese),
    "Austrian number": ("svnr", until(austrian)),
    "Swiss number": ("ahv", swiss),
    "Greek AFM": ("afm", greek),
    "Hungarian TAJ": ("taj_szam", hungarian),
    "NHS number": ("nhs_number", until(nhs)),
    "Slovenian EMSO": ("emso", until(emso)),
    "Irish PPS": ("pps_number", irish),
    "Ukrainian number": ("рнокпп", ukrainian),
    "Russian SNILS": ("СНИЛС", snils),
    "Canadian SIN": ("sin", lambda: luhn(str(number(1, 8)) + digits(7))),
    "IMEI": ("imei", lambda: luhn("35" + digits(12))),
    "e-mail": ("email", lambda: f"{letters(6, string.ascii_lowercase)}@example.org"),
    "IP": ("ip_address", network),
    "MAC": ("mac_address", host),
    "UUID": ("uuid", uuid),
    "MD5": ("hash", lambda: letters(32, HEX)),
    "SHA-1": ("user_hash", lambda: letters(40, HEX)),
    "SHA-256": ("sha256", lambda: letters(64, HEX)),
    "URL": ("website", lambda: f"https://example.org/{letters(8, string.ascii_lowercase)}"),
    "vehicle": ("vin", vehicle),
    "telephone +": ("phone", lambda: f"+49 30 {digits(7)}"),
    "telephone US": ("telephone", lambda: f"(555) {number(200, 999)}-{digits(4)}"),
    "SSN": ("ssn", lambda: f"{number(100, 899)}-{number(10, 99)}-{digits(4)}"),
    "NINO": ("nino", lambda: f"AB{digits(6)}{'ABCD'[number(0, 4)]}"),
}  # fmt: skip
OTHERS: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "name": ("name", lambda: f"{given()} {surname()}"),
    "name, Czech": ("Jméno a příjmení", lambda: f"{given()} {surname()}"),
    "name, Russian": ("ФИО", lambda: f"{('Иван', 'Анна', 'Олег')[number(0, 3)]} {'Пет' + letters(4, 'абвгдеж')}"),
    "name, Greek": ("Ονοματεπώνυμο", lambda: f"Γιώργος {'Παπ' + letters(4, 'αβγδεζ')}"),
    "name, Chinese": ("姓名", lambda: letters(3, "王李张刘陈杨黄赵吴周伟芳娜敏静丽强磊军洋")),
    "name, Arabic": ("الاسم", lambda: "محمد " + letters(5, "ابتجحدرسع")),
    "surname": ("surname", surname),
    "surname, lname": ("lname", surname),
    "surname, Polish": ("Nazwisko", surname),
    "surname, Hungarian": ("Vezetéknév", surname),
    "surname, Romanian": ("Nume", surname),
    "surname, Turkish": ("Soyadı", surname),
    "surname, Ukrainian": ("Прізвище", lambda: "Шев" + letters(4, "абвгдеж")),
    "name of a question": ("q1_name", lambda: f"{given()} {surname()}"),
    "respondent": ("respondent", lambda: f"{given()} {surname()}"),
    "maiden name": ("maiden_name", surname),
    "address": ("address", address),
    "address, Bulgarian": ("Адрес", lambda: "ул. " + letters(5, "абвгдеж") + f" {number(1, 99)}"),
    "passport": ("passport_no", lambda: letters(2) + digits(7)),
    "passport, Russian": ("Паспорт", lambda: f"{digits(4)} {digits(6)}"),
    "driving licence": ("driving_licence", lambda: letters(5) + digits(6)),
    "identity card": ("id_card", lambda: letters(2) + digits(6)),
    "tax number": ("tax_number", lambda: digits(10)),
    "telephone, digits": ("mobile", lambda: "07" + digits(9)),
    "telephone, Hungarian": ("Telefonszám", lambda: "30" + digits(7)),
    "telephone, Korean": ("전화번호", lambda: "010" + digits(8)),
    "plate": ("licence_plate", lambda: f"{letters(2)}-{letters(2)} {number(1000, 9999)}"),
    "account": ("account_number", lambda: digits(10)),
    "customer": ("customer_number", lambda: "K" + digits(7)),
    "staff": ("employee_number", lambda: number(100000, 999999)),
    "student": ("student_id", lambda: "S" + digits(6)),
    "user": ("username", lambda: letters(5, string.ascii_lowercase) + digits(3)),
    "medical record": ("mrn", lambda: "MR" + digits(6)),
    "policy": ("policy_number", lambda: "P-" + digits(7)),
    "device": ("device_id", lambda: letters(10, HEX) + digits(4)),
    "handle": ("twitter", lambda: "@" + letters(7, string.ascii_lowercase) + digits(2)),
    "national id": ("national_id", lambda: digits(9)),
}  # fmt: skip
IDENTIFIERS = {**CHECKED, **OTHERS}


def _answers(values: Sequence[Any]) -> Callable[[], Any]:
    return lambda: values[number(0, len(values))]


def _numbers(low: int, high: int) -> Callable[[], Any]:
    return lambda: number(low, high)


YES = ("yes", "no")
PLACES = ("North", "South", "East", "West", "Centre")
COUNTRIES = ("Germany France Italy Spain Poland Austria Belgium Denmark Sweden Norway Finland Greece "
             "Ireland Portugal Hungary Romania Bulgaria Croatia Slovakia Slovenia Latvia Estonia "
             "Lithuania Malta Cyprus").split()  # fmt: skip
JOBS = ("Teaching Professionals", "Chief Executives", "Sales Workers", "Software Developers",
        "Nursing Professionals", "Metal Workers", "Office Clerks", "Market Gardeners")  # fmt: skip

# Answers under names that speak of identifiers, and under those of surveys.
HARMLESS: Sequence[tuple[str, Callable[[], Any]]] = [
    *((name, _answers(YES)) for name in (
        "email", "surname_kept", "phone", "has_telephone", "mobile", "passport", "ssn_known",
        "name_given", "address_changed", "iban_given", "driving_licence", "national_id_shown",
        "ip_tv", "website", "credit_card", "id_card", "username_shared", "address_known", "Telefon",
        "birth_certificate")),
    *((name, _answers(PLACES)) for name in (
        "name", "Name of region", "NAME_OF_PLACE", "region_name", "area_name", "Nom", "Имя", "nome",
        "adresse_typ", "address_region")),
    *((name, _answers(("mobile", "landline", "both", "none"))) for name in (
        "phone_type", "telephone", "Telefonart", "tel", "contact")),
    *((name, _answers(("home", "office", "other"))) for name in (
        "email_place", "address_type", "mail", "Adresse", "адрес")),
    *((name, _answers(COUNTRIES)) for name in (
        "country", "passport_country", "country_name", "nationality", "birth_country")),
    *((name, _answers(JOBS)) for name in ("occupation", "job_title", "job_name", "profession")),
    *((name, _numbers(0, 90)) for name in ("age", "alter", "edad", "wiek", "idade")),
    *((name, _numbers(1, 6)) for name in (
        "q1", "q2", "v3", "hsize", "rooms", "phones", "n_passports", "email_count", "cards",
        "persons_named")),
    *((name, _numbers(1, 99)) for name in ("hours", "weeks", "minutes_on_phone", "score")),
    *((name, _numbers(1940, 2005)) for name in ("birth_year", "yob", "year_arrived", "geburtsjahr")),
    *((name, lambda: number(10, 400) * 100) for name in (
        "income", "wage", "rent", "salary", "tax_paid", "mobile_bill", "phone_cost")),
    *((name, lambda: round(float(RNG.random()) * 40, 1)) for name in (
        "bmi", "height", "weight_kg", "distance", "temperature")),
    *((name, _answers((1, 2))) for name in ("sex", "gender", "geschlecht", "name_changed")),
    *((name, _answers(("AT11", "AT12", "AT13", "AT21", "AT22", "AT31"))) for name in (
        "nuts", "region_code")),
    *((name, _answers(("2511", "2512", "5223", "9112", "3312", "1120"))) for name in (
        "isco", "isco_code")),
    *((name, _answers(("C10", "G47", "Q86", "P85", "F41", "H49"))) for name in ("nace", "industry")),
    *((name, _answers(("never", "rarely", "sometimes", "often"))) for name in (
        "trust", "uses_email", "calls", "posts_address", "health")),
    *((name, _answers(("married", "single", "divorced", "widowed"))) for name in (
        "marital", "civil_status", "family_name_at_marriage")),
    *((name, _answers(("iPhone", "Android", "feature phone", "none of these"))) for name in (
        "phone_model", "device")),
    *((name, _numbers(1, 13)) for name in ("month", "birth_month")),
]  # fmt: skip

TIMES = (1, 3, 8)


def repeat(values: Sequence[Any], times: int) -> list[Any]:
    """Each value in so many records, as those of a panel or of the things of a household."""
    return [value for value in values for _ in range(times)]


@dataclass(frozen=True)
class Column:
    """A column: what it is, a name that tells it or misleads, and its values.

    Attributes:
        kind: What it holds.
        name: That speaks of it, or of something else.
        values: One for each person.
        identifies: Whether it does.
        by_shape: Whether its values tell so by themselves.
    """

    kind: str
    name: str
    values: Sequence[Any]
    identifies: bool
    by_shape: bool


@cache
def list_columns() -> tuple[Column, ...]:
    """All columns, the same in each run."""
    found = [
        Column(kind, name, some(make), True, kind in CHECKED)
        for kind, (name, make) in IDENTIFIERS.items()
    ]
    harmless = [
        Column(name, name, [make() for _ in range(PEOPLE)], False, False) for name, make in HARMLESS
    ]
    return (*found, *harmless)
