"""The Ray engine: the same tasks on a cluster that somebody else started. We connect, and never start or stop one.

The items are the rows of a Ray data set, and the task is its `map_batches`. A row that goes out is a shard, a few names
and numbers, and the row that comes home is what the task says of it: documents are read and written where the task
runs.
"""

import logging
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from keysift.engines.engine import EngineError, environment
from keysift.errors import KeysiftError, SettingError
from keysift.library_logs import silenced

RETRIES = 3
"""So often Ray runs a task again whose worker died."""
BLOCKS = 32
"""Blocks of items for each core of the cluster: a block costs the process that hands them out some 20 ms."""
KNOCKING = 10.0
"""Seconds to wait for an answer from the address of a cluster."""
PAUSE = 2.0
"""Seconds after which the cluster is asked whether it is still there, where nothing comes home."""
PATIENCE = 40.0
"""Seconds that it may be away, as for a restart of its head; after 60 Ray ends this process."""
BY_CLIENT = (
    "Ray Data does not run by Ray's client (ray://…): start this on a machine of the cluster, or with `ray job submit`,"
    " and give its address as host:port with address=, or leave address= out."
)
ONE_THREAD = {"env_vars": {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}}


class RayEngine:
    """Tasks on a Ray cluster; its machines share the folder that the work is kept in."""

    def __init__(self, ray: Any) -> None:
        self.ray = ray

    @classmethod
    def connect(cls, address: str | None) -> "RayEngine":
        """Connect to the cluster at an address, by default to the one that runs on this machine."""
        if (address or "").startswith("ray://"):
            raise SettingError(BY_CLIENT)
        try:
            with environment({"RAY_ENABLE_AUTO_CONNECT": "0"}):  # or Ray might start a cluster by itself
                import ray
                import ray.data
        except ImportError:
            raise SettingError(
                "engine='ray' needs Ray, which is not installed: pip install 'keysift[ray]'; or leave engine= out."
            ) from None
        if not ray.is_initialized():
            try:
                _knock(address)
                ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
            except Exception as error:  # Ray has many, of many kinds
                raise SettingError(
                    f"There is no Ray cluster at {address or 'this machine'} ({_first(error)}); start one with `ray"
                    " start --head`, or name its address with address=."
                ) from None
        client: Any = ray.util.client.ray
        if client.is_connected():  # by RAY_ADDRESS, or by the caller
            raise SettingError(BY_CLIENT)
        return cls(ray)

    def map(self, task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any) -> Iterator[tuple[int, Any]]:
        """As they are done; Ray runs a task again where a worker or a machine dies."""
        if not items:
            return
        ray = self.ray
        try:
            with silenced("ray.data"):
                yield from _outcomes(ray, self._rows(task, items, argument))
        except ray.exceptions.WorkerCrashedError:
            raise EngineError(
                f"A worker died {1 + RETRIES} times of the same part of the documents: the memory of its machine may"
                " not be enough for it, or a file is damaged."
            ) from None
        except (ray.exceptions.RayError, ConnectionError) as error:
            logging.getLogger("ray.data").setLevel(logging.CRITICAL + 1)  # its threads notice only when all ends
            raise EngineError(f"The Ray cluster was lost ({_first(error)}).") from None

    def _rows(self, task: Callable[[Any, Any], Any], items: Sequence[Any], argument: Any) -> Any:
        """A data set that has, for each item, what the task gives for it; nothing is done before it is asked."""
        ray = self.ray
        cores = int(ray.cluster_resources().get("CPU", 1))
        context = ray.data.DataContext.get_current().copy()
        context.enable_progress_bars = False
        with ray.data.DataContext.current(context), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of max_retries, which Ray 2.64 will take in another way
            return ray.data.from_items(
                [{"place": place, "item": ray.cloudpickle.dumps(item)} for place, item in enumerate(items)],
                override_num_blocks=min(len(items), BLOCKS * max(1, cores)),
            ).map_batches(
                _run,
                fn_args=[task, ray.put(argument)],  # goes out once to each machine
                num_cpus=1,
                runtime_env=ONE_THREAD,
                max_retries=RETRIES,
            )


def _run(batch: Mapping[str, Any], task: Callable[[Any, Any], Any], argument: Any) -> dict[str, Any]:
    """What a task gave for some items, or what it had to complain of: that is no failure of Ray."""
    import ray

    argument = ray.get(argument)
    outcomes: list[tuple[Any, KeysiftError | None]] = []
    for item in batch["item"]:
        try:
            outcomes.append((task(ray.cloudpickle.loads(item), argument), None))
        except KeysiftError as error:
            outcomes.append((None, error))
    # As bytes, like the items: Ray Data would make columns of what is in them.
    dumps: Callable[[Any], bytes] = ray.cloudpickle.dumps
    pickled = [dumps(outcome) for outcome in outcomes]
    return {"place": batch["place"], "outcome": np.array(pickled, dtype=object)}


def _outcomes(ray: Any, rows: Any) -> Iterator[tuple[int, Any]]:
    for batch in _watched(rows, _watched_address(ray)):
        for place, outcome in zip(batch["place"], batch["outcome"], strict=True):
            result, error = ray.cloudpickle.loads(outcome)
            if error is not None:
                raise error
            yield int(place), result


def _watched(rows: Any, address: str | None) -> Iterator[Any]:
    """The batches of a data set as they come, until nobody answers at the address of the cluster for too long.

    Ray itself would then end this process without a word, so others wait for its batches, and this thread watches.
    """
    coming: SimpleQueue[Any] = SimpleQueue()
    enough = threading.Event()
    threading.Thread(target=_fetch, args=(rows, coming, enough), daemon=True).start()
    answered = time.monotonic()
    try:
        while True:
            try:
                batch = coming.get(timeout=PAUSE)
            except Empty:
                try:
                    _knock(address)
                    answered = time.monotonic()
                except OSError:
                    if time.monotonic() - answered > PATIENCE:
                        raise ConnectionError(f"nobody answers at {address}") from None
                continue
            if batch is None:
                return
            if isinstance(batch, BaseException):
                raise batch
            yield batch
    finally:
        enough.set()


def _fetch(rows: Any, coming: SimpleQueue[Any], enough: threading.Event) -> None:
    try:
        for batch in rows.iter_batches(batch_size=None, prefetch_batches=0):
            coming.put(batch)
            if enough.is_set():
                return
        coming.put(None)
    except BaseException as error:
        coming.put(error)


def _watched_address(ray: Any) -> str | None:
    """Where the cluster is asked whether it is there; None where it does not answer this process at all."""
    address: str = ray.get_runtime_context().gcs_address
    try:
        _knock(address)
    except OSError:  # connected by way of another machine
        return None
    return address


def _knock(address: str | None) -> None:
    """Find out in seconds that nobody answers at an address: Ray itself tries for minutes."""
    host, colon, port = (address or "").rpartition("//")[2].rpartition(":")
    if colon and port.isdigit():
        with socket.create_connection((host, int(port)), timeout=KNOCKING):
            pass


def _first(error: Exception) -> str:
    """The first line of what an error says."""
    return f"{str(error).strip().partition(chr(10))[0].rstrip('.'):.200}"
