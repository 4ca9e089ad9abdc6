import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from keysift.review.state import SKIPPED, Given
from keysift.review.units import Units

DOCUMENTS = st.lists(
    st.tuples(st.integers(0, 4), st.booleans(), st.sampled_from(["y", "n", "unsure", SKIPPED, None])), max_size=12
)


@given(documents=DOCUMENTS)
def test_one_unit_is_answered_as_all_of_them_are(documents: list[tuple[int, bool, str | None]]) -> None:
    units = Units(
        np.array([group for group, _, _ in documents], dtype=np.int64),
        np.array([e for _, e, _ in documents], dtype=bool),
    )
    said = {place: Given(answer, "best", "") for place, (_, _, answer) in enumerate(documents) if answer is not None}
    answers = units.answers(said)
    assert {unit: units.answer(unit, said) for unit in units.first.tolist() if units.answer(unit, said)} == answers
    for place, (group, empty, _) in enumerate(documents):
        same = [other for other, (its, gone, _) in enumerate(documents) if its == group and not gone]
        assert units.of(place) == (None if empty else same[0])
        if not empty:
            spoken = {documents[other][2] for other in same} - {None, SKIPPED}
            assert answers.get(same[0]) == next((answer for answer in ("y", "unsure", "n") if answer in spoken), None)
