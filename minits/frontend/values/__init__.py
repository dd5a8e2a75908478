"""Sugared values, all that an expression may stand for, and the state of emitting a function.

sugared_value     the interface: attribute, call, item, iteration; begin here
simple_value, attribute_assignment    a value of the graph; what may be assigned to its attributes
builtins, builtin_calls, builtin_functions    operators and builtins of the language
iterables, closures                           `range`, `zip`; local functions
scope             the names around a function (a protocol)
environment       variables of a block
refinement, narrowing   the types that a condition implies, and variables that get them
flow_rules        questions about flow facts: the torch dialect has none
emitter           the state of one function's emission
observing         tools that are told the type of each expression
function, signature, type_comments, effects   a compiled function, its declared schema
graph_function    one that is given a graph: a trace, or what torch.jit has compiled
method_schemas, argument_count, missing_attributes   calls of methods and special forms, and errors
assigned_names    the variables that a statement binds
recovery, error_value   going on after an error: bodies of the statement, and variables
failed_conditions       what else is checked, and known, of a condition that failed
when_failed       the functions of these files that are called when a part fails, loaded then
lone_parts, refused_parts   what else is checked in a statement that failed, or that is refused
qualified_names   names as torch gives them

Source: torch/csrc/jit/frontend/sugared_value.{h,cpp}.
"""
