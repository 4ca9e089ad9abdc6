"""Names of columns that tell what is in them, and what is no name."""

TEXTS = (
    "text",
    "body",
    "abstract",
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
"""Columns that are the text where several could be, the first of them first; in any case of letters."""
TITLES = ("title", "subject", "headline")
"""Columns that are joined to the text, if that is not called text."""
OTHERS = ("id", "label", "class", "category", "target", "date", "year", "author", "authors", "url", "doi", "name")
"""Columns that are not the text; a first row with one of them holds names."""
LONGEST_NAME = 60
MOST_WORDS = 8


def known_text(columns: list[str]) -> tuple[str, ...]:
    """Those of the columns that are the text by their names; none where no name tells.

    >>> known_text(["title", "text"]), known_text(["Title", "Abstract", "DOI"]), known_text(["a", "title"])
    (('text',), ('Title', 'Abstract'), ('title',))
    """
    by_name = {name.strip().lower(): name for name in reversed(columns)}
    by_name |= {name: name for name in columns}  # a name in small letters is before the same in capitals
    texts = [by_name[name] for name in TEXTS if name in by_name][:1]
    titles = [by_name[name] for name in TITLES if name in by_name][:1]
    return tuple(texts) if texts and texts[0].strip().lower() == TEXTS[0] else (*titles, *texts)


def is_known(name: str) -> bool:
    """Whether this is the name of a column that many tables have.

    >>> is_known("Title"), is_known("ham")
    (True, False)
    """
    return name.strip().lower() in (*TEXTS, *TITLES, *OTHERS)


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
