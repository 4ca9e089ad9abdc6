import pytest
from fastapi.testclient import TestClient

from keysift.web.api import application
from keysift.web.guard import BODY, COOKIE
from keysift.web.workbench import Workbench


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "127.0.0.1@evil.example"])
def test_other_hosts_are_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/status", headers={"host": host})
    assert answer.status_code == 400
    assert "host" in answer.json()["error"]


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8765"])
def test_this_machine_is_served_by_every_name(client: TestClient, host: str) -> None:
    assert client.get("/api/status", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_other_pages_are_refused(client: TestClient, origin: str) -> None:
    answer = client.post("/api/sample", headers={"origin": origin})
    assert answer.status_code == 403
    assert client.get("/api/status").json()["files"] == []
    assert client.delete("/api/job", headers={"origin": "http://127.0.0.1:8765"}).status_code == 200


def test_requests_across_sites_are_refused_without_an_origin_too(client: TestClient) -> None:
    assert client.get("/api/export/ranking.csv", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_every_answer_is_sealed(client: TestClient) -> None:
    for path in ("/", "/api/status", "/api/nothing", "/static/nothing.js"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/status").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("length", [True, False])
def test_too_much_is_refused_however_it_is_sent(client: TestClient, length: bool) -> None:
    body = b'{"text": "' + b"a" * BODY + b'"}'
    parts = (body[start : start + 100_000] for start in range(0, len(body), 100_000))
    answer = client.post("/api/score", content=body if length else parts)
    assert answer.status_code == 413
    assert "at most 8 MB" in answer.json()["error"]


def test_without_the_token_nothing_is_told(bench: Workbench) -> None:
    with TestClient(application(bench, "s3cret"), base_url="http://example:8765", follow_redirects=False) as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": f"{COOKIE}=wrong"}, {"cookie": "a b=;;"}):
            assert client.get("/api/status", headers=headers).status_code == 401
            assert client.get("/", headers=headers).status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        assert client.get("/api/status?token=s3cret").status_code == 401  # an address is seen by others
        assert client.get("/api/status", headers={"authorization": "Bearer s3cret"}).status_code == 200
        opened = client.get("/?token=s3cret")
        assert (opened.status_code, opened.headers["location"]) == (303, "/")
        assert {"HttpOnly", "SameSite=Strict"} <= set(opened.headers["set-cookie"].split("; "))
        assert client.get("/api/status").status_code == 200  # by the cookie
