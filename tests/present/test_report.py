import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import keysift
from keysift.classifier import KeywordClassifier
from keysift.config import LearnConfig
from keysift.corpus.documents import Corpus
from keysift.errors import OutputError
from keysift.learn.fitting import ViewHistory
from keysift.learn.linear_fit import History
from keysift.networks.training import Training
from keysift.present.facts import Page
from keysift.present.report import SHOWN, report_page, write_report
from keysift.settings import Settings

ATTACK = "<script>alert('hockey')</script><img src=x onerror=alert(1)> \"quoted\" \x00\x1b[2J"
LIGHT: dict[str, Any] = {"views": ("words",), "encoder": None, "learning": LearnConfig(rounds=0)}


def corpus_of(texts: list[str]) -> Corpus:
    series = pl.Series("text", texts)
    ids = pl.Series("id", [f"<i>{number}</i>" for number in range(len(texts))])
    return Corpus(ids, series, series.to_frame(), f"{ATTACK}.csv")


def page_of(clf: KeywordClassifier, texts: list[str]) -> Page:
    corpus = corpus_of(texts)
    return report_page(clf, corpus, clf.fit_rank(corpus.texts))


def told(page: Page, title: str) -> str:
    """All sentences of a section; empty where it is not there."""
    sections = [section for section in page.sections if section.title == title]
    return " ".join(str(sentence) for one in sections for sentence in (*one.sentences, *one.remarks))


def titles(page: Page) -> list[str]:
    return [section.title for section in page.sections]


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> str:
    corpus = corpus_of([*texts, ATTACK, "", "the rink and the puck"])
    clf = KeywordClassifier(["hockey", "baseball", "<script>alert"], encoder=None)
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(path, clf, corpus, clf.fit_rank(corpus.texts))
    return path.read_text(encoding="utf-8")


def test_the_page_has_all_its_parts(html: str) -> None:
    for part in (
        "Ranking by keywords",
        "<h2>Scores</h2>",
        "<svg ",
        "threshold",
        "<h2>How the documents split</h2>",
        "<h2>Quality without labels</h2>",
        "a document with a left-out keyword ranks above one without any keyword",
        "The ranking ",
        "<h2>Keywords</h2>",
        "agreement = how often",
        ">verdict</th>",
        ">fits</td>",
        "<b>Words to add:</b>",
        "Top documents",
        "Best documents without any keyword",
        "keywords cannot tell how many",
        '<mark class="keyword">hockey</mark>',
        "1 document is empty.",
    ):
        assert part in html, part


def test_the_page_trusts_no_text(html: str) -> None:
    assert "<script" not in html
    assert "<img" not in html
    assert "<i>" not in html
    assert "&lt;script&gt;" in html
    assert "\x00" not in html
    assert "\x1b" not in html


def test_documents_without_a_keyword_are_listed_apart(html: str) -> None:
    missed = html.partition("Best documents without any keyword")[2]
    assert "striker" in missed
    assert 'class="keyword"' not in missed


def test_sections_and_rows_that_say_nothing_are_gone() -> None:
    texts = [f"hockey game number {number} {'goal ' * number}" for number in range(12)]
    page = page_of(KeywordClassifier(["hockey"], settings=Settings(phi=90), encoder=None), texts)
    assert "Best documents without any keyword" not in titles(page)
    split = page.sections[titles(page).index("How the documents split")].table
    assert split is not None
    assert [row[0] for row in split.rows] == ["with a keyword", "with a keyword, but among the least similar"]
    assert "empty" not in told(page, "How the documents split")


def test_a_risk_that_rose_has_not_fallen(texts: list[str]) -> None:
    clf, corpus = KeywordClassifier(["hockey"], **LIGHT), corpus_of(texts)
    ranking = clf.fit_rank(corpus.texts)
    for risk, sentence in (
        ((0.5, 0.4, 0.25), "The risk between the two fell from 0.500 to 0.250 in 2 steps."),
        ((0.2, 0.3), "The risk between the two is 0.300 after 1 step."),
    ):
        clf.history_ = ViewHistory({"words": History(risk, (0.0,) * len(risk), True, "")})
        assert told(report_page(clf, corpus, ranking), "How the documents split").endswith(sentence)


