"""Extensions of the syntax, rewritten as statements of the torch dialect.

loop_else    begin here: the `else` of a loop as an `if` after it
fresh_names  names for variables that no program has

Each extension that is a way to write something is a function of a file of its own: it takes a
function's tree and returns one that means the same without the extension, as `docs/extensions.md`
shows. Extensions that need types (refinement, calls) are in `minits/frontend/extended`.
"""

from __future__ import annotations

from minits.syntax import tree
from minits.syntax.extensions.fresh_names import FreshNames
from minits.syntax.extensions.loop_else import without_loop_else

_EXTENSIONS = (without_loop_else,)
"""In the order in which they are written out."""


def without_extensions(definition: tree.FunctionDef) -> tree.FunctionDef:
    """Return a function that means the same, without the extended dialect's statements."""
    names = FreshNames(definition)
    for without in _EXTENSIONS:
        definition = without(definition, names)
    return definition
