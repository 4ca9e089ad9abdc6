"""A million damaged model files: each is refused with a sentence, or gives what it gave before.

    python -m benchmarks.fuzz [--count 1000000] [--seed 0] [--fresh]

Every mutation is made from the seed and its number alone, so a run that was stopped goes on where it stopped, and one
that fails can be looked at again. Some mutations only damage bytes, as a disk does: the scores must stay the same to
the bit. Others write a file with a right checksum, as somebody with bad intentions would: whatever such a file says is
another model, but every score of it must be a finite number, and nothing but a `KeysiftError` may be raised.
"""

import argparse
import json
import struct
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from keysift.config import LearnConfig
from keysift.errors import KeysiftError
from keysift.files.tensors import FORMAT, HEADER, Arrays, as_json, checksum, read_model
from keysift.loading import load_as
from keysift.ranker import KeywordRanker

STATE = Path(".data/fuzz.json")
SAID_EVERY = 5_000
"""Mutations between two lines of progress."""
SUBJECTS = ("a goalie", "the hockey team", "our striker", "a judge", "the state court", "a baker", "my neighbour")
VERBS = ("won the game", "lost the match", "heard the case", "signed the bill", "baked some bread", "stirred the soup")
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 0.5, -0.5, 1e-320, 1e308, -1e308, float("nan"), float("inf"), 10**30, "", "x",
    "prior", [], [[]], {}, {"a": 1}, ["a", None], [1, 2, 3], "\x00", "\u202e", "a" * 5000,
)  # fmt: skip
"""Values that somebody may put in the place of another."""
NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, -1.0, 0.0, 1.0, 2.0, 1e-320)


@dataclass(frozen=True)
class Subject:
    """A model file that is damaged, and what it said before."""

    content: bytes
    arrays: Arrays
    settings: dict[str, Any]
    texts: list[str]
    embeddings: NDArray[np.float64] | None
    scores: bytes


@dataclass(frozen=True)
class Mutation:
    """A damaged file; `sound` where it was written with a right checksum."""

    name: str
    content: bytes
    sound: bool


def subjects(folder: Path) -> list[Subject]:
    """Two models: one of words and their pieces, one of words and sentence vectors."""
    texts = [f"{subject} {verb}" for subject in SUBJECTS for verb in VERBS]
    vectors = np.random.default_rng(0).normal(size=(len(texts), 4))
    vectors[:, 0] += ["hockey" in text or "goalie" in text for text in texts]
    made = []
    for name, options, embeddings in (
        ("characters", {"encoder": None}, None),
        ("sentences", {"views": ("words", "sentences"), "learning": LearnConfig(rounds=0, negation="")}, vectors),
    ):
        path = folder / f"{name}.keysift"
        KeywordRanker("hockey, goalie", **options).fit(texts, embeddings=embeddings).save(path)
        scores = load_as(KeywordRanker, path).decision_function(texts, embeddings=embeddings)
        made.append(Subject(path.read_bytes(), *read_model(path), texts, embeddings, scores.tobytes()))
    return made


def mutate(subject: Subject, rng: np.random.Generator) -> Mutation:
    """One mutation; half of them flip a single bit."""
    if rng.random() < 0.5:
        return flip(subject, rng)
    return MUTATIONS[rng.integers(len(MUTATIONS))](subject, rng)


def flip(subject: Subject, rng: np.random.Generator) -> Mutation:
    """One bit is another."""
    content = bytearray(subject.content)
    content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
    return Mutation("flip", bytes(content), sound=False)


def cut(subject: Subject, rng: np.random.Generator) -> Mutation:
    """The end is missing."""
    return Mutation("cut", subject.content[: rng.integers(len(subject.content))], sound=False)


def scramble(subject: Subject, rng: np.random.Generator) -> Mutation:
    """A stretch is gone, there twice, zeros or noise."""
    first, last = sorted(rng.integers(len(subject.content), size=2))
    last = min(last, first + 4096)
    stretch = subject.content[first:last]
    instead = (b"", stretch * 2, b"\x00" * len(stretch), rng.bytes(len(stretch)))[rng.integers(4)]
    return Mutation("scramble", subject.content[:first] + instead + subject.content[last:], sound=False)


