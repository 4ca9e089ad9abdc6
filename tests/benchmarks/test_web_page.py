from typing import Any

from benchmarks.web.page import page

KNOWN: dict[str, Any] = {
    "opening": {"first_paint_ms": 1400.0, "requests": 33, "kB": 190.0},
    "lines": {"js": 3000, "css": 500, "html": 30},
    "count": {"median_ms": 90.0, "slowest_ms": 120.0},
    "drag_per_second": 55.0,
    "list": {"rows": 100_000, "asked": 4_000, "elements": 30},
    "crowd": {
        "minutes": 10.0,
        "requests": 9_000,
        "learned": 40,
        "slowest_s": 0.9,
        "memory_first_MB": 500.0,
        "memory_last_MB": 600.0,
    },
}


def rows(known: dict[str, Any]) -> dict[str, str]:
    """The last cell of each figure, by the first words of its name."""
    lines = [line for line in page(known).splitlines() if line.count("|") == 5]
    return {line.split("|")[1].strip(): line.split("|")[4].strip() for line in lines[2:]}


def test_a_miss_is_told_as_one() -> None:
    found = rows(KNOWN)
    assert [name.split(" ")[0] for name, met in found.items() if met == "**no**"] == ["first", "memory"]
    assert found["the cut is dragged: figures drawn in a second"] == "yes"


def test_what_was_not_measured_is_not_told() -> None:
    assert "clients" not in "".join(rows({"opening": KNOWN["opening"]}))
    assert "| requests of a visit | 19 | 33 |" in page(KNOWN)
