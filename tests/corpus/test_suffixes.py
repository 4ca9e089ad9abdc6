import pytest

from keysift.corpus.suffixes import kind_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.csv", ("csv", False)),
        ("A.TSV.GZ", ("tsv", True)),
        ("a.b.txt", ("txt", False)),
        ("a.gz", ("", True)),
    ],
)
def test_kind_of(name: str, expected: tuple[str, bool]) -> None:
    assert kind_of(name) == expected
