import re
from dataclasses import asdict, fields
from functools import cache
from typing import Any

import pytest

from keysift.config import DEFAULT, WHOLE, LearnConfig
from keysift.errors import SettingError
from tests.made_corpora import CASES, observed

DEFAULTS: dict[str, Any] = {
    "l2": 0.15,
    "round_l2": 0.04,
    "neighbour_l2": 0.01,
    "max_iter": 200,
    "round_steps": 25,
    "tol": 0.0001,
    "lsa_size": 200,
    "encoder_weight": 8.0,
    "negation_weight": 4.0,
    "lexical_teaching": 0.5,
    "encoder_teaching": 4.0,
    "negation_teaching": 2.0,
    "mean_neighbour_weight": 0.5,
    "tfidf_neighbour_weight": 2.0,
    "encoder_neighbour_weight": 0.25,
    "known_words": 100000,
    "self_training": "auto",
    "shares": (0.0, 0.1, 0.5),
    "encoder_shares": (0.0, 0.1, 0.2, 0.5),
    "rounds": 4,
    "encoder_patience": 3,
    "trial_rounds": 2,
    "added_weight": 0.5,
    "answer_weight": 1.0,
    "correction_l2": 20.0,
    "neighbours": 20,
    "most_compared": 20000,
    "common_word": 0.1,
    "spreading_steps": 6,
    "restart": 0.1,
    "reach": 2.0,
    "least_reach": 0.05,
    "trust_from": 0.6,
    "trust_fully": 0.75,
    "neighbour_benefit": 0.3,
    "example_weight": 5.0,
    "example_words": 50,
    "copy_similarity": 0.999,
    "example_sample": 2000,
    "negation": "not",
    "most_negated": 300,
    "fewest_negated": 10,
    "negation_auc": 0.55,
    "negation_deviations": 1.64,
    "folds": 3,
    "fewest_left_out": 5,
    "most_others": 5000,
    "blend_tolerance": 0.04,
    "benefit_offset": 0.1,
    "chance_deviations": 3.0,
    "telling_chance": 0.6,
    "view_deviations": 1.64,
    "negligible": 0.01,
    "fewest_documents": 5,
    "agreement": 0.6,
    "ambiguous_below": 0.5,
    "least_lift": 2.0,
    "most_suggestions": 12,
    "fewest_best": 50,
    "drift_documents": 50,
    "drift_distance": 0.1,
    "drift_pvalue": 0.001,
}
"""What measured best. Whoever changes one of them has measured again."""

CHANGES: dict[str, tuple[str, Any]] = {
    "l2": ("mixed", 0.3),
    "round_l2": ("mixed", 0.2),
    "neighbour_l2": ("near", 0.2),
    "max_iter": ("mixed", 3),
    "round_steps": ("mixed", 2),
    "tol": ("mixed", 0.1),
    "lsa_size": ("topics", 5),
    "encoder_weight": ("halves", 2.0),
    "negation_weight": ("halves", 1.0),
    "lexical_teaching": ("halves", 3.0),
    "encoder_teaching": ("halves", 0.5),
    "negation_teaching": ("halves", 9.0),
    "mean_neighbour_weight": ("near", 2.0),
    "tfidf_neighbour_weight": ("near", 0.5),
    "encoder_neighbour_weight": ("near_halves", 1.0),
    "known_words": ("mixed", 0),
    "self_training": ("mixed", 0.1),
    "shares": ("mixed", (0.0, 0.4)),
    "encoder_shares": ("halves", (0.0, 0.3)),
    "rounds": ("topics", 1),
    "encoder_patience": ("one_round", 1),
    "trial_rounds": ("mixed", 1),
    "added_weight": ("mixed", 1.0),
    "answer_weight": ("answered", 3.0),
    "correction_l2": ("answered", 2.0),
    "neighbours": ("near", 5),
    "most_compared": ("near", 60),
    "common_word": ("near", 0.04),
    "spreading_steps": ("near", 1),
    "restart": ("near", 0.6),
    "reach": ("near", 1.2),
    "least_reach": ("near", 0.9),
    "trust_from": ("mixed", 0.7),
    "trust_fully": ("mixed", 0.95),
    "neighbour_benefit": ("topics", 0.02),
    "example_weight": ("near", 1.0),
    "example_words": ("near", 2),
    "copy_similarity": ("near", 0.2),
    "example_sample": ("near", 20),
    "negation": ("halves", "never"),
    "most_negated": ("halves", 12),
    "fewest_negated": ("halves", 1000),
    "negation_auc": ("halves", 0.95),
    "negation_deviations": ("halves", 20.0),
    "folds": ("mixed", 2),
    "fewest_left_out": ("mixed", 20),
    "most_others": ("mixed", 40),
    "blend_tolerance": ("mixed", 0.3),
    "benefit_offset": ("mixed", 1.0),
    "chance_deviations": ("mixed", 1.0),
    "telling_chance": ("noise", 0.9),
    "view_deviations": ("deaf", 0.0),
    "negligible": ("topics", 0.2),
    "fewest_documents": ("mixed", 11),
    "agreement": ("noise", 0.4),
    "ambiguous_below": ("topics", 0.01),
    "least_lift": ("mixed", 1.1),
    "most_suggestions": ("mixed", 1),
    "fewest_best": ("halves", 10),
    "drift_documents": ("mixed", 61),
    "drift_distance": ("mixed", 0.99),
    "drift_pvalue": ("mixed", 0.0),
}
"""For every number a made corpus on which another value shows."""


