"""From the tree to the graph: one walk that checks types and emits nodes.

`variables` has the value of each variable at this point, so the graph is in SSA form at once: an
assignment changes the dict, and so do `if` and loops for the variables that they change.
"""

import ast

from examples.tiny.ir import Block, Node, Value
from examples.tiny.ops import IF, LOOP, OPERATORS
from examples.tiny.syntax import assigned, fault
from examples.tiny.types import annotation

ALWAYS, LONGEST = ast.Constant(True), ast.Constant(2**63 - 1)


def emit(tree: ast.stmt) -> Block:
    """Return the graph of a function."""
    match tree:
        case ast.FunctionDef(_, ast.arguments(_, args), [*body, ast.Return(ast.expr() as result)]):
            return _block({each.arg: annotation(each) for each in args}, body, [result], {})
    fault(tree, "this is no function that ends with a return of a value; add one")


def _block(types: dict[str, str], body: list, outputs: list, around: dict[str, Value]) -> Block:
    """Return a block of statements, and of expressions that it gives out.

    Its inputs are variables with the names and types of `types`; `around` has those around it.
    """
    inputs, nodes = [Value(type) for type in types.values()], []
    variables = around | dict(zip(types, inputs))
    for statement in body:
        _emit(statement, nodes, variables)
    return Block(inputs, nodes, [_emit(each, nodes, variables)[0] for each in outputs])


def _emit(tree: ast.AST, nodes: list[Node], variables: dict[str, Value]) -> list[Value]:
    """Emit nodes for a statement or an expression, and return what the last of them gives."""
    types = {name: variables[name].type for name in assigned(tree) if name in variables}
    match tree:
        case ast.Name(name):
            return [variables.get(name) or fault(tree, f"{name} is not always set; set it first")]
        case ast.Assign([ast.Name(name)], value):
            [found] = _emit(value, nodes, variables)
            if not types.get(name, found.type).startswith(found.type):
                fault(tree, f"{name} is {types[name]}, not {found.type}; use another name")
            variables[name] = found
            return [found]
    (kind, function, results), operands, bodies = _operation(tree, types)
    inputs = [_emit(each, nodes, variables)[0] for each in operands]
    blocks = [_block(*body, variables) for body in bodies]
    takes = f"({', '.join(value.type for value in inputs)})"
    wrong = f"{kind} does not take {takes}; it takes {' or '.join(results)}"
    gives = types.values() if bodies else [results.get(takes) or fault(tree, wrong)]
    nodes.append(Node(kind, function, inputs, [Value(type) for type in gives], blocks))
    variables.update(zip(types, nodes[-1].outputs))
    return nodes[-1].outputs


def _operation(tree: ast.AST, types: dict[str, str]) -> tuple[tuple, list, list]:
    """Return a tree as an operator, its operands, and the arguments of `_block` for its blocks.

    `types` has the variables that the tree changes.
    """
    names = [ast.Name(name, ast.Load()) for name in types]
    match tree:
        case ast.Constant(None | bool() | int() as value):
            text = "" if value is None else f"[value={+value}]"
            return (f"prim::Constant{text}", lambda: value, {"()": type(value).__name__}), [], []
        case ast.BinOp(left, op, right) | ast.Compare(left, [op], [right]) if type(op) in OPERATORS:
            return OPERATORS[type(op)], [left, right], []
        case ast.Call(ast.Attribute(ast.Name("torch"), name), operands, []) if name in OPERATORS:
            return OPERATORS[name], operands, []
        case ast.If(test, body, rest):
            return IF, [test], [_way(test, ast.IsNot, body, names), _way(test, ast.Is, rest, names)]
        case ast.For(ast.Name(i), ast.Call(ast.Name("range"), [n], []), body, []) if i not in types:
            return LOOP, [n, ALWAYS, *names], [({i: "int"} | types, body, [ALWAYS, *names])]
        case ast.While(test, body, []):
            return LOOP, [LONGEST, test, *names], [({"": "int"} | types, body, [test, *names])]
    fault(tree, f"{ast.unparse(tree).splitlines()[0]} is not of this language; see __init__.py")


def _way(test: ast.expr, known: type[ast.cmpop], body: list, names: list) -> tuple:
    """Return one way of an `if`. A variable that is known not to be None there is cast first."""
    match test:
        case ast.Compare(ast.Name(name), [op]) if isinstance(op, known):
            body = ast.parse(f"{name} = torch.unchecked_cast({name})").body + body
    return {}, body, names
