"""What `keywords` counts in a corpus larger than memory: all documents, and learns from a sample of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from keysift.cli.reading import DocumentOptions
from keysift.cli.scale import Look
from keysift.streaming.scale import Scale

if TYPE_CHECKING:
    from keysift.corpus.documents import Corpus
    from keysift.features.prepared import Prepared, Progress
    from keysift.keywords.table import KeywordRow, KeywordTable
    from keysift.ranker import KeywordRanker
    from keysift.streaming.survey import Survey
    from keysift.text.counts import Term


def surveyed(
    look: Look, clf: "KeywordRanker", reading: DocumentOptions, scale: Scale, progress: "Progress"
) -> tuple["Corpus", "Prepared", "Survey", "Sequence[Term]", float]:
    """The sample, what was counted in all documents, and how many each of the sample with a keyword stands for."""
    import polars as pl

    from keysift.corpus.documents import Corpus
    from keysift.sharded import fit_identity, open_stream
    from keysift.streaming.run import prepare_sample, survey_all, survey_job

    assert look.plan is not None
    own = fit_identity(clf, scale)
    stream = open_stream(look.plan, look.folder, reading.columns(), scale, None, progress, own)
    survey, sample, settings = survey_all(stream, clf, scale.sample, scale.learned_bytes())
    texts = sample.texts.alias(",".join(stream.chosen.text))
    corpus = Corpus(sample.ids.alias("id"), texts, pl.DataFrame(), stream.plan.source, sample.vectors)
    terms = survey_job(stream, clf, settings, scale.sample).terms
    prepared = prepare_sample(clf, sample, settings, progress)
    return corpus, prepared, survey, terms, survey.held / max(1, sample.held)


def counted_in_all(
    rows: "Sequence[KeywordRow]", clf: "KeywordRanker", survey: "Survey", terms: "Sequence[Term]", each: float
) -> "KeywordTable":
    """The table of the sample with the counts of all documents; `alone` is what the sample tells of all."""
    from keysift.keywords.expansion import excluded_keywords, expand
    from keysift.keywords.parsing import parse_keywords
    from keysift.keywords.table import KeywordTable

    given = parse_keywords(clf.keywords)
    term_of = {keyword.text: keyword.term for keyword in expand(given, None, gamma=0)}
    found, excluded = dict(zip(terms, survey.by_term, strict=True)), excluded_keywords(given)
    whole = survey.documents

    def row_of(row: "KeywordRow") -> "KeywordRow":
        if row.keyword in {keyword.text for keyword in excluded}:
            return row
        documents = found.get(term_of.get(row.keyword, ()), row.documents)
        return replace(row, documents=documents, share=documents / whole, alone=round(each * row.alone))

    return KeywordTable(tuple(map(row_of, rows)))
