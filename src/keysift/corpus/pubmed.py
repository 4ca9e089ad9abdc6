"""References from PubMed's XML; entities and anything outside of the file are refused."""

from typing import TYPE_CHECKING, Any

import polars as pl

from keysift.corpus.medline import IN_RIS, kind_of_reference, pages_of, year_of
from keysift.corpus.references import reference_table
from keysift.errors import InputError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_pubmed(data: bytes, source: str) -> pl.DataFrame:
    r"""The articles of a PubMed XML file.

    >>> article = "<Article><ArticleTitle>A <i>goal</i></ArticleTitle></Article>"
    >>> xml = f"<PubmedArticleSet><PubmedArticle><PMID>7</PMID>{article}</PubmedArticle></PubmedArticleSet>"
    >>> read_pubmed(xml.encode(), "a.xml").rows()
    [('7', 'A goal', 'A goal')]
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not data.strip():
        return pl.DataFrame()
    try:
        root: Element = fromstring(data)
    except DefusedXmlException as error:
        raise InputError(
            f"{source}: it declares entities, which can hide anything, and is not read ({type(error).__name__});"
            " download it from PubMed again."
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise InputError(
            f"{source}: it is no valid XML ({error}); download it again, or choose another format with format=."
        ) from error
    articles = [*root.iter("PubmedArticle"), *root.iter("PubmedBookArticle")]
    if not articles:
        raise InputError(
            f"{source}: it is XML, but not PubMed's, for it begins with <{root.tag}> and has no <PubmedArticle>; export"
            " the references as RIS instead, and give the .ris file."
        )
    return reference_table([_columns(article) for article in articles])


def _columns(article: "Element") -> dict[str, Any]:
    """The fields of one article; what it lacks is left out."""
    title, book = _text(article.find(".//ArticleTitle")), _text(article.find(".//BookTitle"))
    types = _texts(article, ".//PublicationTypeList/PublicationType")
    journal = _text(article.find(".//Journal/Title"))
    row: dict[str, Any] = {
        "id": _text(article.find(".//PMID")),
        "reference_type": kind_of_reference(types, journal, book, title),
        "title": title or book,
        "abstract": " ".join(filter(None, map(_part, article.findall(".//Abstract/AbstractText")))),
        "authors": [name for name in map(_name, article.findall(".//AuthorList/Author")) if name],
        "keywords": [*_texts(article, ".//Keyword"), *_texts(article, ".//DescriptorName")],
        "year": year_of(_text(_first(article, ".//PubDate/Year", ".//PubDate/MedlineDate"))),
        "journal": journal,
        "volume": _text(article.find(".//JournalIssue/Volume")),
        "issue": _text(article.find(".//JournalIssue/Issue")),
        **pages_of(_text(_first(article, ".//Pagination/MedlinePgn", ".//Pagination/StartPage"))),
        "issn": _text(article.find(".//Journal/ISSN")),
        "publisher": _text(article.find(".//Publisher/PublisherName")),
        "language": _text(article.find(".//Language")),
        "doi": _text(_first(article, ".//ELocationID[@EIdType='doi']", ".//ArticleId[@IdType='doi']")),
    }
    others = {
        "AD": list(dict.fromkeys(_texts(article, ".//AuthorList/Author/AffiliationInfo/Affiliation"))),
        "BTI": [book] if book and title else [],
        "PL": _texts(article, ".//MedlineJournalInfo/Country"),
        "PMC": _texts(article, "./PubmedData/ArticleIdList/ArticleId[@IdType='pmc']"),
        "PT": types,
        "TA": _texts(article, ".//MedlineJournalInfo/MedlineTA"),
    }
    row |= {f"ris_{IN_RIS[tag]}": values for tag, values in others.items()}
    return {name: value for name, value in row.items() if value}


def _first(article: "Element", *paths: str) -> "Element | None":
    return next((found for path in paths if (found := article.find(path)) is not None), None)


def _texts(article: "Element", path: str) -> list[str]:
    return list(filter(None, map(_text, article.findall(path))))


def _text(node: "Element | None") -> str:
    """The text of an element without its markup, on one line."""
    return "" if node is None else " ".join("".join(node.itertext()).split())


def _part(node: "Element") -> str:
    """A part of an abstract with its heading: METHODS: ..."""
    text, label = _text(node), node.get("Label")
    return f"{label}: {text}" if label and text else text


def _name(author: "Element") -> str:
    family, given = _text(author.find("LastName")), _text(author.find("ForeName"))
    return ", ".join(filter(None, (family, given))) or _text(author.find("CollectiveName"))
