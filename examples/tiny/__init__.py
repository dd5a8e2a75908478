"""A TorchScript in 260 lines of code: functions of tensors and numbers, with `if` and loops.

The files have the names of the rooms of minits that do the same work. Read them in this order:

- `syntax.py`: the tree of a function, made by `ast`;
- `types.py`: types, annotations, what two types have in common;
- `ops.py`: what operators are called, and what they return;
- `ir.py`: values, nodes, blocks, and their text;
- `frontend.py`: from the tree to the graph, with types checked on the way;
- `passes.py`: one pass, which removes dead code;
- `runtime.py`: the interpreter.

`python -m examples.tiny` shows two programs.
"""

from collections.abc import Callable
from typing import Any

from examples.tiny.frontend import emit
from examples.tiny.ir import Block
from examples.tiny.passes import remove_dead_code
from examples.tiny.runtime import run
from examples.tiny.syntax import parse


def compile(function: Callable[..., Any]) -> Block:
    """Return the graph of a function. Raises `SyntaxError`, with line and column."""
    graph = emit(parse(function))
    remove_dead_code(graph)
    return graph


def call(graph: Block, *arguments: Any) -> Any:
    """Run a graph and return its result."""
    (result,) = run(graph, arguments, {})
    return result
