"""Twenty clients that ask again and again while one learns: the slowest request, and the memory of the server."""

import json
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

__all__ = ["crowd"]

CLIENTS = 20
PAUSE = 0.3
"""Seconds between two requests of a client, as the page has it while a job runs."""
ASKED = ("status", "status", "status", "ranking?start=0&n=50", "cuts", "versions", "review")
KEYWORDS = ("baseball, hockey", "baseball, hockey, pitcher", "game, team, players", "goalie, nhl")
WARM = 0.3
"""Of the time, after which the memory should not grow any more."""


def crowd(url: str, pid: int, minutes: float) -> dict[str, float]:
    """All of it for so many minutes."""
    slowest: dict[str, float] = {}
    counts = [0] * CLIENTS
    end = time.monotonic() + 60 * minutes
    clients = [threading.Thread(target=_client, args=(url, end, number, slowest, counts)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    used, learned, begun = [], 0, time.monotonic()
    while time.monotonic() < end:
        learned += _learn(url, KEYWORDS[learned % len(KEYWORDS)], slowest)
        used.append((time.monotonic() - begun, _memory(pid)))
        time.sleep(1)
    for client in clients:
        client.join()
    warm = [size for when, size in used if when >= WARM * 60 * minutes] or [used[-1][1]]
    half = max(1, len(warm) // 2)
    return {
        "minutes": minutes,
        "requests": sum(counts),
        "learned": learned,
        "slowest_s": max(slowest.values()),
        "memory_first_MB": max(warm[:half]),
        "memory_last_MB": max(warm[-half:]),
        **{f"slowest_{path.split('?')[0]}_s": taken for path, taken in sorted(slowest.items())},
    }


def _client(url: str, end: float, number: int, slowest: dict[str, float], counts: list[int]) -> None:
    while time.monotonic() < end:
        path = ASKED[counts[number] % len(ASKED)]
        _ask(url, path, slowest)
        counts[number] += 1
        time.sleep(PAUSE)


def _learn(url: str, keywords: str, slowest: dict[str, float]) -> int:
    """Learn, unless something is under way; 1 if it began."""
    if _ask(url, "status", slowest)["job"]["state"] == "running":
        return 0
    _ask(url, "learn", slowest, {"text": keywords})
    return 1


def _ask(url: str, path: str, slowest: dict[str, float], body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "X-Keysift": "1"}
    begun = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(f"{url}api/{path}", data, headers), timeout=120) as answer:
        found = json.load(answer)
    slowest[path] = max(slowest.get(path, 0.0), time.monotonic() - begun)
    return found


def _memory(pid: int) -> float:
    """MB of a process that are in memory now."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1e3
