"""Results to take away: tables, the model, the report, and how to make all of it again without the page."""

import shlex
from pathlib import Path

import polars as pl

from keysift.corpus.writing import write
from keysift.keywords.parsing import spelled_out
from keysift.present.report import write_report
from keysift.reviewed import reviewed
from keysift.web.ranked import Ranked
from keysift.web.ranking_schemas import Repeat
from keysift.web.refusals import NotThereError
from keysift.web.workbench import Workbench

TYPES = {
    "ranking.csv": "text/csv; charset=utf-8",
    "ranking.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ranking.parquet": "application/vnd.apache.parquet",
    "ranking.jsonl": "application/x-ndjson",
    "model.keysift": "application/octet-stream",
    "answers.csv": "text/csv; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
}
"""What can be taken away."""


def export(bench: Workbench, name: str, folder: Path) -> Path:
    """Write a result into a folder, and say where it is; others need not wait for it."""
    if name not in TYPES:
        raise NotThereError(f"There is no {name!r} to export; there are {', '.join(TYPES)}.")
    path = folder / name
    bench.ranked.reviewer.wait()  # so that two files that are taken one after the other are of the same ranking
    ranked, clf = bench.ranked, bench.ranker()
    ranking = ranked.result.ranking
    corpus = ranked.opened.corpus
    if name == "model.keysift":
        clf.remember(corpus.read_from).save(path)
    elif name == "report.html":
        write_report(path, clf, corpus, ranking.frame())
    elif name == "answers.csv":
        write(_answers(ranked), path)
    else:
        write(reviewed(corpus, ranked.reviewer, path), path)
    return path


def repeat(bench: Workbench) -> Repeat:
    """The command line and the Python lines that give the same ranking."""
    ranked = bench.ranked
    opened, keywords = ranked.opened, ranked.result.matches.typed
    source, project = str(opened.path), str(bench.project.folder)
    columns = [f"--text {shlex.quote(name)}" for name in opened.columns.text]
    columns += [] if opened.columns.id is None else [f"--id {shlex.quote(opened.columns.id)}"]
    options, given = _options(bench, ranked)
    lines = [
        f"keysift rank {shlex.quote(source)} {' '.join(columns)} -k {shlex.quote(spelled_out(keywords))}{options}"
        " -o ranking.csv --report report.html --model-out model.keysift"
    ]
    if ranked.answers():
        lines.append(f"keysift review export --state {shlex.quote(project)} -o reviewed.csv  # with the answers")
    arguments = f"text={list(opened.columns.text)!r}" + (f", id={opened.columns.id!r}" if opened.columns.id else "")
    python = [
        "import keysift",
        "from keysift.corpus.reading import read",
        "",
        f"corpus = read({source!r}, {arguments})",
        f"session = keysift.Session(corpus.texts{given}{_state(ranked, project)})",
        f"session.keywords({keywords!r})",
        "session.learn()",
        "print(session.page(0, 20))",
        'session.classifier().save("model.keysift")',
    ]
    return Repeat(shell="\n".join(lines), python="\n".join(python))


def _answers(ranked: Ranked) -> pl.DataFrame:
    """What was said, in the order in which it was."""
    opened, state = ranked.opened, ranked.reviewer.state
    place_of = {int(number): place for place, number in enumerate(opened.numbers)}
    notes = state.notes()
    said = [(place_of[number], number, given) for number, given in state.answers().items() if number in place_of]
    places = pl.Series([place for place, _, _ in said], dtype=pl.Int64)
    return pl.DataFrame(
        {
            "id": opened.corpus.ids.gather(places),
            "answer": [given.answer for _, _, given in said],
            "chosen": [given.chosen for _, _, given in said],
            "at": [given.at for _, _, given in said],
            "note": [notes.get(number) for _, number, _ in said],
            "text": opened.corpus.texts.gather(places),
        },
        schema_overrides=dict.fromkeys(("answer", "chosen", "at", "note"), pl.String),
    )


def _options(bench: Workbench, ranked: Ranked) -> tuple[str, str]:
    """What is not as installed: the cut, a prior that is known, the encoder; on the command line and in Python."""
    decisions, encoder = ranked.result.decisions, bench.arguments.get("encoder", "minilm")
    rule = decisions.rule.plain
    shell, python = [], []
    if rule != "prior":
        written = f"{rule[0]}={rule[1]}" if isinstance(rule, list | tuple) else str(rule)
        shell.append(f"--threshold {shlex.quote(written)}")
        python.append(f"threshold={tuple(rule) if isinstance(rule, list) else rule!r}")
    if decisions.prior.basis == "given":
        shell.append(f"--prior {decisions.prior.value:g}")
        python.append(f"prior={decisions.prior.value:g}")
    if encoder != "minilm" and isinstance(encoder, str | None):
        shell.append(f"--encoder {shlex.quote(encoder or 'none')}")
        python.append(f"encoder={encoder!r}")
    return "".join(f" {option}" for option in shell), "".join(f", {argument}" for argument in python)


def _state(ranked: Ranked, project: str) -> str:
    return f", state={project!r}" if ranked.answers() else ""
