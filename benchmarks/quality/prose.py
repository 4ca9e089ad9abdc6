"""What docs/quality.md tells of how keysift learns, with the numbers of `LearnConfig`.

A number that changes in the code changes on the page with the next `make quality`.
"""

import textwrap

from keysift.config import LearnConfig
from keysift.features.views import VIEWS

__all__ = ["prose"]

WIDTH = 150
"""Characters of a line on the page."""

HOW_IT_LEARNS = """\
1. **Views.** keysift looks at a document in {views} ways: the mean of its word vectors (`words`, GloVe), the mean of
   static vectors of its word pieces (`pieces`, WordLlama), its TF-IDF weights (`tfidf`) and their {lsa_size}
   directions of greatest variance (`lsa`). `encoder=` adds one more. All views are scaled to the same total
   deviation. Each gets a linear score, and the score of a document is their weighted sum. These views are linear in
   words, so the sum is again a table of words and the reasons are exact; with an encoder, the sentence vector is one
   more reason.
2. **The split.** Documents with a keyword are set against the others, with the sigmoid loss over all pairs. The more
   similar a document is to the keywords, the more it counts.
3. **Self-training.** In each round, a view learns again from the keywords *and* from the documents that the other
   views together rank highest. The keywords stay in as an anchor: without them the views agree more and more on
   whatever divides the corpus best, which need not be what you look for.
4. **Neighbours.** In a corpus of many topics, documents about one thing share many rare words. Each document is
   compared with all others by its TF-IDF weights ({neighbours} nearest; words in more than {common_word} of the
   documents do not count), and keywords spread from neighbour to neighbour. The views then learn from the documents
   that are reached. Whether neighbours tell anything is measured without a label: the neighbours of documents with
   some of the keywords must hold the left-out ones. Below an AUC of {trust_from} they are not trusted, above
   {trust_fully} fully (`clf.quality_.neighbours`, also in the report).
5. **Examples.** Where neighbours are trusted, a document is also scored by the {neighbours} training documents most
   similar to it, by how far the keywords have spread to them. The {example_words} heaviest words of each are
   compared. A linear score averages over everything a topic talks about; similar documents know which words go
   together. What a word adds is still exact, because the similarity of two documents is a sum over the words they
   share. A document is never its own example, so documents of the fit and new ones are scored in the same way. The
   model file then holds these words of at most {most_compared} training documents. The quality below is measured
   without examples: a masked document would find itself.
6. **Negation**, with an encoder. Up to {most_negated} documents with a keyword are encoded a second time, as negated
   copies: with "{negation}" before the keyword. The direction from the negated copies to the plain documents is one
   more view of the sentence vector. Keywords that judge (great, support) have an opposite, and this view finds
   documents on the other side that hold no keyword at all. Topics have no opposite, and there the direction leads
   nowhere. Which of the two it is can be measured: the direction that half of the documents give must find the other
   half, their keywords masked, among documents without one. It is followed if the AUC is at least {negation_auc} and
   above chance (`clf.quality_.negation`). `LearnConfig(negation="nicht")` negates in German; an empty word turns it
   off.
7. **How far to go.** Some corpora divide along the question (subjective or objective sentences), and there
   self-training on half of the documents gains a lot; in others it ruins the ranking. So {strategies} strategies are
   tried, and blended by a quality that needs no label: the keywords alone, self-training on {shares} of the
   documents, and neighbours. With an encoder the shares are {encoder_shares}, and there are {encoder_patience} times
   as many rounds. A strategy sets the number of rounds (none for the keywords alone, one for neighbours, {rounds}
   for self-training), the penalty ({l2}, {neighbour_l2} and {round_l2}) and how much each view counts. Views are
   chosen by the same means: sentence vectors that find left-out keywords no better than chance, while words do, are
   not learned from, and examples and negation are used only where they help."""

QUALITY = """\
The keywords are dealt into {folds} groups. One group at a time is left out and masked in the documents; the others
learn a ranking. The quality is the AUC with which documents that hold only a left-out keyword rank above documents
that hold none. If the left-out words choose fairly among relevant and irrelevant documents, Theorem 2 makes it an
increasing function of the true AUC. It is no estimate of the true AUC: not every document with a keyword is
relevant, nor every other one irrelevant, so it is lower. With only one keyword, documents are left out instead. With
fewer than {fewest_left_out} documents to look for, nothing can be measured, and the keywords alone decide. Where no
strategy is {chance_deviations} standard deviations above chance, a warning says so. If documents are not lacking
(chance reaches at most {telling_chance}), the quality then has no say in the blend. `clf.quality_`, the terminal and
the report show it."""

CHOSEN_ON = """\
The tuned numbers (views of words of equal weight, the shares, {rounds} rounds, the penalties, how much loss of
quality is tolerated) were chosen on first trials of the five sets, of their other lists of keywords and of nine of
the newsgroups, not on one set alone; those of the neighbours and the examples on the first trial of all 20 groups;
those of the negation (its weight, the {negation_auc}) on the first trial of the five sets, of most other lists and
of three groups. So they were chosen with an eye on these corpora, and the first trial of the groups is no test of
the neighbours. The other trials had little part in it."""

OTHER_LISTS = """\
Other lists of keywords, some of them poor on purpose: the first trial. Where a list finds few documents, or its
words judge nothing, the negation is not followed. These lists were looked at when the {negation_auc} of the negation
was chosen, and when it was decided what chance may reach."""


def prose(config: LearnConfig | None = None) -> dict[str, str]:
    """Every part that repeats a tuned number, by name.

    >>> "their 7 directions" in prose(LearnConfig(lsa_size=7))["how it learns"]
    True
    """
    config = config or LearnConfig()
    numbers = {name: _shown(value) for name, value in config.plain().items()}
    numbers |= {
        "views": str(len(VIEWS)),
        "common_word": _percent(config.common_word),
        "strategies": str(len(config.shares) + 1),
        "shares": _listed(config.shares, "or"),
        "encoder_shares": _listed(config.encoder_shares, "and"),
    }
    templates = {
        "how it learns": HOW_IT_LEARNS,
        "quality": QUALITY,
        "chosen on": CHOSEN_ON,
        "other lists": OTHER_LISTS,
    }
    return {name: _wrapped(template.format(**numbers)) for name, template in templates.items()}


def _wrapped(text: str) -> str:
    """A paragraph, or a list whose items start with a digit, in even lines."""
    items: list[str] = []
    for line in text.splitlines():
        if items and not line[0].isdigit():
            items[-1] += f" {line.strip()}"
        else:
            items.append(line)
    return "\n".join(
        textwrap.fill(item, WIDTH, subsequent_indent="   " if item[0].isdigit() else "", break_on_hyphens=False)
        for item in items
    )


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _listed(shares: tuple[float, ...], joint: str) -> str:
    """The shares above zero, which is the keywords alone.

    >>> _listed((0.0, 0.1, 0.2, 0.5), "and")
    '10, 20 and 50 %'
    """
    *before, last = [f"{100 * share:g}" for share in shares if share]
    return f"{', '.join(before)} {joint} {last} %" if before else f"{last} %"
