import re
from pathlib import Path

import polars as pl
import pytest

from keysift.classifier import KeywordClassifier
from keysift.corpus import Corpus
from keysift.errors import OutputError
from keysift.report import write_report

ATTACK = "<script>alert('hockey')</script><img src=x onerror=alert(1)>"


def corpus_of(texts: list[str]) -> Corpus:
    series = pl.Series("text", texts)
    ids = pl.Series("id", [f"<i>{number}</i>" for number in range(len(texts))])
    return Corpus(ids, series, series.to_frame(), f"{ATTACK}.csv")


@pytest.fixture
def page(tmp_path: Path, texts: list[str]) -> str:
    corpus = corpus_of([*texts, ATTACK, "", "the rink and the puck"])
    clf = KeywordClassifier(["hockey", "baseball"])
    ranking = clf.fit_rank(corpus.texts)
    path = tmp_path / "report.html"
    write_report(path, clf, corpus, ranking)
    return path.read_text(encoding="utf-8")


def test_the_page_has_all_its_parts(page: str) -> None:
    for part in (
        "Ranking by keywords",
        "<h2>Scores</h2>",
        "<svg ",
        "threshold",
        "How the documents split",
        "<h2>Keywords</h2>",
        "Top documents",
        "Best documents without any keyword",
        "<h2>Settings</h2>",
        "sigmoid (symmetric)",
        "a heuristic",
        '<mark class="keyword">hockey</mark>',
        "1 documents are empty",
    ):
        assert part in page, part


def test_the_page_is_self_contained_and_trusts_no_text(page: str) -> None:
    assert "<script" not in page
    assert "<img" not in page
    assert "<i>" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"""(?:src|href)\s*=""", page.replace("&lt;img src=x", ""))
    assert "default-src 'none'" in page
    assert "http://" not in page
    assert "https://" not in page


def test_documents_without_a_keyword_are_listed_apart(page: str) -> None:
    missed = page.partition("Best documents without any keyword")[2].partition("Settings")[0]
    assert "striker" in missed
    assert 'class="keyword"' not in missed


def test_every_document_has_a_keyword(tmp_path: Path) -> None:
    corpus = corpus_of([f"hockey game number {number} {'goal ' * number}" for number in range(12)])
    clf = KeywordClassifier(["hockey"])
    ranking = clf.fit_rank(corpus.texts)
    write_report(tmp_path / "r.html", clf, corpus, ranking)
    assert "There are none." in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_nothing_is_written_into_a_missing_folder(tmp_path: Path) -> None:
    corpus = corpus_of(["a hockey game", "a tax law", "water"])
    clf = KeywordClassifier(["hockey"])
    ranking = clf.fit_rank(corpus.texts)
    with pytest.raises(OutputError, match="does not exist"):
        write_report(tmp_path / "no" / "r.html", clf, corpus, ranking)
