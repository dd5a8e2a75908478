"""From the tree to the graph: one walk that checks types and emits nodes.

The environment holds the value that each variable has now, so the graph is in SSA form at once:
an assignment changes the environment, `if` and loops give out the variables that they change.
"""

import ast
from typing import Any

from examples.tiny import ops, types
from examples.tiny.ir import Block, Node, Value
from examples.tiny.syntax import assigned, fault

Environment = dict[str, Value]
LONGEST = 2**63 - 1


def emit(function: ast.FunctionDef) -> Block:
    graph = Block([Value(types.annotation(each.annotation)) for each in function.args.args])
    variables = dict(zip((each.arg for each in function.args.args), graph.inputs))
    *body, last = function.body
    if not isinstance(last, ast.Return):
        raise fault(last, "the last statement must be a return, and no other")
    _statements(body, graph, variables)
    graph.outputs = [_expression(last.value, graph, variables)]
    return graph


def _add(block: Block, kind: str, inputs: list[Value], *types: str, constant: Any = None) -> Node:
    block.nodes.append(Node(kind, inputs, [Value(type) for type in types], constant=constant))
    return block.nodes[-1]


def _constant(block: Block, value: Any) -> Value:
    return _add(block, "prim::Constant", [], type(value).__name__, constant=value).outputs[0]


def _statements(statements: list[ast.stmt], block: Block, variables: Environment) -> None:
    for statement in statements:
        match statement:
            case ast.Assign([ast.Name(name)], value):
                variables[name] = _expression(value, block, variables)
            case ast.If():
                _if(statement, block, variables)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [count])):
                _loop(statement, block, variables, count, name)
            case ast.While():
                _loop(statement, block, variables)
            case _:
                raise fault(statement, f"{type(statement).__name__} is not of this language")


def _if(tree: ast.If, block: Block, variables: Environment) -> None:
    condition = _expression(tree.test, block, variables)
    node = _add(block, "prim::If", [condition])
    ends = []
    for holds, body in ((True, tree.body), (False, tree.orelse)):
        inside, own = Block(), dict(variables)
        _refine(tree.test, holds, inside, own)
        _statements(body, inside, own)
        node.blocks.append(inside)
        ends.append(own)
    for name in assigned([tree]):
        if name in ends[0] and name in ends[1]:  # otherwise it is undefined from here on
            values = [end[name] for end in ends]
            type = types.unified(values[0].type, values[1].type)
            if type is None:
                raise fault(
                    tree, f"{name} is {values[0].type} on one way, {values[1].type} on the other"
                )
            for inside, value in zip(node.blocks, values):
                inside.outputs.append(value)
            node.outputs.append(Value(type))
            variables[name] = node.outputs[-1]


def _refine(test: ast.expr, holds: bool, block: Block, variables: Environment) -> None:
    """Make a variable that is known not to be None a value without Optional."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as op], [ast.Constant(None)]):
            value = variables[name]
            if isinstance(op, ast.IsNot) == holds and value.type.endswith("?"):
                cast = _add(block, "prim::unchecked_cast", [value], types.refined(value.type))
                variables[name] = cast.outputs[0]


def _loop(
    tree: ast.For | ast.While,
    block: Block,
    variables: Environment,
    count: Any = None,
    name: str = "",
) -> None:
    """Emit prim::Loop(most rounds, whether to begin, carried values...)."""
    most = _expression(count, block, variables) if count else _constant(block, LONGEST)
    going_on = _constant(block, True) if count else _expression(tree.test, block, variables)
    carried = [each for each in assigned(tree.body) if each in variables]
    start = [variables[each] for each in carried]
    node = _add(block, "prim::Loop", [most, going_on, *start], *(value.type for value in start))
    inside = Block([Value("int"), *(Value(value.type) for value in start)])
    own = {**variables, **dict(zip(carried, inside.inputs[1:]))}
    if name:
        own[name] = inside.inputs[0]
    _statements(tree.body, inside, own)
    again = _constant(inside, True) if count else _expression(tree.test, inside, own)
    inside.outputs = [again, *(own[each] for each in carried)]
    for each, value in zip(carried, start):
        if own[each].type != value.type:
            raise fault(
                tree, f"{each} is {value.type} before the loop, {own[each].type} after a round"
            )
    node.blocks.append(inside)
    variables.update(zip(carried, node.outputs))


def _expression(tree: ast.expr, block: Block, variables: Environment) -> Value:
    match tree:
        case ast.Name(name) if name in variables:
            return variables[name]
        case ast.Constant(None):
            return _add(block, "prim::Constant", [], "NoneType").outputs[0]
        case ast.Constant(bool() | int() | float() as value):
            return _constant(block, value)
        case ast.BinOp(left, op, right) if type(op) in ops.BINARY:
            name, operands = ops.BINARY[type(op)], [left, right]
        case ast.Compare(left, [op], [right]) if type(op) in ops.BINARY:
            name, operands = ops.BINARY[type(op)], [left, right]
        case ast.Call(ast.Attribute(ast.Name("torch"), name), operands) if (
            name in ops.OF_ONE_TENSOR
        ):
            pass
        case _:
            raise fault(tree, f"{ast.unparse(tree)} is not defined, or not of this language")
    inputs = [_expression(each, block, variables) for each in operands]
    found = ops.result_type(name, [value.type for value in inputs])
    if found is None:
        raise fault(tree, f"{name} does not take {', '.join(value.type for value in inputs)}")
    if name in ("add", "sub") and found == "Tensor":
        inputs.append(_constant(block, 1))  # alpha: torch's schema has it, with 1 as default
    return _add(block, f"aten::{name}", inputs, found).outputs[0]
