"""A fitted model in a few figures, for a notebook."""

from keysift.present.cut_facts import PRIORS, is_provisional, threshold_origin
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
    told = expected.count > 0 and clf.posterior_.measured and prior.basis != "heuristic"
    provisional = ", provisional" if is_provisional(clf) else ""
    facts = (
        Fact(f"{clf.n_documents_ - clf.n_empty_:,}", "documents"),
        *([Fact(f"{clf.n_empty_:,}", "left out (empty or excluded)")] if clf.n_empty_ else []),
        *([Fact(quality.value, "quality without labels")] if quality and quality.value else []),
        Fact(f"{prior.value:.3g}", f"prior, {PRIORS.get(prior.basis, prior.basis)}"),
        Fact(f"{clf.threshold_:.3f}", "threshold"),
        Fact(f"{expected.count:,}", f"decided positive{provisional}"),
        *([Fact(str(expected.precision), "expected precision")] if told else []),
        *([Fact(str(expected.recall), "expected recall")] if told else []),
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