def relabel(subject: Subject, rng: np.random.Generator) -> Mutation:
    """The header of safetensors says something else of an array: its kind, its shape, its place."""
    (length,) = struct.unpack("<Q", subject.content[:8])
    header = json.loads(subject.content[8 : 8 + length])
    names = sorted(set(header) - {"__metadata__"})
    entry = header[names[rng.integers(len(names))]]
    field = ("dtype", "shape", "data_offsets")[rng.integers(3)]
    if field == "dtype":
        kinds = ("F8_E4M3", "F8_E5M2", "BF16", "F16", "F32", "F64", "I8", "U8", "BOOL", "I64", "U64", "X9", 7)
        entry[field] = kinds[rng.integers(len(kinds))]
    else:
        values: tuple[Any, ...] = (
            [],
            [0],
            [1, 1],
            [2**63, 0],
            [-1],
            [2**62, 4],
            [entry[field][0], 1],
            [*entry[field], 1],
            None,
            "x",
        )
        entry[field] = values[rng.integers(len(values))]
    plain = json.dumps(header).encode()
    return Mutation("relabel", struct.pack("<Q", len(plain)) + plain + subject.content[8 + length :], sound=False)


def crown(subject: Subject, rng: np.random.Generator) -> Mutation:
    """Format, checksum or settings of the header are something else."""
    settings, format_ = as_json(subject.settings), str(FORMAT)
    deep = "[" * 100_000 + "]" * 100_000
    values = (
        "Infinity",
        "NaN",
        "null",
        "1e400",
        "-1",
        "0",
        "true",
        '"6"',
        "[]",
        "{}",
        deep,
        str(FORMAT - 1),
        "9" * 5000,
    )
    one = values[rng.integers(len(values))]
    headers = (
        f'{{"format": {one}, "settings": {settings}}}',
        f'{{"format": {format_}, "settings": {one}}}',
        f'{{"format": {format_}, "checksum": {one}, "settings": {settings}}}',
        one,
        settings,
    )
    header = headers[rng.integers(len(headers))]
    return Mutation("crown", save(subject.arrays, {HEADER: header}), sound=False)


def reword(subject: Subject, rng: np.random.Generator) -> Mutation:
    """A value of the settings is another, is gone, or is joined by one more."""
    settings = json.loads(as_json(subject.settings))
    place: Any = settings
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = keys[rng.integers(len(keys))]
        if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.85:
            place = place[key]
            continue
        change = rng.random()
        if change < 0.15:
            del place[key]
        elif change < 0.25 and isinstance(place, dict):
            place["another"] = ODD[rng.integers(len(ODD))]
        elif change < 0.4 and isinstance(place[key], int | float):
            place[key] *= (-1, 0.5, 2, 1e10, 1e300)[rng.integers(5)]
        else:
            place[key] = ODD[rng.integers(len(ODD))]
        break
    return Mutation("reword", with_checksum(subject.arrays, settings), sound=True)


def renumber(subject: Subject, rng: np.random.Generator) -> Mutation:
    """A number of an array is another."""
    arrays = dict(subject.arrays)
    name = _any(arrays, rng)
    array = arrays[name].copy()
    if array.size:
        number = NUMBERS[rng.integers(len(NUMBERS))]
        if array.dtype.kind != "f":
            number = float(rng.integers(256)) if array.dtype != bool else float(rng.integers(2))
        array.reshape(-1)[rng.integers(array.size)] = array.dtype.type(number)
    return Mutation("renumber", with_checksum({**arrays, name: array}, subject.settings), sound=True)


