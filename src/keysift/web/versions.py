"""Versions of the keywords, and what changed between two of them."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from keysift.comparison import spearman
from keysift.present.wording import on_one_line
from keysift.text.visible import visible
from keysift.web.chips import chips_of, keywords_in
from keysift.web.opened import Opened
from keysift.web.project import KeptVersion, Project
from keysift.web.schemas import Changes, Chip, Moved, Version
from keysift.web.workbench import Workbench

SHOWN = 100
"""Documents of a list of changes."""
TEXT = 200
"""Characters of each."""
LIST = TypeAdapter(list[Version])


def versions(project: Project) -> list[Version]:
    """Every version, the last one last."""
    return [_version(project, version) for version in project.versions()]


def written_versions(bench: Workbench) -> bytes:
    """Every version as it is sent."""
    with bench.lock:
        kept = versions(bench.project)
    return LIST.dump_json(kept)


def changes(project: Project, opened: Opened, before: int, after: int, top: int) -> Changes:
    """What changed from one version to another, among the documents that are open."""
    first, second = project.version(before), project.version(after)
    (old, was), (new, now) = (_ranks(project, opened, number) for number in (before, after))
    there = np.flatnonzero((old > 0) & (new > 0))
    in_first, in_second = (old > 0) & (old <= top), (new > 0) & (new <= top)
    gained, lost = there[now[there] & ~was[there]], there[was[there] & ~now[there]]
    order = np.argsort(np.argsort(new[there[np.argsort(old[there])]]))

    def told(places: NDArray[np.int64]) -> list[Moved]:
        return [_moved(opened, int(place), old, new) for place in places[:SHOWN]]

    moved = np.concatenate([gained, lost])
    entered, left = np.flatnonzero(in_second & ~in_first), np.flatnonzero(in_first & ~in_second)
    return Changes(
        before=_version(project, first),
        after=_version(project, second),
        top=top,
        entered=told(entered[np.argsort(new[entered])]),
        left=told(left[np.argsort(old[left])]),
        now_positive=len(gained),
        now_negative=len(lost),
        changed=told(moved[np.argsort(-np.abs(new[moved] - old[moved]))]),
        correlation=spearman(order) if len(there) > 1 else 1.0,
    )


def _ranks(project: Project, opened: Opened, number: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The rank of each open document in a version, 0 where it had none, and whether it was positive."""
    ranking = project.ranking(number)
    documents = ranking["document"].to_numpy()
    size = int(max(opened.numbers.max(), documents.max(initial=0))) + 1
    ranks, positive = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=bool)
    ranks[documents] = np.arange(1, len(documents) + 1)
    positive[documents] = ranking["positive"].to_numpy()
    return ranks[opened.numbers], positive[opened.numbers]


def _moved(opened: Opened, place: int, old: NDArray[np.int64], new: NDArray[np.int64]) -> Moved:
    corpus = opened.corpus
    return Moved(
        document=place,
        id=visible(str(corpus.ids[place])),
        before=int(old[place]),
        after=int(new[place]),
        text=on_one_line(visible(corpus.texts[place]), TEXT),
    )


def _version(project: Project, version: KeptVersion) -> Version:
    return Version(
        number=version.number,
        name=version.name,
        keywords=version.keywords,
        at=version.at,
        chips=_chips(version.keywords),
        ranked=project.has_ranking(version.number),
    )


@lru_cache(maxsize=1_000)
def _chips(keywords: str) -> list[Chip]:
    """The chips of a version, which never change: to read them again for every look would take longer than all else."""
    return chips_of(keywords_in(keywords))
