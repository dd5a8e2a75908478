"""What surrounds a build goes wrong: files of the cache, the compiler, folders, locales.

A call is never wrong or missing for that: a damaged library is built again; where nothing can be
built, a call runs operator by operator, with one remark.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.cpu import building, c_build, c_compiler, cache, libraries
from minits.runtime.planning import Planner
from tests.kernels.test_c_build import ADD_ONE, forget, needs_compiler

pytestmark = needs_compiler
OTHER = "int other(int x) { return x - 1; }"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has built nothing."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    forget(monkeypatch)
    return tmp_path / "cache" / "kernels"


def stored(folder: Path) -> Path:
    (path,) = folder.glob("*.so")
    return path


# ---- Files of the cache --------------------------------------------------------------------------


def as_other_kernel(path: Path) -> None:
    content = path.read_bytes()
    c_build.build(OTHER)
    (other,) = set(path.parent.glob("*.so")) - {path}
    path.write_bytes(other.read_bytes())
    assert content != path.read_bytes()


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere.so"))
    path.symlink_to("elsewhere.so")


def as_others_may_write(path: Path) -> None:
    path.chmod(0o722)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "cut by a byte": lambda path: os.truncate(path, path.stat().st_size - 1),
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "text": lambda path: path.write_text("not a library\n", encoding="utf-8"),
    "one bit": flipped,
    "other kernel": as_other_kernel,
    "folder": as_folder,
    "pipe": as_pipe,
    "link": as_link,
    "written by others": as_others_may_write,
    "unreadable": lambda path: path.chmod(0),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_library_is_built_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    c_build.build(ADD_ONE)
    path = stored(folder)
    whole = path.read_bytes()
    path.unlink()  # this process has loaded it
    path.write_bytes(whole)
    path.chmod(0o700)
    DAMAGES[damage](path)
    for _ in range(2):
        forget(monkeypatch)
        assert c_build.build(ADD_ONE).add_one(41) == 42
    if damage != "folder":
        assert path.read_bytes() == whole
        assert libraries.is_whole(path, path.stem)


def test_a_library_that_loads_but_lacks_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minits.kernels.cpu.building.build", lambda *texts: c_build.build(OTHER))
    compiled = minits.script(scaled)
    check(compiled)
    (remark,) = missed(compiled)
    assert "without its function entry_0" in remark.message


def disk_full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", ["tempfile.mkstemp", "os.fdopen", "pathlib.Path.replace"])
def test_a_library_that_cannot_be_stored_is_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(name, disk_full)
        assert c_build.build(ADD_ONE).add_one(41) == 42
        assert not list(folder.glob("*.so"))
    forget(monkeypatch)
    assert c_build.build(ADD_ONE).add_one(41) == 42
    assert stored(folder)


def test_no_room_for_what_is_being_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.mkdtemp", disk_full)
    compiled = minits.script(scaled)
    check(compiled)
    (remark,) = missed(compiled)
    assert "No space left" in remark.message


TWO_AT_ONCE = """
import sys
from minits.kernels.cpu import c_build
for number in range(6):
    library = c_build.build(f"int number(void) {{ return {number}; }}")
    assert library.number() == number
