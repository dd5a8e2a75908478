"""Run tasks on the machines of a Dask cluster: `--scheduler tcp://HOST:8786`.

Each worker forks a process for each of its tasks, as `pool.py` does here. Dask gives the tasks of a
worker that is lost to others, so that no task is lost with it. minits, torch and the suite must be
installed on the workers, in the same versions. A worker may not be a daemon, as those cannot start
processes: start it with `--no-nanny`, or with DASK_DISTRIBUTED__WORKER__DAEMON=False.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from conformance.pool import Ended, Work, run_tasks

T = TypeVar("T")
SECONDS_TO_CONNECT = 15
SHARED = ("MINITS_BUILD", "MINITS_NATIVE", "MINITS_PLANS", "OMP_NUM_THREADS")
"""Variables of the environment that the workers get from here, as they change what is measured."""


class ClusterError(RuntimeError):
    """A cluster cannot be used; its message says why."""


def run_on_cluster(
    address: str, work: Work[T], tasks: Sequence[T], timeout: float, preload: Sequence[str]
) -> Iterator[Ended[T]]:
    """Do the tasks on a cluster's workers; yield as they end.

    Raises `ClusterError` where `distributed` is not installed, nobody answers at the address, or a
    worker cannot start processes.
    """
    try:
        from distributed import Client, as_completed
    except ModuleNotFoundError as missing:
        install = "pip install 'minits-conformance[cluster]'"
        raise ClusterError(f"--scheduler needs Dask's distributed: {install}") from missing
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as why:
        raise ClusterError(f"no Dask scheduler answers at {address}: {why}") from None
    with client:
        _require_processes(client)
        shared = {name: os.environ[name] for name in SHARED if name in os.environ}
        futures = {
            client.submit(do, work, task, timeout, tuple(preload), shared, pure=False): task
            for task in tasks
        }
        for future in as_completed(futures, loop=client.loop):
            yield _outcome(future, futures.pop(future))


def _require_processes(client: Any) -> None:
    """Raise `ClusterError` if no workers come, or if some may not start processes."""
    try:
        client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
    except TimeoutError:
        raise ClusterError("the Dask scheduler has no workers") from None
    if any(client.run(is_daemon).values()):
        raise ClusterError(
            "workers are daemons, which cannot start processes: start them with "
            "`dask worker --no-nanny`, or with DASK_DISTRIBUTED__WORKER__DAEMON=False"
        )


def _outcome(future: Any, task: T) -> Ended[T]:
    if future.status == "finished":
        ended: Ended[T] = future.result()
        return Ended(task, ended.sent, ended.lost)
    return Ended(task, lost=f"the cluster lost it: {future.exception()}")


def is_daemon() -> bool:
    """Return whether this process may not start processes of its own."""
    return multiprocessing.current_process().daemon


_ONE_AT_A_TIME = threading.Lock()


def do(
    work: Work[T], task: T, timeout: float, preload: Sequence[str], shared: dict[str, str]
) -> Ended[T]:
    """Do one task in a fork: the work of a worker's thread."""
    with _ONE_AT_A_TIME:
        os.environ.update(shared)  # the fork server starts with them
    # Each fork imports the worker's own main module, which imports Dask.
    (ended,) = run_tasks(work, [task], 1, timeout, (*preload, "distributed.cli.dask_worker"))
    return ended
