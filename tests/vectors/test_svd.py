import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd as theirs

from keysift.vectors.svd import randomized_svd


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(60, 40), (40, 60), (50, 50), (5, 200)])
@pytest.mark.parametrize("n_iter", [3, 5])
def test_scikit_learn_finds_the_same_to_the_bit(shape: tuple[int, int], dtype: type, n_iter: int) -> None:
    matrix = sp.csr_array(sp.random_array(shape, density=0.2, rng=np.random.default_rng(1)).astype(dtype))
    for size in (1, 4, 5):
        ours = randomized_svd(matrix, size, n_iter=n_iter, random_state=7)
        for one, other in zip(ours, theirs(matrix, size, n_iter=n_iter, random_state=7), strict=True):
            assert one.dtype == dtype
            np.testing.assert_array_equal(one, other)
