import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from keysift.classifier import KeywordClassifier
from keysift.corpus import Corpus
from keysift.errors import OutputError
from keysift.report import write_report
from keysift.settings import Settings

ATTACK = "<script>alert('hockey')</script><img src=x onerror=alert(1)>"


def corpus_of(texts: list[str]) -> Corpus:
    series = pl.Series("text", texts)
    ids = pl.Series("id", [f"<i>{number}</i>" for number in range(len(texts))])
    return Corpus(ids, series, series.to_frame(), f"{ATTACK}.csv")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> str:
    corpus = corpus_of([*texts, ATTACK, "", "the rink and the puck"])
    clf = KeywordClassifier(["hockey", "baseball"])
    ranking = clf.fit_rank(corpus.texts)
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(path, clf, corpus, ranking)
    return path.read_text(encoding="utf-8")


def test_the_page_has_all_its_parts(page: str) -> None:
    for part in (
        "Ranking by keywords",
        "<h2>Scores</h2>",
        "<svg ",
        "threshold",
        "How the documents split",
        "<h2>How good is it, without a label</h2>",
        "with a left-out keyword ranks above one without any keyword",
        "the keywords alone",
        "50% of the documents",
        "<h2>Keywords</h2>",
        "“belief” is",
        '<th class="text">verdict</th>',
        '<td class="text">fits</td>',
        "<b>Words to add: </b>",
        "<b>To drop: </b>none.",
        "words, pieces, tfidf, lsa",
        "Top documents",
        "Best documents without any keyword",
        "<h2>Settings</h2>",
        "sigmoid (symmetric)",
        "estimated from ",
        '<mark class="keyword">hockey</mark>',
        "1 documents are empty",
    ):
        assert part in page, part


def attributes_of(page: str) -> set[str]:
    """The names of all attributes of all elements."""
    found: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.update(name for name, _ in attrs)

    Reader().feed(page)
    assert "class" in found
    return found


def test_the_page_is_self_contained_and_trusts_no_text(page: str) -> None:
    assert "<script" not in page
    assert "<img" not in page
    assert "<i>" not in page
    assert "&lt;script&gt;" in page
    assert not attributes_of(page) & {"src", "href", "onerror"}
    assert "default-src 'none'" in page
    assert "http://" not in page
    assert "https://" not in page


def test_documents_without_a_keyword_are_listed_apart(page: str) -> None:
    missed = page.partition("Best documents without any keyword")[2].partition("Settings")[0]
    assert "striker" in missed
    assert 'class="keyword"' not in missed


def test_every_document_has_a_keyword(tmp_path: Path) -> None:
    corpus = corpus_of([f"hockey game number {number} {'goal ' * number}" for number in range(12)])
    clf = KeywordClassifier(["hockey"], settings=Settings(phi=90))
    ranking = clf.fit_rank(corpus.texts)
    write_report(tmp_path / "r.html", clf, corpus, ranking)
    assert "There are none." in (tmp_path / "r.html").read_text(encoding="utf-8")


def written(tmp_path: Path, clf: KeywordClassifier, texts: list[str]) -> str:
    corpus = corpus_of(texts)
    write_report(tmp_path / "r.html", clf, corpus, clf.fit_rank(corpus.texts))
    return (tmp_path / "r.html").read_text(encoding="utf-8")


LIGHT: dict[str, Any] = {"views": ("words",), "settings": Settings(believe=0)}


def test_ambiguous_keywords_and_words_to_add(tmp_path: Path, texts: list[str]) -> None:
    many = [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(texts)
    ]
    page = written(tmp_path, KeywordClassifier("hockey, baseball, striker, indeed", **LIGHT), many)
    assert '<td class="text">ambiguous</td>' in page
    dropped = page.partition("<b>To drop: </b>")[2].partition("</p>")[0]
    assert dropped.startswith("indeed (belief 0.")
    assert "hockey" not in dropped
    added = page.partition("<b>Words to add: </b>")[2].partition("</p>")[0]
    assert re.search(r"\b(game|season|tournament|playoff)\b", added)


def test_the_quality_of_one_keyword_and_of_few_documents(tmp_path: Path, texts: list[str]) -> None:
    one = written(tmp_path, KeywordClassifier("tax", **LIGHT), texts * 3)
    assert "only one keyword finds documents" in one
    few = written(tmp_path, KeywordClassifier("hockey", **LIGHT), ["a hockey game", "a tax law", "water"])
    assert "Nothing could be measured: fewer than 5 documents" in few
    assert "nan" not in few.partition("Settings")[0]


def test_what_became_of_denied_keywords_is_told(tmp_path: Path, texts: list[str]) -> None:
    def encode(found: list[str]) -> list[list[float]]:
        sports = ("game", "goal", "team", "match", "season", "fans", "playoff", "striker", "tournament")
        return [[sum(word in text for word in sports), -3.0 * ("not " in text), len(text) / 50] for text in found]

    page = written(tmp_path, KeywordClassifier("hockey, baseball", encoder=encode, **LIGHT), texts)
    assert re.search(r"with hidden keywords with an AUC of 0\.\d\d, and is (not )?followed\.", page)
    assert "denied" not in written(tmp_path, KeywordClassifier("hockey, baseball", **LIGHT), texts)


def test_nearest_words_have_their_column_if_there_are_any(tmp_path: Path, texts: list[str]) -> None:
    assert "nearest words" not in written(tmp_path, KeywordClassifier("hockey", **LIGHT), texts)
    settings = Settings(believe=0, gamma=3)
    page = written(tmp_path, KeywordClassifier("hockey", views=("words",), settings=settings), texts)
    assert "nearest words: similarity (documents); examples" in page
    assert "basketball 0.86 (0)" in page


def test_nothing_is_written_into_a_missing_folder(tmp_path: Path) -> None:
    corpus = corpus_of(["a hockey game", "a tax law", "water"])
    clf = KeywordClassifier(["hockey"])
    ranking = clf.fit_rank(corpus.texts)
    with pytest.raises(OutputError, match="does not exist"):
        write_report(tmp_path / "no" / "r.html", clf, corpus, ranking)
