"""Operators that generated code writes as Python's own statements: their result is not used."""

from __future__ import annotations

import ast
from collections.abc import Callable

from minits.codegen.expressions import STORE
from minits.codegen.templates import Site, method_call
from minits.types import types as t
from minits.users_objects import is_frozen

StatementTemplate = Callable[[Site], "ast.stmt | None"]


def _set_item(s: Site) -> ast.stmt:
    target = ast.Subscript(s.tree(0), s.tree(1), STORE, **s.location)
    return ast.Assign([target], s.tree(2), **s.location)


def _delete_key(s: Site) -> ast.stmt:
    target = ast.Subscript(s.tree(0), s.tree(1), ast.Del(), **s.location)
    return ast.Delete([target], **s.location)


def _call_method(name: str) -> StatementTemplate:
    plain = method_call(name)

    def template(s: Site) -> ast.stmt:
        tree = plain(s)
        assert tree is not None
        return ast.Expr(tree, **s.location)

    return template


def _set_attribute(s: Site) -> ast.stmt | None:
    type = s.node.inputs[0].type
    if not isinstance(type, t.ClassType) or type.is_module or type.cls is None:
        return None
    if is_frozen(type.cls):  # the operation knows how its __init__ assigns
        return None
    target = ast.Attribute(s.tree(0), s.node["name"], STORE, **s.location)
    return ast.Assign([target], s.tree(1), **s.location)


STATEMENTS: dict[str, StatementTemplate] = {
    "aten::append.t": _call_method("append"),
    "aten::extend.t": _call_method("extend"),
    "aten::insert.t": _call_method("insert"),
    "aten::reverse.t": _call_method("reverse"),
    "aten::clear.t": _call_method("clear"),
    "aten::add_.t": _call_method("extend"),
    "aten::_set_item.t": _set_item,
    "prim::SetAttr": _set_attribute,
}
for _type in ("str", "int", "bool", "float", "complex", "Tensor"):
    STATEMENTS[f"aten::_set_item.{_type}"] = _set_item
    STATEMENTS[f"aten::Delete.Dict_{_type}"] = _delete_key
    STATEMENTS[f"aten::update.{_type}"] = _call_method("update")
    STATEMENTS[f"aten::clear.{_type}"] = _call_method("clear")
