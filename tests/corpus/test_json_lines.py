import pytest

from keysift.corpus.json_lines import read_json_lines
from keysift.errors import InputError


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["12345678901234567890", "1"], ["12345678901234567890", "1"]),
        (["123456789012345678901234567890", '"b"'], ["123456789012345678901234567890", "b"]),
        (["1", '"a"'], ["1", "a"]),
        (["1", "1.0"], ["1", "1.0"]),
        (["9007199254740993", "0.5"], ["9007199254740993", "0.5"]),
        (["1", "2"], [1, 2]),
        (["9223372036854775807", "-9223372036854775808"], [9223372036854775807, -9223372036854775808]),
        (["1.5", "2e3"], [1.5, 2000.0]),
        (["true", "null"], [True, None]),
        (['"007"', '"8"'], ["007", "8"]),
        (["18446744073709551616", "null"], ["18446744073709551616", None]),
    ],
)
@pytest.mark.parametrize("key", ["id", "key"])
def test_ids_are_kept_exactly(ids: list[str], expected: list[object], key: str) -> None:
    data = "\n".join(f'{{"{key}": {id}, "text": "a 5"}}' for id in ids).encode()
    frame = read_json_lines(data, "a.jsonl", id=None if key == "id" else key)
    assert frame[key].to_list() == expected
    assert frame["text"].to_list() == ["a 5"] * 2


def test_half_a_character_is_named_with_its_line() -> None:
    assert read_json_lines(rb'{"text": "\ud83d\ude00"}', "a.jsonl")["text"].to_list() == ["😀"]
    for half in (rb"\ud800", rb"\uDC00 a", rb"\ud83d\ud83d\ude00"):
        with pytest.raises(InputError, match=r"a.jsonl: line 3 holds half of a character \(.ud..0?d?\)"):
            read_json_lines(b'{"text": "a"}\n\n{"text": "' + half + b'"}\n', "a.jsonl")


def test_every_line_is_a_row() -> None:
    with pytest.raises(InputError, match=r"a.jsonl: line 1 is not valid JSON \(Extra data"):
        read_json_lines(b'{"text": "a"} {"text": "b"}\n', "a.jsonl")
    with pytest.raises(InputError, match=r"a.jsonl: line 1 is a list, not a JSON object"):
        read_json_lines(b'[{"text": "a"}, {"text": "b"}]\n', "a.jsonl")
