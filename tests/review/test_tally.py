import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from keysift.review.state import AUDIT, BEST, EXPLORE, LABEL, SAMPLE, SKIPPED, Given
from keysift.review.tally import ANSWERS, Tally
from keysift.review.units import Units

GIVEN = st.builds(
    Given,
    st.sampled_from(["y", "n", "unsure", SKIPPED]),
    st.sampled_from([BEST, EXPLORE, SAMPLE, AUDIT, LABEL]),
    st.just(""),
)
DOCUMENTS = st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.none() | GIVEN), min_size=1, max_size=12)


@given(documents=DOCUMENTS)
def test_units_are_as_one_finds_them_and_counted_as_one_counts(documents: list[tuple[int, bool, Given | None]]) -> None:
    groups, empty = (np.array([document[part] for document in documents]) for part in (0, 1))
    units = Units(groups, empty)
    said = {place: given for place, (_, _, given) in enumerate(documents) if given is not None}
    tally = Tally(units, said)
    skipped, labelled = set(), set()
    for place, (group, gone, _) in enumerate(documents):
        if gone:
            assert units.of(place) is None
            assert tally.answer(place) is None
            continue
        same = [other for other, (its, none, _) in enumerate(documents) if its == group and not none]
        assert units.of(place) == same[0]
        given = [said[other] for other in same if other in said]
        spoken = {one.answer for one in given} - {SKIPPED}
        assert tally.answer(place) == next((answer for answer in ("y", "unsure", "n") if answer in spoken), None)
        if given and not spoken:
            skipped.add(same[0])
        if any(one.chosen == LABEL for one in given):
            labelled.add(same[0])
    assert (tally.skipped, tally.labelled) == (skipped, labelled)
    assert sum(map(tally.count, range(1, len(ANSWERS)))) == len(
        {units.of(place) for place in range(len(documents)) if tally.answer(place)}
    )
    read = [one.answer == "y" for one in said.values() if one.chosen in (BEST, EXPLORE) and one.answer in ("y", "n")]
    assert tally.read == read
    assert units.documents - units.empty == int((~empty).sum())


@given(documents=DOCUMENTS, before=st.sets(st.integers(0, 11)))
def test_one_more_answer_is_counted_as_if_all_came_at_once(
    documents: list[tuple[int, bool, Given | None]], before: set[int]
) -> None:
    """Documents of `before` were skipped at first; the last word counts, and comes last."""
    groups, empty = (np.array([document[part] for document in documents]) for part in (0, 1))
    units = Units(groups, empty)
    said = {place: given for place, (_, _, given) in enumerate(documents) if given is not None}
    step = Tally(units, {place: Given(SKIPPED, BEST, "") for place in before & said.keys()})
    for place, last in said.items():
        step.add(place, last)
    whole = Tally(units, said)
    np.testing.assert_array_equal(step.codes, whole.codes)
    assert (step.read, step.sampled, step.skipped) == (whole.read, whole.sampled, whole.skipped)
