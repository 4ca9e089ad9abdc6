"""What a result says, in pieces that a terminal or a page lays out; all numbers are written out already."""

from dataclasses import dataclass

from keysift.present.drawing import Drawing

PHONE = 44
"""Letters that a phone shows side by side."""
MARKS = {"keyword": "a keyword", "raises": "raises the score", "lowers": "lowers the score"}
"""The kinds of evidence in a text, and what they mean."""


@dataclass(frozen=True)
class Fact:
    """A number and what it is."""

    value: str
    name: str
    bounds: str = ""
    """Its interval, if it has one."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, perhaps with a few words in front that say what it is about.

    >>> str(Sentence("goalie, puck.", lead="Words to add:"))
    'Words to add: goalie, puck.'
    """

    text: str
    lead: str = ""

    def __str__(self) -> str:
        return f"{self.lead} {self.text}" if self.lead else self.text


@dataclass(frozen=True)
class Table:
    """Heads and rows; the columns `numbers` hold numbers and are set to the right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()

    def only(self, columns: tuple[int, ...]) -> "Table":
        """The table with some of its columns.

        >>> Table(("word", "weight", "documents"), (("goal", "1", "7"),), numbers=(1, 2)).only((0, 2))
        Table(heads=('word', 'documents'), rows=(('goal', '7'),), numbers=(1,))
        """
        return Table(
            tuple(self.heads[column] for column in columns),
            tuple(tuple(row[column] for column in columns) for row in self.rows),
            tuple(place for place, column in enumerate(columns) if column in self.numbers),
        )

    @property
    def stacked(self) -> bool:
        """Whether rows are too wide for a phone, which then shows each as a list.

        >>> Table(("a", "b"), (("goal", "7"),)).stacked, Table(("word",) * 6, (("hockey",) * 6,)).stacked
        (False, True)
        """
        cells = [
            [head.split(" "), *([row[at]] if at in self.numbers else row[at].split(" ") for row in self.rows)]
            for at, head in enumerate(self.heads)
        ]
        return sum(2 + max(len(word) for words in column for word in words) for column in cells) > PHONE


@dataclass(frozen=True)
class TextPiece:
    """A piece of a document's text."""

    text: str
    kind: str = ""
    """One of `MARKS` where it is evidence."""


@dataclass(frozen=True)
class Document:
    """A document of a ranking with the passage that matters and the reasons for its place."""

    rank: str
    id: str
    score: str
    positive: bool
    passage: tuple[TextPiece, ...]
    evidence: str
    others: str = ""
    """How many more say the same."""


@dataclass(frozen=True)
class Listing:
    """A name and some lines that belong to it."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """One question and its answer; whatever is empty is not shown."""

    title: str
    sentences: tuple[Sentence, ...] = ()
    drawing: Drawing | None = None
    table: Table | None = None
    listings: tuple[Listing, ...] = ()
    remarks: tuple[Sentence, ...] = ()
    """Sentences that come after the table and the listings."""
    documents: tuple[Document, ...] = ()

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The kinds of evidence that are marked in its documents, and what they mean."""
        kinds = {piece.kind for document in self.documents for piece in document.passage}
        return tuple((kind, meaning) for kind, meaning in MARKS.items() if kind in kinds)


@dataclass(frozen=True)
class Page:
    """All there is to say about a result."""

    title: str
    heading: str
    source: str
    sections: tuple[Section, ...]
    headline: tuple[Fact, ...] = ()
    lead: Sentence | None = None
    sentences: tuple[Sentence, ...] = ()
    """What to know before the first section."""
