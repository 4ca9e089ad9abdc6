"""What comes into the API, typed: a field that is not known is an error, not a typo that nobody notices."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from keysift.web.schemas import Chip, Said, Word


class Body(BaseModel):
    """Something that comes in: a field that is not known is an error, not a typo that nobody notices."""

    model_config = ConfigDict(extra="forbid")


class Look(Body):
    """Which file to look at, and which columns."""

    file: Word
    text: list[Word] | None = Field(default=None, max_length=50)
    """Columns to read, joined; found by itself where none is given."""
    id: Word | None = None


class Keywords(Body):
    """Keywords, as chips or as one types them on the command line."""

    chips: list[Chip] = Field(default_factory=list, max_length=200)
    text: str = Field(default="", max_length=20_000)
    """As in `hockey, ice hockey:2, -tax`; added to the chips."""


class Name(Body):
    """What to call a version."""

    name: str = Field(max_length=200)


class Documents(Body):
    """Documents by their places."""

    documents: list[int] = Field(max_length=500)


class CutAt(Body):
    """Where to cut: at a score, after so many documents, for a precision or recall, at the prior, or at the best F1."""

    by: Literal["score", "top", "precision", "recall", "prior", "max_f1"]
    value: float | None = Field(default=None, allow_inf_nan=False)
    prior: float | None = Field(default=None, gt=0, lt=1, allow_inf_nan=False)
    """The share of relevant documents, where you know it."""


class Text(Body):
    """A text to score."""

    text: str = Field(min_length=1, max_length=1_000_000)


class ReviewAnswer(Body):
    """An answer to the document that is shown."""

    document: int
    answer: Literal["y", "n", "unsure", "skip"]


class AskAnswer(Body):
    """An answer to one of the documents that are asked about."""

    document: int
    answer: Said


class Answer(Body):
    """An answer to any document; None takes it back."""

    document: int
    answer: Said | None


class Note(Body):
    """A note on the document that is shown."""

    document: int
    text: str = Field(max_length=10_000)
