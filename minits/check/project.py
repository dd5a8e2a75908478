"""Many files checked: those whose answers are not cached, by several processes.

The module imports no torch, nor do those that it imports: `file_check`, which does, is imported
where a file has to be compiled.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from typing import Any

from minits.check.cache import ResultCache
from minits.check.files import STDIN, Checked
from minits.check.imports import qualified_name
from minits.check.results import FileResult
from minits.check.serial import result_as_json, result_from_json
from minits.check.settings import Settings, SettingsError
from minits.gc_pause import gc_paused

FILES_A_PROCESS = 4
"""Fewer files than this are not worth a process, which imports torch."""
_BATCH = 8
"""Files that a process is given at once: of one folder, whose modules they share."""


def check_project(
    files: list[Checked],
    settings: Settings,
    cache: ResultCache,
    jobs: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[FileResult]:
    """Return the results of files, in their order, and remember them.

    jobs: how many processes; None for as many as there are processors, and files enough for them.
    progress: is called with the number of files that are done, and of all.
    Raises what `check_file` raises.
    """
    results = {each: cache.read(each.path, _option(each)) for each in files}
    pending = [each for each, result in results.items() if result is None]
    done = len(files) - len(pending)
    progress(done, len(files))
    for checked, result in _checked(pending, settings, _processes(jobs, len(pending))):
        results[checked] = result
        if str(checked.path) != STDIN:
            cache.write(checked.path, _option(checked), result)
        done += 1
        progress(done, len(files))
    cache.close()
    return [result for result in results.values() if result is not None]


def options_of(settings: Settings) -> dict[str, Any]:
    """Return the settings that the answers depend on, for the key of a cache."""
    return {
        "root": str(settings.root),
        "dialect": settings.dialect,
        "imports": settings.imports,
        "discover": settings.discover,
        "programs": settings.programs,
        "imported": settings.imported,
        "libraries": settings.libraries,
    }


def _option(checked: Checked) -> str:
    return f"{checked.names} {checked.is_named}"


def _processes(jobs: int | None, files: int) -> int:
    if jobs is None:
        jobs = min(os.cpu_count() or 1, files // FILES_A_PROCESS)
    return max(1, min(jobs, files))


def _checked(
    files: list[Checked], settings: Settings, jobs: int
) -> Iterator[tuple[Checked, FileResult]]:
    batches = list(_batches(files))
    if jobs == 1:
        for batch in batches:
            yield from _check_here(batch, settings)
        return
    lost: list[Checked] = []
    with ProcessPoolExecutor(jobs, mp_context=_context()) as pool:
        tasks = {pool.submit(_check_batch, batch, settings): batch for batch in batches}
        for task in as_completed(tasks):
            try:
                yield from zip(tasks[task], map(result_from_json, task.result()), strict=True)
            except BrokenProcessPool:
                lost += tasks[task]
    for each in lost:  # one of them has ended its process
        yield each, _checked_alone(each, settings)


def _batches(files: list[Checked]) -> Iterator[list[Checked]]:
    """Yield the files in groups of one folder to import from."""
    order = sorted(files, key=lambda each: str(_root(each)))
    for _, group in groupby(order, key=_root):
        members = list(group)
        yield from (members[i : i + _BATCH] for i in range(0, len(members), _BATCH))


def _root(checked: Checked) -> Any:
    return qualified_name(checked.path)[1]


def _context() -> Any:
    """Return how processes are started: by a server that has imported torch once, if possible."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["minits.check.file_check"])
    return context


def _check_batch(files: list[Checked], settings: Settings) -> list[dict[str, Any]]:
    """Check files in a process of the pool."""
    return [result_as_json(result) for _, result in _check_here(files, settings)]


def _check_here(files: list[Checked], settings: Settings) -> Iterator[tuple[Checked, FileResult]]:
    with gc_paused():
        from minits.check.file_check import check_file
        from minits.check.running import Session
        from minits.ops.libraries import NotLoaded, load_operators
    try:
        load_operators(settings.imported, settings.libraries)
    except NotLoaded as fault:
        raise SettingsError(str(fault)) from None
    with Session(settings.dialect) as session:
        for each in files:
            text = sys.stdin.read() if str(each.path) == STDIN else None
            yield (
                each,
                check_file(
                    each.path,
                    settings,
                    names=each.names,
                    is_named=each.is_named,
                    text=text,
                    session=session,
                ),
            )


def _checked_alone(checked: Checked, settings: Settings) -> FileResult:
    """Check a file in a process of its own, which may end."""
    with ProcessPoolExecutor(1, mp_context=_context()) as pool:
        try:
            (stored,) = pool.submit(_check_batch, [checked], settings).result()
        except BrokenProcessPool:
            path = str(checked.path)
            return FileResult(path, internal=[f"the process that checked {path} has ended"])
    return result_from_json(stored)
