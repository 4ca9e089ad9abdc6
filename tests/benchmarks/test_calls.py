from concurrent.futures import ThreadPoolExecutor

from benchmarks.speed.calls import count_calls
from keysift.keywords.parsing import parse_keywords


def test_calls_are_counted_in_every_thread() -> None:
    def work() -> None:
        parse_keywords("hockey")
        with ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(parse_keywords, ["baseball", "tennis"]))

    assert count_calls(work) == {"parse_keywords": 3}
    assert count_calls(lambda: None) == {}
