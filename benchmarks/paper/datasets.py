"""The five data sets of the paper, read as its authors read them.

They are looked for in the folder KEYSIFT_DATA, then in ../shared/data, then in .data; where none has them, `find_data`
downloads them into .data once. Every file is checked against its SHA-256.
"""

import csv
import hashlib
import io
import os
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from keysift.errors import InputError
from keysift.files.atomic import written_whole

__all__ = ["SETS", "DataSet", "Documents", "find_data", "read_groups", "read_newsgroups", "read_reviews", "split"]

ROOT = Path(__file__).resolve().parents[2]
DOWNLOADS = ROOT / ".data"

POLARITY = "https://raw.githubusercontent.com/harvardnlp/sent-conv-torch/master/data/"
REVIEWS = "https://archive.ics.uci.edu/static/public/331/sentiment+labelled+sentences.zip"
NEWSGROUPS = "https://ndownloader.figshare.com/files/5975967"

SPORTS = ("rec.sport.baseball", "rec.sport.hockey")
"""The positive groups of 20NG."""

CHECKSUMS: dict[str, tuple[str, ...]] = {
    "sentence-polarity/subj.all": ("f3ffbe2aa8e4f3ba3e63e46dce51613854edbca122fb3aa758b9bce047ded23c",),
    "sentence-polarity/custrev.all": ("a3839a79bd3285177a07158c6104b49038a7a06ab2abe897734cde5d22e5e325",),
    "sentence-polarity/mpqa.all": ("661de8a069da4b9845fc8b9ae59cc97ffe554f3018fa6bf0e640e3d626a4eaf7",),
    "sentiment-labelled-sentences/amazon_cells_labelled.txt": (
        "47003fc0a0d4840b00e96e715b6189bad09e7443a3da41c4cbe12ffc79f86ae3",
    ),
    "sentiment-labelled-sentences/imdb_labelled.txt": (
        "aef2e49e3da25714d61175e3a6e68eeef74a20a2f914318dc3be9947ea86512d",
    ),
    "sentiment-labelled-sentences/yelp_labelled.txt": (
        "c76468b7b5c6e56a0804d728345c5f84aa2142ddb214420f61cc9cfd4c00d2ea",
    ),
    # The same posts, packed twice.
    "20news-bydate.tar.gz": (
        "34477561c2c922216be3fe5e302b2e5d58e0cbfa32e64a6c1eedf94f11af690e",
        "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
    ),
}


@dataclass(frozen=True)
class Documents:
    """Texts and their true labels."""

    texts: list[str]
    labels: NDArray[np.int64]


@dataclass(frozen=True)
class DataSet:
    """A data set with the paper's keywords and settings, and what the paper reports of it."""

    name: str
    title: str
    keywords: tuple[str, ...]
    alpha: int
    gamma: int
    prior: float
    paper_pseudo_positives: tuple[int, int]
    """True and false positives in the paper's corrupted positive set."""
    read: Callable[[Path], Documents]


def find_data(download: bool = False) -> Path | None:
    """The folder with the data sets, or None; with `download`, fetch them where they are nowhere."""
    named = os.environ.get("KEYSIFT_DATA")
    if named:
        if not Path(named).is_dir():
            raise InputError(f"KEYSIFT_DATA names the folder {named}, which does not exist.")
        return Path(named)
    for folder in (ROOT.parent / "shared" / "data", DOWNLOADS):
        if all((folder / name).is_file() for name in CHECKSUMS):
            return folder
    if not download:
        return None
    try:
        _download()
    except OSError as error:
        print(f"The data sets could not be downloaded ({error}).")
        return None
    return DOWNLOADS


def split(labels: NDArray[np.int64], trial: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """80 % of each class for training, the rest for testing, another shuffle for every trial."""
    rng = np.random.default_rng(trial)
    train, test = [], []
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(labels == label))
        cut = int(0.8 * len(rows))
        train.append(rows[:cut])
        test.append(rows[cut:])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(test))


def checked(folder: Path, name: str) -> bytes:
    """The bytes of a file of the data sets, or an error that says which one is missing or altered."""
    path = folder / name
    if not path.is_file():
        raise InputError(f"The data file {path} is missing; expected one with SHA-256 {CHECKSUMS[name][0]}.")
    data = path.read_bytes()
    _check(data, name, str(path))
    return data


