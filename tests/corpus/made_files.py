"""Thirty files as people have them, made by a script: each is read right, or answered with a sentence and an option."""

import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import polars as pl
import xlsxwriter

from tests.corpus.small_pdf import small_pdf

BEST = "Hockey tonight: the hockey team won the hockey final in overtime"
TEXTS = [
    "The chef stirred the soup with garlic and served dinner to the guests",
    "A hockey goalie stopped the last shot of the game and the fans cheered",
    "The judge heard the case about the contract and signed the verdict",
    "My grandmother baked bread with butter, flour and a little salt",
    "Parliament voted on the tax bill after a long debate in the morning",
    BEST,
    "Roasted onions in olive oil, said the cook, need a patient hand",
    "The prosecutor appealed the verdict; the court will hear it in May",
    "Our neighbour opened a café near the market and sells warm pastry",
    "The hockey season ends with the playoff in a full stadium this week",
    "The defendant lost the lawsuit under the new law of the state",
    "A slow sauce with tomatoes and basil is ready when it is thick",
]
IDS = [f"doc-{number:02}" for number in range(1, len(TEXTS) + 1)]
TITLES = [" ".join(text.replace(",", "").split()[:3]) for text in TEXTS]
LABELS = [int("hockey" in text.lower()) for text in TEXTS]


@dataclass(frozen=True)
class Made:
    """A file, and what is right for it."""

    name: str
    make: Callable[[Path], object]
    """Writes the file, or the folder, at the path it is given."""
    option: tuple[str, ...] = ()
    """If it is not read at once, the sentence names this option, and with it the file is read."""
    refused: str = ""
    """What the sentence says of a file that no option helps."""
    note: str = ""
    """What is said of a file although it is read."""
    documents: int = len(TEXTS)
    piped: bool = False


def table() -> pl.DataFrame:
    return pl.DataFrame({"id": IDS, "text": TEXTS, "label": LABELS})


def csv(
    separator: str = ",", encoding: str = "utf-8", header: bool = True, ends: str = "\n"
) -> Callable[[Path], object]:
    """The table as text, fields quoted where they must be."""
    written = table().write_csv(separator=separator, include_header=header).replace("\n", ends)
    return lambda path: path.write_bytes(written.encode(encoding))


def with_line_breaks(path: Path) -> None:
    broken = pl.col("text").str.replace(" the ", '\nthe "so-called" ')
    table().with_columns(pl.when(pl.col("text") == BEST).then("text").otherwise(broken).alias("text")).write_csv(path)


def with_loose_quotes(path: Path) -> None:
    rows = [
        f"{name}\t{'“' if number % 3 else chr(34)}{text}"
        for number, (name, text) in enumerate(zip(IDS, TEXTS, strict=True))
    ]
    path.write_text("\n".join(["id\ttext", *rows]) + "\n", encoding="utf-8")


def with_abstracts(path: Path) -> None:
    pl.DataFrame({"title": TITLES, "abstract": TEXTS, "year": [2020] * 12, "doi": IDS}).write_csv(path)


def workbook(**sheets: list[list[Any]]) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        with xlsxwriter.Workbook(str(path)) as file:
            for name, rows in sheets.items():
                page = file.add_worksheet(name)
                for number, row in enumerate(rows):
                    page.write_row(number, 0, row)

    return make


ROWS: list[list[Any]] = [["id", "text", "label"], *([list(row) for row in zip(IDS, TEXTS, LABELS, strict=True)])]


def ris(path: Path) -> None:
    path.write_text(
        "".join(
            f"TY  - JOUR\nTI  - {title}\nAB  - {text}\nAU  - Doe, Jane\nAU  - Roe, R.\nKW  - one\nKW  - two\n"
            f"PY  - 2020\nDO  - 10.1/{name}\nER  - \n\n"
            for name, title, text in zip(IDS, TITLES, TEXTS, strict=True)
        ),
        encoding="utf-8",
    )


def folded(text: str) -> str:
    """The text on two lines, as long fields are written."""
    words = text.split()
    return " ".join(words[:5]) + "\n      " + " ".join(words[5:])


def ris_of_endnote(path: Path) -> None:
    records = "".join(
        f"TY  - JOUR\r\nID  - {name}\r\nT1  - {title}\r\nA1  - Doe, Jane\r\nY1  - 2020///\r\nN2  - {folded(text)}\r\n"
        f"ER  - \r\n\r\n"
        for name, title, text in zip(IDS, TITLES, TEXTS, strict=True)
    )
    path.write_bytes(records.encode("utf-8-sig"))


def nbib(path: Path) -> None:
    path.write_text(
        "\n".join(
            f"PMID- {number}\nOWN - NLM\nTI  - {title}\nAB  - {folded(text)}\nFAU - Doe, Jane\n"
            f"AU  - Doe J\nJT  - Journal\nDP  - 2020 Jan\nOT  - word\n"
            for number, (title, text) in enumerate(zip(TITLES, TEXTS, strict=True), start=100)
        ),
        encoding="utf-8",
    )


