import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysift.text.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 日本 é", "plain 日本 é"),
        ("\x1b]0;title\x07", " ]0;title "),
        ("abc\u202egpj.exe", "abcgpj.exe"),
        ("zero\u200bwidth\ufeff\u2066x\u2069", "zerowidthx"),
        ("\x9b31mred", " 31mred"),
        ("one\ntwo\r\nthree\u2028four", "one\ntwo \nthree four"),
        ("half \ud800 a pair", "half \ufffd a pair"),
        ("\U000e0041tag", "tag"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_every_character_that_steers_is_gone() -> None:
    left = visible("".join(map(chr, range(sys.maxunicode + 1))))
    assert {unicodedata.category(one) for one in left} & {"Cc", "Cf", "Cs", "Zl", "Zp"} == {"Cc"}
    assert set(left) & set(map(chr, range(32))) == {"\n"}


@given(st.text())
def test_it_is_safe_to_do_twice(text: str) -> None:
    assert visible(visible(text)) == visible(text)
