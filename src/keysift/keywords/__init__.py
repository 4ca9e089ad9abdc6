"""From what the user typed to the keyword document of Algorithm 1, and a report on every keyword."""

from keysift.keywords.expansion import Expansion, Keyword, brought_by, expand, keyword_document, keyword_from
from keysift.keywords.missing import warn_of_missing
from keysift.keywords.parsing import parse_keywords
from keysift.keywords.quality import Belief, Suggestion
from keysift.keywords.table import KeywordRow, keyword_table

__all__ = [
    "Belief",
    "Expansion",
    "Keyword",
    "KeywordRow",
    "Suggestion",
    "brought_by",
    "expand",
    "keyword_document",
    "keyword_from",
    "keyword_table",
    "parse_keywords",
    "warn_of_missing",
]
