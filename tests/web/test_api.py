"""The whole loop through the API, and every way in which it says no."""

import io
import shlex
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import numpy as np
import polars as pl
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import keysift
from keysift.cli.app import app
from keysift.review.state import State
from keysift.web.api import application
from keysift.web.project import KeptSample
from keysift.web.versions import _version
from keysift.web.workbench import Workbench
from tests.web.conftest import ARGUMENTS, HOSTILE


def done(client: TestClient) -> dict[str, Any]:
    """Wait for the job, and say how it ended."""
    for _ in range(600):
        job: dict[str, Any] = client.get("/api/status").json()["job"]
        if job["state"] != "running":
            return job
        time.sleep(0.05)
    raise AssertionError(job)


def test_from_a_file_to_an_export(client: TestClient, file: Path, tmp_path: Path) -> None:
    assert client.get("/api/status").json()["corpus"] is None
    assert client.put("/api/files/news.csv", content=file.read_bytes()).json()["files"] == ["news.csv"]
    look = client.post("/api/preview", json={"file": "news.csv"}).json()
    assert (look["documents"], look["empty"], look["id"]) == (62, 1, "id")
    assert client.post("/api/corpus", json={"file": "news.csv", "text": ["text"]}).status_code == 202
    assert done(client)["state"] == "done"

    found = client.post("/api/match", json={"text": "hockey, baseball:2, -tax"}).json()
    by_word = {row["chip"]["word"]: row for row in found["rows"]}
    assert by_word["tax"]["chip"]["excluded"]
    assert by_word["baseball"]["chip"]["weight"] == 2
    assert by_word["hockey"]["documents"] > 0
    marked = {piece["text"].lower() for piece in by_word["hockey"]["examples"][0]["pieces"] if piece["kind"]}
    assert marked == {"hockey"}
    again = client.post("/api/match", json={"chips": found["chips"], "text": "Baseball, puck"}).json()
    assert (again["again"], len(again["chips"])) == (["baseball"], 4)
    assert again["chips"][:3] == found["chips"]  # no weight has grown

    assert client.post("/api/learn", json={"text": "hockey, baseball"}).status_code == 202
    assert done(client)["state"] == "done"
    top = client.get("/api/ranking", params={"n": 10}).json()
    assert (top["total"], len(top["rows"])) == (62, 10)
    assert [row["rank"] for row in top["rows"]] == list(range(1, 11))

    csv = client.get("/api/export/ranking.csv")
    assert "attachment" in csv.headers["content-disposition"]
    table = pl.read_csv(io.BytesIO(csv.content))
    assert table["id"].to_list()[:10] == [row["id"] for row in top["rows"]]
    for name, reader in (("ranking.parquet", pl.read_parquet), ("ranking.jsonl", pl.read_ndjson)):
        assert reader(io.BytesIO(client.get(f"/api/export/{name}").content))["id"].to_list() == table["id"].to_list()
    assert client.get("/api/export/ranking.xlsx").content.startswith(b"PK")
    model = tmp_path / "a.keysift"
    model.write_bytes(client.get("/api/export/model.keysift").content)
    ranked = keysift.load(model).rank(pl.read_csv(file)["text"].fill_null(""))
    assert ranked["document"][0] == top["rows"][0]["document"]
    assert "<script>alert" not in client.get("/api/export/report.html").text


def test_document_text_is_data_wherever_it_is_shown(looked_at: TestClient) -> None:
    document = 60
    whole = looked_at.get(f"/api/documents/{document}").json()
    shown = "".join(piece["text"] for piece in whole["pieces"])
    assert "<script>alert(1)</script>" in shown  # as text; the page never makes markup of it
    assert "\x1b" not in shown
    assert "\x1b" in HOSTILE
    assert whole["matched"] == ["hockey"]


