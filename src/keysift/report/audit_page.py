"""The page about an audit: figures with their intervals, what follows, and the documents that speak against the cut."""

from pathlib import Path
from xml.etree import ElementTree as ET

from keysift import __version__
from keysift.audit import Audit, Estimate, Measures
from keysift.audit.wording import conclusions, figures, interval_of, value_of
from keysift.report.html import element
from keysift.report.shell import table, write_page

__all__ = ["write_audit_report"]

WIDTH, ROW, LEFT = 900, 34, 320
SHOWN = 20


def write_audit_report(path: str | Path, audit: Audit, measures: Measures, *, source: str) -> None:
    """Write the page about an audit of the ranking `source`."""
    body = element(
        "body",
        *_head(measures, source),
        element("h2", "Figures"),
        element(
            "p",
            "Estimates with 95 % intervals that are right for this design: documents were drawn at random within each"
            " stratum, more where they tell more, and counted by the size of their stratum.",
        ),
        interval_picture(figures(measures)),
        table(
            ("figure", "estimate", "95 % interval"),
            [(name, value_of(estimate), interval_of(estimate)) for name, estimate in figures(measures)],
            numbers=(1, 2),
        ),
        *(node for title, text in conclusions(measures) for node in (element("h2", title), element("p", text))),
        *_strata(measures),
        *_surprises(audit),
    )
    write_page(path, f"keysift: audit of {source}", body)


def _head(measures: Measures, source: str) -> list[ET.Element]:
    tiles = (
        (f"{measures.answered:,}", f"judged of {measures.documents:,}"),
        (value_of(measures.precision), f"precision at the cut ({interval_of(measures.precision)})"),
        (value_of(measures.recall), f"recall at the cut ({interval_of(measures.recall)})"),
        (value_of(measures.prevalence), f"relevant in all ({interval_of(measures.prevalence)})"),
        ("yes" if measures.stopping.reached else "not yet", f"recall of {measures.stopping.target:.0%} proved"),
    )
    left_out = measures.unsure + measures.unanswered
    return [
        element("h1", "Audit of a ranking"),
        element("p", f"{source} · {measures.cut.above:,} documents above the cut · keysift {__version__}"),
        element(
            "div",
            *(element("div", element("b", value), element("span", name), class_="tile") for value, name in tiles),
            class_="tiles",
        ),
        *(
            [
                element(
                    "p",
                    f"Left out, as if they had not been drawn: {measures.unsure:,} unsure and"
                    f" {measures.unanswered:,} without an answer.",
                )
            ]
            if left_out
            else []
        ),
    ]


def interval_picture(rows: list[tuple[str, Estimate | None]]) -> ET.Element:
    """A line for each interval and a dot for each estimate, from 0 to 100 %.

    >>> picture = interval_picture([("recall", Estimate(0.5, 0.25, 0.75)), ("theta", None)])
    >>> picture.tag, len(picture.findall("circle")), len(picture.findall("rect"))
    ('svg', 1, 1)
    """
    known = [(name, estimate) for name, estimate in rows if estimate is not None]
    height = ROW * len(known) + 26

    def x(share: float) -> float:
        return LEFT + (WIDTH - LEFT - 24) * share

    nodes = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        place = f"{x(tick):.1f}"
        nodes.append(element("line", class_="grid", x1=place, x2=place, y1="4", y2=str(height - 20)))
        nodes.append(element("text", f"{tick:.0%}", class_="tick", x=place, y=str(height - 4), text_anchor="middle"))
    for number, (name, estimate) in enumerate(known):
        y = ROW * number + 20
        nodes.append(element("text", name, class_="label", x="0", y=str(y + 5)))
        nodes.append(
            element(
                "rect",
                element("title", f"{name}: {interval_of(estimate)}"),
                class_="with",
                attributes={
                    "x": f"{x(estimate.low):.1f}",
                    "width": f"{max(2.0, x(estimate.high) - x(estimate.low)):.1f}",
                    "y": str(y - 4),
                    "height": "8",
                    "rx": "4",
                },
            )
        )
        if estimate.value is not None:
            nodes.append(element("circle", class_="dot", cx=f"{x(estimate.value):.1f}", cy=str(y), r="7"))
    return element(
        "svg",
        *nodes,
        attributes={
            "viewBox": f"0 0 {WIDTH} {height}",
            "role": "img",
            "aria-label": "Estimates with their 95 % intervals",
        },
    )


def _strata(measures: Measures) -> list[ET.Element]:
    rows = [(part.name, f"{part.size:,}", f"{part.judged:,}", f"{part.relevant:,}") for part in measures.strata]
    return [
        element("h2", "Where the documents were drawn"),
        element(
            "p",
            "The top are the best documents, “just below” the next after the cut, and the elusion stratum is the rest:"
            " what is relevant there has eluded the ranking.",
        ),
        table(("stratum", "documents", "judged", "relevant"), [tuple(row) for row in rows], numbers=(1, 2, 3)),
    ]


def _surprises(audit: Audit) -> list[ET.Element]:
    """Judged documents on the wrong side of the cut."""
    rows = audit.sample.rows
    decided = audit.ranking.decided[rows]
    nodes: list[ET.Element] = []
    for title, wrong in (
        ("Relevant, but below the cut", (audit.answers == 1) & ~decided),
        ("Not relevant, but above the cut", (audit.answers == 0) & decided),
    ):
        places = sorted(rows[wrong].tolist())
        nodes += [element("h2", title), element("p", f"{len(places):,} of the judged documents.")]
        if places:
            lines = [
                (f"{place + 1:,}", audit.ranking.ids[place], f"{audit.ranking.scores[place]:.2f}", _text(audit, place))
                for place in places[:SHOWN]
            ]
            nodes.append(table(("rank", "id", "score", "text and evidence"), [*lines], numbers=(0, 2)))
    return nodes


def _text(audit: Audit, place: int) -> ET.Element:
    text = " ".join(audit.ranking.texts[place].split())
    shown = text[:300] + ("…" if len(text) > 300 else "")
    return element("div", shown, element("div", audit.ranking.evidence[place], class_="why"))
