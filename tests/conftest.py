"""What holds for all tests: each kernel that they build is compiled as CUDA text as well."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from minits.gc_pause import gc_paused
from minits.kernels.cuda.nvrtc import NvrtcMissing, nvrtc_version
from tests.support.cuda_sweep import AT_ONCE, SWEEP, Sweep

if TYPE_CHECKING:
    from tests.support.processor_time import Clock

pytest_plugins = ["pytester", "tests.support.processor_time", "tests.support.selection"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for machine code of each CUDA text, which takes long."""
    parser.addoption("--machine-code", action="store_true", help="compile all CUDA texts to it")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Any:
    """Collect without Python's cycle collector, which would walk all tests again and again."""
    with gc_paused():
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def planned_by_each_test() -> Iterator[None]:
    """Plan first calls, which would run as written, and keep plans in the process.

    So no test finds what an earlier run has planned. Nor are texts wrapped: processes of
    pytest-xdist have a `COLUMNS` that readline has put there.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINITS_BUILD", "now")
        patch.setenv("MINITS_PLANS", "memory")
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture
def mostly_cheap_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the C of three tests in four without optimisation, and of the fourth as users do.

    For many programs that run once: compilers take most of such tests' time. With `MINITS_CFLAGS`
    set, if only to nothing, all are built with that.
    """
    if "MINITS_CFLAGS" not in os.environ and zlib.crc32(request.node.name.encode()) % 4:
        monkeypatch.setenv("MINITS_CFLAGS", "-O0")


@pytest.fixture
def installed() -> None:
    """Skip a test where NVRTC is not installed."""
    try:
        nvrtc_version()
    except NvrtcMissing as fault:
        pytest.skip(str(fault))


@pytest.fixture(scope="session", autouse=True)
def cuda_sweep(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sweep]:
    """The `Sweep` of the session. Without NVRTC, what waits in it is never compiled."""
    cache = getattr(pytestconfig, "cache", None)  # `-p no:cacheprovider` leaves it out
    folder = cache.mkdir("cuda-sweep") if cache else tmp_path_factory.mktemp("cuda-sweep")
    sweep = Sweep(folder, pytestconfig.getoption("--machine-code"))
    with pytest.MonkeyPatch.context() as patch:
        try:
            nvrtc_version()
        except NvrtcMissing:
            yield sweep
            return
        sweep.watch(patch)
        pytestconfig.stash[SWEEP] = sweep
        yield sweep
        with _clock(pytestconfig).apart():
            sweep.compile()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Compile the CUDA texts once there are enough. A text that is refused fails the test then."""
    sweep = item.config.stash.get(SWEEP, None)
    if sweep is not None:
        sweep.test = item.nodeid
    try:
        return (yield)
    finally:
        if sweep is not None and len(sweep.waiting) >= AT_ONCE:
            with _clock(item.config).apart():
                sweep.compile()


def _clock(config: pytest.Config) -> Clock:
    clock: Clock = config.pluginmanager.get_plugin("processor-clock")
    return clock
