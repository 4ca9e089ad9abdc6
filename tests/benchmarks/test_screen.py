import re

import pytest

from benchmarks.review.screen import made_up, main


def test_every_key_leads_to_another_document_and_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--documents", "60", "--answered", "10", "--keys", "4", "--pause", "0"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["best first", "in a stop check"]
    for line in lines:
        assert len(re.findall(r"median [\d.]+ ms, 95th percentile [\d.]+ ms", line)) == 2


def test_some_documents_hold_the_keyword() -> None:
    texts = made_up(400)
    assert 0 < sum("hockey" in text for text in texts) < 60
    assert texts == made_up(400)
