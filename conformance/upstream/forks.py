"""Work in a forked process: what it sends, and how it ended.

A crash or a hang of the work loses only what it had not sent yet.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

Message = dict[str, Any]
Send = Callable[[Message], None]


def fork(work: Callable[[Send], None], silence: float) -> Iterator[Message]:
    """Run `work` in a fork and yield what it sends.

    The last message is `{"end": how}`: "" for a normal end, "timeout" if nothing came for
    `silence` seconds (the process is then killed), else why the process died.
    """
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        _be_the_child(work, sender)
    os.close(sender)
    ended = True
    try:
        with os.fdopen(receiver, "rb", buffering=0) as pipe:
            rest = b""
            while ended := bool(select.select([pipe], [], [], silence)[0]):
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


def _be_the_child(work: Callable[[Send], None], sender: int) -> None:
    """Never return: whatever happens, the process ends here."""
    status = 1
    try:
        os.setpgid(0, 0)

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
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}" if code else ""
