"""What the API answers of a ranking: its rows, its cut, its map, and the documents to judge."""

from typing import Literal

from pydantic import BaseModel

from keysift.web.schemas import Estimate, Piece, Said

Filter = Literal["all", "unmatched", "low", "answered", "disagreeing"]


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
    basis: Literal["modelled", "measured", "none"]
    """Whether precision and recall come from a model, from a random sample (then at `current` only), or are unknown."""
    source: str
    """The same in a sentence; empty where they are unknown."""
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
