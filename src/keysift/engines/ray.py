"""The Ray engine: the same tasks on a cluster that somebody else started. We connect, and never start or stop one."""

import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from keysift.engines.engine import EngineError
from keysift.errors import SettingError

AHEAD = 2
"""Items handed out for each core of the cluster."""
RETRIES = 3
"""So often Ray runs a task again whose worker died."""
KNOCKING = 10.0
"""Seconds to wait for an answer from the address of a cluster."""
LOST = "the work folder keeps what was finished: give the same command again once the cluster is back"


class RayEngine:
    """Tasks on a Ray cluster; its machines share the folder that the work is kept in."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray

    @classmethod
    def connect(cls, address: str | None) -> "RayEngine":
        """Connect to the cluster at an address, by default to the one that runs on this machine."""
        try:
            import ray
        except ImportError:
            raise SettingError(
                "engine='ray' needs Ray, which is not installed: pip install 'keysift[ray]'; or leave engine= out."
            ) from None
        if not ray.is_initialized():
            try:
                _knock(address)
                ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
            except Exception as error:  # Ray has many, of many kinds
                first = str(error).strip().partition("\n")[0].rstrip(".")
                raise SettingError(
                    f"There is no Ray cluster at {address or 'this machine'} ({first:.200}); start one with `ray start"
                    " --head`, or name its address with address=."
                ) from None
        return cls(ray)

    def map(self, task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any) -> Iterator[tuple[int, Any]]:
        """As they are done; Ray runs a task again where a worker or a machine dies."""
        ray = self.ray
        try:
            remote = ray.remote(max_retries=RETRIES, num_cpus=1)(_quietly).options(
                runtime_env={"env_vars": {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}}
            )
            shared = ray.put(argument)  # goes out once to each machine
            most = max(AHEAD, int(AHEAD * ray.cluster_resources().get("CPU", 1)))
            waiting, running = iter(range(len(items))), {}
            for place in (place for _, place in zip(range(most), waiting, strict=False)):
                running[remote.remote(task, items[place], shared)] = place
            while running:
                ready, _ = ray.wait(list(running), num_returns=1)
                place = running.pop(ready[0])
                result, error = ray.get(ready[0])
                if error is not None:
                    raise error
                if (more := next(waiting, None)) is not None:
                    running[remote.remote(task, items[more], shared)] = more
                yield place, result
        except (ray.exceptions.RayError, ConnectionError) as error:
            first = str(error).strip().partition("\n")[0].rstrip(".")
            raise EngineError(f"The Ray cluster was lost ({first:.200}); {LOST}.") from None


def _knock(address: str | None) -> None:
    """Find out in seconds that nobody answers at an address: Ray itself tries for minutes."""
    host, colon, port = (address or "").rpartition("//")[2].rpartition(":")
    if colon and port.isdigit():
        with socket.create_connection((host, int(port)), timeout=KNOCKING):
            pass


def _quietly(task: Callable[[Any, Any], Any], item: Any, argument: Any) -> tuple[Any, Exception | None]:
    """What a task gave, or what it had to complain of: an error that the user can put right is no failure of Ray."""
    from keysift.errors import KeysiftError

    try:
        return task(item, argument), None
    except KeysiftError as error:
        return None, error