"""


def test_two_processes_build_at_once(folder: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", TWO_AT_ONCE]) for _ in range(2)]
    assert [process.wait(120) for process in running] == [0, 0]
    assert len(list(folder.glob("*.so"))) == 6
    assert not list(folder.glob("*.tmp"))


# ---- Compilers -----------------------------------------------------------------------------------


def scaled(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x * y) * 2 + y


def check(compiled: Any) -> None:
    """Call a compiled `scaled` with several kinds of tensors."""
    for shape in ((3,), (2, 3), (2, 1, 3), (1, 1)):
        for dtype in (torch.float32, torch.float64):
            x, y = torch.randn(shape, dtype=dtype), torch.randn(shape, dtype=dtype)
            torch.testing.assert_close(compiled(x, y), scaled(x, y))


def missed(compiled: Any) -> list[Any]:
    x = torch.randn(3)
    return [remark for remark in compiled.remarks(x, x) if remark.kind == "missed"]


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """Make a compiler of a shell script; return the file that has a line for each time it runs."""
    runs, compiler = tmp_path / "runs", tmp_path / "fake cc"
    compiler.write_bytes(f'#!/bin/sh\necho >> "{runs}"\n'.encode() + script.encode("latin-1"))
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", f"'{compiler}'")
    return runs


FAULTS = {
    "fails": ("echo 'fake: error: licence expired' >&2; exit 3", "licence expired"),
    "fails silently": ("exit 3", "exit code 3"),
    "prints Latin-1": ("printf 'Fehler: \xfcberall\\n' >&2; exit 1", "Fehler"),
    "is killed": ("kill -9 $$", "killed by signal 9"),
    "hangs": ("sleep 600", "has not ended after 1 seconds"),
    "builds nothing": ("exit 0", "writes nothing"),
    "builds no library": (
        'while [ "$1" != -o ]; do shift; done; echo junk > "$2"',
        "cannot be loaded",
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_compiler_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    script, message = FAULTS[fault]
    runs = fake(tmp_path, monkeypatch, script)
    monkeypatch.setattr(c_compiler, "SECONDS", 1.0)
    monkeypatch.setattr(c_compiler, "SECONDS_OF_PROBE", 1.0)
    compiled, other = minits.script(scaled), minits.script(lambda_like)
    check(compiled)
    torch.testing.assert_close(other(torch.ones(3)), lambda_like(torch.ones(3)))
    assert len(runs.read_text(encoding="utf-8").splitlines()) == 2, (
        "a kernel, and an empty function"
    )
    (remark,) = missed(compiled)
    assert remark.code == "no-compiler"
    assert message in remark.message


def test_a_compiler_that_is_not_there_is_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("PATH", str(tmp_path))
    searched: list[str] = []
    printed: list[str] = []
    monkeypatch.setattr(shutil, "which", lambda name, path: searched.append(name))
    monkeypatch.setattr(building, "print_function", lambda *_: printed.append("") or "")
    compiled = minits.script(scaled)
    check(compiled)
    for size in range(2, 20):
        x = torch.ones(size)
        torch.testing.assert_close(compiled(x, x), scaled(x, x))
    assert searched == ["no-such-compiler"]
    assert not printed
    assert {remark.code for remark in missed(compiled)} == {"no-compiler"}


def test_without_a_compiler_nothing_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    planned: list[Any] = []
    monkeypatch.setattr(Planner, "plan", lambda *given: planned.append(given))
    compiled = minits.script(scaled)
    check(compiled)
    for size in range(2, 20):
        x = torch.ones(size)
        torch.testing.assert_close(compiled(x, x), scaled(x, x))
    (remark,) = missed(compiled)
    assert remark.message.startswith("nothing is fused: there is no C compiler")
    assert not planned


def test_a_compiler_that_fails_is_not_planned_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(tmp_path, monkeypatch, "exit 1")
    compiled, other = minits.script(scaled), minits.script(lambda_like)
    check(compiled)
    with monkeypatch.context() as patch:
        planned: list[Any] = []
        patch.setattr(Planner, "plan", lambda *given: planned.append(given))
        torch.testing.assert_close(other(torch.ones(3)), lambda_like(torch.ones(3)))
    assert not planned


def lambda_like(x: Tensor) -> Tensor:
    return torch.exp(x) - 1


def test_what_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    fake(tmp_path, monkeypatch, f"sleep 600 & echo $! >> '{pids}'; wait")
    monkeypatch.setattr(c_compiler, "SECONDS", 1.0)
    monkeypatch.setattr(c_compiler, "SECONDS_OF_PROBE", 1.0)
    check(minits.script(scaled))
    ends = time.monotonic() + 10
    waiting = [int(line) for line in pids.read_text(encoding="utf-8").split()]
    while any(map(is_running, waiting)) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not any(map(is_running, waiting))


def is_running(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return False


def test_one_text_that_is_refused_does_not_spoil_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = 'text=$(cat); case "$text" in *odd*) exit 1;; esac; echo "$text" | exec gcc "$@"'
    runs = fake(tmp_path, monkeypatch, script)
    for _ in range(3):
        with pytest.raises(c_build.NoCompiler, match="exit code 1"):
            c_build.build("int odd(void) { return 1; }")
    assert len(runs.read_text(encoding="utf-8").splitlines()) == 2
    assert c_build.build(ADD_ONE).add_one(1) == 2


MISQUOTED = {"CC": "gcc '-O1", "MINITS_CFLAGS": '"-O1'}


@pytest.mark.parametrize("variable", MISQUOTED)
def test_a_misquoted_variable_is_one_remark(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, MISQUOTED[variable])
    compiled = minits.script(scaled)
    check(compiled)
    (remark,) = missed(compiled)
    assert f"{variable}={MISQUOTED[variable]}" in remark.message
    assert "No closing quotation" in remark.message


@pytest.mark.parametrize("name", ["", " ", "/", "/dev/null", "no-such-compiler"])
def test_what_is_no_compiler(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("CC", name)
    compiled = minits.script(scaled)
    check(compiled)
    assert len(missed(compiled)) == (1 if name else 0)


# ---- Places and locales --------------------------------------------------------------------------

PROGRAM = """
import sys
import torch
import minits

