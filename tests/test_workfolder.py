"""What a work folder keeps gives the same ranking; what does not belong to it is refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from keysift import KeywordClassifier, LearnConfig, Session, Settings
from keysift.errors import KeysiftWarning, OutputError, SettingError
from keysift.features.characters import CharacterView
from keysift.features.prepared import Prepared
from keysift.features.view import Documents, FittedView
from keysift.features.words import WordView
from keysift.workfolder import FILE, check_folder, identity_of, keep, restore

pytestmark = pytest.mark.usefixtures("small_glove")
FIRST, SECOND = "hockey, baseball", "chef, baker"
PLAIN: dict[str, Any] = {"encoder": None}
"""Words and characters: what a folder keeps."""


class Own:
    """A view of a user's own that counts how often it is fitted."""

    name = "own"

    def __init__(self) -> None:
        self.fits = 0

    def fit(self, documents: Documents, words: pl.Series) -> FittedView:
        self.fits += 1
        return WordView().fit(documents, words)


def sentence_vectors(texts: list[str]) -> NDArray[np.float64]:
    """An encoder: how long a text is, and how many of its letters are vowels."""
    return np.array([[len(text), sum(letter in "aeiou" for letter in text)] for text in texts], dtype=float)


def run(folder: Path | None, keywords: str, documents: Any, **arguments: Any) -> pl.DataFrame:
    """What the command line does with a work folder."""
    clf = KeywordClassifier(keywords, **arguments)
    prepared = clf.prepare(documents)
    if folder is None:
        return clf.fit_rank(prepared)
    identity = identity_of(prepared, "documents.csv", clf.vectors)
    prepared = restore(folder, prepared, identity)
    ranking = clf.fit_rank(prepared)
    keep(folder, prepared, identity)
    return ranking


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, texts: list[str], small_glove: None) -> bytes:
    """The file of a folder with words and characters."""
    folder = tmp_path_factory.mktemp("made")
    run(folder, FIRST, texts, **PLAIN)
    return (folder / FILE).read_bytes()


@pytest.fixture
def folder(tmp_path: Path, made: bytes) -> Path:
    (tmp_path / FILE).write_bytes(made)
    return tmp_path


CHOICES: dict[str, Callable[[], dict[str, Any]]] = {
    "as usual": dict,
    "vectors of the corpus": lambda: {"vectors": "corpus"},
    "no encoder": lambda: PLAIN,
    "an encoder": lambda: {"encoder": sentence_vectors},
    "sentence vectors": lambda: {"encoder": np.random.default_rng(0).normal(size=(60, 3))},
    "a view of one's own": lambda: {"views": [Own(), "words", "characters"], "encoder": None},
    "one view, no rounds": lambda: {"views": "words", "encoder": None, "learning": LearnConfig(rounds=0)},
    "a tokenizer": lambda: {"settings": Settings(tokenizer=str.split), **PLAIN},
}


@pytest.mark.parametrize("choice", CHOICES)
def test_a_run_from_the_folder_gives_the_same_ranking(tmp_path: Path, texts: list[str], choice: str) -> None:
    arguments = CHOICES[choice]()
    for keywords in (FIRST, SECOND):
        assert run(tmp_path, keywords, texts, **arguments).equals(run(None, keywords, texts, **arguments))
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_nothing_is_made_twice(folder: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    written = (folder / FILE).stat().st_mtime_ns

    def made_again(*_: object) -> None:
        raise AssertionError("the folder has it")

    for view in (WordView, CharacterView):
        monkeypatch.setattr(view, "fit", made_again)
    run(folder, SECOND, texts, **PLAIN)
    assert (folder / FILE).stat().st_mtime_ns == written


def test_a_view_of_ones_own_is_made_again(tmp_path: Path, texts: list[str]) -> None:
    for _ in range(2):
        view = Own()
        run(tmp_path, FIRST, texts, views=["words", view], encoder=None)
        assert view.fits == 1


def kept(folder: Path, texts: list[str], **arguments: Any) -> list[str]:
    clf = KeywordClassifier(FIRST, **arguments)
    prepared = clf.prepare(texts)
    memo = restore(folder, prepared, identity_of(prepared, "documents.csv", clf.vectors)).memo
    return sorted(memo.get("kept views", {}))


def test_neither_a_view_of_ones_own_nor_sentences_are_kept(tmp_path: Path, texts: list[str]) -> None:
    """The code of the one may have changed, and nobody could tell; the others are in the cache."""
    views = [Own(), "words", "sentences"]
    run(tmp_path, FIRST, texts, views=views, encoder=sentence_vectors)
    assert kept(tmp_path, texts, views=views, encoder=sentence_vectors) == ["words"]


def test_what_a_later_run_makes_is_added_and_nothing_gets_lost(tmp_path: Path, texts: list[str]) -> None:
    pytest.importorskip("torch")
    from keysift import Training

    network: dict[str, Any] = {"model": "mlp", "training": Training(epochs=1), **PLAIN}
    run(tmp_path, FIRST, texts, **network)  # which needs no view
    assert kept(tmp_path, texts, **PLAIN) == []
    run(tmp_path, FIRST, texts, **PLAIN)
    assert kept(tmp_path, texts, **PLAIN) == ["characters", "words"]
    run(tmp_path, FIRST, texts, **network)
    assert kept(tmp_path, texts, **PLAIN) == ["characters", "words"]


def test_no_text_is_in_the_file(folder: Path, texts: list[str]) -> None:
    content = (folder / FILE).read_bytes()
    for text in texts:
        assert text.encode() not in content
    long = {word.strip(".") for text in texts for word in text.split() if len(word) > 6}
    for word in long:
        assert word.encode() not in content, word


def prepared_by(**arguments: Any) -> Callable[[list[str]], tuple[Prepared, Any]]:
    clf = KeywordClassifier(FIRST, **arguments)
    return lambda texts: (clf.prepare(texts), clf.vectors)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"views": "words"}, "other views (words, characters; now words)"),
        ({"vectors": "corpus"}, "other vectors (glove-6b-50d; now corpus)"),
        ({"settings": Settings(stop_words="none")}, "other stop_words (english; now none)"),
        ({"settings": Settings(stop_words=["word"] * 99)}, "other stop_words (english; now word, "),
        ({"settings": Settings(tokenizer=str.split)}, "other tokenizer (None; now "),
        ({"random_state": 7}, "other random_state ("),
        ({"encoder": sentence_vectors}, "other views (words, characters; now words, sentences, neighbours)"),
        ({"encoder": "minilm"}, "other views (words, characters; now words, sentences, neighbours)"),
    ],
)
def test_other_settings_are_refused_by_name(
    folder: Path, texts: list[str], arguments: dict[str, Any], told: str
) -> None:
    before = (folder / FILE).read_bytes()
    with pytest.raises(SettingError) as error:
        run(folder, FIRST, texts, **{**PLAIN, **arguments})
    assert f"The work folder {folder} was made with {told}" in str(error.value)
    assert str(error.value).endswith("choose another folder, or remove this one.")
    assert len(str(error.value)) < len(str(folder)) + 300
    assert (folder / FILE).read_bytes() == before


