from pathlib import Path

import polars as pl

from keysift.audit import measure, read_answers
from keysift.report.audit_page import write_audit_report
from tests.audit.cases import filled, ranking_frame


def test_the_page_has_every_figure_and_escapes_all_text(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script>"
    frame = ranking_frame().with_columns(text=pl.lit(attack), evidence=pl.lit(attack), id=pl.col("id") + attack)
    audit = read_answers(filled(frame), frame)
    measures = measure(audit)
    path = tmp_path / "audit.html"
    write_audit_report(path, audit, measures, source=attack)
    html = path.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html
    for part in (
        "precision at the cut",
        "theta'",
        "May one stop",
        "Estimation error bound",
        "elusion",
        "Relevant, but below the cut",
    ):
        assert part in html
    assert "default-src 'none'" in html
    assert "http:" not in html.replace("http-equiv", "")


def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    frame = ranking_frame()
    sheet = filled(frame)
    audit = read_answers(sheet.with_columns(sheet["answer"].scatter(0, "?")), frame.drop("pseudo_positive"))
    write_audit_report(tmp_path / "a.html", audit, measure(audit), source="ranked.csv")
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Left out, as if they had not been drawn: 1 unsure and 0 without an answer" in html
    assert "does not tell which documents are pseudo-positive" in html