def test_filters_and_search(learned: TestClient) -> None:
    def ids(**params: str) -> list[int]:
        rows = learned.get("/api/ranking", params={"n": "200", **params}).json()["rows"]
        return [row["document"] for row in rows]

    everything = ids()
    assert len(everything) == 62
    unmatched = ids(filter="unmatched")
    assert unmatched == [place for place in everything if place in set(unmatched)]
    for row in learned.get("/api/ranking", params={"filter": "unmatched", "n": 200}).json()["rows"]:
        assert row["matched"] == []
    low = learned.get("/api/ranking", params={"filter": "low", "n": 200}).json()["rows"]
    assert all(row["matched"] and not row["positive"] for row in low)
    assert 0 < len(ids(search="GARLIC")) < 62
    assert ids(search=".*") == []  # letters, no pattern
    assert ids(filter="answered") == []
    best, worst = everything[0], everything[-2]
    for document, answer in ((best, "n"), (worst, "n")):
        assert learned.put("/api/answers", json={"document": document, "answer": answer}).json()["answers"] > 0
    assert set(ids(filter="answered")) == {best, worst}
    learned.put("/api/answers", json={"document": worst, "answer": None})
    assert ids(filter="answered") == [best]


def test_the_figures_at_each_cut_are_those_of_the_cut(learned: TestClient) -> None:
    before = learned.get("/api/cuts").json()
    counts = [cut["count"] for cut in before["cuts"]]
    assert counts == sorted(counts)
    assert counts[-1] == 61  # an empty document has no score
    bars = before["histogram"]
    assert sum(bars["matched"]) + sum(bars["others"]) == 61
    chosen = next(cut for cut in before["cuts"] if cut["count"] >= 15)
    after = learned.post("/api/cut", json={"by": "score", "value": chosen["threshold"]}).json()
    assert after["current"]["count"] == chosen["count"]
    for name in ("precision", "recall"):
        assert after["current"][name] == pytest.approx(chosen[name])
    assert sum(row["positive"] for row in learned.get("/api/ranking?n=200").json()["rows"]) == chosen["count"]
    assert learned.post("/api/cut", json={"by": "top", "value": 7}).json()["current"]["count"] == 7
    given = learned.post("/api/cut", json={"by": "prior", "prior": 0.5}).json()
    assert (given["prior"]["value"], given["provisional"], given["asked"]) == (0.5, False, None)


def test_twenty_answers_would_narrow_the_prior(looked_at: TestClient) -> None:
    cuts = looked_at.get("/api/cuts").json()
    wide, narrow = (cuts[name]["high"] - cuts[name]["low"] for name in ("prior", "asked"))
    assert narrow < wide


def test_a_review_is_kept_learned_and_resumed(bench: Workbench, learned: TestClient, tmp_path: Path) -> None:
    def answer(answer: str) -> dict[str, Any]:
        document = learned.get("/api/review").json()["shown"]["document"]
        said: dict[str, Any] = learned.post("/api/review/answer", json={"document": document, "answer": answer}).json()
        bench.ranked.reviewer.wait()
        return said

    revision = learned.get("/api/status").json()["revision"]
    first = learned.get("/api/review").json()["shown"]["document"]
    for said in "yynyn":
        progress = answer(said)
    assert (progress["read"], progress["relevant"], progress["irrelevant"]) == (5, 3, 2)
    assert learned.get("/api/status").json()["revision"] > revision
    refused = learned.post("/api/review/answer", json={"document": first, "answer": "y"})
    assert refused.status_code == 409
    assert "answered elsewhere" in refused.json()["error"]
    assert learned.post("/api/review/back").json()["read"] == 4
    learned.put("/api/notes", json={"document": first, "text": "ask the author"})
    assert learned.get(f"/api/documents/{first}").json()["note"] == "ask the author"
    table = pl.read_csv(io.BytesIO(learned.get("/api/export/answers.csv").content))
    assert table["answer"].to_list() == ["y", "y", "n", "y"]
    cuts = learned.get("/api/cuts").json()
    assert cuts["current"]["precision"] is None  # nothing was measured for such scores
    assert "changed the ranking" in cuts["advice"]
    assert cuts["ask"]
    assert sum(cuts["histogram"]["relevant"]) == 3

    again = tmp_path / "again"
    shutil.copytree(tmp_path / "project", again)  # as if the server had been killed now
    with State.open(again) as state, Workbench(state, ARGUMENTS) as other:
        other.resume()
        other.jobs.wait()
        with TestClient(application(other), base_url="http://localhost") as client:
            status = client.get("/api/status").json()
            assert (status["answers"], status["keywords"]) == (4, "hockey, baseball")
            assert client.get("/api/review").json()["read"] == 4


