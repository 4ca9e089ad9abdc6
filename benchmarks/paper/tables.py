"""Write RESULTS.md and the plots from the files of results: python -m benchmarks.paper.tables.

The document depends on those files, the paper's figures and the explanations alone, and is the same byte for byte
whenever it is written from the same lines.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.paper import published
from benchmarks.paper.cells import MARK, Cell, make_cell, not_worse
from benchmarks.paper.data_section import data_section
from benchmarks.paper.datasets import SETS
from benchmarks.paper.differing import bold_section, differing_section
from benchmarks.paper.experiments import gather, rows_beside
from benchmarks.paper.explanations import explain
from benchmarks.paper.layout import FULL, MEASURES, Column, Results, fewer, markdown, short, trials_of, values_of
from benchmarks.paper.measures import PRIORS
from benchmarks.paper.networks_section import networks_section
from benchmarks.paper.otherwise import otherwise_section
from benchmarks.paper.plots import plot_sweep
from benchmarks.paper.printed import keyword_table, loss_table
from benchmarks.paper.readings import LINES
from benchmarks.paper.readings_section import readings_section
from benchmarks.paper.results import EXACT, RESULTS, VARIANTS, read
from benchmarks.paper.systems import FAIR, NETWORKS, SYSTEMS
from keysift.files.atomic import written_whole

__all__ = ["document", "main", "summary", "write"]

THRESHOLDS = {"default": "default", "heuristic": "heuristic prior", "main": "true prior"}
FAILING, FAILING_SETS = ("Maxent", "NB", "RandomForest", "KNN", "keysift"), ("subj", "mpqa", "ayi", "20ng")

HEAD = f"""# The paper's experiments, again

Written by `make paper-tables` from `results.jsonl`, `exact.jsonl`, `variants.jsonl` and `readings.jsonl`; do not edit.
`make paper` runs what is missing from them.

Every figure is in percent points: the mean of the trials with its standard error in brackets, beside it the paper's,
then ours less the paper's. A difference of more than two combined standard errors *and* more than one point has a
{MARK} and is explained below its table. Cells of fewer than {FULL} trials say how many they have (n). **Bold**: not
worse than the best of the paper's systems without true labels, by a one-sided t-test at 5 %; the paper's boldface is in
its own columns. O-Maxent and O-Sigmoid see the true labels. The row keysift is its linear model on mean word vectors
alone; the paper has no such row, and it is not in the test.

**Which plan a row has.** Sigmoid, Logistic and O-Sigmoid are trained with a quarter of the paper's 50 epochs at four
times its rate, on 20NG with a tenth at ten times: a short plan, not the paper's protocol. The rows “50 epochs” are the
paper's own plan, so far with the number of trials that they say. The rows “16 places of padding” and “padded to 200”
are the short plan without a mask, as the authors' code pads (section Padding). All other rows have the paper's 20
trials, read as the sections Where we do otherwise and Other readings say.