def test_the_defaults_are_what_measured_best() -> None:
    assert asdict(DEFAULT) == DEFAULTS


def test_every_number_says_what_it_does() -> None:
    import inspect

    source = inspect.getsource(LearnConfig)
    for field in fields(LearnConfig):
        assert re.search(rf'    {field.name}: [^\n]+\n    """\S', source), field.name


@cache
def usual(case: str) -> list[tuple[str, Any]]:
    return list(observed(CASES[case]()))


def difference(case: str, **changes: Any) -> str | None:
    """The first thing that a fit with other numbers says differently."""
    both = zip(usual(case), observed(CASES[case](), **changes), strict=True)
    return next((name for (name, before), (_, after) in both if before != after), None)


@pytest.mark.filterwarnings("ignore:A fit stopped after", "ignore:The keyword .* has no vector")
@pytest.mark.parametrize("name", [field.name for field in fields(LearnConfig)])
def test_no_number_is_dead(name: str) -> None:
    case, value = CHANGES[name]
    assert difference(case, **{name: value}) is not None


def test_the_same_numbers_say_the_same() -> None:
    """Else the test before would notice anything."""
    assert difference("mixed") is None


def changed(name: str, value: Any) -> LearnConfig:
    return LearnConfig(**{name: value})


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_whole_numbers(name: str) -> None:
    least = WHOLE[name]
    assert getattr(changed(name, least), name) == least
    for value in (least - 1, 1.5, "3", True, None, float("nan")):
        message = f"{name} must be a whole number, {least} or more; got {value!r}."
        with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
            changed(name, value)


@pytest.mark.parametrize("name", [field.name for field in fields(LearnConfig) if isinstance(field.default, float)])
def test_numbers(name: str) -> None:
    assert getattr(changed(name, 0.0), name) == 0.0
    for value in (-0.1, float("nan"), float("inf"), "1", True, None):
        message = f"{name} must be a number, 0 or more; got {value!r}."
        with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
            changed(name, value)


@pytest.mark.parametrize("name", ["shares", "encoder_shares"])
def test_several_numbers(name: str) -> None:
    for value in ((), [0.1], 0.1, (0.1, -1.0), (0.1, "a"), (float("nan"),), None):
        message = f"{name} must be a tuple of numbers, 0 or more; got {value!r}."
        with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
            changed(name, value)


@pytest.mark.parametrize("value", ["auto", "neighbours", 0, 0.0, 0.5, 0.999])
def test_ways_of_self_training(value: Any) -> None:
    assert LearnConfig(self_training=value).self_training == value


@pytest.mark.parametrize("value", ["near", 1.0, 1, -0.1, None, True, float("nan"), "0.5"])
def test_self_training_that_cannot_be(value: Any) -> None:
    message = f"self_training must be 'auto', 'neighbours' or a share from 0 to below 1; got {value!r}."
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        LearnConfig(self_training=value)


def test_the_word_that_negates() -> None:
    assert LearnConfig(negation="").negation == ""
    with pytest.raises(SettingError, match=r"^negation must be a word like 'not', or empty; got None\.$"):
        LearnConfig(negation=None)  # type: ignore[arg-type]


def test_every_number_is_kept_in_a_file() -> None:
    changed = LearnConfig(**{name: value for name, (_, value) in CHANGES.items()})
    assert all(getattr(changed, field.name) != field.default for field in fields(LearnConfig))
    assert LearnConfig.restore(changed.plain()) == changed
