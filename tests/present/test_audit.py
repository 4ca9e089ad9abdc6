from pathlib import Path

import numpy as np
import polars as pl

from keysift.audit.answers import Audit, read_answers
from keysift.audit.measures import measure
from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.audit.stopping import Stopping
from keysift.present.audit import audit_facts, audit_page, named_figures, stopping_words, write_audit_report
from tests.audit.cases import audit_of, filled, ranking_frame


def test_the_page_has_every_figure_and_escapes_all_text(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script>"
    frame = ranking_frame().with_columns(
        text=pl.lit(attack), evidence=pl.lit(attack), id=pl.col("id") + attack, matched=pl.lit('["alert"]')
    )
    audit = read_answers(filled(frame), frame)
    path = tmp_path / "audit.html"
    write_audit_report(path, audit, measure(audit), source=attack)
    html = path.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert '&lt;script&gt;<mark class="keyword">alert</mark>(1)' in html
    for part in (
        "precision at the cut",
        "theta&#39;",
        "<b>Can I stop reading?</b>",
        "elusion",
        "Relevant, but below the cut",
    ):
        assert part in html, part


def test_what_was_left_out_is_said() -> None:
    frame = ranking_frame()
    sheet = filled(frame)
    audit = read_answers(sheet.with_columns(sheet["answer"].scatter(0, "?")), frame)
    facts = audit_facts(measure(audit))
    assert facts.left_out.startswith("1 unsure document and 0 without an answer are left out")
    assert audit_facts(measure(audit_of(frame))).left_out == ""


def test_a_ranking_that_does_not_tell_its_sets_has_no_theta() -> None:
    names = [name for name, _ in named_figures(measure(audit_of(ranking_frame().drop("pseudo_positive"))))]
    assert names == ["precision at the cut", "precision at 100", "recall at the cut", "prevalence"]


def test_documents_on_the_right_side_are_no_section() -> None:
    frame = ranking_frame()
    perfect = frame.with_columns(label=pl.col("decision"))
    audit = read_answers(filled(perfect), perfect)
    titles = [section.title for section in audit_page(audit, measure(audit), "r.csv").sections]
    assert titles == ["Figures", "Where the documents were drawn"]


def test_without_a_relevant_document_nothing_is_none_or_nan() -> None:
    sample = draw(ranking_from(ranking_frame()), 60)
    facts = audit_facts(measure(Audit(sample, np.zeros(60, dtype=np.int8), 0, 0)))
    told = " ".join(map(str, (*facts.conclusions, facts.figures, facts.strata)))
    assert "None" not in told
    assert "nan" not in told


def test_what_it_takes_to_stop() -> None:
    def told(more: int | None, lower: int | None) -> str:
        return stopping_words(Stopping(0.95, 0.95, 0.5, more, lower))

    assert "judging about 1 more document from below the cut would prove it, if none of them" in told(1, None)
    assert told(None, 1200).endswith("a lower cut, with 1,200 documents above it, reaches it with today's answers.")
    assert "cut lower or read on" in told(None, None)
    assert told(1, 2).startswith("Not yet. Recall is at least 50.0% with 95% confidence, but 95% was asked for.")
