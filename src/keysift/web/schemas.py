"""What the API answers of a project, its documents and keywords, typed; what comes in is in `bodies`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

Word = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
Said = Literal["y", "n", "unsure"]


class Problem(BaseModel):
    """Why a request was refused."""

    error: str
    """One sentence: what, where, what is allowed, next step."""


class Piece(BaseModel):
    """A piece of a text."""

    text: str
    kind: Literal["", "keyword", "raises", "lowers"] = ""


class Estimate(BaseModel):
    """A figure and its 90 % interval."""

    value: float
    low: float
    high: float


class Job(BaseModel):
    """Long work in the background; one at a time."""

    number: int
    name: Literal["reading", "learning", "map"]
    stage: str
    """What it does now, in words."""
    done: float = Field(ge=0, le=1)
    state: Literal["running", "done", "failed", "cancelled"]
    message: str = ""
    """Why it failed, or what is worth knowing."""


class Corpus(BaseModel):
    """The documents that are open."""

    file: str
    documents: int
    text: list[str]
    """The columns that are read, joined."""
    id: str | None
    language: str
    """In words, as in "English"; empty where it cannot be told."""


class Status(BaseModel):
    """Where the project stands; cheap, to be asked for again and again."""

    version: str
    project: str
    revision: int
    """Grows with every change of what is shown, whoever made it."""
    corpus: Corpus | None
    keywords: str | None
    """Those of the last ranking."""
    learned: int | None
    """The number of the version that the ranking is from."""
    answers: int
    job: Job | None
    files: list[str]
    """Those of the project, which can be opened."""


class Lengths(BaseModel):
    """Words in a document."""

    shortest: int
    median: float
    longest: int


class Oddity(BaseModel):
    """Something about a file to look at before it is used."""

    message: str
    rows: list[int]
    """Numbers of some rows, from 1 on."""


class Preview(BaseModel):
    """A file before it is opened."""

    file: str
    columns: list[str]
    text: list[str]
    id: str | None
    rows: list[list[str]]
    """The first rows, a cell a column, shortened."""
    texts: list[str]
    """What would be read of them."""
    documents: int
    empty: int
    duplicates: int
    language: str
    lengths: Lengths
    oddities: list[Oddity]


class Chip(BaseModel):
    """A keyword."""

    word: Word
    weight: float = Field(default=1.0, gt=0, le=1_000, allow_inf_nan=False)
    excluded: bool = False


class Example(BaseModel):
    """A document that holds a keyword."""

    document: int
    id: str
    pieces: list[Piece]


class KeywordRow(BaseModel):
    """What is known about a keyword."""

    chip: Chip
    documents: int
    share: float
    alone: int
    """Documents that hold it and no other keyword."""
    agreement: float | None
    """How well the other keywords find its documents; known after learning."""
    verdict: str
    examples: list[Example]


class Suggestion(BaseModel):
    """A word to add."""

    word: str
    documents: int
    lift: float | None
    """How many times as often it is in the best documents; None where it is nowhere else."""


class Found(BaseModel):
    """What keywords find; nothing is learned."""

    chips: list[Chip]
    keywords: str
    """As one types them."""
    rows: list[KeywordRow]
    documents: int
    """Those with a keyword."""
    share: float
    doubts: list[str]
    suggestions: list[Suggestion]
    """After learning."""
    learned: bool
    """Whether the ranking is from these keywords."""
    again: list[str] = []
    """Keywords that were typed, and were there already."""


class Version(BaseModel):
    """Keywords that were learned from."""

    number: int
    name: str
    keywords: str
    at: str
    chips: list[Chip]
    ranked: bool
    """Whether its ranking is kept, so that it can be compared."""


class Moved(BaseModel):
    """A document that two versions do not agree on."""

    document: int
    id: str
    before: int
    """Its rank then."""
    after: int
    text: str


class Changes(BaseModel):
    """What changed between two versions."""

    before: Version
    after: Version
    top: int
    entered: list[Moved]
    """Of the top."""
    left: list[Moved]
    now_positive: int
    now_negative: int
    changed: list[Moved]
    """Some of the changed decisions, the largest moves first."""
    correlation: float
    """Of the ranks."""
