import numpy as np
import pytest

from keysift.errors import KeywordError
from keysift.networks.two_sets import check_sets


@pytest.mark.parametrize(("value", "which"), [(True, "without"), (False, "with")])
def test_one_set_alone(value: bool, which: str) -> None:
    with pytest.raises(KeywordError, match=f"The documents {which} a keyword contain no word .* use vectors='corpus'"):
        check_sets(np.array([value, value]), "glove-6b-50d")
