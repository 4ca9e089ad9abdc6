import csv

import pytest

from keysift.corpus import diagnosis


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n3\n", "line 3: the row has 1 field, the header has 2; "),
        (b'\n"a\nx",b\n\n1,2,3\n', "line 5: the row has 3 fields, the header has 2; "),
        (b'a,b\r\n1,2\r\n3,"4\r\n5,6\r\n', "line 3: the row has a quote that is never closed"),
        (b'a,b\n1,2\n3,4,"5\n', "(3 fields found, 2 in the header)"),
        (b'a,b\n1,"x" y\n', "line 2: the row has a quote"),
    ],
)
def test_csv_fault(data: bytes, message: str) -> None:
    assert message in str(diagnosis.csv_fault(data, ","))


def test_long_fields_do_not_stop_the_diagnosis() -> None:
    limit = csv.field_size_limit()
    assert "line 3" in str(diagnosis.csv_fault(b"a,b\n" + b"x" * 200_000 + b",2\n3\n", ","))
    assert csv.field_size_limit() == limit


def test_a_sound_csv_has_no_fault() -> None:
    assert diagnosis.csv_fault(b'a,b\n1,"2\n""3"""\n\n"",\n4,x\ry\n', ",") is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello", "line 3 is not valid JSON"),
        (b'{"a":1} x', "line 3 is not valid JSON"),
        (b'{"a":NaN}', "line 3 is not valid JSON (NaN is not a JSON number)"),
        (b"[1]", "line 3 is a list, not a JSON object"),
        (b"null", "line 3 is null, not a JSON object"),
        (b'{"a":[2]}', "line 3: 'a' is a list, but a number on line 1"),
    ],
)
def test_jsonl_fault(line: bytes, message: str) -> None:
    assert message in str(diagnosis.jsonl_fault(b'{"a":1}\n\n' + line + b"\n"))


def test_sound_json_lines_have_no_fault() -> None:
    assert diagnosis.jsonl_fault(b'{"a":1}\r\n\r\n{"a":null,"b":true}') is None


def test_utf_16_is_proposed_for_its_mark() -> None:
    assert diagnosis.undecodable("goal".encode("utf-16"), "utf-8").endswith("encoding='utf-16'")
