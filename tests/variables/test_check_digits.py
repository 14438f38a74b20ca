"""Check digits: published examples fit, and the same with a wrong digit do not."""

from __future__ import annotations

import numpy as np
import pytest

from microsafe.variables.check_digits import SCHEMES, find_scheme

PUBLISHED = {
    "Thai identity number": "1234567890121",
    "Taiwanese identity number": "A123456789",
    "identity card of Hong Kong": "A1234563",
    "identity card of Singapore": "S0000001I",
    "number of an author (ORCID, ISNI)": "0000000218250097",
    "Australian tax file number": "123456782",
    "Australian Medicare number": "2123456701",
    "IBAN": "GB82WEST12345698765432",
    "French social security number": "255081416802538",
    "Belgian national number": "85073003328",
    "Luxembourgish national number": "1893120105732",
    "Italian tax code": "RSSMRA85T10A562S",
    "Spanish DNI or NIE": "12345678Z",
    "Finnish personal code": "131052308T",
    "Irish PPS number": "1234567T",
    "Cypriot tax number": "00123123T",
    "Turkish identity number": "10000000146",
    "Brazilian CPF": "11144477735",
    "Russian insurance number": "11223344595",
    "Russian tax number": "500100732259",
    "French tax number": "3023217600053",
    "vehicle number": "1M8GDM9AXKP042788",
    "German tax number": "86095742719",
    "Croatian OIB": "69435151530",
    "Polish PESEL": "44051401359",
    "Polish tax number": "8567346215",
    "Polish identity card or passport": "ABA300000",
    "Czech or Slovak birth number": "7103192745",
    "Romanian CNP": "1800101221144",
    "Bulgarian EGN": "7523169263",
    "Estonian or Lithuanian personal code": "37605030299",
    "Latvian personal code": "16117519997",
    "number of former Yugoslavia (EMSO, JMBG)": "0101006500006",
    "Slovenian tax number": "50223054",
    "Swedish personal number": "8112189876",
    "Danish CPR number": "0707614285",
    "Icelandic kennitala": "1201743399",
    "Dutch BSN": "111222333",
    "Portuguese tax number": "501964843",
    "Portuguese citizen card": "000000000ZZ4",
    "Austrian insurance number": "1237010180",
    "Swiss or Liechtenstein insurance number": "7569217076985",
    "Greek tax number": "094259216",
    "Hungarian insurance number": "111111110",
    "Hungarian tax number": "8071592153",
    "German pension number": "15070649C103",
    "Ukrainian tax number": "1759013776",
    "Austrian tax number": "591199013",
    "NHS number": "9434765919",
    "UK tax reference": "1955839661",
    "Canadian insurance number": "130692544",
    "US provider number": "1234567893",
    "card number": "4111111111111111",
    "number of a telephone or SIM card": "490154203237518",
    "legal entity identifier": "5493001KJTIIGC8Y1R12",
    "Spanish insurance number": "281234567840",
    "Brazilian CNPJ": "11222333000181",
    "Chinese identity number": "11010519491231002X",
    "Korean registration number": "9710139019902",
    "South African identity number": "7503305044089",
    "German health insurance number": "A123456780",
    "Indian Aadhaar number": "234123412346",
    "Russian tax number of a company": "7707083893",
    "Polish business number": "192598184",
    "Argentine CUIT": "20055361682",
    "Chilean RUT": "125319092",
}


@pytest.mark.parametrize("scheme", [each for each in SCHEMES if each.name in PUBLISHED])
def test_published_numbers_fit_and_one_wrong_digit_does_not(scheme) -> None:  # type: ignore[no-untyped-def]
    number = PUBLISHED[scheme.name]
    assert scheme.fits(number)
    place = [at for at, sign in enumerate(number) if sign.isdecimal()][-2]
    wrong = number[:place] + str((int(number[place]) + 1) % 10) + number[place + 1 :]
    assert not scheme.fits(wrong)


def test_random_numbers_follow_no_scheme() -> None:
    rng = np.random.default_rng(5)
    for length in range(8, 20):
        numbers = ["".join(map(str, rng.integers(0, 10, length))) for _ in range(200)]
        assert find_scheme(numbers) == ""


def test_marks_and_lost_zeros_are_no_matter() -> None:
    cards = ["4111 1111 1111 1111", "5500-0000-0000-0004", "4012888888881881", "4462030000000000",
             "5105105105105100", "4000056655665556", "5200828282828210", "5555555555554444",
             "2223003122003222", "4000002500003155"]  # fmt: skip
    assert find_scheme(cards) == "card number"
    codes = ["0101006500006"]
    assert find_scheme(codes) == ""  # too few