def pubmed_xml(path: Path) -> None:
    articles = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{number}</PMID><Article><ArticleTitle>{title}</ArticleTitle><Abstract>"
        f"<AbstractText Label='RESULTS'>{text}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
        for number, (title, text) in enumerate(zip(TITLES, TEXTS, strict=True), start=100)
    )
    path.write_text(
        '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "pubmed.dtd">\n'
        f"<PubmedArticleSet>{articles}</PubmedArticleSet>",
        encoding="utf-8",
    )


def entities(path: Path) -> None:
    path.write_text('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><PubmedArticleSet>&x;</PubmedArticleSet>')


def page(title: str, text: str) -> bytes:
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title><style>p {{ color: red }}</style><script>hockey()</script>"
        f"</head><body><h1>{title}</h1><p>{text}</p></body></html>"
    ).encode()


def mail(title: str, text: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = title, "Zoë <zoe@example.org>", "all@example.org"
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(f"<p>{text}</p>", subtype="html")
    return bytes(message)


def mbox(path: Path) -> None:
    mails = [
        b"From zoe@example.org Mon Jan  6 10:00:00 2020\n" + mail(*pair) + b"\n"
        for pair in zip(TITLES, TEXTS, strict=True)
    ]
    path.write_bytes(b"".join(mails))


def folder(suffix: str, content: Callable[[str, str], bytes]) -> Callable[[Path], object]:
    """A folder with one file a document, in two folders."""

    def make(path: Path) -> None:
        for name, title, text, label in zip(IDS, TITLES, TEXTS, LABELS, strict=True):
            (path / str(label)).mkdir(parents=True, exist_ok=True)
            (path / str(label) / f"{name}{suffix}").write_bytes(content(title, text))

    return make


def mixed_folder(path: Path) -> None:
    folder(".txt", lambda title, text: text.encode("latin-1"))(path)
    (path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (path / "all.zip").write_bytes(b"PK\x03\x04")
    (path / ".DS_Store").write_bytes(b"\0\0\0\1Bud1")
    (path / "core").write_bytes(bytes(range(256)))


def own_output(path: Path) -> None:
    """What an earlier `keysift rank` wrote."""
    best_last = table().reverse()
    best_last.select(
        "id",
        rank=pl.int_range(1, 13),
        score=1.0 / pl.int_range(1, 13),
        decision=pl.lit(0),
        chance=pl.lit(0.5),
        pseudo_positive=pl.lit(0),
        evidence=pl.lit("by the word game"),
        matched=pl.lit("[]"),
        words=pl.lit("[]"),
        text="text",
        label="label",
    ).write_csv(path)


def parquet(path: Path) -> None:
    table().write_parquet(path)


def lines(path: Path) -> None:
    path.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")


def json_lines(path: Path) -> None:
    table().write_ndjson(path)


def zipped(path: Path) -> None:
    data = io.BytesIO()
    table().write_csv(data)
    path.write_bytes(gzip.compress(data.getvalue()))


FILES = [
    Made("plain.csv", csv()),
    Made("semicolons.csv", csv(";")),
    Made("bom.csv", csv(encoding="utf-8-sig")),
    Made("windows.csv", csv(encoding="cp1252", ends="\r\n"), option=("--encoding", "latin-1")),
    Made("latin1.txt", lambda path: path.write_text("\n".join(TEXTS), encoding="latin-1"), ("--encoding", "latin-1")),
    Made("unicode.csv", csv(encoding="utf-16"), option=("--encoding", "utf-16")),
    Made("headerless.csv", csv(header=False), option=("--no-header",)),
    Made("line-breaks.csv", with_line_breaks),
    Made("tabs.tsv", csv("\t")),
    Made("loose-quotes.tsv", with_loose_quotes, option=("--quote", "none")),
    Made("abstracts.csv", with_abstracts, option=("--text", "abstract")),
    Made("zipped.csv.gz", zipped),
    Made("ranking.csv", own_output),
    Made("lines.txt", lines),
    Made("objects.jsonl", json_lines),
    Made("typed.parquet", parquet),
    Made("sheet.xlsx", workbook(Sheet1=ROWS)),
    Made("sheets.xlsx", workbook(About=[["made by me"]], Data=ROWS, Old=ROWS[:3]), note="--sheet"),
    Made("zotero.ris", ris),
    Made("endnote.ris", ris_of_endnote),
    Made("pubmed.nbib", nbib),
    Made("pubmed.xml", pubmed_xml),
    Made("bomb.xml", entities, refused="it declares entities"),
    Made("pages", folder(".html", page)),
    Made("mails", folder(".eml", mail)),
    Made("inbox.mbox", mbox),
    Made("papers", folder(".pdf", lambda title, text: small_pdf(text))),
    Made("mixed", mixed_folder, note="3 files were left out"),
    Made("piped.csv", csv(), option=("--format", "csv"), piped=True),
    Made("report.docx", lambda path: path.write_bytes(b"PK\x03\x04"), refused="Cannot tell the format"),
]
