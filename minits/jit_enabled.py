"""The switch that decides whether programs are compiled at all.

`MINITS_JIT=0` or `PYTORCH_JIT=0` in the environment lets them run as plain Python, for debuggers.
"""

from __future__ import annotations

import os

_WORDS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def is_enabled() -> bool:
    """Return whether `script` compiles. Raises ValueError for a word that means neither."""
    for name in ("MINITS_JIT", "PYTORCH_JIT"):
        word = os.environ.get(name)
        if word is not None:
            if word.lower() not in _WORDS:
                raise ValueError(f"{name}={word}: use one of {', '.join(_WORDS)}")
            return _WORDS[word.lower()]
    return True
