"""Cases on a Dask cluster: a scheduler and three workers here, one of which is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.__main__ import main
from conformance.case import find_cases
from conformance.cluster import ClusterError
from conformance.pool import Ended, run_tasks
from conformance.suite import check
from tests.conformance.cluster_work import triple

pytest.importorskip("distributed", reason="pip install distributed")
ROOT = Path(__file__).parents[2]
WORKERS = 3


class Cluster:
    """Processes of `dask scheduler` and `dask worker`."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.scheduler = _started("dask_scheduler", "--port", "0", "--scheduler-file", self.file)
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        while not self.file.exists():
            assert self.scheduler.poll() is None
            time.sleep(0.1)
        found: str = json.loads(self.file.read_text())["address"]
        return found

    def add(self, *options: str) -> None:
        options = options or ("--no-nanny",)
        self.workers.append(_started("dask_worker", self.address, "--nthreads", "1", *options))

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.terminate()
        for process in (*self.workers, self.scheduler):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _started(program: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            f"distributed.cli.{program}",
            "--no-dashboard",
            *map(str, arguments),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask"))
    for _ in range(WORKERS):
        made.add()
    yield made
    made.stop()


def results(ended: list[Ended[int]]) -> dict[int, Any]:
    return {each.task: (each.sent[0][0] if each.sent else each.lost) for each in ended}


@pytest.mark.slow
def test_a_lost_worker_loses_no_task(cluster: Cluster) -> None:
    tasks = list(range(60))
    ended: list[Ended[int]] = []
    for each in run_tasks(triple, tasks, scheduler=cluster.address):
        ended.append(each)
        if len(ended) == 12:
            cluster.workers[0].kill()
    here = list(run_tasks(triple, tasks, jobs=2))
    assert (
        results(ended)
        == results(here)
        == {n: 3 * n for n in tasks} | {7: "the process died: exit code -9"}
    )
    assert len({each.sent[0][1] for each in ended if each.sent}) > 1


@pytest.mark.slow
def test_cases_on_a_cluster_give_what_they_give_here(cluster: Cluster) -> None:
    cases = find_cases(chapter="functions")[:36]
    seen = []

    def count(case: object) -> None:
        seen.append(case)
        if len(seen) == 12:
            cluster.workers[1].kill()

    there = check(cases, "minits", scheduler=cluster.address, progress=count)
    here = check(cases, "minits", jobs=2)
    assert len(there) == len(cases) > 30
    assert there == here


@pytest.mark.slow
def test_workers_that_cannot_start_processes_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Cluster(tmp_path)
    try:
        monkeypatch.setattr("conformance.cluster.SECONDS_TO_CONNECT", 2)
        with pytest.raises(ClusterError, match="no workers"):
            list(run_tasks(triple, [1], scheduler=other.address))
        other.add("--nanny")
        monkeypatch.setattr("conformance.cluster.SECONDS_TO_CONNECT", 60)
        with pytest.raises(ClusterError, match="--no-nanny"):
            list(run_tasks(triple, [1], scheduler=other.address))
    finally:
        other.stop()


def test_nobody_at_the_address_is_misuse(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("conformance.cluster.SECONDS_TO_CONNECT", 1)
    command = ["run", "--case", "functions/rounding", "--scheduler", "tcp://127.0.0.1:9"]
    assert main(command) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().out
