from benchmarks.paper.datasets import SETS
from benchmarks.paper.measures import PRIORS
from benchmarks.paper.published import data_table, figure, sweep
from benchmarks.paper.systems import SYSTEMS

THEIRS = tuple(system for system in SYSTEMS if system != "keysift")


def test_cells_as_printed() -> None:
    assert figure("main", "custrev", "auc", "O-Maxent") == (75.0, 0.38)
    assert figure("main", "20ng", "prec100", "NB") == (0.4, 0.11)
    assert figure("default", "20ng", "f1", "KNN") == (84.3, 0.26)
    assert figure("heuristic", "subj", "acc", "RandomForest") == (60.9, 0.09)
    assert (sweep("subj", "acc", "KNN") or [])[7] == (50.7, 0.67)
    assert data_table("subj")["negative"] == [1312, 2404]


def test_every_cell_is_there_but_the_one_that_did_not_end() -> None:
    for name in SETS:
        for measure in ("auc", "f1", "acc", "prec100"):
            missing = [system for system in THEIRS if figure("main", name, measure, system) is None]
            assert missing == (["PU-NB"] if name == "20ng" else [])
        for system in THEIRS:
            known = not system.startswith("O-") and (name, system) != ("20ng", "PU-NB")
            for measure in ("f1", "acc"):
                assert len(sweep(name, measure, system) or []) == (len(PRIORS) if known else 0)


def test_tables_that_repeat_each_other_agree() -> None:
    for name in SETS:
        for system in THEIRS[:-2]:
            for measure in ("f1", "acc"):
                assert figure("true", name, measure, system) == figure("main", name, measure, system)


def test_the_slip_in_the_data_table() -> None:
    row = data_table("ayi")
    assert row["positive"][0] + row["negative"][0] + 200 == row["train"][0]
