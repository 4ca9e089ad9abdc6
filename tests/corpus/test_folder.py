import gzip
import warnings
from pathlib import Path

import polars as pl
import pytest

from keysift.corpus.reading import read
from keysift.errors import InputError, KeysiftWarning
from tests.corpus.small_pdf import small_pdf

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def given(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_every_kind_of_document(tmp_path: Path) -> None:
    given(
        tmp_path,
        a_txt=b"one",
        b_html=b"<title>two</title><p>pages",
        c_eml=b"Subject: three\nFrom: ann\n\nmails",
        d_pdf=small_pdf("four"),
        e__f_ris=b"TY  - JOUR\nTI  - five\nKW  - ice\nER  - \nTY  - JOUR\nTI  - six\nER  - \n",
        e__g_mbox=b"From a\nSubject: seven\n\nx\n\nFrom b\nSubject: eight\n\ny\n",
        h_nbib=b"PMID- 77\nTI  - nine\n",
        i_md=b"# ten",
        j_eml_gz=gzip.compress(b"Subject: eleven\n\nzipped"),
        k_html=b"",
    )
    corpus = read(tmp_path)
    assert dict(zip(corpus.ids, corpus.texts, strict=True)) == {
        "a.txt": "one",
        "b.html": "two\npages",
        "c.eml": "three\nmails",
        "d.pdf": "four",
        "e/f.ris#1": "five",
        "e/f.ris#2": "six",
        "e/g.mbox#1": "seven\nx",
        "e/g.mbox#2": "eight\ny",
        "h.nbib#77": "nine",
        "i.md": "# ten",
        "j.eml.gz": "eleven\nzipped",
        "k.html": "",
    }
    assert corpus.ids.to_list() == sorted(corpus.ids)
    assert corpus.columns.filter(pl.col("title") == "five")["keywords"].to_list() == [["ice"]]
    assert corpus.columns.filter(pl.col("subject") == "three")["from"].to_list() == ["ann"]


def test_what_is_no_document_is_named_counted_and_left_out(tmp_path: Path) -> None:
    given(tmp_path, a_txt=b"a goal", b_txt=b"rain", c_png=PNG, d=PNG, e_zip=b"PK", f_pdf=b"%PDF-", g_docx=b"PK")
    with pytest.warns(KeysiftWarning) as caught:
        corpus = read(tmp_path)
    assert corpus.ids.to_list() == ["a.txt", "b.txt"]
    assert [str(warning.message) for warning in caught] == [
        f"{tmp_path}: 5 files were left out, because no document can be read from them:"
        " 'c.png' (a .png file), 'd' (no text), 'e.zip' (a .zip file), 'f.pdf' (it is damaged, or no .pdf (Stream has"
        " ended unexpectedly); create or download it again), 'g.docx' (a .docx file)."
    ]


def test_ten_files_are_named_and_the_others_counted(tmp_path: Path) -> None:
    given(tmp_path, a_txt=b"a goal", **{f"x{number:02}_png": PNG for number in range(12)})
    with pytest.warns(KeysiftWarning, match=r"12 files were left out, .*'x09\.png' \(a \.png file\) and 2 more\.$"):
        assert read(tmp_path).ids.to_list() == ["a.txt"]


def test_a_damaged_file_says_why(tmp_path: Path) -> None:
    given(tmp_path, a_txt=b"a goal", f_pdf=small_pdf("x", encrypted=True))
    with pytest.warns(KeysiftWarning, match=r"1 file was left out, .* from it: 'f\.pdf' \(it is encrypted; save it"):
        assert read(tmp_path).ids.to_list() == ["a.txt"]


def test_scans_are_empty_documents_and_named(tmp_path: Path) -> None:
    given(tmp_path, a_pdf=small_pdf("a goal"), b_pdf=small_pdf(""))
    with pytest.warns(KeysiftWarning, match=r"1 \.pdf without any text, read as empty: 'b\.pdf'; if they are scans"):
        assert read(tmp_path).texts.to_list() == ["a goal", ""]


def test_only_what_is_no_document(tmp_path: Path) -> None:
    given(tmp_path, c_png=PNG, f_xml=b"<a/>")
    with pytest.raises(
        InputError, match=r"contains no documents: 'c\.png' \(a \.png file\), 'f\.xml' \(it is XML, but"
    ):
        read(tmp_path)


def test_one_bad_byte_in_one_of_many_files_names_it_and_goes_on(tmp_path: Path) -> None:
    for number in range(2225):
        (tmp_path / f"{number:04}.txt").write_bytes(b"a goal by the caf\xe9 team" if number == 1234 else b"rain")
    with pytest.warns(KeysiftWarning, match=r"1 file was not in the encoding .*'1234\.txt' \(cp1252\); .*encoding="):
        corpus = read(tmp_path)
    assert corpus.texts[1234] == "a goal by the café team"
    assert len(corpus.texts) == 2225


def test_an_encoding_is_for_all_text_files(tmp_path: Path) -> None:
    given(tmp_path, a_txt="é".encode("latin-1"), b_txt=b"rain", c_ris="TY  - JOUR\nTI  - ü\nER  - \n".encode("latin-1"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(tmp_path, encoding="latin-1").texts.to_list() == ["é", "rain", "ü"]


def test_a_folder_of_tables_is_one_table(tmp_path: Path) -> None:
    given(tmp_path, a_csv=b"id,body,year\nx,a goal,1999\n", b_csv=b"id,body,tag\ny,rain,z\n", logo_png=PNG)
    with pytest.warns(KeysiftWarning, match=r"logo\.png"):
        corpus = read(tmp_path, text="body")
    assert corpus.ids.to_list() == ["a.csv#x", "b.csv#y"]
    assert corpus.texts.to_list() == ["a goal", "rain"]
    assert corpus.columns["year"].to_list() == ["1999", None]


def test_a_table_among_documents_is_no_document(tmp_path: Path) -> None:
    given(tmp_path, a_txt=b"a goal", b_txt=b"rain", labels_csv=b"id,label\na.txt,1\n")
    with pytest.warns(KeysiftWarning, match=r"'labels\.csv' \(a table among documents; give it by itself\)"):
        assert read(tmp_path).ids.to_list() == ["a.txt", "b.txt"]


def test_a_field_that_is_a_list_in_one_file_is_one_in_all(tmp_path: Path) -> None:
    given(
        tmp_path,
        a_ris=b"TY  - JOUR\nTI  - x\nC1  - one\nER  - \n",
        b_ris=b"TY  - JOUR\nTI  - y\nC1  - two\nC1  - three\nER  - \nTY  - JOUR\nTI  - z\nER  - \n",
        c_ris=b"TY  - JOUR\nTI  - w\nC1  - four\nER  - \nTY  - JOUR\nTI  - v\nER  - \n",
    )
    assert read(tmp_path).columns["ris_C1"].to_list() == [["one"], ["two", "three"], None, ["four"], None]


def test_a_file_that_cannot_be_unzipped_is_named(tmp_path: Path) -> None:
    given(tmp_path, a_txt=b"a goal", b_txt_gz=b"no gzip")
    with pytest.warns(KeysiftWarning, match=r"'b\.txt\.gz' \(it is not gzip, or it is damaged"):
        assert read(tmp_path).ids.to_list() == ["a.txt"]
