"""`minits.exec_source`: texts of Python executed so that what they define can be compiled.

Source: none; torch.jit compiles no function of a text that `exec` ran.
"""

from __future__ import annotations

import hashlib
import linecache
from typing import Any


def exec_source(source: str, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
    """Execute a text as `exec` does, keep the text, and return the names that it defines.

        name = minits.exec_source("def twice(x: int): return 2 * x")
        minits.script(name["twice"])

    namespace: a dict that is executed in and returned, such as `globals()`.

    Errors and tracebacks show the lines of the text. Raises what the text raises.
    """
    names = {"__name__": "minits.exec_source"} if namespace is None else namespace
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    filename = f"<minits.exec_source {digest}>"
    lines = [f"{line}\n" for line in source.split("\n")]
    linecache.cache[filename] = (len(source), None, lines, filename)  # None: there is no file
    exec(compile(source, filename, "exec"), names)
    return names
