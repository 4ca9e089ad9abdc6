from dataclasses import replace

import numpy as np
import pytest

from keysift.learn.quality import Quality, Trial
from keysift.learn.strategies import Strategy
from keysift.present.quality_facts import quality_facts

TRIALS = (Trial(Strategy(), 0.8, 0.25), Trial(Strategy(0.5), 0.9, 0.75))
GOOD = Quality("keywords", TRIALS, float("nan"), np.empty(0), by_chance=0.6)


def test_a_quality_in_words() -> None:
    facts = quality_facts(GOOD)
    assert facts.summary.startswith("Quality without labels: 0.88 (0.5 is chance), measured by finding documents of")
    assert facts.doubts == ()
    assert facts.strategies is not None
    assert facts.strategies.rows == (
        ("keywords alone", "0.800", "25%"),
        ("self-training on 50% of the documents", "0.900", "75%"),
    )
    assert [sentence.lead for sentence in facts.section.sentences] == ["", "", ""]


def test_one_strategy_is_no_choice() -> None:
    facts = quality_facts(replace(GOOD, trials=TRIALS[:1]))
    assert (facts.choice, facts.strategies) == ((), None)


def test_what_could_not_be_measured() -> None:
    facts = quality_facts(Quality("nothing", TRIALS, float("nan"), np.empty(0)))
    assert facts.value == ""
    assert "unknown, because too few documents" in facts.summary
    assert "nan" not in str(facts)


def test_doubts() -> None:
    (doubt,) = quality_facts(replace(GOOD, by_chance=0.95)).doubts
    assert doubt.startswith("The quality is within chance (up to 0.95): the keywords may not describe one topic.")
    (doubt,) = quality_facts(replace(GOOD, encoder=0.51, encoder_followed=False)).doubts
    assert "no better than chance (AUC 0.51) while words do" in doubt


@pytest.mark.parametrize(("found", "used"), [(0.5, "are not used"), (0.8, "are used")])
def test_neighbours_are_used_where_they_find_something(found: float, used: str) -> None:
    assert f"with an AUC of {found:.2f} and {used}." in " ".join(quality_facts(replace(GOOD, neighbours=found)).choice)


@pytest.mark.parametrize(("followed", "used"), [(False, "is not used"), (True, "is used")])
def test_what_became_of_negated_keywords(followed: bool, used: str) -> None:
    told = quality_facts(replace(GOOD, negation=0.71, negation_followed=followed)).choice[-1]
    assert "negated keywords" in told
    assert told.endswith(f"an AUC of 0.71 and {used}.")


def test_a_quality_that_has_no_say_says_so() -> None:
    weak = tuple(replace(trial, quality=0.52) for trial in TRIALS)
    assert "None is beyond chance" in quality_facts(replace(GOOD, trials=weak, by_chance=0.55)).choice[0]
