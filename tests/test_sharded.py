"""Files of any size from Python: the bytes of the command line, whoever works on them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import keysift
from keysift.cli.app import app
from keysift.corpus import scan
from keysift.errors import InputError, SettingError
from tests.streaming.made_stream import OPTIONS, made_documents, write_documents

SETTINGS = keysift.Settings(language="en")
LEARNING = keysift.LearnConfig(rounds=1)


def classifier(**others: object) -> keysift.KeywordClassifier:
    arguments = {"encoder": None, "settings": SETTINGS, "learning": LEARNING, **others}
    return keysift.KeywordClassifier(["hockey", "baseball"], **arguments)  # type: ignore[arg-type]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "in.csv")


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


def test_the_same_bytes_as_the_command_line(source: Path, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    options = ["--sample", 200, "--memory", "500MB", "--id", "key", "-q"]
    command("rank", source, *OPTIONS, *options, "-o", theirs, "--model-out", tmp_path / "m.keysift")
    work = tmp_path / "work"
    clf = classifier().fit(made_documents(100)["text"])
    assert clf.fit_files(source, ours, id="key", sample=200, memory="500MB", work=work) is clf
    assert ours.read_bytes() == theirs.read_bytes()
    assert not hasattr(clf, "documents_")  # those of the fit before are not of this one
    assert clf.n_documents_ == 600
    before = {path: path.stat().st_mtime_ns for path in (work / "shards").glob("*.parquet")}
    classifier().fit_files(source, id="key", sample=200, memory="500MB", work=work)
    assert {path: path.stat().st_mtime_ns for path in before} == before  # goes on from what is finished

    command("score", tmp_path / "m.keysift", source, "--unsorted", "-q", "-o", theirs)
    outcome = keysift.load(tmp_path / "m.keysift").rank_files(source, ours, unsorted=True)
    assert ours.read_bytes() == theirs.read_bytes()
    ranked = pl.read_csv(ours)
    assert (outcome.documents, outcome.positive, outcome.out) == (600, ranked["decision"].sum(), 12)
    clf.rank_files(source, f"{tmp_path}/ranking/")
    assert len(pl.read_parquet(tmp_path / "ranking" / "*.parquet")) == 600


def test_a_fit_that_fails_sets_nothing(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "SHARD_BYTES", 12_000)
    clf = classifier().fit(made_documents(100)["text"])
    before = dict(vars(clf))
    empty = tmp_path / "empty.csv"
    empty.write_text("text\n???\n!!!\n")
    for path, text, told in (
        (empty, None, "contains no document with a word"),
        (source, "body", "no column 'body'"),
    ):
        with pytest.raises(InputError, match=told):
            clf.fit_files(path, text=text)
    assert vars(clf) == before


def test_what_workers_cannot_load_is_refused(source: Path, tmp_path: Path) -> None:
    def encode(texts: list[str]) -> np.ndarray:
        return np.zeros((len(texts), 2))

    with pytest.raises(SettingError, match="encoder= must be named"):
        classifier(encoder=encode).fit_files(source)
    with pytest.raises(SettingError, match="tokenizer= must be named"):
        classifier(settings=keysift.Settings(tokenizer=str.split)).fit_files(source)
    for arguments, told in (
        ({"engine": "spark"}, "engine= must be one of local, ray; got 'spark'"),
        ({"memory": "little"}, "memory= must be a size such as 2GB"),
        ({"address": "a:1"}, "address= is that of a Ray cluster"),
    ):
        with pytest.raises(SettingError, match=told):
            classifier().fit_files(source, **arguments)  # type: ignore[arg-type]