def test_twenty_answers_tell_the_prior_and_the_cut(bench: Workbench, learned: TestClient) -> None:
    topics = bench.opened.corpus.columns["topic"]
    asking = learned.get("/api/ask").json()
    places = [shown["document"] for shown in asking["documents"]]
    assert len(set(places)) == 20
    assert asking["answers"] == [None] * 20
    early = learned.post("/api/ask")
    assert early.status_code == 409
    assert "at least 8" in early.json()["error"]
    before = learned.get("/api/cuts").json()
    for place in places[:12]:
        said = "y" if topics[place] == "sports" else "n"
        asking = learned.put("/api/ask", json={"document": place, "answer": said}).json()
    assert [shown["document"] for shown in asking["documents"]] == places  # nothing is learned meanwhile
    assert sum(answer is not None for answer in asking["answers"]) == 12
    after = learned.post("/api/ask").json()
    assert (after["origin"], after["provisional"]) == ("from answers", False)
    assert after["prior"]["high"] - after["prior"]["low"] < before["prior"]["high"] - before["prior"]["low"]
    assert after["prior"]["low"] < 21 / 62 < after["prior"]["high"]
    assert after["current"]["precision"] is not None
    assert after["advice"] == ""  # the figures say it all
    moved = learned.post("/api/cut", json={"by": "top", "value": 9}).json()
    assert moved["prior"] == after["prior"]
    unknown = next(place for place in range(60) if place not in places)
    assert learned.put("/api/ask", json={"document": unknown, "answer": "y"}).status_code == 409

    learned.post("/api/learn", json={"text": "hockey"})  # the share of relevant documents has nothing to do with it
    assert done(learned)["state"] == "done"
    assert learned.get("/api/cuts").json()["origin"] == "from answers"


def left_and_opened(bench: Workbench, folder: Path, ask: bool = False) -> dict[str, Any]:
    """What the page says of the cut, or asks, when the server was killed now and started again."""
    again = Path(tempfile.mkdtemp(dir=folder)) / "project"
    shutil.copytree(bench.project.folder, again)
    with State.open(again) as state, Workbench(state, ARGUMENTS) as other:
        other.resume()
        other.jobs.wait()
        with TestClient(application(other), base_url="http://localhost") as client:
            shown: dict[str, Any] = client.get("/api/ask" if ask else "/api/cuts").json()
    return shown


def test_a_sample_is_the_same_when_the_page_is_opened_again(
    bench: Workbench, learned: TestClient, tmp_path: Path
) -> None:
    topics = bench.opened.corpus.columns["topic"]
    assert learned.get("/api/cuts").json()["source"] == (
        "Precision and recall are modelled from other corpora (90 % intervals)."
    )
    learned.post("/api/cut", json={"by": "top", "value": 7})  # the strata have to do with the cut
    places = [shown["document"] for shown in learned.get("/api/ask").json()["documents"]]
    for place in places[:5]:
        asking = learned.put("/api/ask", json={"document": place, "answer": "ny"[topics[place] == "sports"]}).json()
    assert left_and_opened(bench, tmp_path, ask=True) == asking
    for place in places[5:12]:
        asking = learned.put("/api/ask", json={"document": place, "answer": "ny"[topics[place] == "sports"]}).json()
    used = learned.post("/api/ask").json()
    assert used["source"] == "Precision and recall are modelled from 12 answers and other corpora (90 % intervals)."
    assert left_and_opened(bench, tmp_path) == learned.get("/api/cuts").json()
    assert left_and_opened(bench, tmp_path, ask=True) == asking
    bench.project.keep_sample("hockey, baseball", KeptSample(above=30, used=True))  # as if the ranking were another
    other = left_and_opened(bench, tmp_path)
    assert (other["basis"], other["prior"]) == ("none", used["prior"])
    assert "The ranking has changed since, so they cannot judge it" in other["advice"]


