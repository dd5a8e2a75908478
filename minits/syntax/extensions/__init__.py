"""Extensions of the syntax, rewritten as statements of the torch dialect.

Each extension that is a way to write something is a function of a file of its own: it takes a
function's tree and returns one that means the same without it. `docs/extensions.md` shows what each
becomes: begin with `loop_else`. `fresh_names` makes names that no program has. What needs types
(refinement, calls) is done where they are known, in `minits/frontend`.
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