def reshape(subject: Subject, rng: np.random.Generator) -> Mutation:
    """An array has another kind or shape, is gone or has changed places."""
    arrays = dict(subject.arrays)
    name, other = _any(arrays, rng), _any(arrays, rng)
    array = arrays[name]
    change = rng.integers(8)
    if change == 0:
        arrays[name], arrays[other] = arrays[other], arrays[name]
    elif change == 1:
        del arrays[name]
    elif change == 2:
        arrays[f"{name}.more"] = array
    elif change == 3:
        kinds = ("f8", "f4", "f2", "i8", "i4", "u4", "u1", "?", "u8")
        with np.errstate(all="ignore"):
            arrays[name] = array.astype(kinds[rng.integers(len(kinds))])
    elif change == 4:
        arrays[name] = array[..., : array.shape[-1] // 2]
    elif change == 5:
        arrays[name] = np.concatenate([array, array])
    elif change == 6:
        arrays[name] = array.reshape(-1)[:, None] if rng.random() < 0.5 else array.reshape(-1)[::-1].copy()
    else:
        arrays[name] = array.reshape(-1)[:0]
    return Mutation("reshape", with_checksum(arrays, subject.settings), sound=True)


MUTATIONS: tuple[Callable[[Subject, np.random.Generator], Mutation], ...] = (
    cut,
    scramble,
    relabel,
    crown,
    reword,
    reword,
    renumber,
    reshape,
)
"""Chosen from where no single bit is flipped."""


def _any(arrays: Arrays, rng: np.random.Generator) -> str:
    names = sorted(arrays)
    return names[rng.integers(len(names))]


def with_checksum(arrays: Arrays, settings: Any) -> bytes:
    """A file that is right as far as its checksum goes."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    header = as_json({"format": FORMAT, "checksum": checksum(contiguous, settings), "settings": settings})
    return save(contiguous, {HEADER: header})


def outcome(subject: Subject, mutation: Mutation, path: Path) -> str:
    """What a damaged file does: "refused", "same" or "other"; anything else is raised as an AssertionError."""
    path.write_bytes(mutation.content)
    try:
        clf = load_as(KeywordRanker, path)
        scores = clf.decision_function(subject.texts, embeddings=subject.embeddings)
        if mutation.sound:
            clf.rank(subject.texts, embeddings=subject.embeddings)
    except KeysiftError as error:
        if "\n" in str(error):
            raise AssertionError(f"more than a sentence: {error}") from error
        return "refused"
    if scores.tobytes() == subject.scores:
        return "same"
    assert mutation.sound, "another score from a damaged file"
    assert np.isfinite(scores).all(), "a score that is no number"
    return "other"


def run(count: int, seed: int, start: int = 0, tell: Callable[[int, Counter[str]], None] | None = None) -> Counter[str]:
    """Try the mutations from number `start` to `count`; how often each outcome was."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(dir=_memory()) as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        tried, path = subjects(Path(folder)), Path(folder) / "damaged.keysift"
        for number in range(start, count):
            rng = np.random.default_rng([seed, number])
            subject = tried[rng.integers(len(tried))]
            mutation = mutate(subject, rng)
            try:
                seen[f"{mutation.name}: {outcome(subject, mutation, path)}"] += 1
            except BaseException as error:
                error.add_note(f"mutation {number} of seed {seed}: {mutation.name}")
                raise
            if tell is not None and (number + 1) % SAID_EVERY == 0:
                tell(number + 1, seen)
    return seen


def _memory() -> str | None:
    """Where files are not written to a disk, if there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def main() -> None:
    """Run all mutations, from where the last run stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fresh", action="store_true", help="start from the first mutation")
    options = parser.parse_args()
    state = {} if options.fresh or not STATE.exists() else json.loads(STATE.read_text())
    before = state if state.get("seed") == options.seed and state.get("format") == FORMAT else {}
    start, total = before.get("done", 0), Counter(before.get("seen", {}))
    STATE.parent.mkdir(exist_ok=True)
    began = time.perf_counter()

    def keep(done: int, seen: Counter[str]) -> None:
        both = {"seed": options.seed, "format": FORMAT, "done": done, "seen": dict(total + seen)}
        STATE.write_text(json.dumps(both, sort_keys=True, indent=1))
        pace = (done - start) / (time.perf_counter() - began)
        print(f"{done:,} of {options.count:,}, {pace:,.0f} a second", file=sys.stderr)

    if start:
        print(f"Going on at {start:,}; --fresh starts from nothing.", file=sys.stderr)
    seen = run(options.count, options.seed, start, keep)
    for name, times in sorted((total + seen).items()):
        print(f"{times:>9,}  {name}")


if __name__ == "__main__":
    main()