def test_a_random_sample_proves_what_answers_in_a_reading_order_cannot(
    bench: Workbench, learned: TestClient, tmp_path: Path
) -> None:
    topics = bench.opened.corpus.columns["topic"]

    def say(path: str, place: int) -> None:
        said = "y" if topics[place] == "sports" else "n"
        assert learned.put(path, json={"document": place, "answer": said}).status_code == 200
        bench.ranked.reviewer.wait()

    for place in range(3):
        say("/api/answers", place)
    for shown in learned.get("/api/ask").json()["documents"]:
        say("/api/ask", shown["document"])
    proved = learned.post("/api/ask").json()
    assert (proved["ask"], proved["basis"]) == (False, "measured")
    assert "measured by your 20 answers to a random sample" in proved["source"]
    above = [row["document"] for row in learned.get("/api/ranking?n=200").json()["rows"] if row["positive"]]
    truth = sum(topics[place] == "sports" for place in above) / len(above)
    assert proved["current"]["precision"]["low"] <= truth <= proved["current"]["precision"]["high"]
    assert proved["current"] == learned.get("/api/cuts").json()["current"]
    again = left_and_opened(bench, tmp_path)
    assert (again["current"], again["basis"]) == (proved["current"], "measured")

    say("/api/answers", 3)  # which is learned with the sample, and makes another ranking
    later = learned.get("/api/cuts").json()
    assert (later["current"]["precision"], later["basis"], later["source"]) == (None, "none", "")
    assert later["prior"] == proved["prior"]
    precision = proved["current"]["precision"]
    told = "{:.0f} % ({:.0f} to {:.0f})".format(*(100 * precision[end] for end in ("value", "low", "high")))
    assert f"of its first {len(above)} documents, {told} are relevant" in later["advice"]
    assert "has learned from these answers since" in later["advice"]
    assert left_and_opened(bench, tmp_path)["advice"] == later["advice"]


def test_who_looks_does_not_wait_for_who_writes(bench: Workbench, learned: TestClient) -> None:
    paths = ("status", "ranking", "cuts", "ask", "map", "versions")
    learned.get("/api/versions")
    with ThreadPoolExecutor(1) as elsewhere, bench.lock:
        looked = elsewhere.submit(lambda: [learned.get(f"/api/{path}").status_code for path in paths])
        assert looked.result(timeout=60) == [200] * len(paths)


def test_what_is_said_while_it_learns_counts(bench: Workbench, learned: TestClient) -> None:
    learned.put("/api/answers", json={"document": 3, "answer": "y"})
    said = [(5, "n"), (3, None)]

    def progress(stage: str, done: float) -> None:
        while said:
            document, answer = said.pop(0)
            learned.put("/api/answers", json={"document": document, "answer": answer})

    bench._learn({"hockey": 1.0}, progress, Event())
    assert said == []
    assert bench.ranked.answers() == {5: "n"}
    known = bench.ranked.result.learned.answers
    assert known is not None
    assert {place: int(known[place]) for place in np.flatnonzero(known >= 0)} == {5: 0}


def test_a_stop_check_starts_and_ends(learned: TestClient) -> None:
    assert learned.post("/api/review/check").json()["checking"]
    assert learned.get("/api/review").json()["shown"]["chosen"] == "sample"
    document = learned.get("/api/review").json()["shown"]["document"]
    skipped = learned.post("/api/review/answer", json={"document": document, "answer": "skip"})
    assert skipped.status_code == 422
    assert "cannot be skipped" in skipped.json()["error"]
    assert not learned.post("/api/review/check").json()["checking"]


def test_the_cut_is_kept_for_other_keywords_and_the_next_time(bench: Workbench, learned: TestClient) -> None:
    learned.post("/api/cut", json={"by": "top", "value": 9, "prior": 0.4})
    learned.post("/api/learn", json={"text": "soup, bread"})
    done(learned)
    cuts = learned.get("/api/cuts").json()
    assert (cuts["rule"], cuts["current"]["count"], cuts["prior"]["value"]) == ("the top 9", 9, 0.4)
    learned.post("/api/cut", json={"by": "score", "value": 0.25})
    bench.resume()  # as at the next start, with the keywords of the last time
    bench.jobs.wait()
    assert learned.get("/api/cuts").json()["current"]["threshold"] == 0.25
    learned.post("/api/learn", json={"text": "soup"})  # whose scores are others
    done(learned)
    assert learned.get("/api/cuts").json()["rule"] == "at the prior"