def _check(data: bytes, name: str, where: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found not in CHECKSUMS[name]:
        raise InputError(f"The data file {where} is altered: its SHA-256 is {found}, expected {CHECKSUMS[name][0]}.")


def _download() -> None:
    def fetch(address: str) -> bytes:
        print(f"Downloading {address} ...", flush=True)
        with urllib.request.urlopen(address, timeout=60) as answer:
            content: bytes = answer.read()
        return content

    reviews = zipfile.ZipFile(io.BytesIO(fetch(REVIEWS)))
    inside = {Path(name).name: name for name in reviews.namelist() if "__MACOSX" not in name}
    for name in CHECKSUMS:
        folder, _, file = name.rpartition("/")
        if folder == "sentence-polarity":
            data = fetch(POLARITY + file)
        elif folder == "sentiment-labelled-sentences":
            data = reviews.read(inside[file])
        else:
            data = fetch(NEWSGROUPS)
        _check(data, name, name)
        (DOWNLOADS / folder).mkdir(parents=True, exist_ok=True)
        with written_whole(DOWNLOADS / name) as part:
            part.write_bytes(data)


def _polarity(file: str, positive: str) -> Callable[[Path], Documents]:
    def read(folder: Path) -> Documents:
        # 8-bit text with stray control characters: latin-1, and lines end at \n alone.
        lines = checked(folder, f"sentence-polarity/{file}").decode("latin-1").split("\n")
        pairs = [line.partition(" ") for line in lines]
        kept = [(text, label == positive) for label, _, text in pairs if text.strip()]
        return _documents(kept)

    return read


def read_reviews(folder: Path, quotes: bool = True) -> Documents:
    """All three sites; with `quotes` as the paper's reader, which swallows 252 lines of IMDb."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    kept: list[tuple[str, bool]] = []
    for site in ("amazon_cells", "imdb", "yelp"):
        text = checked(folder, f"sentiment-labelled-sentences/{site}_labelled.txt").decode("utf-8")
        rows = csv.reader(io.StringIO(text, newline="\n"), delimiter="\t", quoting=quoting)
        kept += [("\t".join(row[:-1]), row[-1] == "1") for row in rows if len(row) > 1]
    return _documents(kept)


def read_groups(folder: Path, strip: bool = True) -> tuple[list[str], NDArray[np.str_]]:
    """All posts and the newsgroup of each. With `strip`, headers and footers are removed, quotes kept."""
    from sklearn.datasets._twenty_newsgroups import strip_newsgroup_footer, strip_newsgroup_header

    texts: list[str] = []
    groups: list[str] = []
    with tarfile.open(fileobj=io.BytesIO(checked(folder, "20news-bydate.tar.gz"))) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                text = content.read().decode("latin-1")
                if strip:
                    text = strip_newsgroup_footer(strip_newsgroup_header(text))
                texts.append(text)
                groups.append(Path(member.name).parent.name)
    return texts, np.array(groups)


def read_newsgroups(folder: Path, strip: bool = True) -> Documents:
    """All posts as `read_groups` gives them; baseball and hockey are positive."""
    texts, groups = read_groups(folder, strip)
    return Documents(texts, np.isin(groups, SPORTS).astype(np.int64))


def _documents(pairs: list[tuple[str, bool]]) -> Documents:
    return Documents([text for text, _ in pairs], np.array([label for _, label in pairs], dtype=np.int64))


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SETS: dict[str, DataSet] = {
    data.name: data
    for data in (
        DataSet(
            "subj",
            "Subj",
            _words(
                "wonderful terrible feel happy ugly even horrible interesting funny dramatic romantic compassionate"
            ),
            alpha=1,
            gamma=50,
            prior=0.50,
            paper_pseudo_positives=(2688, 1596),
            read=_polarity("subj.all", positive="0"),
        ),
        DataSet(
            "custrev",
            "Custrev",
            # The paper lists a fourteenth, "compassionate"; the authors' code does not have it.
            _words("easy excellent nice great good love amazing best awesome perfect definitely better happy"),
            alpha=3,
            gamma=5,
            prior=0.65,
            paper_pseudo_positives=(1007, 237),
            read=_polarity("custrev.all", positive="1"),
        ),
        DataSet(
            "mpqa",
            "MPQA",
            _words("support hope help good great love"),
            alpha=3,
            gamma=5,
            prior=0.31,
            paper_pseudo_positives=(328, 90),
            read=_polarity("mpqa.all", positive="1"),
        ),
        DataSet(
            "ayi",
            "AYI",
            _words("great best excellent friendly awesome nice amazing"),
            alpha=3,
            gamma=5,
            prior=0.50,
            # The paper prints 268 true positives; its own theta and row sums need 468.
            paper_pseudo_positives=(468, 90),
            read=read_reviews,
        ),
        DataSet(
            "20ng",
            "20NG",
            _words("sports baseball hockey"),
            alpha=3,
            gamma=5,
            prior=0.11,
            paper_pseudo_positives=(669, 232),
            read=read_newsgroups,
        ),
    )
}