@pytest.mark.filterwarnings("ignore:A fit stopped after")  # ramp has corners
def test_settings_that_the_corpus_does_not_depend_on_may_change(folder: Path, texts: list[str]) -> None:
    learning = LearnConfig(l2=0.3, encode_budget=7)
    arguments = {"prior": 0.2, "loss": "ramp", "settings": Settings(phi=80), "learning": learning, **PLAIN}
    assert run(folder, SECOND, texts, **arguments).equals(run(None, SECOND, texts, **arguments))


@pytest.mark.parametrize("change", ["one more", "other order", "one letter"])
def test_another_corpus_is_refused_by_name(folder: Path, texts: list[str], change: str) -> None:
    other = {
        "one more": [*texts, "a new text"],
        "other order": texts[::-1],
        "one letter": [texts[0] + "!", *texts[1:]],
    }[change]
    with pytest.raises(SettingError) as error:
        run(folder, FIRST, other, **PLAIN)
    assert str(error.value) == (
        f"The work folder {folder} belongs to another corpus: documents.csv with 60 documents, not documents.csv with"
        f" {len(other)} as read now; choose another folder, or remove this one."
    )


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda content: content[: len(content) // 2],
    "foreign": lambda content: b"not ours at all",
    "empty": lambda content: b"",
    "no identity": lambda content: content.replace(b'identity\\"', b'adentity\\"'),
    "a part missing": lambda content: content.replace(b'kept\\"', b'kipt\\"'),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_is_made_again_with_one_warning(folder: Path, texts: list[str], how: str) -> None:
    path = folder / FILE
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[how](whole))
    assert path.read_bytes() != whole
    with pytest.warns(KeysiftWarning) as told:
        assert run(folder, FIRST, texts, **PLAIN).equals(run(None, FIRST, texts, **PLAIN))
    assert [str(one.message) for one in told] == [
        f"The file {path} of the work folder is damaged, or from another version of keysift; it is made again."
    ]
    assert path.read_bytes() == whole


def test_a_model_under_that_name_is_no_work_folder(tmp_path: Path, texts: list[str]) -> None:
    KeywordClassifier(FIRST, views="words", encoder=None).fit(texts).save(tmp_path / FILE)
    with pytest.warns(KeysiftWarning, match="is made again"):
        run(tmp_path, FIRST, texts, **PLAIN)


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(OutputError, match="it is a file; choose another name"):
        check_folder(file)
    with pytest.raises(OutputError, match=r"Cannot make the work folder .*not a directory; choose another place"):
        check_folder(file / "inside")
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    with pytest.raises(OutputError, match="it is a folder"):
        check_folder(tmp_path / "taken")
    assert check_folder(tmp_path / "new" / "one").is_dir()


def test_the_hash_tells_where_texts_end(texts: list[str]) -> None:
    prepared, vectors = prepared_by(**PLAIN)(texts)
    identity = identity_of(prepared, "a.csv", vectors)
    shifted = replace(prepared, texts=pl.Series([texts[0] + texts[1][:1], texts[1][1:], *texts[2:]]))
    assert identity_of(shifted, "a.csv", vectors).texts != identity.texts
    assert identity_of(prepared, "b.csv", vectors).texts == identity.texts


def test_a_session_starts_from_a_restored_corpus(tmp_path: Path, texts: list[str]) -> None:
    expected = run(tmp_path, FIRST, texts)
    prepared, vectors = prepared_by()(texts)
    session = Session(restore(tmp_path, prepared, identity_of(prepared, "documents.csv", vectors)))
    session.keywords(FIRST)
    assert session.learn().frame().equals(expected)
