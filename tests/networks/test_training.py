import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from keysift import Training
from keysift.errors import SettingError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs must be a whole number, 1 or more; got 0."),
        ({"epochs": 2.5}, "epochs must be a whole number, 1 or more; got 2.5."),
        ({"epochs": True}, "epochs must be a whole number, 1 or more; got True."),
        ({"batch_size": 1}, "batch_size must be a whole number, 2 or more; got 1."),
        ({"patience": "long"}, "patience must be a whole number, 1 or more; got 'long'."),
        ({"max_words": 0}, "max_words must be a whole number, 1 or more; got 0."),
        ({"patience": None}, "patience must be a whole number, 1 or more; got None."),
        ({"learning_rate": -1e-3}, "learning_rate must be a number, 0 or more; got -0.001."),
        ({"learning_rate": "fast"}, "learning_rate must be a number, 0 or more; got 'fast'."),
        ({"learning_rate": float("nan")}, "learning_rate must be a number, 0 or more; got nan."),
        ({"weight_decay": float("inf")}, "weight_decay must be a number, 0 or more; got inf."),
        ({"held_out": 1.0}, "held_out must be a share below 1; got 1.0."),
        ({"held_out": -0.1}, "held_out must be a number, 0 or more; got -0.1."),
        ({"batches": "even"}, "batches must be one of balanced, natural; got 'even'."),
        ({"inputs": "letters"}, "inputs must be one of words, vectors; got 'letters'."),
        ({"resume": True}, "resume needs a checkpoint to continue from; give checkpoint as well."),
    ],
)
def test_what_is_wrong_is_said_at_once(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=f"^{re.escape(message)}$"):
        Training(**options)


def test_what_is_allowed() -> None:
    plan = Training(epochs=np.int64(3), max_words=None, learning_rate=0, held_out=0, checkpoint="run", resume=True)  # type: ignore[arg-type]
    assert (plan.epochs, plan.max_words, plan.held_out) == (3, None, 0)


def test_plain_is_data_from_which_it_can_be_made_again() -> None:
    plan = Training(optimizer="sgd", epochs=3, batch_size=16, fine_tune=True, max_words=None, inputs="vectors")
    assert Training(**json.loads(json.dumps(plan.plain()))) == plan


def test_code_and_places_stay_out_of_plain() -> None:
    plan = Training(optimizer=dict, checkpoint=Path("run.keysift"), resume=True, patience=2)
    plain = plan.plain()
    assert json.dumps(plain)
    assert (plain["optimizer"], plain["checkpoint"], plain["resume"], plain["patience"]) == ("adam", None, False, 2)


@pytest.mark.parametrize(("documents", "epochs"), [(1, 100), (256, 100), (257, 50), (8000, 3), (25_600, 1), (10**6, 1)])
def test_by_default_about_a_hundred_steps_and_one_epoch_at_least(documents: int, epochs: int) -> None:
    assert Training(batch_size=256).epochs_of(documents) == epochs
    assert Training(batch_size=256, epochs=4).epochs_of(documents) == 4
