"""The folder of a project: its files, the versions of its keywords with their rankings, and what was chosen."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.reading import READERS
from keysift.corpus.suffixes import kind_of
from keysift.decide.cuts import Plain
from keysift.decide.prior import PriorEstimate
from keysift.files.atomic import written_whole
from keysift.review.state import State
from keysift.web.refusals import NotThereError, TooLargeError, WrongTypeError

LONGEST_NAME = 200
"""Characters of the name of a file."""


@dataclass(frozen=True)
class KeptVersion:
    """Keywords that were learned from."""

    number: int
    keywords: str
    at: str
    name: str


@dataclass(frozen=True)
class KeptSample:
    """How a sample of a ranking was drawn."""

    above: int
    """Documents above the cut."""
    used: bool
    """Whether the answers to it have decided."""


@dataclass(frozen=True)
class Told:
    """What answers to a random sample said of a cut: so many documents above it, precision and recall with bounds."""

    answers: int
    count: int
    precision: tuple[float, float, float]
    recall: tuple[float, float, float]


class Project:
    """What a project folder holds beside the answers, and where.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, State.open(folder) as state:
    ...     project = Project(state, most=10)
    ...     _ = project.use("hockey, goalie")
    ...     project.rename(1, "first try")
    ...     [(version.keywords, version.name) for version in project.versions()]
    [('hockey, goalie', 'first try')]
    """

    def __init__(self, state: State, most: int) -> None:
        self.state, self.most = state, most
        self.folder = state.folder
        self._editions = count(1)
        self.edition = 0
        """Another with every change of the versions."""

    @property
    def files(self) -> list[str]:
        """The names of the files that were given."""
        folder = self.folder / "files"
        return (
            sorted(file.name for file in folder.iterdir() if not file.name.startswith(".")) if folder.is_dir() else []
        )

    def path(self, name: str) -> Path:
        """Where a file of the project is; a file that was named at the start may be anywhere."""
        if (named := self.settings.get("source")) and Path(named).name == name and not self._own(name).exists():
            return Path(named)
        if not _is_plain(name) or not self._own(name).is_file():
            raise NotThereError(f"The project has no file {name!r}; it has {', '.join(self.files) or 'none yet'}.")
        return self._own(name)

    def check_new(self, name: str, size: int | None = None) -> Path:
        """Where a new file would go; refuses names, kinds and sizes that cannot be."""
        kinds = ", ".join(f".{kind}" for kind in READERS)
        if not _is_plain(name) or kind_of(name)[0] not in READERS:
            raise WrongTypeError(f"{name!r} cannot be read: its name must end in {kinds}, each also with .gz.")
        if size is not None and size > self.most:
            raise self._too_large(name)
        return self._own(name)

    async def keep(self, name: str, chunks: AsyncIterator[bytes]) -> None:
        """Keep a file, whole or not at all; it takes the place of one of the same name."""
        path, size = self.check_new(name), 0
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part, part.open("wb") as out:
            async for chunk in chunks:
                size += len(chunk)
                if size > self.most:
                    raise self._too_large(name)
                out.write(chunk)

    def remove(self, name: str) -> None:
        """Delete a file that was given; one that was named at the start stays where it is."""
        path = self.path(name)
        if path != self._own(name):
            raise NotThereError(f"{name} is read where it is and no file of the project; delete it yourself.")
        path.unlink()

    def keep_table(self, name: str, frame: pl.DataFrame) -> None:
        """Keep a table as a file."""
        path = self.check_new(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part:
            frame.write_csv(part)

    @property
    def settings(self) -> dict[str, Any]:
        """What was chosen: `source`, and `reading` with `text` and `id`, as `keysift review` has them, too."""
        return self.state.settings

    @property
    def prior(self) -> PriorEstimate | None:
        """The share of relevant documents that answers to a random sample told, if there were any."""
        kept = self.settings.get("prior")
        return None if kept is None else PriorEstimate(kept[0], kept[1], kept[2], "audit", kept[3])

    def keep_prior(self, prior: PriorEstimate) -> None:
        """Keep it; one that was given before counts no longer."""
        cut = {**self.settings.get("cut", {"rule": "prior", "keywords": ""}), "prior": None}
        self.state.remember({"prior": [prior.value, prior.low, prior.high, prior.assumes], "cut": cut})

    def sample(self, keywords: str) -> KeptSample | None:
        """How the last sample of a ranking was drawn, if it was one of the ranking of these keywords."""
        kept = self.settings.get("sample")
        return None if kept is None or kept["keywords"] != keywords else KeptSample(kept["above"], kept["used"])

    def keep_sample(self, keywords: str, sample: KeptSample) -> None:
        """Keep how a sample of the ranking of some keywords was drawn, so that it can be drawn again."""
        if self.sample(keywords) != sample:
            kept = {"keywords": keywords, "above": sample.above, "used": sample.used}
            self.state.remember({"sample": kept})

    @property
    def told(self) -> Told | None:
        """What answers to a random sample said last, of whatever ranking it was then."""
        kept = self.settings.get("told")
        return None if kept is None else Told(kept[0], kept[1], tuple(kept[2]), tuple(kept[3]))

    def keep_told(self, told: Told) -> None:
        """Keep it."""
        self.state.remember({"told": [told.answers, told.count, told.precision, told.recall]})

    def keep_cut(self, rule: Plain, prior: float | None, keywords: str) -> None:
        """Keep how the ranking of some keywords is cut."""
        self.state.remember({"cut": {"rule": rule, "prior": prior, "keywords": keywords}})

    def cut(self, keywords: str) -> tuple[Plain | None, float | None]:
        """The rule of the last cut and the prior that was given for it, if any.

        A score means nothing in the ranking of other keywords, where the cut is as it is at the start.
        """
        kept = self.settings.get("cut")
        if kept is None or (isinstance(kept["rule"], int | float) and kept["keywords"] != keywords):
            return None, None if kept is None else kept["prior"]
        return kept["rule"], kept["prior"]

    def remember(self, source: Path, text: list[str], id: str | None) -> None:
        """Keep which documents are open, for the next time."""
        reading = {**self.settings.get("reading", {}), "text": text, "id": id}
        self.state.remember({"source": str(source.resolve()), "reading": reading})

    def versions(self) -> list[KeptVersion]:
        """Every version of the keywords, the last one last."""
        names = self.settings.get("names", {})
        kept = self.state.versions()
        return [KeptVersion(number, keywords, at, names.get(str(number), "")) for number, keywords, at in kept]

    def version(self, number: int) -> KeptVersion:
        """One of them."""
        for version in self.versions():
            if version.number == number:
                return version
        raise NotThereError(f"There is no version {number} of the keywords.")

    def use(self, keywords: str) -> int:
        """Keep keywords as the newest version, unless they are; its number."""
        if self.state.use_keywords(keywords):
            self.edition = next(self._editions)
        return self.state.versions()[-1][0]

    def rename(self, number: int, name: str) -> None:
        """Give a version a name."""
        self.version(number)
        self.state.remember({"names": {**self.settings.get("names", {}), str(number): name.strip()}})
        self.edition = next(self._editions)

    def keep_ranking(self, number: int, order: NDArray[np.int64], positive: NDArray[np.bool_]) -> None:
        """Keep the ranking of a version: the numbers of the documents, best first, and which are positive."""
        path = self._ranking(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part:
            pl.DataFrame({"document": order, "positive": positive}).write_parquet(part)
        self.edition = next(self._editions)

    def has_ranking(self, number: int) -> bool:
        """Whether the ranking of a version is kept."""
        return self._ranking(number).is_file()

    def ranking(self, number: int) -> pl.DataFrame:
        """The ranking of a version."""
        if not self.has_ranking(number):
            raise NotThereError(f"The ranking of version {number} was not kept; learn from its keywords again.")
        return pl.read_parquet(self._ranking(number))

    def _own(self, name: str) -> Path:
        return self.folder / "files" / name

    def _ranking(self, number: int) -> Path:
        return self.folder / "versions" / f"{number}.parquet"

    def _too_large(self, name: str) -> TooLargeError:
        return TooLargeError(
            f"{name} is larger than {self.most / 1e6:,.0f} MB, the most that is taken; start keysift serve with the"
            " file's path instead, which copies nothing."
        )


def _is_plain(name: str) -> bool:
    """Whether a name is that of a file and nothing else."""
    odd = any(ord(letter) < 32 or letter in "/\\:\x7f" for letter in name)
    return 0 < len(name.encode("utf-8", "replace")) <= LONGEST_NAME and not odd and not name.startswith(".")
