from pathlib import Path

from keysift.present.sweep import facts_of, write_sweep
from tests.present.test_curves import sweep_of


def test_the_page_has_every_cut_and_escapes_all_text(tmp_path: Path) -> None:
    attack, sweep = "<script>alert(1)</script>", sweep_of(500)
    path = tmp_path / "sweep.html"
    write_sweep(path, facts_of(sweep, 120, attack, attack), source=attack)
    html = path.read_text(encoding="utf-8")
    assert "<script" not in html
    assert html.count("&lt;script&gt;alert(1)") == 4  # the title, and once each
    assert html.count("<tr") == 1 + len(sweep)
    for row in sweep.iter_rows(named=True):
        assert f"{row['precision']:.0%} ({100 * row['precision_low']:.0f}-{100 * row['precision_high']:.0f})" in html
    assert "threshold: 120 documents" in html


def test_the_best_cut_is_the_one_with_the_largest_f1() -> None:
    sweep = sweep_of(500)
    facts = facts_of(sweep, 1, "a test", "0.5")
    assert facts.best == tuple(sweep["f1"] == sweep["f1"].max())
    assert sum(facts.best) >= 1
    assert facts.threshold == "The threshold of the model takes 1 document."
