import numpy as np
import pytest

from keysift.errors import SettingError
from keysift.risk.losses import Loss, get_loss
from keysift.theory.lipschitz import lipschitz_constant
from tests.risk.cases import SHEET, loss_id

BOUNDLESS = ("squared", "zero_one")


@pytest.mark.parametrize("loss", [loss for loss in SHEET if loss.name not in BOUNDLESS], ids=loss_id)
def test_is_the_largest_slope(loss: Loss) -> None:
    z = np.linspace(-80, 80, 1_600_001)
    assert np.abs(loss.slope(z)).max() == pytest.approx(lipschitz_constant(loss), rel=1e-7)


@pytest.mark.parametrize("name", BOUNDLESS)
def test_refuses_losses_without_one(name: str) -> None:
    with pytest.raises(SettingError, match=f"{name} has no known Lipschitz constant"):
        lipschitz_constant(get_loss(name))
