"""The round trip through an archive that torch's test classes make with all that they compile."""

from __future__ import annotations

import copy
import io
from typing import Any

from torch.testing._internal import common_utils

import minits


def check_archive(self: Any, compiled: Any, inputs: Any, **tolerances: float | None) -> None:
    """Save and load what is compiled, and compare a call of the one with a call of the other.

    As in torch's own check, what no archive can hold is let be, and so are inputs that cannot be
    copied: a call may change them.
    """
    buffer = io.BytesIO()
    try:
        minits.save(compiled, buffer)
        mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
    except (minits.SaveError, RuntimeError):
        return
    buffer.seek(0)
    loaded = minits.load(buffer)
    with self.capture_stdout(), common_utils.freeze_rng_state():
        expected = compiled(*theirs)
    with self.capture_stdout(), common_utils.freeze_rng_state():
        found = loaded(*mine)
    self.assertEqual(expected, found, **tolerances)
