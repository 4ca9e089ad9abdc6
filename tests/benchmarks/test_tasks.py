import numpy as np
import pytest

from benchmarks.paper.datasets import SETS, find_data, split
from benchmarks.quality.tasks import FAMILIES, GROUPS, TASKS, corpus, groups_split, problem

FOLDER = find_data()
needs_data = pytest.mark.skipif(
    FOLDER is None, reason="the paper's data sets are neither in KEYSIFT_DATA nor in ../shared/data"
)


def test_there_are_five_sets_fifteen_other_lists_and_twenty_groups() -> None:
    families = [task.family for task in TASKS.values()]
    assert [(family, families.count(family)) for family in FAMILIES] == [
        ("five", 5),
        ("other keywords", 15),
        ("groups", 20),
    ]
    assert all(TASKS[name].keywords == data.keywords for name, data in SETS.items())
    assert TASKS["talk.politics.mideast"].keywords == ("israel", "arab", "middle east")
    assert all(len(TASKS[group].keywords) == 3 for group in GROUPS)


def test_other_keywords_are_others() -> None:
    for task in TASKS.values():
        if task.family == "other keywords":
            assert set(task.keywords) != set(TASKS[task.corpus].keywords)


def test_the_split_of_groups_keeps_each_groups_share_and_differs_by_trial() -> None:
    groups = np.array(["a"] * 50 + ["b"] * 200 + ["c"] * 10)
    train, test = groups_split(groups, trial=0)
    assert sorted([*train, *test]) == list(range(260))
    assert [int((groups[test] == group).sum()) for group in "abc"] == [10, 40, 2]
    assert train.tolist() == groups_split(groups, trial=0)[0].tolist()
    assert train.tolist() != groups_split(groups, trial=1)[0].tolist()


def test_two_groups_are_split_as_two_classes() -> None:
    labels = np.array([1] * 50 + [0] * 200)
    train, test = groups_split(labels.astype(np.str_), trial=4)
    as_classes = split(labels, trial=4)
    assert (train.tolist(), test.tolist()) == (as_classes[0].tolist(), as_classes[1].tolist())


@needs_data
def test_a_problem_has_the_papers_split_whatever_the_keywords() -> None:
    assert FOLDER is not None
    documents = SETS["ayi"].read(FOLDER)
    train, test = split(documents.labels, 3)
    one, other = problem(TASKS["ayi"], 3), problem(TASKS["ayi/1"], 3)
    assert one.test_texts == tuple(documents.texts[row] for row in test)
    assert one.test_labels.tolist() == documents.labels[test].tolist()
    assert one.train_labels.tolist() == documents.labels[train].tolist()
    assert one.train_rows.tolist() == train.tolist()
    assert one.train_texts is other.train_texts


@needs_data
def test_the_groups_are_the_posts_of_20ng_and_share_a_split() -> None:
    posts = corpus("groups")
    assert posts.texts == corpus("20ng").texts
    assert set(posts.classes.tolist()) == set(GROUPS)
    space, guns = problem(TASKS["sci.space"], 0), problem(TASKS["talk.politics.guns"], 0)
    assert space.test_texts is guns.test_texts
    assert (space.test_labels & guns.test_labels).sum() == 0
    assert space.train_labels.sum() == int(0.8 * (posts.classes == "sci.space").sum())
