"""Functions that stand for torch's while a trace runs, and can be told from them by no program.

torch._C._get_tracing_state         is a function of minits in a trace;
minits.script(f)                    of an `f` that names it compiles torch's
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any


def stand_in(original: Any, replacement: Any) -> Any:
    """Return a function that stands for torch's, in programs that name it, too.

    A script that is compiled meanwhile sees `original`, as `inspect.unwrap` does.
    """
    if isinstance(replacement, FunctionType):
        functools.update_wrapper(replacement, original)
    return replacement
