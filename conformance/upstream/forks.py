"""Work in a forked process: what it sends, and how it ended.

A crash or a hang of the work loses only what it had not sent yet. Limits are of the processor's
time, so that what else a machine does changes no outcome.
"""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Message = dict[str, Any]
Send = Callable[[Message], None]


IDLE = 0.01
"""A process that gets less of a processor than this waits for something that does not come."""


def fork(
    work: Callable[[Send], None], silence: float, limit: float | None = None
) -> Iterator[Message]:
    """Run `work` in a fork and yield what it sends.

    The last message is `{"end": how}`: "" for a normal end, else why the process died. "timeout" if
    it took `limit` seconds of the processor, or sent nothing for `silence` seconds and hardly ran
    meanwhile; it is then killed.
    """
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        _be_the_child(work, sender, limit)
    os.close(sender)
    ended = True
    try:
        with os.fdopen(receiver, "rb", buffering=0) as pipe:
            rest = b""
            while ended := _waited_for(pipe, silence, child):
                data = pipe.read(1 << 16)
                if not data:
                    break
                *lines, rest = (rest + data).split(b"\n")
                yield from map(json.loads, lines)
    finally:
        if not ended:
            _kill_group(child)
        _, status = os.waitpid(child, 0)
    yield {"end": _how_it_ended(status) if ended else "timeout"}


def _waited_for(pipe: Any, silence: float, child: int) -> bool:
    """Wait for something to read; return False once a child is silent that does not run."""
    before = _seconds_of(child)
    while not select.select([pipe], [], [], silence)[0]:
        now = _seconds_of(child)
        if now - before < IDLE * silence:
            return False
        before = now
    return True


def _seconds_of(process: int) -> float:
    """Return the processor's seconds that a process and its children have had; 0 if unknown."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except OSError:  # another system: then silence alone counts
        return 0.0
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _be_the_child(work: Callable[[Send], None], sender: int, limit: float | None) -> None:
    """Never return: whatever happens, the process ends here."""
    status = 1
    try:
        os.setpgid(0, 0)
        if limit is not None:
            seconds = math.ceil(limit)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

        def send(message: Message) -> None:
            os.write(sender, json.dumps(message).encode() + b"\n")

        work(send)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _kill_group(child: int) -> None:
    """Kill the process and what it started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(child, signal.SIGKILL)


def _how_it_ended(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU:
        return "timeout"
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}" if code else ""
