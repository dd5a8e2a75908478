"""A TorchScript in 120 lines of code: functions of tensors and ints, with `if` and loops.

The files have the names of the rooms of minits that do the same work. Read them in this order:

- `syntax.py`: the tree of a function, made by `ast`, and errors with their place;
- `types.py`: annotations, and which type may stand for which;
- `ir.py`: values, nodes, blocks, and their text;
- `ops.py`: the table of operators, with what computes them and which types they take;
- `frontend.py`: from the tree to the graph, with types checked on the way;
- `passes.py`: one pass, which removes dead code;
- `runtime.py`: the interpreter.

The language has

- the types `Tensor`, `Optional[Tensor]`, `int` and `bool`; without an annotation, `Tensor`;
- variables, constants, `+ - * %` of tensors and ints, `// < > ==` of ints, `torch.relu` and
  `torch.tanh` of a tensor, `is None` and `is not None`;
- `name = expression`, `if`, `while`, `for i in range(n)`, and one `return`, at the end.

A variable keeps its type. If its value is to outlive an `if` or a loop that sets it, it needs one
before; the variable of a `for` is a new one. Defaults of operators, such as `alpha` of `aten::add`,
are left out of the graph.

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
    """Return the graph of a function. Raises `SyntaxError`, with a line, a column and a cure."""
    return remove_dead_code(emit(parse(function)), set())


def call(graph: Block, *arguments: Any) -> Any:
    """Run a graph and return its result."""
    return run(graph, {}, *arguments)[0]
