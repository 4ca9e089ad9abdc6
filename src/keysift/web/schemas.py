"""What the API answers, typed; what comes in is in `bodies`."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

Word = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
Filter = Literal["all", "unmatched", "low", "answered", "disagreeing"]
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


class Reason(BaseModel):
    """A word and what it adds to the score."""

    word: str
    by: float


class Row(BaseModel):
    """A document in the ranking."""

    document: int
    id: str
    rank: int
    score: float
    chance: float
    positive: bool
    answer: Said | None
    pieces: list[Piece]
    matched: list[str]
    reasons: list[Reason]


class Rows(BaseModel):
    """Some rows of the ranking, after a filter."""

    total: int
    start: int
    rows: list[Row]


class Cell(BaseModel):
    """A column of a document."""

    name: str
    text: str


class Document(Row):
    """A document as a whole."""

    cells: list[Cell]
    note: str
    same: list[int]
    """Documents that say the same."""


class Cut(BaseModel):
    """A place to cut, and what to expect of it."""

    threshold: float
    count: int
    precision: Estimate | None
    """None where nothing honest can be said."""
    recall: Estimate | None


class Histogram(BaseModel):
    """How the scores are spread; bin i is between edges i and i + 1."""

    edges: list[float]
    matched: list[int]
    """Documents with a keyword."""
    others: list[int]
    relevant: list[int]
    """Those that were answered with yes."""
    irrelevant: list[int]


class Cuts(BaseModel):
    """Everything that the screen needs to drag the cut without asking again."""

    histogram: Histogram
    cuts: list[Cut]
    """From the highest threshold to the lowest; the figures at a threshold are those of the nearest."""
    current: Cut
    rule: str
    """In words, as in "at the prior"."""
    prior: Estimate
    origin: str
    """Where the prior comes from."""
    provisional: bool
    ask: bool
    """Whether answers to a random sample would tell what is not known."""
    asked: Estimate | None
    """The prior and the interval to be expected after 20 answers to a random sample."""
    advice: str


class Scored(BaseModel):
    """What the model makes of a text."""

    score: float
    chance: float
    positive: bool
    rank: int
    """Where it would be in the ranking."""
    pieces: list[Piece]
    matched: list[str]
    reasons: list[Reason]


class Map(BaseModel):
    """Documents in two dimensions, a column each; at most a sample of them."""

    ready: bool
    """Whether it is made; if not, POST makes it."""
    method: str
    document: list[int]
    x: list[float]
    y: list[float]
    score: list[float]
    """As the share of documents that score lower: 0 to 1."""
    answer: list[Said | None]


class Shown(BaseModel):
    """The document to judge; evidence and score are behind a key."""

    document: int
    id: str
    chosen: str
    """How it was chosen: best, explore or sample."""
    pieces: list[Piece]
    cells: list[Cell]
    note: str


class Review(BaseModel):
    """How far the review is, and what to read next."""

    shown: Shown | None
    """None where everything is read."""
    read: int
    relevant: int
    irrelevant: int
    unsure: int
    skipped: int
    left: int
    lines: list[str]
    """What was read, what to expect of the rest, whether one may stop, what rules of thumb say."""
    checking: bool
    """Whether a stop check runs."""
    problem: str
    """Why the last answers could not be learned, if so."""


class Asking(BaseModel):
    """Documents drawn at random from all parts of the ranking, to know prior, precision and recall."""

    documents: list[Shown]
    answers: list[Said | None]
    """What was said of each so far."""
    fewest: int
    """Answers of yes or no that it takes."""


class Repeat(BaseModel):
    """How to do all of it again without the page."""

    shell: str
    python: str
