"""A corpus larger than its sample, and the command line on it."""

import random
from pathlib import Path

import polars as pl

SPORTS = ["goal", "team", "hockey", "baseball", "season", "player", "coach", "puck", "score", "league", "referee"]
OTHERS = ["tax", "law", "court", "senate", "vote", "budget", "minister", "trade", "price", "bank", "oven", "bread"]
COMMON = ["the", "a", "of", "and", "to", "in", "it", "was", "is", "that", "for", "on", "with", "as", "at", "by"]
OPTIONS = ["-k", "hockey, baseball", "--encoder", "none", "--rounds", "1", "--language", "en"]


def made_documents(count: int, seed: int = 0) -> pl.DataFrame:
    """Documents about sports or anything else, all different."""
    chance = random.Random(seed)
    rows = []
    for number in range(count):
        words = chance.choices(SPORTS if number % 3 == 0 else OTHERS, k=6) + chance.choices(COMMON, k=6)
        chance.shuffle(words)
        rows.append((f"d{number}", " ".join(words) if number % 50 else "", number % 3 == 0))
    return pl.DataFrame(rows, schema=["key", "text", "sports"], orient="row")


def write_documents(path: Path, count: int = 600, seed: int = 0) -> Path:
    made_documents(count, seed).write_csv(path)
    return path
