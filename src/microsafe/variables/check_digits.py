"""Numbers of people, accounts and things that carry check digits: each by its pattern and its rule.

A number is looked at without the blanks, points, dashes and strokes that people write into it. By
chance one number in ten passes a rule of one digit, so that a handful of values tells enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_MARKS = re.compile(r"\.0$|[ ./'\"-]")  # of a fraction that programs add, and of people
_ONE_IN = 4  # values that are looked at may not fit: other numbers in the same column
_MOST_ZEROS = 2  # at the beginning of a number
_FEWEST = 10  # different values, from which a rule of one digit is no chance

Rule = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class NumberScheme:
    """A kind of number.

    Attributes:
        name: Of the scheme.
        pattern: That it matches from end to end, its marks taken out.
        holds: Whether its check digits fit.
    """

    name: str
    pattern: str
    holds: Rule

    def fits(self, number: str) -> bool:
        """Tell whether a number without marks is built so, check digits included."""
        return re.fullmatch(self.pattern, number) is not None and self.holds(number)


def find_scheme(values: Sequence[str]) -> str:
    """Return the scheme that nearly all values follow; empty if there is none, or too few values.

    Args:
        values: Different values of a variable.
    """
    numbers = _fill_zeros({_MARKS.sub("", value).upper() for value in values})
    allowed = len(numbers) // _ONE_IN
    if len(numbers) < _FEWEST or sum(len(number) < _SHORTEST for number in numbers) > allowed:
        return ""
    return next((scheme.name for scheme in SCHEMES if _follow(numbers, scheme, allowed)), "")


def _fill_zeros(numbers: set[str]) -> set[str]:
    """Give numbers back the zeros at their beginning that are lost where they are stored so."""
    lengths = {len(number) for number in numbers}
    if not lengths or max(lengths) - min(lengths) > _MOST_ZEROS:
        return numbers
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        return numbers
    return {number.zfill(max(lengths)) for number in numbers}


def _follow(numbers: Iterable[str], scheme: NumberScheme, allowed: int) -> bool:
    """Tell whether all numbers but a few follow a scheme."""
    for number in numbers:
        allowed -= not scheme.fits(number)
        if allowed < 0:
            return False
    return True


def _digits(number: str) -> list[int]:
    return [int(sign) for sign in number if sign.isdecimal()]


def _sum(number: str, weights: Iterable[int]) -> int:
    return sum(d * w for d, w in zip(_digits(number), weights, strict=False))


def _weighted(weights: Sequence[int], modulus: int, rest: int = 0) -> Rule:
    """All digits times their weights leave the same rest."""
    return lambda number: _sum(number, weights) % modulus == rest


def _closing(weights: Sequence[int], modulus: int, *, complement: bool, ten: int = 0) -> Rule:
    """The last digit is what the others leave, or what they lack; `ten` stands for 10."""

    def holds(number: str) -> bool:
        rest = _sum(number[:-1], weights) % modulus
        rest = (modulus - rest) % modulus if complement else rest
        return (ten if rest == 10 else rest) == int(number[-1])

    return holds


def _luhn(number: str) -> bool:
    doubled = [
        d if place % 2 == 0 else d * 2 - 9 * (d > 4)
        for place, d in enumerate(reversed(_digits(number)))
    ]
    return sum(doubled) % 10 == 0


def _mod_97_10(number: str) -> bool:
    """IBAN: country and check digits go to the end, letters count from 10."""
    return _rest_of_97(number[4:] + number[:4]) == 1


def _rest_of_97(number: str) -> int:
    return int("".join(str(int(sign, 36)) for sign in number)) % 97


def _mod_11_10(number: str) -> bool:
    """ISO 7064: Germany's tax number, Croatia's OIB."""
    product = 10
    for digit in _digits(number[:-1]):
        total = (digit + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == int(number[-1])


def _german_tax(number: str) -> bool:
    """Of the first ten digits one occurs twice or three times; `_mod_11_10`."""
    return len(set(number[:10])) in (8, 9) and _mod_11_10(number)


_D = ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
      (2, 3, 4, 0, 1, 7, 8, 9, 5, 6), (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
      (4, 0, 1, 2, 3, 9, 5, 6, 7, 8), (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
      (6, 5, 9, 8, 7, 1, 0, 4, 3, 2), (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
      (8, 7, 6, 5, 9, 3, 2, 1, 0, 4), (9, 8, 7, 6, 5, 4, 3, 2, 1, 0))  # fmt: skip
_P = ((0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
      (5, 8, 0, 3, 7, 9, 6, 1, 4, 2), (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
      (9, 4, 5, 3, 1, 2, 6, 8, 7, 0), (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
      (2, 7, 9, 3, 8, 0, 6, 4, 1, 5), (7, 0, 4, 6, 9, 1, 3, 2, 5, 8))  # fmt: skip


def _verhoeff(number: str) -> bool:
    check = 0
    for place, digit in enumerate(reversed(_digits(number))):
        check = _D[check][_P[place % 8][digit]]
    return check == 0


def _luxembourg(number: str) -> bool:
    """Born on a day; the twelfth digit by Luhn, the thirteenth by Verhoeff."""
    return _luhn(number[:12]) and _verhoeff(number[:11] + number[12])


def _french(number: str) -> bool:
    body, key = number[:13].replace("2A", "19").replace("2B", "18"), int(number[13:])
    return body.isdecimal() and 97 - int(body) % 97 == key


def _belgian(number: str) -> bool:
    body, key = int(number[:9]), int(number[9:])
    return key in (97 - body % 97, 97 - (body + 2_000_000_000) % 97)


_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6,
     8, 12, 14, 16, 10, 22, 25, 24, 23), strict=True))  # fmt: skip


def _italian(number: str) -> bool:
    total = sum(
        _ODD[sign] if place % 2 == 0 else (int(sign) if sign.isdecimal() else ord(sign) - 65)
        for place, sign in enumerate(number[:15])
    )
    return chr(65 + total % 26) == number[15]


def _cypriot(number: str) -> bool:
    total = sum(
        _ODD[sign] if place % 2 == 0 else int(sign) for place, sign in enumerate(number[:8])
    )
    return chr(65 + total % 26) == number[8]


def _spanish(number: str) -> bool:
    digits = number[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


def _finnish(number: str) -> bool:
    body = number[:6] + number[-4:-1]
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(body) % 31] == number[-1]


def _irish(number: str) -> bool:
    total = _sum(number[:7], range(8, 1, -1))
    total += 9 * (ord(number[8]) - 64) if len(number) == 9 and number[8] != "W" else 0
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == number[7]


def _baltic(number: str) -> bool:
    """Estonia, Lithuania: weights from 1, and from 3 where they leave 10."""
    for weights in ((1, 2, 3, 4, 5, 6, 7, 8, 9, 1), (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)):
        rest = _sum(number[:10], weights) % 11
        if rest < 10:
            return rest == int(number[10])
    return number[10] == "0"


def _norwegian(number: str) -> bool:
    first = _sum(number, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11
    return first == 0 and _sum(number, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _czech(number: str) -> bool:
    return int(number) % 11 == 0 or (int(number[:9]) % 11 == 10 and number[9] == "0")


def _romanian(number: str) -> bool:
    rest = _sum(number[:12], (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return (1 if rest == 10 else rest) == int(number[12])


def _turkish(number: str) -> bool:
    d = _digits(number)
    tenth = (7 * sum(d[0:9:2]) - sum(d[1:8:2])) % 10
    return tenth == d[9] and sum(d[:10]) % 10 == d[10]


def _brazilian(number: str) -> bool:
    for last in (9, 10):
        rest = 10 * _sum(number[:last], range(last + 1, 1, -1)) % 11 % 10
        if rest != int(number[last]):
            return False
    return len(set(number)) > 1


def _russian_tax(number: str) -> bool:
    eleventh = _sum(number[:10], (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    twelfth = _sum(number[:11], (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return (eleventh, twelfth) == (int(number[10]), int(number[11]))


def _russian_insurance(number: str) -> bool:
    rest = _sum(number[:9], range(9, 0, -1)) % 101
    return rest % 100 == int(number[9:])


def _greek_tax(number: str) -> bool:
    total = _sum(number[:8], (256, 128, 64, 32, 16, 8, 4, 2))
    return total % 11 % 10 == int(number[8]) and int(number) > 0


def _russian_company(number: str) -> bool:
    return _sum(number, (2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10 == int(number[9])


def _brazilian_company(number: str) -> bool:
    for last, weights in ((12, (5, 4, 3, 2)), (13, (6, 5, 4, 3, 2))):
        rest = 10 * _sum(number[:last], (*weights, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10
        if rest != int(number[last]):
            return False
    return len(set(number)) > 1


def _chinese(number: str) -> bool:
    return (
        "10X98765432"[_sum(number[:17], [2**place % 11 for place in range(17, 0, -1)]) % 11]
        == (number[17])
    )


def _german_health(number: str) -> bool:
    """Doubled in turn, digits of products added; the letter counts as two digits."""
    spelled = f"{ord(number[0]) - 64:02d}{number[1:9]}"
    products = (int(d) * (1 + place % 2) for place, d in enumerate(spelled))
    return sum(p // 10 + p % 10 for p in products) % 10 == int(number[9])


def _french_tax(number: str) -> bool:
    return int(number[:10]) % 511 == int(number[10:])


def _polish_card(number: str) -> bool:
    """Identity card (three letters) and passport (two): letters count from 10."""
    weights = (7, 3, 1, 9, 7, 3, 1, 7, 3) if number[2].isalpha() else (7, 3, 9, 1, 7, 3, 1, 7, 3)
    return sum(int(s, 36) * w for s, w in zip(number, weights, strict=True)) % 10 == 0


_LETTERS = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))


def _vehicle(number: str) -> bool:
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    values = (int(sign) if sign.isdecimal() else _LETTERS[sign] for sign in number)
    rest = sum(v * w for v, w in zip(values, weights, strict=True)) % 11
    return ("X" if rest == 10 else str(rest)) == number[8]


def _document(number: str) -> bool:
    """Passports and cards by ICAO 9303: weights 7, 3, 1, letters from 10."""
    total = sum(int(s, 36) * (7, 3, 1)[n % 3] for n, s in enumerate(number[:-1]))
    return any(sign.isalpha() for sign in number) and total % 10 == int(number[-1])


_MONTH, _DAY = "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"

# Those with more check digits first: what fits them rarely fits by chance.
SCHEMES: Sequence[NumberScheme] = (
    NumberScheme("IBAN", r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", _mod_97_10),
    NumberScheme("legal entity identifier", r"[0-9]*[A-Z][A-Z0-9]*[0-9]{2}",
                 lambda number: len(number) == 20 and _rest_of_97(number) == 1),
    NumberScheme("Spanish insurance number", r"[0-9]{12}",
                 lambda n: int(n[:10] if n[2] != "0" else n[:2] + n[3:10]) % 97 == int(n[10:])),
    NumberScheme("Brazilian CNPJ", r"[0-9]{14}", _brazilian_company),
    NumberScheme("Chinese identity number",
                 rf"[1-9][0-9]{{5}}(19|20)[0-9]{{2}}{_MONTH}{_DAY}[0-9]{{3}}[0-9X]", _chinese),
    NumberScheme("French social security number", r"[1-478][0-9]{4}(2[AB]|[0-9]{2})[0-9]{8}",
                 _french),
    NumberScheme("Belgian national number", r"[0-9]{11}", _belgian),
    NumberScheme("Luxembourgish national number", rf"(18|19|20)[0-9]{{2}}{_MONTH}{_DAY}[0-9]{{5}}",
                 _luxembourg),
    NumberScheme("Italian tax code",
                 r"[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]",
                 _italian),
    NumberScheme("Spanish DNI or NIE", r"[0-9XYZ][0-9]{7}[A-Z]", _spanish),
    NumberScheme("Finnish personal code", rf"{_DAY}{_MONTH}[0-9]{{2}}[+A-FU-Y]?[0-9]{{3}}[0-9A-Y]",
                 _finnish),
    NumberScheme("Irish PPS number", r"[0-9]{7}[A-W][A-IW]?", _irish),
    NumberScheme("Cypriot tax number", r"[0-59][0-9]{7}[A-Z]", _cypriot),
    NumberScheme("Norwegian national number", rf"[0-7][0-9]{_MONTH}[0-9]{{7}}", _norwegian),
    NumberScheme("Turkish identity number", r"[1-9][0-9]{10}", _turkish),
    NumberScheme("Brazilian CPF", r"[0-9]{11}", _brazilian),
    NumberScheme("Russian insurance number", r"[0-9]{11}", _russian_insurance),
    NumberScheme("Russian tax number", r"[0-9]{12}", _russian_tax),
    NumberScheme("French tax number", r"[0-3][0-9]{12}", _french_tax),
    NumberScheme("vehicle number", r"[A-HJ-NPR-Z0-9]{17}", _vehicle),
    NumberScheme("German tax number", r"[1-9][0-9]{10}", _german_tax),
    NumberScheme("Croatian OIB", r"[0-9]{11}", _mod_11_10),
    NumberScheme("Polish PESEL", rf"[0-9]{{2}}[0-389][0-9]{_DAY}[0-9]{{5}}",
                 _weighted((1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10)),
    NumberScheme("Polish tax number", r"[0-9]{10}",
                 _closing((6, 5, 7, 2, 3, 4, 5, 6, 7), 11, complement=False, ten=10)),
    NumberScheme("Polish identity card or passport", r"[A-Z]{2,3}[0-9]{6,7}",
                 lambda number: len(number) == 9 and _polish_card(number)),
    NumberScheme("Czech or Slovak birth number", r"[0-9]{2}[0-35-8][0-9][0-3][0-9]{5}",
                 _czech),
    NumberScheme("Romanian CNP", rf"[1-9][0-9]{{2}}{_MONTH}{_DAY}[0-9]{{6}}", _romanian),
    NumberScheme("Bulgarian EGN", r"[0-9]{2}[0-5][0-9][0-3][0-9]{5}",
                 _closing((2, 4, 8, 5, 10, 9, 7, 3, 6), 11, complement=False)),
    NumberScheme("Estonian or Lithuanian personal code",
                 rf"[1-8][0-9]{{2}}{_MONTH}{_DAY}[0-9]{{4}}", _baltic),
    NumberScheme("Latvian personal code", rf"{_DAY}{_MONTH}[0-9]{{7}}",
                 lambda n: (1101 - _sum(n[:10], (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))) % 11 % 10
                 == int(n[10])),
    NumberScheme("number of former Yugoslavia (EMSO, JMBG)", rf"{_DAY}{_MONTH}[09][0-9]{{8}}",
                 _closing((7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2), 11, complement=True)),
    NumberScheme("Slovenian tax number", r"[1-9][0-9]{7}",
                 _closing((8, 7, 6, 5, 4, 3, 2), 11, complement=True)),
    NumberScheme("Swedish personal number", rf"(19|20)?[0-9]{{2}}{_MONTH}[0-9]{{2}}[+]?[0-9]{{4}}",
                 lambda number: _luhn(number.replace("+", "")[-10:])),
    NumberScheme("Danish CPR number", rf"{_DAY}{_MONTH}[0-9]{{6}}",
                 _weighted((4, 3, 2, 7, 6, 5, 4, 3, 2, 1), 11)),
    NumberScheme("Icelandic kennitala", rf"{_DAY}{_MONTH}[0-9]{{5}}[09]",
                 _weighted((3, 2, 7, 6, 5, 4, 3, 2, 1), 11)),
    NumberScheme("Dutch BSN", r"[0-9]{8,9}",
                 lambda n: _sum(n.zfill(9), (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0),
    NumberScheme("Portuguese tax number", r"[1-9][0-9]{8}",
                 lambda n: (11 - _sum(n[:8], range(9, 1, -1)) % 11) % 11 % 10 == int(n[8])),
    NumberScheme("Portuguese citizen card", r"[0-9]{9}[A-Z0-9]{2}[0-9]", lambda n: _luhn_36(n)),
    NumberScheme("Austrian insurance number", r"[1-9][0-9]{9}",
                 lambda n: _sum(n, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)) % 11 == int(n[3])),
    NumberScheme("Swiss or Liechtenstein insurance number", r"756[0-9]{10}",
                 _weighted((1, 3) * 6 + (1,), 10)),
    NumberScheme("Greek tax number", r"[0-9]{9}", _greek_tax),
    NumberScheme("Greek insurance number", rf"{_DAY}{_MONTH}[0-9]{{7}}", _luhn),
    NumberScheme("Hungarian insurance number", r"[0-9]{9}",
                 _closing((3, 7) * 4, 10, complement=False)),
    NumberScheme("Hungarian tax number", r"8[0-9]{9}",
                 _closing(range(1, 10), 11, complement=False)),
    NumberScheme("Hungarian personal number", rf"[1-8][0-9]{{2}}{_MONTH}{_DAY}[0-9]{{4}}",
                 lambda n: _sum(n[:10], range(1, 11)) % 11 == int(n[10])
                 or _sum(n[:10], range(10, 0, -1)) % 11 == int(n[10])),
    NumberScheme("Korean registration number", rf"[0-9]{{2}}{_MONTH}{_DAY}[1-9][0-9]{{6}}",
                 lambda n: (11 - _sum(n[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
                 == int(n[12])),
    NumberScheme("South African identity number",
                 rf"[0-9]{{2}}{_MONTH}{_DAY}[0-9]{{4}}[01][89][0-9]", _luhn),
    NumberScheme("German health insurance number", r"[A-Z][0-9]{9}", _german_health),
    NumberScheme("Indian Aadhaar number", r"[2-9][0-9]{11}", _verhoeff),
    NumberScheme("Kazakh identity number", rf"[0-9]{{2}}{_MONTH}{_DAY}[0-6][0-9]{{5}}",
                 lambda n: _kazakh(n)),
    NumberScheme("Thai identity number", r"[1-9][0-9]{12}",
                 lambda n: (11 - _sum(n, range(13, 1, -1)) % 11) % 10 == int(n[12])),
    NumberScheme("Taiwanese identity number", r"[A-Z][1289][0-9]{8}", lambda n: _taiwanese(n)),
    NumberScheme("identity card of Hong Kong", r"[A-Z]{1,2}[0-9]{6}[0-9A]",
                 lambda n: _hong_kong(n)),
    NumberScheme("identity card of Singapore", r"[STFG][0-9]{7}[A-Z]", lambda n: _singapore(n)),
    NumberScheme("number of an author (ORCID, ISNI)", r"0000[0-9]{11}[0-9X]",
                 lambda n: _mod_11_2(n)),
    NumberScheme("Australian tax file number", r"[0-9]{9}",
                 _weighted((1, 4, 3, 7, 5, 8, 6, 9, 10), 11)),
    NumberScheme("Australian Medicare number", r"[2-6][0-9]{9,10}",
                 lambda n: _sum(n, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(n[8])),
    NumberScheme("Japanese My Number", r"[0-9]{12}",
                 lambda n: (11 - max(_sum(n, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11, 1)) % 10
                 == int(n[11])),
    NumberScheme("Russian tax number of a company", r"[0-9]{10}", _russian_company),
    NumberScheme("Polish business number", r"[0-9]{9}",
                 lambda n: _sum(n, (8, 9, 2, 3, 4, 5, 6, 7)) % 11 % 10 == int(n[8])),
    NumberScheme("Argentine CUIT", r"(20|2[347]|3[034])[0-9]{9}",
                 lambda n: -_sum(n, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(n[10])),
    NumberScheme("Chilean RUT", r"[0-9]{7,8}[0-9K]",
                 lambda n: "0K987654321"[_sum(n[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11] == n[-1]),
    NumberScheme("Portuguese insurance number", r"[12][0-9]{10}",
                 lambda n: 9 - _sum(n, (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(n[10])),
    NumberScheme("German pension number", rf"[0-9]{{2}}[0-9]{{2}}{_MONTH}[0-9]{{2}}[A-Z][0-9]{{3}}",
                 lambda n: _german_pension(n)),
    NumberScheme("Ukrainian tax number", r"[0-9]{10}",
                 lambda n: _sum(n[:9], (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10 == int(n[9])),
    NumberScheme("Austrian tax number", r"[0-9]{9}", _luhn),
    NumberScheme("NHS number", r"[0-9]{10}",
                 _closing(range(10, 1, -1), 11, complement=True, ten=-1)),
    NumberScheme("UK tax reference", r"[0-9]{10}",
                 lambda n: "21987654321"[_sum(n[1:], (6, 7, 8, 9, 10, 5, 4, 3, 2)) % 11] == n[0]),
    NumberScheme("Canadian insurance number", r"[1-9][0-9]{8}", _luhn),
    NumberScheme("US provider number", r"[12][0-9]{9}", lambda number: _luhn("80840" + number)),
    NumberScheme("card number", r"[2-6][0-9]{12,18}", _luhn),
    NumberScheme("number of a telephone or SIM card", r"([0-9]{15}|89[0-9]{17,18})", _luhn),
    NumberScheme("passport with its check digit", r"[A-Z0-9]{9}[0-9]", _document),
)  # fmt: skip
_SHORTEST = 8


def _luhn_36(number: str) -> bool:
    """Luhn, letters counted from 10."""
    total = 0
    for place, sign in enumerate(reversed(number)):
        value = int(sign, 36) * (1 + place % 2)
        total += value - 9 if place % 2 and value > 9 else value
    return total % 10 == 0


def _german_pension(number: str) -> bool:
    """The letter counts as two digits; digits of products are added."""
    spelled = number[:8] + f"{ord(number[8]) - 64:02d}" + number[9:11]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (int(d) * w for d, w in zip(spelled, weights, strict=True))
    return sum(p // 10 + p % 10 for p in products) % 10 == int(number[11])


def _kazakh(number: str) -> bool:
    """Weights from 1, and from 3 where they leave 10."""
    rest = _sum(number[:11], range(1, 12)) % 11
    if rest == 10:
        rest = _sum(number[:11], (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return rest == int(number[11])


_PLACES = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # of Taiwan, from 10


def _taiwanese(number: str) -> bool:
    first = 10 + _PLACES.index(number[0])
    return _sum(f"{first}{number[1:]}", (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


def _hong_kong(number: str) -> bool:
    """Letters count from 10, and a missing first one 36; A stands for 10 at the end."""
    head = [36] if len(number) == 8 else []
    values = [*head, *(int(sign, 36) for sign in number)]
    return sum(value * (9 - place) for place, value in enumerate(values)) % 11 == 0


def _singapore(number: str) -> bool:
    total = _sum(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if number[0] in "TG" else 0)
    letters = "JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK"
    return letters[total % 11] == number[8]


def _mod_11_2(number: str) -> bool:
    """ISO 7064; X stands for 10."""
    total = 0
    for sign in number[:-1]:
        total = (total + int(sign)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == number[-1]
