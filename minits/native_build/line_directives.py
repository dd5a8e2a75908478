"""`#line` directives: debuggers show and step through the user's own file.

    // functions.py:24: n = n // 2 if n % 2 == 0 else 3 * n + 1
    #line 24 "/home/user/functions.py"
        int64_t n_2 = ...

Each line of C is given one, as it would count as the program's next line otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePath

from minits.ir.graph import Graph
from minits.native_build.literals import quoted

_SHOWN = re.compile(r" +// ([^:]+):(\d+): ")


def with_line_directives(text: str, graphs: Iterable[Graph], name: str) -> str:
    """Return a C file whose statements have the lines of the program; `name` is the file's own."""
    paths = {
        PurePath(node.range.source.filename).name: node.range.source.filename
        for graph in graphs
        for node in graph.all_nodes()
        if node.range is not None
    }
    lines: list[str] = []
    place: str | None = None
    for line in text.splitlines():
        shown = _SHOWN.match(line)
        if shown is not None and shown[1] in paths:
            place = f"#line {shown[2]} {quoted(str(Path(paths[shown[1]]).resolve()))}"
        elif line == "}" and place is not None:
            lines += [line, f"#line {len(lines) + 3} {quoted(name)}"]
            place = None
            continue
        elif place is not None and line.strip():
            lines.append(place)
        lines.append(line)
    return "\n".join([*lines, ""])
