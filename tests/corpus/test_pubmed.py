import pytest

from keysift.corpus.pubmed import read_pubmed
from keysift.errors import InputError

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
ARTICLE = """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">7</PMID><Article>
<Journal><ISSN>0028-4793</ISSN><JournalIssue><Volume>3</Volume><Issue>2</Issue>
<PubDate><MedlineDate>2020 Jan-Feb</MedlineDate></PubDate></JournalIssue>
<Title>Sports</Title></Journal><ArticleTitle>A <i>goal</i>
in winter</ArticleTitle><Pagination><MedlinePgn>101-9</MedlinePgn></Pagination>
<ELocationID EIdType="doi">10.1/x</ELocationID>
<Abstract><AbstractText Label="AIM">To score.</AbstractText><AbstractText>Late &amp; well.</AbstractText></Abstract>
<AuthorList><Author><LastName>Doe</LastName><ForeName>Jane</ForeName>
<AffiliationInfo><Affiliation>Ice Hall</Affiliation></AffiliationInfo></Author>
<Author><CollectiveName>The Team</CollectiveName></Author></AuthorList><Language>eng</Language>
<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList></Article>
<MedlineJournalInfo><Country>Norway</Country><MedlineTA>Sport</MedlineTA></MedlineJournalInfo>
<MeshHeadingList><MeshHeading><DescriptorName>Hockey</DescriptorName></MeshHeading></MeshHeadingList>
<KeywordList><Keyword>ice</Keyword></KeywordList></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID>8</PMID><Article><ArticleTitle>Rain</ArticleTitle></Article></MedlineCitation>
</PubmedArticle></PubmedArticleSet>"""


def test_articles() -> None:
    first, second = read_pubmed((HEAD + ARTICLE).encode(), "a.xml").rows(named=True)
    assert first == {
        "id": "7",
        "reference_type": "JOUR",
        "text": "A goal in winter\nAIM: To score. Late & well.",
        "title": "A goal in winter",
        "abstract": "AIM: To score. Late & well.",
        "authors": ["Doe, Jane", "The Team"],
        "keywords": ["ice", "Hockey"],
        "year": "2020",
        "journal": "Sports",
        "doi": "10.1/x",
        "volume": "3",
        "issue": "2",
        "start_page": "101",
        "end_page": "109",
        "issn": "0028-4793",
        "language": "eng",
        "ris_AD": "Ice Hall",
        "ris_M3": "Journal Article",
        "ris_CY": "Norway",
        "ris_JA": "Sport",
    }
    assert (second["id"], second["text"], second["abstract"], second["authors"]) == ("8", "Rain", None, None)


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a>&l9;</a>', "declares entities"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "declares entities"),
        ("<a><b></a>", r"no valid XML \(mismatched tag"),
        ("<PubmedArticleSet>", "no valid XML"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "no valid XML"),
        ("a goal", "no valid XML"),
        ("<xml><records/></xml>", "not PubMed's, for it begins with <xml> .*export the references as RIS"),
    ],
)
def test_what_is_refused(data: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_pubmed(data.encode(), "a.xml")
    assert "\n" not in str(caught.value)


def test_nothing_in_it() -> None:
    assert read_pubmed(b" ", "a.xml").is_empty()