def test_versions_are_listed_once_until_one_changes(learned: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Mock(wraps=_version)
    monkeypatch.setattr("keysift.web.versions._version", make)
    first = learned.get("/api/versions").json()
    assert learned.get("/api/versions").json() == first
    assert make.call_count == 1
    learned.patch("/api/versions/1", json={"name": "sports"})
    assert learned.get("/api/versions").json()[0]["name"] == "sports"
    learned.post("/api/learn", json={"text": "hockey"})
    assert done(learned)["state"] == "done"
    assert [(one["keywords"], one["ranked"]) for one in learned.get("/api/versions").json()] == [
        ("hockey, baseball", True),
        ("hockey", True),
    ]


def test_versions_are_named_and_compared(learned: TestClient) -> None:
    learned.post("/api/learn", json={"text": "soup, bread"})
    assert done(learned)["state"] == "done"
    learned.patch("/api/versions/1", json={"name": "sports"})
    first, second = learned.get("/api/versions").json()
    assert (first["name"], first["ranked"], second["keywords"]) == ("sports", True, "soup, bread")
    changed = learned.get("/api/changes", params={"before": 1, "after": 2, "top": 5}).json()
    assert len(changed["entered"]) == len(changed["left"]) == 5
    assert all(moved["after"] <= 5 < moved["before"] for moved in changed["entered"])
    assert changed["now_positive"] > 0
    same = learned.get("/api/changes", params={"before": 2, "after": 2}).json()
    assert (same["entered"], same["now_positive"], same["correlation"]) == ([], 0, 1.0)


def test_a_text_that_is_not_in_the_ranking(looked_at: TestClient) -> None:
    good = looked_at.post("/api/score", json={"text": "the hockey team won <b>the</b> game"}).json()
    bad = looked_at.post("/api/score", json={"text": "the judge heard the case"}).json()
    assert good["score"] > bad["score"]
    assert good["rank"] < bad["rank"]
    assert good["matched"] == ["hockey"]
    assert "".join(piece["text"] for piece in good["pieces"]) == "the hockey team won <b>the</b> game"


def test_the_map_has_a_place_for_each_document(looked_at: TestClient) -> None:
    assert not looked_at.get("/api/map").json()["ready"]
    assert looked_at.post("/api/map").status_code == 202
    assert done(looked_at)["state"] == "done"
    drawn = looked_at.get("/api/map").json()
    assert drawn["ready"]
    assert sorted(drawn["document"]) == list(range(61))
    assert all(-1 <= place <= 1 for place in drawn["x"] + drawn["y"])
    rows = looked_at.post("/api/rows", json={"documents": [5, 3, 5]}).json()["rows"]
    assert sorted(row["document"] for row in rows) == [3, 5]
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)


