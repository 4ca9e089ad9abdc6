"""The measured parts of docs/scale.md: python -m benchmarks.speed.scale_page writes them from results-scale.jsonl."""

import json
from pathlib import Path
from typing import Any

from benchmarks.speed.scale import RESULTS

__all__ = ["blocks", "main"]

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
START, END = "<!-- {}: make scale -->\n", "<!-- end -->"
CORES = 2
"""Of the machine that was measured; a node is taken to be one like it."""
NODES = (1, 10, 100, 1000)
DOCUMENTS = (10**6, 10**8, 10**10)


def main() -> None:
    """Put each block between its marks."""
    lines = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    text = PAGE.read_text(encoding="utf-8")
    for name, block in blocks(lines).items():
        before, found, rest = text.partition(START.format(name))
        if not found:
            raise ValueError(f"{PAGE.name} has no mark {START.format(name).strip()!r}; put it back.")
        text = before + found + block + "\n" + END + rest.partition(END)[2]
    PAGE.write_text(text, encoding="utf-8")


def blocks(lines: list[dict[str, Any]]) -> dict[str, str]:
    """The text of each block."""
    by_kind: dict[str, list[dict[str, Any]]] = {"rank": [], "memory": [], "auc": [], "auc of many": [], "pairs": []}
    for line in sorted(lines, key=lambda line: int(line.get("documents", 0))):
        by_kind[line["key"][0]].append(line)
    made = {"rank": _ranks(by_kind["rank"]), "auc": _aucs(by_kind["auc"]), "pairs": _pairs(by_kind["pairs"])}
    if by_kind["auc of many"]:
        made["auc of many"] = _aucs(by_kind["auc of many"])
    if by_kind["memory"]:
        made["memory"] = _memory(by_kind["memory"])
    large = [line for line in by_kind["rank"] if line["processor_seconds_of"]["scored"]]
    if large:
        made["nodes"] = _nodes(large[-1])
    return made


def _ranks(lines: list[dict[str, Any]]) -> str:
    rows = [
        f"| {line['documents']:,} | {line['bytes'] / 1e6:,.0f} | {line['seconds']:,.0f} |"
        f" {line['processor_seconds']:,.0f} | {line['peak_mb']:,.0f} |"
        for line in lines
    ]
    head = ["| documents | MB of text | seconds | processor seconds | peak MB |", "|--:|--:|--:|--:|--:|"]
    return "\n".join([*head, *rows])


def _memory(lines: list[dict[str, Any]]) -> str:
    rows = [
        f"| {line['key'][1]} | {line['documents']:,} | {line['peak_mb']:,.0f} | {line['seconds']:,.0f} |"
        f" {line['processor_seconds']:,.0f} |"
        for line in lines
    ]
    head = ["| --memory | documents | peak MB | seconds | processor seconds |", "|--:|--:|--:|--:|--:|"]
    return "\n".join([*head, *rows])


def _aucs(lines: list[dict[str, Any]]) -> str:
    rows = [
        f"| {line['key'][1]} | {line['relevant']:,} of {line['documents']:,} | {line['all']:.2f} |"
        f" {line['sampled']:.2f} | {line['sampled'] - line['all']:+.2f} |"
        for line in lines
    ]
    sample = f"{lines[0]['sample']:,}" if lines else "a sample"
    head = [f"| task | relevant | learned from all | from {sample} | difference |", "|---|--:|--:|--:|--:|"]
    return "\n".join([*head, *rows])


def _pairs(lines: list[dict[str, Any]]) -> str:
    return "\n".join(
        f"{line['positives']:,} positives against {line['negatives']:,} negatives, {line['pairs']:.0e} pairs in every"
        f" step, eight made-up features: {line['seconds']:.0f} s for the whole fit from memory-mapped shards"
        f" ({line['steps']} steps)."
        f" No coefficient differs from that of the fit in memory by more than {line['largest_difference']:.0e}."
        for line in lines
    )


def costs(line: dict[str, Any]) -> dict[str, float]:
    """Processor seconds a document of each pass, of what one process does alone, and of learning, which is constant.

    Only the first two are measured; the others are the time of their stages, scaled by how much of all time was used.
    """
    documents, passes, stages = line["documents"], line["processor_seconds_of"], line["stages"]
    spread = ("Counting", "Scoring", "Giving reasons")
    alone = ("Deciding", "Sorting", "Writing")
    share = min(1.0, line["processor_seconds"] / max(1e-9, sum(stages.values())))
    learning = sum(seconds for name, seconds in stages.items() if name not in (*spread, *alone))
    return {
        "survey": passes["survey"] / documents,
        "score": passes["scored"] / documents,
        "reasons": share * stages.get("Giving reasons", 0.0) / documents,
        "alone": share * sum(stages.get(name, 0.0) for name in alone) / documents,
        "learning": share * learning,
    }


def _nodes(line: dict[str, Any]) -> str:
    cost = costs(line)
    each = cost["survey"] + cost["score"] + cost["reasons"]
    said = [
        f"Processor time on {line['documents']:,} documents, measured in the workers: {1e6 * cost['survey']:.0f} µs a"
        f" document to count and choose, {1e6 * cost['score']:.0f} µs to score. Estimated, as the time of their stages"
        f" times the share of processor time in all stages: {1e6 * cost['reasons']:.0f} µs for reasons,"
        f" {1e6 * cost['alone']:.0f} µs that one process does alone (deciding, sorting, writing), and"
        f" {cost['learning']:.0f} s to learn from the sample. The table follows from the formula; nothing in it was run"
        " on more than one node, and reading from a shared disk or network is not in it.",
        "",
        f"    seconds(D documents, N nodes of {CORES} cores) ="
        f" {1e6 * each:.0f}e-6 D / ({CORES} N) + {1e6 * cost['alone']:.0f}e-6 D + {cost['learning']:.0f}",
        "",
        "| documents | " + " | ".join(f"{nodes:,} nodes" if nodes > 1 else "1 node" for nodes in NODES) + " |",
        "|--:|" + "--:|" * len(NODES),
    ]
    for documents in DOCUMENTS:
        times = [each * documents / (CORES * nodes) + cost["alone"] * documents + cost["learning"] for nodes in NODES]
        said.append(f"| {documents:,} | " + " | ".join(map(_long, times)) + " |")
    return "\n".join(said)


def _long(seconds: float) -> str:
    if seconds < 300:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.0f} h"


if __name__ == "__main__":
    main()