F1 and ACC are macro F1 and accuracy. "At a prior" means: positive from the score that cuts off that share of the
*training* documents, ties taken in. Where scores are tied, Prec@100 is the mean over the orders of the tie.
"""


def document(
    results: Results, readings: Results | None = None, exact: Results | None = None, variants: Results | None = None
) -> str:
    """The whole of RESULTS.md.

    `readings` are other readings of the paper, `exact` networks trained as long as its, `variants` networks trained in
    other ways.
    """
    experiments = gather(readings or {}, exact or {}, variants or {})
    failing = [Column(SETS[name].title, name, "default", "f1") for name in FAILING_SETS]
    sections = [
        HEAD,
        "## Summary: AUC, ours / the paper's\n",
        summary(results),
        f"\nA {MARK} is explained below the table of its set.\n",
        *differing_section(results, experiments),
        *bold_section(results),
        "## Losses and keywords\n",
        *loss_table(),
        "",
        *keyword_table(),
        "\n## Data and Algorithm 1\n",
        *data_section(results, experiments),
        *otherwise_section(experiments),
        "\n## Main table\n",
        *_main_section(results, experiments),
        "## Failure of default thresholds\n\nF1 at the default threshold of systems that learn one.\n",
        *_triples(results, failing, FAILING, {}, bold=False),
        "## Default, heuristic and true thresholds\n",
        *_threshold_section(results, experiments),
        "## Sweep of priors\n",
        *_sweep_section(results),
        "## Seconds of a fit\n",
        *_seconds_section(results),
        *networks_section(results, experiments),
        *readings_section(readings or {}),
    ]
    return "\n".join(sections) + "\n"


def summary(results: Results) -> str:
    """AUC of all systems on all sets."""
    columns = [Column(SETS[name].title, name, "main", "auc") for name in SETS]
    cells = _cells(results, columns, tuple(SYSTEMS))
    rows = []
    for system in SYSTEMS:
        row = [short(cell) for cell in cells[system]]
        rows.append([system, *row])
    return "\n".join(markdown(["", *(column.heading for column in columns)], rows))


def _main_section(results: Results, experiments: Results) -> Iterator[str]:
    for name, data in SETS.items():
        yield f"### {data.title}\n"
        columns = [Column(heading, name, "main", measure) for measure, heading in MEASURES.items()]
        yield from _triples(results, columns, tuple(SYSTEMS), experiments)


def _threshold_section(results: Results, experiments: Results) -> Iterator[str]:
    for name, data in SETS.items():
        for measure in ("f1", "acc"):
            yield f"### {data.title}, {MEASURES[measure]}\n"
            columns = [Column(heading, name, table, measure) for table, heading in THRESHOLDS.items()]
            yield from _triples(results, columns, tuple(SYSTEMS), experiments)


def _sweep_section(results: Results) -> Iterator[str]:
    yield (
        "F1 and ACC when the share of positives is taken to be 0.05, 0.1, 0.2 … 0.9. Lines are ours, rings the paper's,"
        " the grey line is the true prior. **Bold** in the tables: not worse than the best prior of the same system.\n"
    )
    for name, data in SETS.items():
        yield f"### {data.title}\n\n![{data.title}: F1 and accuracy over the assumed prior](plots/{name}.svg)\n"
        for measure in ("f1", "acc"):
            yield f"<details><summary>{data.title}, {MEASURES[measure]}: the figures</summary>\n"
            yield from _sweep_table(results, name, measure)
            yield "</details>\n"


def _sweep_table(results: Results, name: str, measure: str) -> Iterator[str]:
    rows, marked = [], []
    for system in SYSTEMS:
        values = values_of(results, name, system, f"{measure}_sweep")
        if not len(values):
            continue
        bold = not_worse({str(place): values[:, place] for place in range(len(PRIORS))})
        paper = published.sweep(name, measure, system)
        theirs = published.bold_places(name, measure, system)
        cells = [
            make_cell(values[:, place], paper[place] if paper else None, str(place) in bold, place in theirs)
            for place in range(len(PRIORS))
        ]
        rows.append([system + fewer(cells[0]), *(cell.ours() for cell in cells)])
        if paper:
            rows.append(["paper", *(cell.theirs() for cell in cells)])
            rows.append(["difference", *(cell.apart() for cell in cells)])
        marked += [
            (system, f"{prior:g}", explain("sweep", name, system, measure))
            for prior, cell in zip(PRIORS, cells, strict=True)
            if cell.marked
        ]
    yield from markdown(["", *(f"{prior:g}" for prior in PRIORS)], rows)
    yield from _notes(marked)


def _seconds_section(results: Results) -> Iterator[str]:
    yield (
        "Mean over the trials, on one thread, from texts to a model that can score; GloVeRanking and Voting learn"
        " nothing. Compare the rows, and roughly: other work shared the machine, now more and now less.\n"
    )
    rows = []
    for system in ("keysift", *NETWORKS, *(other for other in SYSTEMS if other not in (*NETWORKS, "keysift"))):
        seconds = [values_of(results, name, system, "seconds") for name in SETS]
        rows.append([system, *(f"{values.mean():.2f}" if len(values) else "—" for values in seconds)])
    yield from markdown(["", *(data.title for data in SETS.values())], rows)


def _triples(
    results: Results,
    columns: Sequence[Column],
    systems: Sequence[str],
    experiments: Results,
    bold: bool = True,
) -> Iterator[str]:
    """A table of three columns for each one that is asked for: ours, the paper's, the difference; and the notes."""
    cells = _cells(results, columns, systems, bold)
    heads = ["", *(head for column in columns for head in (column.heading, "paper", "diff."))]
    rows, marked = [], []
    for system in systems:
        row = [system]
        for column, cell in zip(columns, cells[system], strict=True):
            row += ["—", "", ""] if cell is None else [cell.ours() + fewer(cell), cell.theirs(), cell.apart()]
            if cell is not None and cell.marked:
                marked.append((system, column.heading, explain(column.table, column.name, system, column.measure)))
        rows.append(row)
        for title in rows_beside(experiments, columns[0].name, system):
            row = [title]
            for column in columns:
                paper = published.figure(column.table, column.name, column.measure, system)
                cell = make_cell(column.values(experiments, title), paper)
                row += [cell.ours() + fewer(cell), cell.theirs(), cell.apart().rstrip(MARK)]
            rows.append(row)
    yield from markdown(heads, rows)
    yield from _notes(marked)


