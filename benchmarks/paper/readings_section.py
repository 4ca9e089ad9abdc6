"""The section on other readings of the paper: what they give, beside the paper's figures."""

from collections.abc import Iterator

from benchmarks.paper import published
from benchmarks.paper.cells import MARK, make_cell
from benchmarks.paper.datasets import SETS
from benchmarks.paper.layout import FULL, MEASURES, Column, Results, markdown, short, trials_of
from benchmarks.paper.readings import READINGS, Reading

__all__ = ["readings_section"]


def readings_section(readings: Results) -> Iterator[str]:
    """A row for each reading and set."""
    if not readings:
        return
    yield (
        "\n## Other readings\n\nThe paper leaves parts of its baselines open. Several readings were tried, and the one"
        " nearest to the paper's own figures, which are figures on test documents, was kept: the cut at a prior on the"
        " training scores; Voting with expansions, each as often as in the keyword document, on tokens as they are"
        " written (about twenty variants); NLTK's stop words and words without punctuation for mean vectors (about"
        " ten); the pseudo-negatives as the unlabelled documents of PU-NB (two); lower-cased tokens for NB and Maxent"
        " (five). So that these rows agree with the paper is in part by choice; it says that the reading is right, not"
        " that the systems would do as well elsewhere. keysift's settings were not touched for it.\n\nSome of the"
        " readings that were not kept, 20 trials each where a row does not say how many (`python -m"
        " benchmarks.paper.readings`), ours / the paper's.\n"
    )
    tables = [("main", measure) for measure in MEASURES]
    tables += [(table, measure) for table in ("default", "heuristic") for measure in ("f1", "acc")]
    rows = []
    for name, data in SETS.items():
        for title, reading in READINGS.items():
            if not trials_of(readings, name, title):
                continue
            columns = [Column("", name, table, measure) for table, measure in tables]
            count = len(trials_of(readings, name, title))
            few = "" if count >= FULL else f" <sub>n={count}</sub>"
            rows.append(
                [f"{data.title}: {title}{few}", *(_beside(readings, column, title, reading) for column in columns)]
            )
    heads = [MEASURES[measure] if table == "main" else f"{MEASURES[measure]}, {table}" for table, measure in tables]
    yield from markdown(["", *heads], rows)


def _beside(readings: Results, column: Column, title: str, reading: Reading) -> str:
    paper = published.figure(column.table, column.name, column.measure, reading.system)
    return short(make_cell(column.values(readings, title), paper)).rstrip(MARK)
