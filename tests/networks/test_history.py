from keysift.networks.history import NetworkHistory


def test_nothing_yet() -> None:
    assert NetworkHistory().steps == 0
    assert NetworkHistory().message == "the last epoch was kept"


def test_the_best_epoch_is_counted_from_one() -> None:
    history = NetworkHistory(risk=(0.5, 0.4, 0.3), held_out_auc=(0.9126, 0.9, 0.8), best_epoch=1)
    assert history.steps == 3
    assert history.message == "epoch 1 was best: AUC 0.913 between the held-out documents of the two sets"


def test_without_held_out_documents() -> None:
    assert NetworkHistory(risk=(0.5, 0.4), best_epoch=2).message == "the last epoch was kept"
