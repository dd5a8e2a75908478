"""Work for a cluster's processes, in a file that imports little."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any


def triple(number: int, send: Callable[[Any], None]) -> None:
    """Send three times a number, and which process's fork did it; die of one number."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    send((3 * number, os.getppid()))
