from pathlib import Path

from benchmarks.speed.start import best_starts, write_ranking
from keysift.corpus.reading import read_table
from keysift.decide.cuts import Precision
from keysift.recut import recut


def test_the_best_of_several_starts() -> None:
    starts = best_starts({"short": ["-c", "pass"], "long": ["-c", "import time; time.sleep(0.5)"]}, runs=2)
    assert 0 < starts["short"].seconds < starts["long"].seconds
    assert 0 <= starts["long"].cpu < starts["long"].seconds  # it sleeps, and clocks of processes tick slowly


def test_the_ranking_made_on_the_spot_can_be_cut(tmp_path: Path) -> None:
    write_ranking(tmp_path / "ranking.csv", 300, seed=0)
    frame, _ = read_table(tmp_path / "ranking.csv")
    _, decisions = recut(frame, Precision(0.9))
    assert 0 < decisions.expected.count < 300
