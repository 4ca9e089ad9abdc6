"""Documents in, rankings out."""

from keysift.corpus.documents import Corpus
from keysift.corpus.reading import read, read_table
from keysift.corpus.writing import check_output, with_other_columns, write

__all__ = ["Corpus", "check_output", "read", "read_table", "with_other_columns", "write"]
