"""The statements of classes in archive code, before anything is made of them.

    class M(Module):
      __parameters__ = ["weight", ]
      __buffers__ = []
      weight : Tensor
      training : bool
      __annotations__["0"] = __torch__.torch.nn.modules.linear.Linear
      size : Final[int] = 3
      def forward(self: __torch__.M, ...

Source: torch/csrc/jit/serialization/import_source.cpp (`SourceImporterImpl::importClass`).
"""

from __future__ import annotations

from typing import TypeVar

from minits.archive.reading.code_files import fault
from minits.records import dataclass, field
from minits.syntax import tree

N = TypeVar("N", bound=tree.Node)
_LISTS = ("__parameters__", "__buffers__", "__forward_pre_hooks__", "__forward_hooks__")


@dataclass(slots=True)
class ClassBody:
    """The members of a class, in their order.

    `lists` has the names that `__parameters__` and its like enumerate.
    """

    attributes: dict[str, tree.expr] = field(default_factory=dict)
    constants: dict[str, tree.expr] = field(default_factory=dict)
    assigned: dict[str, tree.expr] = field(default_factory=dict)
    methods: dict[str, tree.FunctionDef] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def hooks(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the functions that run before `forward`, and of those that run after it."""
        return self.lists.get("__forward_pre_hooks__", ()), self.lists.get("__forward_hooks__", ())

    @property
    def hook_names(self) -> set[str]:
        return {hook for names in self.hooks for hook in names}


def read_body(definition: tree.ClassDef) -> ClassBody:
    """Return the members of a class. Raises `ArchiveError` for statements no class has."""
    body = ClassBody()
    for statement in definition.body:
        match statement:
            case tree.FunctionDef(name=name):
                _add(body.methods, name, statement, statement)
            case tree.AnnAssign(target=tree.Name(id=name), annotation=type, value=None):
                _add(body.attributes, name, type, statement)
            case tree.AnnAssign(
                target=tree.Name(id=name),
                annotation=tree.Subscript(value=tree.Name(id="Final")),
                value=tree.expr() as value,
            ):
                _add(body.constants, name, value, statement)
            case tree.Assign(targets=(target,), value=value):
                _read_assignment(body, statement, target, value)
            case tree.Pass():
                continue
            case _:
                raise fault(statement, "a class holds attributes and methods, and nothing else")
    return body


def _add(table: dict[str, N], name: str, value: N, where: tree.stmt) -> None:
    if name in table:
        raise fault(where, f"'{name}' is defined twice")
    table[name] = value


def _read_assignment(
    body: ClassBody, statement: tree.stmt, target: tree.expr, value: tree.expr
) -> None:
    match target:
        case tree.Name(id=name) if name in _LISTS:
            body.lists[name] = _names(value)
        case tree.Name(id="__annotations__"):
            return
        case tree.Subscript(
            value=tree.Name(id="__annotations__"), slice=tree.Constant(value=str(name))
        ):
            _add(body.attributes, name, value, statement)
        case tree.Name(id=name):
            _add(body.assigned, name, value, statement)
        case _:
            raise fault(statement, "a class holds attributes and methods, and nothing else")


def _names(node: tree.expr) -> tuple[str, ...]:
    items = node.elts if isinstance(node, tree.List) else (node,)
    names = [item.value for item in items if isinstance(item, tree.Constant)]
    if len(names) != len(items) or not all(isinstance(name, str) for name in names):
        raise fault(node, "this is no list of names")
    return tuple(map(str, names))