def test_a_loaded_model_has_a_report_of_any_documents(tmp_path: Path, texts: list[str]) -> None:
    KeywordClassifier("hockey, baseball", **LIGHT).fit(texts).save(tmp_path / "m.keysift")
    clf = keysift.load(tmp_path / "m.keysift")
    corpus = corpus_of([*texts[:30], ATTACK])
    ranking = clf.rank(corpus.texts)
    write_report(tmp_path / "r.html", clf, corpus, ranking)
    assert "<script" not in (tmp_path / "r.html").read_text(encoding="utf-8")
    page = report_page(clf, corpus, ranking)
    found = int(corpus.texts.str.to_lowercase().str.contains("hockey|baseball").sum())
    assert [fact.value for fact in page.headline[:2]] == ["31", str(found)]
    table = page.sections[titles(page).index("Keywords")].table
    assert table is not None
    assert table.heads == ("keyword", "documents", "share", "alone")  # what others make of a keyword is not in the file
    assert int(table.rows[0][1]) == int(corpus.texts.str.contains("hockey").sum())
    assert "Algorithm 1" not in told(page, "How the documents split")  # it was learned from other documents
    assert told(page, "Quality without labels")
    assert ("views", "words") in page.sections[-1].table.rows  # type: ignore[union-attr]


def test_fitted_and_loaded_tell_the_same_of_the_same_ranking(tmp_path: Path, texts: list[str]) -> None:
    fitted = KeywordClassifier("hockey, baseball", **LIGHT)
    corpus = corpus_of(texts)
    ranking = fitted.fit_rank(corpus.texts)
    fitted.save(tmp_path / "m.keysift")
    loaded = keysift.load(tmp_path / "m.keysift")
    one, other = report_page(fitted, corpus, ranking), report_page(loaded, corpus, loaded.rank(corpus.texts))
    assert one.headline == other.headline
    for title in ("Scores", "Quality without labels", "Top documents", "Settings"):
        assert one.sections[titles(one).index(title)] == other.sections[titles(other).index(title)], title


def test_another_prior_moves_the_threshold_of_the_page(tmp_path: Path, texts: list[str]) -> None:
    clf = KeywordClassifier("hockey, baseball", **LIGHT).fit(texts)
    corpus = corpus_of(texts)
    page = report_page(clf, corpus, clf.rank(corpus.texts, prior=0.5), 0.5)
    facts = {fact.name: fact.value for fact in page.headline}
    assert facts["prior, as given"] == "0.5"
    decided = int(facts["decided positive"])
    assert decided == pytest.approx(len(texts) / 2, abs=1)
    assert decided == clf.predict(texts, prior=0.5).sum()
    assert "The threshold comes from the prior 0.5, as given." in told(page, "Scores")


def test_ambiguous_keywords_and_words_to_add(texts: list[str]) -> None:
    many = [
        f"indeed {text}" if (place + number) % 3 == 0 else text
        for number in range(3)
        for place, text in enumerate(texts)
    ]
    page = page_of(KeywordClassifier("hockey, baseball, striker, indeed", **LIGHT), many)
    advice = told(page, "Keywords")
    assert "Consider dropping “indeed” (agreement 0." in advice
    assert "dropping “hockey”" not in advice
    assert re.search(r"Words to add: .*\b(game|season|tournament|playoff)\b", advice)


def test_the_quality_of_one_keyword_and_of_few_documents(texts: list[str]) -> None:
    one = page_of(KeywordClassifier("tax", **LIGHT), texts * 3)
    assert "it takes two or more keywords" in told(one, "Quality without labels")
    few = page_of(KeywordClassifier("hockey", **LIGHT), ["a hockey game", "a tax law", "water"])
    assert "unknown, because it takes" in told(few, "Quality without labels")
    assert "quality without labels" not in [fact.name for fact in few.headline]
    assert "nan" not in str(few.headline) + told(few, "Quality without labels")


def test_an_opposite_is_told(texts: list[str]) -> None:
    def encode(found: list[str]) -> list[list[float]]:
        sports = ("game", "goal", "team", "match", "season", "fans", "playoff", "striker", "tournament")
        return [[(1 - 5 * ("not " in text)) * sum(word in text for word in sports), len(text) / 50] for text in found]

    light = {**LIGHT, "encoder": encode, "views": "auto"}
    page = page_of(KeywordClassifier("hockey, baseball", **light), texts)
    quality = told(page, "Quality without labels")
    assert re.search(r"have an opposite: .* \(cosine [01]\.\d\d\)\.", quality)
    assert "encoder" in [name for name, _ in page.sections[-1].table.rows]  # type: ignore[union-attr]


def test_a_loss_that_is_not_symmetric_is_told(texts: list[str]) -> None:
    page = page_of(KeywordClassifier("hockey, baseball", loss="logistic", **LIGHT), texts)
    assert "not symmetric" in told(page, "How the documents split")


def test_a_network_tells_its_training_and_has_no_quality(texts: list[str]) -> None:
    page = page_of(KeywordClassifier("hockey, baseball", model="mlp", training=Training(epochs=2)), texts)
    assert "Trained 2 epochs of mlp; " in told(page, "How the documents split")
    assert "Quality without labels" not in titles(page)


