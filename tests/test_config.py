import re
from dataclasses import asdict, fields
from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from keysift.config import DEFAULT, WHOLE, LearnConfig
from keysift.errors import SettingError
from keysift.learn.corrections import trust_without_finds
from keysift.learn.quality import Quality
from keysift.learn.teaching import teach
from tests.learn.numbers import Numbers
from tests.made_corpora import CASES, observed

DEFAULTS: dict[str, Any] = {
    "l2": 1.0,
    "round_l2": 0.1,
    "max_iter": 100,
    "round_steps": 15,
    "tol": 0.0001,
    "denied": 3,
    "opening": 30,
    "encode_budget": 120.0,
    "negation": "auto",
    "most_negated": 120,
    "fewest_negated": 3,
    "negated_characters": 300,
    "opposite_weight": 8.0,
    "taught_damping": 3.0,
    "taught_steps": 30,
    "rounds": 4,
    "share": 0.3,
    "added_weight": 0.5,
    "opposite_from": 0.3,
    "allowed_loss": 0.07,
    "least_held": 0.02,
    "neighbours_behind": 0.05,
    "few_words": 5.0,
    "means_weight": 0.5,
    "means_added": 10.0,
    "answer_weight": 1.0,
    "correction_l2": 5.0,
    "correction_tol": 0.001,
    "unread_weight": 1.0,
    "unread_documents": 1000,
    "answers_start": 0.15,
    "trust_l2": 2.0,
    "few_answers": 30.0,
    "trust_unread": 0.2,
    "doubt": 10.0,
    "folds": 4,
    "fewest_left_out": 5,
    "chance_deviations": 3.0,
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
    "l2": ("topics", 0.3),
    "round_l2": ("topics", 0.5),
    "max_iter": ("topics", 3),
    "round_steps": ("topics", 2),
    "tol": ("topics", 0.1),
    "denied": ("denials", 0),
    "opening": ("topics", 7),
    "encode_budget": ("halves", 0.0),
    "negation": ("halves", "never"),
    "most_negated": ("halves", 12),
    "fewest_negated": ("halves", 1000),
    "negated_characters": ("halves", 20),
    "opposite_weight": ("halves", 1.0),
    "taught_damping": ("regression", 0.1),
    "taught_steps": ("regression", 1),
    "rounds": ("topics", 1),
    "share": ("topics", 0.5),
    "added_weight": ("topics", 1.0),
    "opposite_from": ("noise", 0.0),
    "allowed_loss": ("noise", 0.0),
    "least_held": ("noise", 1.0),
    "neighbours_behind": ("neighbours", 1.0),
    "few_words": ("topics", 1.0),
    "means_weight": ("topics", 1.0),
    "means_added": ("topics", 1.0),
    "answer_weight": ("answered", 3.0),
    "correction_l2": ("answered", 2.0),
    "correction_tol": ("answered", 0.1),
    "unread_weight": ("answered", 3.0),
    "unread_documents": ("answered", 5),
    "answers_start": ("answered", 1.0),
    "trust_l2": ("answered", 5.0),
    "few_answers": ("answered", 300.0),
    "trust_unread": ("answered", 3.0),
    "doubt": ("refusals", 1.0),
    "folds": ("topics", 2),
    "fewest_left_out": ("topics", 20),
    "chance_deviations": ("topics", 1.0),
    "fewest_documents": ("topics", 11),
    "agreement": ("noise", 0.4),
    "ambiguous_below": ("topics", 1.5),
    "least_lift": ("topics", 1.1),
    "most_suggestions": ("topics", 1),
    "fewest_best": ("halves", 10),
    "drift_documents": ("topics", 61),
    "drift_distance": ("topics", 0.99),
    "drift_pvalue": ("topics", 0.0),
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


def test_every_number_is_looked_at() -> None:
    assert set(CHANGES) == set(DEFAULTS)


@pytest.mark.filterwarnings("ignore:A fit stopped after", "ignore:Encoding all")
@pytest.mark.parametrize("name", CHANGES)
def test_no_number_is_dead(name: str) -> None:
    case, value = CHANGES[name]
    if name == "opposite_from":  # it decides only where the other sign does not
        strict = [dict(observed(CASES[case](), allowed_loss=0.0, **more)) for more in ({}, {name: value})]
        assert strict[0]["scores"] != strict[1]["scores"]
        return
    if case == "regression":  # which documents are left to it depends on the speed of the machine
        rng = np.random.default_rng(0)
        view, scores, known = Numbers(sp.csr_array(rng.normal(size=(40, 6)))), rng.normal(size=40), np.arange(40) < 30
        both = [teach(view, scores, known, config).coef.tolist() for config in (DEFAULT, changed(name, value))]
        assert both[0] != both[1]
        return
    if case == "neighbours":  # a made corpus is too small to have any
        both = [
            Quality(0.8, 0.7, 0.6, np.empty(0), behind=0.2, config=config) for config in (DEFAULT, changed(name, value))
        ]
        assert [one.gathers for one in both] == [False, True]
        return
    if case == "refusals":  # answers that are given when a ranking is there, as a session's are
        scores, answers = np.arange(40.0), np.where(np.arange(40) < 38, -1, 0).astype(np.int8)
        assert len({trust_without_finds(scores, answers, config) for config in (DEFAULT, changed(name, value))}) == 2
        return
    assert difference(case, **{name: value}) is not None


def test_the_same_numbers_say_the_same() -> None:
    """Else the test before would notice anything."""
    assert all(difference(case) is None for case in CASES)


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


def test_the_word_that_negates() -> None:
    assert LearnConfig(negation="").negation == ""
    with pytest.raises(SettingError, match=r"^negation must be a word like 'not', or empty; got None\.$"):
        LearnConfig(negation=None)  # type: ignore[arg-type]


def test_every_number_is_kept_in_a_file() -> None:
    changed = LearnConfig(**{name: value for name, (_, value) in CHANGES.items()})
    assert all(getattr(changed, field.name) != field.default for field in fields(LearnConfig))
    assert LearnConfig.restore(changed.plain()) == changed