def test_what_repeats_it_runs(learned: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learned.post("/api/cut", json={"by": "top", "value": 9, "prior": 0.4})
    repeat = learned.get("/api/repeat").json()
    command, *others = shlex.split(repeat["shell"])
    assert (command, others[0]) == ("keysift", "rank")
    assert others[others.index("-k") + 1] == "hockey, baseball"
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {}
    exec(repeat["python"], scope)
    assert scope["session"].ranking.positive.sum() == 9
    assert scope["session"].result.decisions.prior.value == 0.4
    assert (tmp_path / "model.keysift").exists()
    assert CliRunner().invoke(app, others).exit_code == 0
    assert pl.read_csv(tmp_path / "ranking.csv")["decision"].sum() == 9


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("GET", "/api/ranking", None, 409, "Nothing is learned yet"),
        ("POST", "/api/learn", {"text": "a"}, 409, "No documents are open"),
        ("POST", "/api/match", {"text": "a"}, 409, "choose a file first"),
        ("GET", "/api/review", None, 409, "give keywords"),
        ("POST", "/api/preview", {"file": "nothing.csv"}, 404, "none yet"),
        ("POST", "/api/corpus", {"file": "../../etc/passwd"}, 404, "no file"),
        ("PUT", "/api/files/virus.exe", None, 415, "must end in .csv"),
        ("PATCH", "/api/versions/3", {"name": "x"}, 404, "no version 3"),
        ("POST", "/api/match", {"txt": "a"}, 422, "txt"),
        ("GET", "/api/ranking?n=100000", None, 422, "n: "),
        ("GET", "/api/ranking?filter=best", None, 422, "filter"),
        ("GET", "/api/nothing", None, 404, "openapi.json"),
        ("POST", "/api/status", None, 405, "Method Not Allowed"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    client: TestClient, method: str, path: str, body: Any, status: int, told: str
) -> None:
    answer = client.request(method, path, json=body)
    assert answer.status_code == status
    assert told in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/cut", {"by": "precision", "value": 7}, "share between 0 and 1"),
        ("/api/cut", {"by": "top", "value": 1.5}, "whole number"),
        ("/api/cut", {"by": "top"}, "takes a value"),
        ("/api/learn", {"text": ""}, "keyword"),
        ("/api/match", {"text": "hockey, -hockey"}, "hockey"),
    ],
)
def test_settings_that_cannot_be(looked_at: TestClient, path: str, body: Any, told: str) -> None:
    answer = looked_at.post(path, json=body)
    assert answer.status_code == 422
    assert told in answer.json()["error"]


def test_documents_that_are_not_there(looked_at: TestClient) -> None:
    for answer in (
        looked_at.get("/api/documents/62"),
        looked_at.get("/api/documents/-1"),
        looked_at.post("/api/rows", json={"documents": [99]}),
        looked_at.put("/api/answers", json={"document": 99, "answer": "y"}),
        looked_at.get("/api/export/nothing.csv"),
    ):
        assert answer.status_code == 404
        assert "There is no" in answer.json()["error"]


def test_a_file_that_cannot_be_read_leaves_the_last_one_open(learned: TestClient) -> None:
    learned.put("/api/files/bad.parquet", content=b"no table")
    assert learned.post("/api/corpus", json={"file": "bad.parquet"}).status_code == 202
    job = done(learned)
    assert job["state"] == "failed"
    assert job["message"].startswith("bad.parquet")
    assert learned.delete("/api/files/bad.parquet").json()["files"] == []
    assert learned.delete("/api/files/news.csv").status_code == 409  # it is open
    assert learned.get("/api/ranking").json()["total"] == 62


def test_another_corpus_is_refused_while_there_are_answers(learned: TestClient) -> None:
    learned.put("/api/answers", json={"document": 1, "answer": "y"})
    rows = "\n".join(f"{n},some other text number {n}" for n in range(80))
    learned.put("/api/files/other.csv", content=f"id,text\n{rows}\n".encode())
    learned.post("/api/corpus", json={"file": "other.csv"})
    assert "belongs to another corpus" in done(learned)["message"]
    assert learned.get("/api/status").json()["answers"] == 1


def test_too_large_a_file_is_refused_and_nothing_is_left(client: TestClient) -> None:
    answer = client.put("/api/files/big.csv", content=b"x" * 60_000)
    assert answer.status_code == 413
    assert client.get("/api/status").json()["files"] == []


def test_the_description_is_complete(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.")
    for path, operations in described["paths"].items():
        assert path.startswith("/api/")
        for operation in operations.values():
            assert operation["description"].endswith("."), path
            assert operation["responses"]["422"]["content"]["application/json"]["schema"]["$ref"].endswith("/Problem")


@pytest.mark.long
def test_the_sample_is_a_corpus_for_the_curious(client: TestClient, bench: Workbench) -> None:
    bench.project.most = 100_000_000
    assert client.post("/api/sample").json()["files"] == ["sample.csv"]
    look = client.post("/api/preview", json={"file": "sample.csv"}).json()
    assert look["documents"] > 1_000
    assert look["language"] == "English"