def f(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x) * 2 + 1

compiled = minits.script(f)
x = torch.randn(5)
torch.testing.assert_close(compiled(x), f(x))
print([ascii(remark.message) for remark in compiled.remarks(x) if remark.kind == "missed"])
from minits.kernels.cpu.cache import cache_folder
print(ascii(str(cache_folder())))
"""


def run_program(
    tmp_path: Path, environment: dict[str, str | None], name: str = "program.py"
) -> list[str]:
    """Run PROGRAM in a process of its own; return the lines that it prints."""
    path = tmp_path / name
    path.write_text(PROGRAM, encoding="utf-8")
    wanted = {**os.environ, "PYTHONPATH": str(Path(minits.__file__).parents[1]), **environment}
    given = {key: value for key, value in wanted.items() if value is not None}
    command = [sys.executable, str(path)]
    done = subprocess.run(
        command, capture_output=True, env=given, cwd=tmp_path, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["new\nline \\", "q'uo te\"", "a:b;c$d \xfc\u4e2d"])
def test_names_of_files_and_folders(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    environment = {"MINITS_CACHE": str(folder), "TMPDIR": str(tmp_path)}
    assert run_program(tmp_path, environment, f"{name}.py")[0] == "[]"
    assert len(list(folder.glob("kernels/*.so"))) == 1


@pytest.mark.slow
def test_a_locale_without_utf8(tmp_path: Path) -> None:
    folder = tmp_path / "\xfc"
    environment = {
        "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None,
        "MINITS_CACHE": str(folder),
    }  # fmt: skip
    assert run_program(tmp_path, environment, "\xfc\u4e2d.py")[0] == "[]"
    assert len(list(folder.glob("kernels/*.so"))) == 1


@pytest.mark.slow
def test_no_home_and_no_folder_for_temporary_files(tmp_path: Path) -> None:
    environment = {
        "HOME": "/dev/null", "TMPDIR": "/nowhere", "MINITS_CACHE": None, "XDG_CACHE_HOME": None,
    }  # fmt: skip
    no_remarks, folder = run_program(tmp_path, environment)
    assert no_remarks == "[]"
    assert not Path(folder.strip("'")).exists(), "it ends with the process"


HOMES = {
    "gone": ("HOME", "/proc/nowhere"),
    "a file": ("HOME", "/dev/null"),
    "cache in a file": ("MINITS_CACHE", "/dev/null"),
}


@pytest.mark.parametrize("home", HOMES)
def test_homes_that_hold_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("MINITS_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(*HOMES[home])
    assert cache.cache_folder() == cache._of_process(os.getpid())
    assert c_build.build(ADD_ONE).add_one(41) == 42
    assert not list(tmp_path.iterdir())


def test_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's list of users knows it, or nobody does."""
    for variable in ("MINITS_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert c_build.build(ADD_ONE).add_one(41) == 42


def test_a_folder_that_cannot_be_written_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(parents=True)
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != folder and may(path, mode))
    assert c_build.build(ADD_ONE).add_one(41) == 42
    assert cache.cache_folder() != folder


def test_no_folder_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    cache._of_process.cache_clear()
    monkeypatch.setenv("MINITS_CACHE", "/dev/null")
    monkeypatch.setattr("tempfile.mkdtemp", disk_full)
    compiled = minits.script(scaled)
    check(compiled)
    (remark,) = missed(compiled)
    assert "no folder to keep kernels in" in remark.message


def test_the_cache_goes_away_in_between(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    c_build.build(ADD_ONE)
    shutil.rmtree(folder.parent)
    forget(monkeypatch)
    assert c_build.build(ADD_ONE).add_one(41) == 42
    assert stored(folder)
