"""Names of columns that tell what is in them, and what is no name."""

import re

TEXTS = (
    "text",
    "body",
    "body text",
    "abstract",
    "abstract note",
    "full text",
    "comment text",
    "post text",
    "tweet text",
    "review text",
    "content",
    "message",
    "description",
    "review",
    "comment",
    "tweet",
    "post",
    "document",
    "sentence",
    "summary",
)
"""Columns that are the text where several could be, the first of them first; written in any way that `plain` allows."""
TITLES = ("title", "article title", "subject", "headline")
"""Columns that are joined to the text, if that is not called text."""
OTHERS: tuple[str, ...] = ("id", "label", "class", "category", "target", "date", "timestamp", "year", "author")
OTHERS += ("authors", "url", "doi", "name")
"""Columns that are not the text; a first row with one of them holds names."""
LONGEST_NAME = 60
MOST_WORDS = 8
GAP = re.compile(r"[\s_]+")


def plain(name: str) -> str:
    """A name as it is compared: capitals are small letters, and an underscore is a space.

    >>> plain("Abstract Note"), plain("comment_text")
    ('abstract note', 'comment text')
    """
    return GAP.sub(" ", name).strip().lower()


def known_text(columns: list[str]) -> tuple[str, ...]:
    """Those of the columns that are the text by their names; none where no name tells.

    >>> known_text(["title", "text"]), known_text(["Title", "Abstract", "DOI"]), known_text(["a", "title"])
    (('text',), ('Title', 'Abstract'), ('title',))
    >>> known_text(["Author", "Title", "Publication Title", "Abstract Note"])
    ('Title', 'Abstract Note')
    """
    by_name = {plain(name): name for name in reversed(columns)}
    by_name |= {name: name for name in columns}  # a name in small letters is before the same in capitals
    texts = [by_name[name] for name in TEXTS if name in by_name][:1]
    titles = [by_name[name] for name in TITLES if name in by_name][:1]
    return tuple(texts) if texts and plain(texts[0]) == TEXTS[0] else (*titles, *texts)


def is_text(name: str) -> bool:
    """Whether this is the name of a column that is the text.

    >>> is_text("Comment_Text"), is_text("label")
    (True, False)
    """
    return plain(name) in TEXTS


def is_known(name: str) -> bool:
    """Whether this is the name of a column that many tables have.

    >>> is_known("Title"), is_known("ham")
    (True, False)
    """
    return plain(name) in (*TEXTS, *TITLES, *OTHERS)


def looks_like_data(name: str) -> bool:
    """Whether this is no name of a column: a number, or a sentence.

    >>> looks_like_data("42"), looks_like_data("A goal in the last minute of the last game")
    (True, True)
    >>> looks_like_data("my notes")
    False
    """
    try:
        float(name)
    except ValueError:
        return len(name) > LONGEST_NAME or len(name.split()) >= MOST_WORDS
    return True
