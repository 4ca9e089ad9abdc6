"""A fitted model in a few figures, for a notebook."""

from keysift.present.cut_facts import expected_figures, is_provisional, prior_figure, threshold_origin
from keysift.present.facts import Fact, Page, Sentence
from keysift.present.html import render_card
from keysift.present.quality_facts import quality_facts
from keysift.ranker import KeywordRanker


def card_html(clf: KeywordRanker) -> str:
    """The card of a fitted or a loaded `clf` as HTML, to be put into another page."""
    return render_card(card(clf))


def card(clf: KeywordRanker) -> Page:
    """The card as facts."""
    expected, prior = clf.expected_, clf.prior_estimate_
    quality = quality_facts(clf.quality_) if clf.quality_ else None  # a network has none
    provisional = ", provisional" if is_provisional(clf) else ""
    facts = (
        Fact(f"{clf.n_documents_ - clf.n_empty_:,}", "documents"),
        *([Fact(f"{clf.n_empty_:,}", "left out (empty or excluded)")] if clf.n_empty_ else []),
        *([Fact(quality.value, "quality without labels")] if quality and quality.value else []),
        prior_figure(prior),
        Fact(f"{clf.threshold_:.3f}", "threshold"),
        Fact(f"{expected.count:,}", f"decided positive{provisional}"),
        *(expected_figures(expected, clf.posterior_) if prior.basis != "heuristic" else ()),
    )
    return Page(
        title="",
        heading=type(clf).__name__,
        source="fitted" if hasattr(clf, "documents_") else "loaded",
        sections=(),
        headline=facts,
        lead=Sentence(", ".join(keyword.text for keyword in clf.keywords_), lead="Keywords:"),
        sentences=(
            *(Sentence(doubt, lead="Doubtful.") for doubt in (quality.doubts if quality else ())),
            Sentence(threshold_origin(clf)),
        ),
    )
