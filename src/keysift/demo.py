"""The demonstration: find the docstrings of one subpackage among thousands, from three keywords.

The corpus is on every machine that has keysift: the docstrings of numpy, scipy and scikit-learn. They are read from
the source files, so nothing is imported or run. keysift is not told the module of each docstring; at
the end it shows how good the ranking is.
"""

import ast
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from keysift.corpus.documents import Corpus
from keysift.text.counts import count_terms, split_terms
from keysift.text.tokens import tokenize

PACKAGES = ("numpy", "scipy", "sklearn")
TARGET = "scipy.stats"
KEYWORDS = ("statistics", "distribution", "probability")
SHORTEST = 80
"""Shorter docstrings ("See above.") say nothing about what they belong to."""


def collect_docstrings(progress: Callable[[float], None] | None = None) -> Corpus:
    """One document for each docstring of the three packages, without tests and repeats."""
    sources = [file for package in PACKAGES for file in _source_files(package)]
    found: dict[str, tuple[str, str]] = {}
    for number, (root, file) in enumerate(sources, start=1):
        for name, text in _docstrings(root, file):
            if len(text) >= SHORTEST:
                found.setdefault(text, (name, text))
        if progress is not None and number % 50 == 0:
            progress(number / len(sources))
    frame = pl.DataFrame(list(found.values()), schema=["id", "text"], orient="row")
    if progress is not None:
        progress(1.0)
    return Corpus(frame["id"], frame["text"], frame.select("text"), "docstrings of numpy, scipy and scikit-learn")


def is_target(corpus: Corpus) -> NDArray[np.int64]:
    """1 for the docstrings of the target subpackage: the truth that keysift is not told."""
    return (corpus.ids + ".").str.starts_with(f"{TARGET}.").cast(pl.Int64).to_numpy()


def count_keywords(corpus: Corpus) -> NDArray[np.float64]:
    """How often the keywords are in each document: what a plain search would rank by."""
    tokens = tokenize(corpus.texts)
    return np.asarray(count_terms(tokens, split_terms(KEYWORDS)).sum(axis=1), dtype=np.float64).ravel()


def _source_files(package: str) -> Iterator[tuple[Path, Path]]:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return
    folder = Path(spec.origin).parent
    for file in sorted(folder.rglob("*.py")):
        parts = file.relative_to(folder).parts
        if not any(part.startswith("test") or part in ("conftest.py", "externals", "_external") for part in parts):
            yield folder.parent, file


def _docstrings(root: Path, file: Path) -> Iterator[tuple[str, str]]:
    """Name and docstring of the module and of everything in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old source files may hold escapes that newer Pythons warn of
        tree = ast.parse(file.read_bytes())
    module = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    waiting: list[tuple[str, ast.AST]] = [(module, tree)]
    while waiting:
        name, node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield name, text
            inside = [
                child for child in node.body if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            ]
            waiting.extend((f"{name}.{child.name}", child) for child in reversed(inside))