def _cells(
    results: Results, columns: Sequence[Column], systems: Sequence[str], bold: bool = True
) -> dict[str, list[Cell | None]]:
    """The cells of each system; bold where one of the paper's is not worse than its best without true labels."""
    cells: dict[str, list[Cell | None]] = {system: [] for system in systems}
    tested = [system for system in systems if system in FAIR and system != "keysift"]
    for column in columns:
        values = {system: column.values(results, system) for system in systems}
        best = not_worse({system: values[system] for system in tested if len(values[system])}) if bold else set()
        for system in systems:
            paper = published.figure(column.table, column.name, column.measure, system)
            theirs = bold and published.bold(column.table, column.name, column.measure, system)
            there = len(values[system]) > 0
            cells[system].append(make_cell(values[system], paper, system in best, theirs) if there else None)
    return cells


def _notes(marked: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """A line for each explanation, with the cells that it is for."""
    by_text: dict[str, dict[str, list[str]]] = {}
    for system, heading, text in marked:
        by_text.setdefault(text, {}).setdefault(system, []).append(heading)
    yield ""
    for text, systems in by_text.items():
        where = "; ".join(f"{system} ({', '.join(headings)})" for system, headings in systems.items())
        yield f"- {MARK} {where}: {text}"
    if by_text:
        yield ""


def write(
    results: Results,
    folder: Path,
    readings: Results | None = None,
    exact: Results | None = None,
    variants: Results | None = None,
) -> None:
    """Write RESULTS.md and the plots into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with written_whole(folder / "RESULTS.md") as part:
        part.write_text(document(results, readings, exact, variants), encoding="utf-8")
    for name, data in SETS.items():
        curves = {
            system: {
                measure: values_of(results, name, system, f"{measure}_sweep").mean(axis=0) for measure in ("f1", "acc")
            }
            for system in FAIR
            if trials_of(results, name, system)
        }
        if curves:
            plot_sweep(folder / "plots" / f"{name}.svg", name, data.title, data.prior, curves)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the documents, or only print the summary."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper.tables", description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of results")
    parser.add_argument("--folder", type=Path, default=RESULTS.parent, help="where RESULTS.md and plots/ go")
    parser.add_argument("--summary", action="store_true", help="print the table of AUC and write nothing")
    options = parser.parse_args(arguments)
    results = read(options.results)
    if not results:
        print(f"There is no result in {options.results}; run python -m benchmarks.paper.runner first.", file=sys.stderr)
        return 2
    if options.summary:
        print(f"AUC, ours / the paper's, from {options.results}:\n\n{summary(results)}")
    else:
        write(results, options.folder, read(LINES), read(EXACT), read(VARIANTS))
        print(f"Wrote RESULTS.md and the plots from {len(results)} results.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
