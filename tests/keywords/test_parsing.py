import re
from pathlib import Path

import pytest

from keysift.errors import KeywordError
from keysift.keywords.parsing import parse_keywords


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        (["hockey", "ice  hockey ", ""], {"hockey": 1, "ice hockey": 1}),
        (("a", "b", "a"), {"a": 2, "b": 1}),
        ((word for word in "ab"), {"a": 1, "b": 1}),
        (["a, b: 2"], {"a, b: 2": 1}),
        ({"hockey": 2, "tax law": 0.5}, {"hockey": 2, "tax law": 0.5}),
        ({"a": 2, " a": 1}, {"a": 3}),
        ("hockey", {"hockey": 1}),
        (" hockey : 2 ,, ice hockey,hockey: .5,", {"hockey": 2.5, "ice hockey": 1}),
        ("note: important, http://x, ratio 3:1: 4, :5", {"note: important": 1, "http://x": 1, "ratio 3:1": 4, ":5": 1}),
        ("node.js", {"node.js": 1}),
        ("x" * 300 + ".js", {"x" * 300 + ".js": 1}),
        ("hockey, notes.txt", {"hockey": 1, "notes.txt": 1}),
        ("日本, 野球: 2", {"日本": 1, "野球": 2}),
    ],
)
def test_forms(keywords: object, expected: dict[str, float]) -> None:
    assert parse_keywords(keywords) == expected


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff# what we look for\r\nhockey: 2 # ice\r\n\r\nice hockey, été\r\n".encode())
    expected = {"hockey": 2, "ice hockey": 1, "été": 1}
    assert parse_keywords(path) == parse_keywords(str(path)) == parse_keywords(f" {path} ") == expected


def test_a_file_without_suffix_needs_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hockey").write_text("puck")
    monkeypatch.chdir(tmp_path)
    assert parse_keywords(Path("hockey")) == {"puck": 1}
    assert parse_keywords("hockey") == {"hockey": 1}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    for name, message in (("missing", "no such file"), ("", "is a directory"), ("binary.txt", "not UTF-8 text")):
        with pytest.raises(KeywordError, match=f"Cannot read keywords from .*{message}"):
            parse_keywords(tmp_path / name)
    for name in ("missing.txt", "x" * 300 + ".txt"):
        with pytest.raises(KeywordError, match=r"Cannot read keywords from .*give the keywords themselves"):
            parse_keywords(name)


def test_a_hash_tag_is_no_comment(tmp_path: Path) -> None:
    (tmp_path / "tags.txt").write_text("#metoo\n# a comment\n#\nc# # sharp\n")
    assert parse_keywords(tmp_path / "tags.txt") == {"#metoo": 1, "c#": 1}


def test_a_file_may_exclude_and_quote(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text('# wanted\n"lost # card" # a phrase, say\nwin*: 2\n\n-love, -hate # not these, never\n', "utf-8")
    assert parse_keywords(path) == {"lost # card": 1, "win*": 2, "-love": 1, "-hate": 1}
    path.write_bytes(b"free\rprize\r")
    assert parse_keywords(path) == {"free": 1, "prize": 1}
    path.write_text("free\nprize\n", "utf-16")
    assert parse_keywords(path) == {"free": 1, "prize": 1}


def test_an_error_in_a_file_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("free\n\n*win\n")
    with pytest.raises(KeywordError, match=r"words\.txt, line 3: A \* stands only at the end"):
        parse_keywords(tmp_path / "words.txt")
    (tmp_path / "words.txt").write_text("keyword,weight\nfree,2\nwin,much\n")
    with pytest.raises(KeywordError, match=r"words\.txt, row 3: could not convert string to float: 'much'\."):
        parse_keywords(tmp_path / "words.txt")


def test_a_table_of_keywords_is_read_by_its_columns(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text('keyword,documents,weight\nfree,9,2.5\n"lost, card",3,\n\'-love,4,1\n')
    assert parse_keywords(str(tmp_path / "table.csv")) == {"free": 2.5, "lost, card": 1, "-love": 1}
    (tmp_path / "table.tsv").write_text("keyword\tweight\nfree\t2\n")
    assert parse_keywords(str(tmp_path / "table.tsv")) == {"free": 2}


def test_a_file_too_large_for_keywords(tmp_path: Path) -> None:
    with (tmp_path / "words.txt").open("wb") as file:
        file.truncate(10_000_001)
    with pytest.raises(KeywordError, match="more than 10 MB"):
        parse_keywords(tmp_path / "words.txt")


@pytest.mark.parametrize(
    ("keywords", "exclude"),
    [
        ("free, -love, -hate", ()),
        (["free", "-love", "-hate"], ()),
        ({"free": 1, "-love": 1, "-hate": 1}, ()),
        ("free", "love, hate"),
        ("free", "-love; hate"),
        (["free"], ["love", "hate"]),
        ("free, -love", ["hate", "love"]),
    ],
)
def test_all_ways_to_exclude(keywords: object, exclude: object) -> None:
    assert parse_keywords(keywords, exclude) == {"free": 1, "-love": 1, "-hate": 1}


def test_excluded_words_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "not.txt").write_text("love # never\nhate\n")
    assert parse_keywords("free", str(tmp_path / "not.txt")) == {"free": 1, "-love": 1, "-hate": 1}


@pytest.mark.parametrize("nothing", ["", " , ", [], {}, [" "], iter([])])
def test_no_keyword(nothing: object) -> None:
    with pytest.raises(KeywordError, match="No keyword was given; give at least one"):
        parse_keywords(nothing)


def test_an_empty_file_holds_no_keyword(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    with pytest.raises(KeywordError, match="No keyword was given"):
        parse_keywords(tmp_path / "empty.txt")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (5, "Keywords must be a list, a dictionary of weights, a string or a file; got int"),
        (None, "got NoneType"),
        (["a", 5], "Keywords must be str; got 5 of type int"),
        ([b"a"], "of type bytes"),
        ({5: 1.0}, "Keywords must be str; got 5"),
        ({"a": True}, "weight of keyword 'a' must be a number above 0; got True"),
        ({"a": "2"}, "must be a number above 0; got '2'"),
        ({"a": None}, "must be a number above 0; got None"),
        ({"a": float("nan")}, "from 0.000001 to 1,000,000; got nan"),
        ({"a": float("inf")}, "from 0.000001 to 1,000,000; got inf"),
        ({"a": -1}, "from 0.000001 to 1,000,000; got -1"),
        ({"a": 0}, "from 0.000001 to 1,000,000; got 0"),
        ("a: -2", "weight of keyword 'a' must be a number from 0.000001 to 1,000,000; got -2"),
        ("a: 1e-300", "from 0.000001 to 1,000,000; got 1e-300"),
        ({"a": 10**400}, "The weight of keyword 'a' is too large; 1,000,000 is the most"),
        ("a: -2", "To exclude it, write -a."),
        ("-a, -b", "All keywords are excluded ('-a'), so there is nothing to look for"),
        ("free, -Free", "The keyword 'free' is also excluded, by '-Free'"),
        (["win*", "-win*"], "The keyword 'win*' is also excluded"),
        ("free, -love:2", "'-love' is excluded, so it has no weight; got 2"),
        ({"free": 1, "-love": 0.5}, "'-love' is excluded, so it has no weight; got 0.5"),
        ("a: nan", "from 0.000001 to 1,000,000; got nan"),
    ],
)
def test_errors(keywords: object, message: str) -> None:
    with pytest.raises(KeywordError, match=re.escape(message)):
        parse_keywords(keywords)
