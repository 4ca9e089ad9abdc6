import re
from dataclasses import replace

import numpy as np
import pytest

from keysift.learn.quality import Quality
from keysift.present.quality_facts import quality_facts

GOOD = Quality(0.88, 0.7, 0.6, np.empty(0))
UNKNOWN = Quality(np.nan, np.nan, np.nan, np.empty(0))


def test_a_quality_in_words() -> None:
    facts = quality_facts(GOOD)
    assert facts.value == "0.88"
    assert facts.summary.startswith("Quality without labels: 0.88 (0.5 is chance), measured by finding documents of")
    assert facts.doubts == ()
    assert [sentence.lead for sentence in facts.section.sentences] == ["", "", ""]


def test_what_could_not_be_measured() -> None:
    facts = quality_facts(UNKNOWN)
    assert (facts.value, facts.choice, facts.doubts) == ("", (), ())
    assert "unknown, because it takes two or more keywords" in facts.summary
    assert "nan" not in str(facts)
    (opposite,) = quality_facts(replace(UNKNOWN, opposite=0.4)).choice
    assert "nan" not in opposite


def test_a_doubt() -> None:
    (doubt,) = quality_facts(replace(GOOD, by_chance=0.95)).doubts
    assert doubt.startswith("The quality is within chance (up to 0.95): the keywords may not describe one topic.")


@pytest.mark.parametrize(
    ("quality", "told"),
    [
        (GOOD, r"learns from the keywords alone: .* would make it find left-out keywords worse \(quality 0.70\)"),
        (replace(GOOD, self_trained=0.9), r"because that does not make it find .* worse \(quality 0.90\)"),
        (replace(GOOD, opposite=0.42), r"have an opposite: .* \(cosine 0.42\). So the ranking also learns"),
    ],
)
def test_what_was_made_of_it(quality: Quality, told: str) -> None:
    (choice,) = quality_facts(quality).choice
    assert re.search(told, choice)
