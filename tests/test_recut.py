"""Rankings and models cut again decide as a fit with that threshold would."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from keysift import KeywordClassifier, LearnConfig, Settings, Training, load
from keysift.decide.cuts import AtPrior, AtScore, CutRule, MaxF1, Precision, Recall, Top, cut_rule
from keysift.decide.stored import recut_model
from keysift.errors import InputError, ModelFileError, SettingError
from keysift.recut import recut

pytestmark = pytest.mark.usefixtures("small_glove")
LIGHT: dict[str, Any] = {"views": "words", "encoder": None, "learning": LearnConfig(rounds=0)}
RULES: tuple[CutRule, ...] = (AtPrior(), MaxF1(), Precision(0.6), Recall(0.9), Top(7), AtScore(0.5), AtScore(-1e9))


@pytest.fixture(scope="module")
def documents(texts: list[str]) -> list[str]:
    return [*texts, "", " ... "]


@pytest.fixture(scope="module")
def fitted(documents: list[str], small_glove: None) -> KeywordClassifier:
    return KeywordClassifier("hockey, baseball", **LIGHT).fit(documents)


@pytest.fixture(scope="module")
def frame(fitted: KeywordClassifier, documents: list[str]) -> pl.DataFrame:
    ranking = fitted.fit_rank(documents)
    return ranking.rename({"document": "id"}).with_columns(note=pl.int_range(len(ranking)).cast(pl.String))


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_ranking_is_cut_as_a_fit_would(frame: pl.DataFrame, documents: list[str], rule: CutRule) -> None:
    cut, decisions = recut(frame, rule)
    expected = KeywordClassifier("hockey, baseball", threshold=rule, **LIGHT)
    ranking = expected.fit_rank(documents)
    assert cut["decision"].to_list() == ranking["decision"].to_list()
    assert cut.drop("decision").equals(frame.drop("decision"))
    for name in ("precision", "recall"):
        ours, theirs = getattr(decisions.expected, name), getattr(expected.expected_, name)
        assert ours.value == pytest.approx(theirs.value, abs=0.01)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_model_is_cut_as_a_fit_would(
    fitted: KeywordClassifier, documents: list[str], tmp_path: Path, rule: CutRule
) -> None:
    path, target = tmp_path / "m.keysift", tmp_path / "cut.keysift"
    fitted.save(path)
    before = path.read_bytes()
    decisions, count = recut_model(path, target, rule, None)
    assert count == len(documents)
    assert path.read_bytes() == before
    again, expected = load(target), KeywordClassifier("hockey, baseball", threshold=rule, **LIGHT).fit(documents)
    assert again.rank(documents).drop("chance").equals(expected.rank(documents).drop("chance"))
    assert again.rank(documents)["chance"].to_list() == pytest.approx(expected.rank(documents)["chance"].to_list())
    assert cut_rule(again.threshold) == rule
    assert again.threshold_ == decisions.threshold


@pytest.mark.parametrize("prior", [0.1, 0.5])
def test_another_prior(
    frame: pl.DataFrame, fitted: KeywordClassifier, documents: list[str], tmp_path: Path, prior: float
) -> None:
    cut, decisions = recut(frame, AtPrior(), prior)
    expected = KeywordClassifier("hockey, baseball", prior=prior, **LIGHT).fit_rank(documents)
    assert cut["decision"].to_list() == expected["decision"].to_list()
    held = cut.filter(pl.col("evidence") != "no words")  # the empty documents have no say
    assert len(cut) - 2 == len(held)
    assert held["chance"].mean() == pytest.approx(prior)
    assert cut.drop("decision", "chance").equals(frame.drop("decision", "chance"))
    assert decisions.prior.value == prior
    fitted.save(tmp_path / "m.keysift")
    recut_model(tmp_path / "m.keysift", tmp_path / "cut.keysift", AtPrior(), prior)
    again = load(tmp_path / "cut.keysift")
    assert again.prior == again.prior_ == prior
    assert again.rank(documents)["decision"].to_list() == expected["decision"].to_list()


def test_rows_in_another_order_keep_it(frame: pl.DataFrame) -> None:
    mixed = frame[np.random.default_rng(0).permutation(len(frame))]
    cut, _ = recut(mixed, Precision(0.6))
    assert cut.drop("decision").equals(mixed.drop("decision"))
    expected, _ = recut(frame, Precision(0.6))
    assert cut.sort("rank")["decision"].to_list() == expected["decision"].to_list()


BY_HAND = pl.DataFrame({"id": list("abcd"), "rank": [1, 2, 3, 4], "score": [4, 3, 2, 1], "decision": [1, 0, 0, 0]})


@pytest.mark.parametrize(
    ("rule", "prior", "expected"),
    [(Top(3), None, [1, 1, 1, 0]), (AtScore(2.5), None, [1, 1, 0, 0]), (AtPrior(), 0.75, [1, 1, 1, 0])],
    ids=["top", "score", "prior"],
)
def test_without_chances_a_number_a_score_or_a_share_can_be_asked_for(
    rule: CutRule, prior: float | None, expected: list[int]
) -> None:
    cut, _ = recut(BY_HAND, rule, prior)
    assert cut["decision"].to_list() == expected
    assert cut.drop("decision").equals(BY_HAND.drop("decision"))


@pytest.mark.parametrize("rule", [AtPrior(), MaxF1(), Precision(0.9), Recall(0.9)], ids=repr)
def test_without_chances_nothing_else_can(rule: CutRule) -> None:
    with pytest.raises(InputError, match=r"r\.csv has no column 'chance', so nothing is known of"):
        recut(BY_HAND, rule, source="r.csv")


def test_wrong_rankings_and_priors_are_refused(frame: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"row 1 has the chance 1\.5; it must be a number from 0 to 1"):
        recut(frame.with_columns(chance=pl.lit(1.5)), Top(3))
    with pytest.raises(InputError, match="no column 'score'"):
        recut(frame.drop("score"), Top(3))
    for prior in (0.0, 1.5, float("nan")):
        with pytest.raises(SettingError, match="prior must be a number between 0 and 1"):
            recut(frame, AtPrior(), prior)
    with pytest.raises(SettingError, match="must be a number between 0 and 1; got 'estimate'"):
        recut(frame, AtPrior(), "estimate")  # type: ignore[arg-type]


def test_a_target_out_of_reach_writes_nothing(frame: pl.DataFrame, fitted: KeywordClassifier, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"No cut has an expected precision of 0.9999: the best is 0\.\d+"):
        recut(frame, Precision(0.9999))
    path, target = tmp_path / "m.keysift", tmp_path / "cut.keysift"
    fitted.save(path)
    with pytest.raises(SettingError, match=r"No cut has an expected precision of 0.9999"):
        recut_model(path, target, Precision(0.9999), None)
    assert not target.exists()


def test_code_of_a_users_own_is_not_needed(documents: list[str], tmp_path: Path) -> None:
    def letters(text: str) -> list[str]:
        return re.findall("[a-z]+", text.lower())

    clf = KeywordClassifier("hockey, baseball", settings=Settings(tokenizer=letters), **LIGHT).fit(documents)
    path, target = tmp_path / "m.keysift", tmp_path / "cut.keysift"
    clf.save(path)
    recut_model(path, target, Top(3), None)
    with pytest.raises(ModelFileError, match="tokenizer"):
        load(target)
    again = load(target, tokenizer=letters)
    scores = again.decision_function(documents)  # of equal scores all are above the cut, or none
    assert again.predict(documents).sum() == (scores > again.threshold_).sum() in (2, 3, 4)


def test_nor_is_a_module_of_a_users_own(documents: list[str], tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")

    class Mean(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(50, 1)

        def forward(self, vectors: Any) -> Any:
            return self.linear(vectors.mean(dim=1) if vectors.ndim == 3 else vectors)[:, 0]

    clf = KeywordClassifier("hockey, baseball", model=Mean(), training=Training(epochs=1, inputs="vectors"))
    clf.fit(documents)
    path, target = tmp_path / "m.keysift", tmp_path / "cut.keysift"
    clf.save(path)
    recut_model(path, target, Top(3), None)
    with pytest.raises(ModelFileError):
        load(target)
    again = load(target, model=Mean())
    assert again.predict(documents).sum() == 3


def test_files_that_are_no_models_are_refused(tmp_path: Path, fitted: KeywordClassifier) -> None:
    from keysift.files.tensors import write_model

    target = tmp_path / "cut.keysift"
    text, checkpoint, part = (tmp_path / name for name in ("text", "checkpoint.keysift", "part.keysift"))
    text.write_text("no model")
    write_model(checkpoint, {"x": np.zeros(1)}, {"checkpoint": {}})
    write_model(part, {"x": np.zeros(1)}, {"learned": {}})
    for path, told in ((text, "no keysift model"), (checkpoint, "is a checkpoint and no model"), (part, "a part is")):
        with pytest.raises(ModelFileError, match=told):
            recut_model(path, target, Top(3), None)
        assert not target.exists()