def test_nothing_is_written_into_a_missing_folder(tmp_path: Path) -> None:
    corpus = corpus_of(["a hockey game", "a tax law", "water"])
    clf = KeywordClassifier(["hockey"], **LIGHT)
    ranking = clf.fit_rank(corpus.texts)
    with pytest.raises(OutputError, match="does not exist"):
        write_report(tmp_path / "no" / "r.html", clf, corpus, ranking)


def test_excluded_keywords_have_a_place_of_their_own() -> None:
    texts = ["free prize draw", "a free love song", "love of the law", "prize winners", "tax law", "court case"] * 3
    page = page_of(KeywordClassifier("free, win*, -love", prior=0.3, **LIGHT), texts)
    assert str(page.lead) == "Keywords: free, win*, -love"
    facts = {fact.name: fact.value for fact in page.headline}
    assert (facts["with a keyword"], facts["with an excluded keyword"]) == ("6", "6")
    (split,) = [section.table for section in page.sections if section.title == "How the documents split"]
    assert split is not None
    assert [row[:2] for row in split.rows] == [
        ("with a keyword", "6"),
        ("with an excluded keyword", "6"),
        ("without a keyword", "6"),
    ]
    assert split.rows[1][3] == "0"
    (keywords,) = [section.table for section in page.sections if section.title == "Keywords"]
    assert keywords is not None
    assert [row[0] for row in keywords.rows] == ["free", "win*", "-love"]
    missed = [section for section in page.sections if section.title == "Best documents without any keyword"]
    assert all("excluded" not in document.evidence for document in missed[0].documents)


def test_text_without_spaces_has_a_report() -> None:
    texts = ["这瓶酒很好喝", "我喜欢这家酒店", "天气很好", "今天下雨了", "酒吧里有酒", "他在看书"]
    page = page_of(KeywordClassifier("酒*, 好喝, -酒店", prior=0.4, **LIGHT), texts)
    (keywords,) = [section.table for section in page.sections if section.title == "Keywords"]
    assert keywords is not None
    assert [row[:2] for row in keywords.rows] == [("酒*", "2"), ("好喝", "1"), ("-酒店", "1")]


def test_what_to_expect_is_among_the_headline_figures(texts: list[str]) -> None:
    told = {fact.name: fact for fact in page_of(KeywordClassifier("hockey, baseball", **LIGHT), texts).headline}
    for name in ("expected precision, 90 % interval", "expected recall, 90 % interval"):
        assert re.fullmatch(r"\d+ %", told[name].value)
        assert re.fullmatch(r"\d+ to \d+", told[name].bounds)
    assert told["prior, a guess, not known"].bounds
    guess = page_of(KeywordClassifier("hockey, baseball", prior="heuristic", **LIGHT), texts)
    assert not [fact for fact in guess.headline if "expected" in fact.name]


def test_documents_that_say_the_same_are_folded_and_counted(texts: list[str]) -> None:
    copies = [text.upper() for text in texts] + [f"  {text}" for text in texts[:9]]
    clf, corpus = KeywordClassifier("hockey, baseball", **LIGHT), corpus_of([*texts, *copies])
    ranking = clf.fit_rank(corpus.texts)
    page = report_page(clf, corpus, ranking)
    for title in ("Top documents", "Best documents without any keyword"):
        (section,) = [section for section in page.sections if section.title == title]
        shown = ["".join(piece.text for piece in one.passage).strip().lower() for one in section.documents]
        assert len(shown) == SHOWN
        assert len(set(shown)) == SHOWN
        assert "the first is shown and the others are counted." in told(page, title)
        for document, text in zip(section.documents, shown, strict=True):
            alike = ranking.filter(
                corpus.texts.gather(ranking["document"]).str.strip_chars().str.to_lowercase() == text
            )
            first, *others = alike["rank"].to_list()
            ranks = ", ".join(map(str, others))
            says = "says the same, at rank" if len(others) == 1 else "say the same, at ranks"
            assert document.rank == str(first)
            assert document.others == f"and {len(others)} more that {says} {ranks}"
    once = page_of(KeywordClassifier("hockey, baseball", **LIGHT), texts)
    assert "say the same" not in told(once, "Top documents")


def test_examples_of_a_keyword_that_say_the_same_are_one_line(texts: list[str]) -> None:
    page = page_of(KeywordClassifier("hockey, baseball", **LIGHT), [*texts, *texts, *texts])
    (keywords,) = [section for section in page.sections if section.title == "Keywords"]
    for listing in keywords.listings:
        (line,) = listing.lines
        assert line.endswith("(and 2 more that say the same)")
