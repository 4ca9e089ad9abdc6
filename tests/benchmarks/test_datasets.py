from pathlib import Path

import numpy as np
import pytest

from benchmarks.paper.datasets import SETS, checked, find_data, read_newsgroups, read_reviews, split
from keysift.errors import InputError

FOLDER = find_data()
needs_data = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


@needs_data
@pytest.mark.parametrize(
    ("name", "positives", "negatives"),
    [
        ("subj", 5000, 5000),
        ("custrev", 2405, 1366),
        ("mpqa", 3311, 7292),
        ("ayi", 1386, 1362),
        ("20ng", 1993, 16853),
    ],
)
def test_sizes_are_the_papers(name: str, positives: int, negatives: int) -> None:
    assert FOLDER is not None
    documents = SETS[name].read(FOLDER)
    assert (documents.labels.sum(), (1 - documents.labels).sum()) == (positives, negatives)
    assert len(documents.texts) == positives + negatives


@needs_data
def test_other_readings() -> None:
    assert FOLDER is not None
    assert len(read_reviews(FOLDER, quotes=False).texts) == 3000
    assert sum(map(len, read_newsgroups(FOLDER, strip=False).texts)) > 35e6


def test_a_split_keeps_the_share_of_each_class_and_differs_by_trial() -> None:
    labels = np.array([1] * 50 + [0] * 200)
    train, test = split(labels, trial=0)
    assert sorted([*train, *test]) == list(range(250))
    assert (labels[train].sum(), labels[test].sum()) == (40, 10)
    assert train.tolist() != split(labels, trial=1)[0].tolist()
    assert train.tolist() == split(labels, trial=0)[0].tolist()


def test_missing_and_altered_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "sentence-polarity/subj.all"
    with pytest.raises(InputError, match=r"subj\.all is missing; .*SHA-256 f3ffbe2a"):
        checked(tmp_path, name)
    (tmp_path / "sentence-polarity").mkdir()
    (tmp_path / name).write_bytes(b"0 altered\n")
    with pytest.raises(InputError, match=r"subj\.all is altered: .*expected f3ffbe2a"):
        checked(tmp_path, name)
    monkeypatch.setenv("KEYSIFT_DATA", str(tmp_path))
    assert find_data() == tmp_path
