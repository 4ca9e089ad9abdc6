import numpy as np
import pytest

from keysift.audit.ranked_table import ranking_from
from keysift.audit.sampling import draw
from keysift.errors import SettingError
from tests.audit.cases import ranking_frame


def test_the_same_seed_draws_the_same_sample_and_another_seed_another() -> None:
    ranking = ranking_from(ranking_frame())
    first, again, other = (draw(ranking, 50, seed=seed) for seed in (1, 1, 2))
    assert first.rows.tolist() == again.rows.tolist()
    assert first.tag == again.tag != other.tag
    assert sorted(first.rows) != sorted(other.rows)


def test_nobody_is_drawn_twice_and_strata_are_as_planned() -> None:
    sample = draw(ranking_from(ranking_frame()), 50)
    assert len(set(sample.rows.tolist())) == 50
    assert np.bincount(sample.strata, minlength=4).tolist() == sample.plan.taken.tolist()


def test_the_order_tells_nothing() -> None:
    ranking = ranking_from(ranking_frame(2000, 400))
    places = np.mean([np.argsort(draw(ranking, 100, seed=seed).rows)[:10].mean() for seed in range(40)])
    assert 40 < places < 60  # the best ten are anywhere in the list


def test_each_document_of_a_stratum_has_the_same_chance() -> None:
    ranking = ranking_from(ranking_frame(60, 12))
    times = np.zeros(60)
    for seed in range(600):
        times[draw(ranking, 20, seed=seed).rows] += 1
    sample = draw(ranking, 20)
    expected = 600 * (sample.plan.taken / sample.plan.sizes)[sample.stratum_of_all]
    assert np.abs(times - expected).max() < 5 * np.sqrt(600 / 4)


def test_more_than_there_are_takes_all() -> None:
    assert sorted(draw(ranking_from(ranking_frame(30, 6)), 100).rows.tolist()) == list(range(30))


@pytest.mark.parametrize(("n", "seed", "k"), [(7, 0, 100), (-1, 0, 100), (50, -1, 100), (50, 0, 0), (8.5, 0, 100)])
def test_arguments_that_cannot_be(n: int, seed: int, k: int) -> None:
    with pytest.raises(SettingError, match="must be a whole number"):
        draw(ranking_from(ranking_frame()), n, seed=seed, k=k)
