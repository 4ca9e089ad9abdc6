"""Sentences for the figures on scale: those of labelled sets joined, and repeated where only time and memory count."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

__all__ = ["labelled_sentences", "many_sentences", "write_repeated"]

SETS: tuple[str, ...] = (
    "airline_tweets",
    "app_reviews",
    "banking77",
    "clickbait",
    "crisislex_t26",
    "csabstruct",
    "davidson",
)
SETS += ("nyt_headlines", "tos_unfair", "youtube_spam")
"""Sets of the development suite with English texts of a sentence or two."""
PLAIN = ("subj.all", "custrev.all", "mpqa.all")
"""Sets of the paper's data with a label before each sentence."""
LONG = ("enron_spam", "ohsumed", "enron_categories", "cohen_ace", "bannach_brown_2019", "kitchenham_2010")
"""Sets of the suite with longer English texts, which are cut into sentences."""
SENTENCE_END = r"[.!?]\s+"


def labelled_sentences(suite: Path, data: Path) -> pl.DataFrame:
    """All different sentences, with the set that they are from and their label in it."""
    return pl.concat([*_of_suite(suite), *_of_data(data)]).unique("text", keep="first", maintain_order=True)


def many_sentences(suite: Path, data: Path, documents: int) -> pl.DataFrame:
    """So many different sentences at most: the labelled ones, then those of longer texts, which are of no class."""
    labelled = labelled_sentences(suite, data)
    sentences = pl.concat([labelled, *_of_long(suite)]).unique("text", keep="first", maintain_order=True)
    return sentences.head(documents)


def _of_long(suite: Path) -> Iterator[pl.DataFrame]:
    for name in LONG:
        texts = pl.read_csv(suite / "data" / f"{name}.csv.gz", columns=["text"], infer_schema=False)["text"]
        cut = texts.str.replace_all(SENTENCE_END, "\n").str.split("\n").explode().str.strip_chars().drop_nulls()
        yield pl.DataFrame({"text": cut.filter(cut.str.len_chars() > 0)}).select(
            pl.lit(name).alias("set"), "text", pl.lit("").alias("label")
        )


def _of_suite(suite: Path) -> Iterator[pl.DataFrame]:
    for name in SETS:
        frame = pl.read_csv(suite / "data" / f"{name}.csv.gz", infer_schema=False)
        yield frame.select(pl.lit(name).alias("set"), "text", "label")


def _of_data(data: Path) -> Iterator[pl.DataFrame]:
    for name in PLAIN:
        lines = (data / "sentence-polarity" / name).read_bytes().decode("latin-1").splitlines()
        pairs = [line.partition(" ") for line in lines if line.strip()]
        texts, labels = [text for _, _, text in pairs], [label for label, _, _ in pairs]
        yield pl.DataFrame({"set": [name] * len(texts), "text": texts, "label": labels})


def write_repeated(sentences: pl.DataFrame, documents: int, path: Path) -> None:
    """So many sentences as .csv; where they are repeated, each copy ends in a word of its own, so that no two agree."""
    with path.open("wb") as file:
        for number in range(-(-documents // sentences.height)):
            some = sentences.head(min(sentences.height, documents - number * sentences.height))
            copy = some.with_columns(
                pl.format("{} again{}", "text", pl.lit(number)) if number else pl.col("text"),
                id=pl.int_range(pl.len()) + number * sentences.height,
            )
            copy.select("id", pl.nth(1).alias("text")).write_csv(file, include_header=number == 0)
