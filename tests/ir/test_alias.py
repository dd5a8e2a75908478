"""Alias analysis: what may be the same memory, and who writes to it."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node, Value
from minits.ir.parser import parse_graph
from minits.ir.points_to import UNDECLARED, is_mutable_type
from minits.types import types as t


class Aliases:
    """A graph, its alias analysis, and its values by name."""

    def __init__(self, text: str) -> None:
        self.graph: Graph = parse_graph(text)
        self.alias = AliasAnalysis(self.graph)
        self.values: dict[str, Value] = {value.name: value for value in self.graph.inputs}
        for node in self.graph.all_nodes():
            for block in node.blocks:
                self.values.update((value.name, value) for value in block.inputs)
            self.values.update((value.name, value) for value in node.outputs)

    def same(self, first: str, second: str) -> bool:
        return self.alias.may_alias(self.values[first], self.values[second])

    def escapes(self, name: str) -> bool:
        return self.alias.escapes(self.values[name])

    def node(self, name: str) -> Node:
        return self.values[name].node

    def writes(self, writer: str, name: str) -> bool:
        return self.alias.writes_to(self.node(writer), [self.values[name]])


def test_views_alias_and_results_do_not() -> None:
    aliases = Aliases("""graph(%x : Tensor, %zero : int):
  %y : Tensor = aten::neg(%x)
  %v : Tensor = aten::select(%y, %zero, %zero)
  %w : Tensor = aten::abs(%v)
  %u : Tensor = aten::add_(%v, %w, %zero)
  return (%w)
""")
    assert aliases.same("y", "v") and aliases.same("v", "u")
    assert not aliases.same("x", "y") and not aliases.same("v", "w")
    assert (
        aliases.writes("u", "y") and not aliases.writes("u", "w") and not aliases.writes("w", "v")
    )


def test_arguments_may_be_one_tensor() -> None:
    aliases = Aliases("""graph(%x : Tensor, %y : Tensor?, %l : Tensor[], %k : int[], %n : int):
  return (%x)
""")
    assert aliases.same("x", "y")
    assert not aliases.same("l", "k") and not aliases.same("x", "l")


def test_branches_and_loops_merge() -> None:
    aliases = Aliases("""graph(%x : Tensor, %c : bool, %n : int):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::abs(%x)
  %z : Tensor = prim::If(%c)
    block0():
      -> (%a)
    block1():
      -> (%b)
  %d : Tensor = aten::exp(%x)
  %r : Tensor = prim::Loop(%n, %c, %d)
    block0(%i : int, %p : Tensor):
      %q : Tensor = aten::abs(%p)
      -> (%c, %q)
  return (%r)
""")
    assert aliases.same("z", "a") and aliases.same("z", "b")
    assert aliases.same("r", "d") and aliases.same("p", "q")
    assert not aliases.same("z", "r")


def test_writing_to_an_element_writes_to_the_list() -> None:
    aliases = Aliases("""graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%a)
  %u : Tensor = aten::add_(%a, %n, %n)
  %s : Tensor = aten::cat(%l, %n)
  return (%s)
""")
    assert aliases.writes("u", "l") and aliases.writes("u", "a")
    assert not aliases.writes("u", "x")
    assert aliases.alias.has_writers(aliases.node("l"))


def test_an_element_that_is_kept_may_be_any() -> None:
    aliases = Aliases("""graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct(%a)
  %e : Tensor = aten::__getitem__(%l, %n)
  %u : Tensor = aten::add_(%e, %n, %n)
  return (%a)
""")
    assert aliases.same("a", "e") and aliases.writes("u", "a")


def test_appended_elements_are_kept() -> None:
    aliases = Aliases("""graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
  %l : Tensor[] = prim::ListConstruct()
  %k : Tensor[] = aten::append(%l, %a)
  %e : Tensor = aten::__getitem__(%k, %n)
  return (%e)
""")
    assert aliases.same("l", "k") and aliases.same("a", "e")


def test_a_cast_from_any_is_any_value_of_its_type() -> None:
    aliases = Aliases("""graph(%u : Any, %x : Tensor, %n : int):
  %y : Tensor = prim::unchecked_cast(%u)
  %z : Tensor = aten::add_(%y, %n, %n)
  return (%x)
""")
    assert aliases.same("u", "y") and aliases.writes("z", "x")


def test_calls_write_to_whatever_they_see() -> None:
    aliases = Aliases("""graph(%l : int[], %x : int):
  %k : int[] = prim::ListConstruct(%x)
  %n : NoneType = ^callback[]()(%l)
  return (%k)
""")
    assert aliases.writes("n", "l") and not aliases.writes("n", "k")
    assert aliases.alias.writes_to_wildcard(aliases.node("n"))


def test_what_leaves_the_graph() -> None:
    aliases = Aliases("""graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::abs(%x)
  %v : Tensor = aten::select(%b, %n, %n)
  %l : Tensor[] = prim::ListConstruct(%a)
  %t : (Tensor, Tensor[]) = prim::TupleConstruct(%v, %l)
  %c : Tensor = aten::exp(%x)
  return (%t)
""")
    assert aliases.escapes("x") and aliases.escapes("a") and aliases.escapes("b")
    assert not aliases.escapes("c")


@pytest.mark.parametrize("mean", ["mean", "var"])
def test_batch_norm_in_training_writes_to_its_statistics(mean: str) -> None:
    aliases = Aliases("""graph(%x : Tensor, %none : NoneType, %mean : Tensor, %var : Tensor,
      %training : bool, %f : float):
  %y : Tensor = aten::batch_norm(%x, %none, %none, %mean, %var, %training, %f, %f, %training)
  return (%y)
""")
    assert aliases.writes("y", mean)


def test_mutable_types() -> None:
    immutable = (t.INT, t.STR, t.NONE, t.TupleType((t.INT, t.STR)), t.OptionalType(t.FLOAT))
    mutable = (t.TENSOR, t.ListType(t.INT), t.TupleType((t.INT, t.TENSOR)), t.ANY)
    assert not any(map(is_mutable_type, immutable))
    assert all(map(is_mutable_type, mutable))


def test_aliases_are_found_at_the_first_question_where_that_is_asked_for() -> None:
    graph = parse_graph("""graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
  %v : Tensor = aten::detach(%a)
  %u : Tensor = aten::add_(%v, %n, %n)
  %r : Tensor = aten::exp(%a)
  return (%r)
""")
    alias = AliasAnalysis(graph, lazily=True)
    [writer] = alias.writers
    assert writer.kind == "aten::add_"
    neg = next(graph.nodes)
    assert alias.writes_to(writer, [neg.output]) and alias.has_writers(neg)
    assert not alias.writes_to_wildcard(writer)


def test_what_writes_to_nothing_has_no_writers() -> None:
    aliases = Aliases("""graph(%x : Tensor, %y : Tensor):
  %a : Tensor = aten::mul(%x, %y)
  return (%a)
""")
    assert not aliases.alias.writers and not aliases.alias.has_writers(aliases.node("a"))
    assert aliases.escapes("a") and not aliases.same("a", "x")


def _has_memory_of(result: object, x: Tensor) -> bool:
    if not isinstance(result, Tensor) or result.layout != torch.strided:
        return False
    try:
        return result.data_ptr() == x.data_ptr()
    except RuntimeError:  # it has no memory
        return False


def test_operators_of_a_tensor_that_may_return_it_are_known() -> None:
    """Those of torch that need nothing but a tensor, whatever their schemas say of aliases."""
    found = set()
    for schema in torch._C._jit_get_all_schemas():
        first, *rest = schema.arguments or (None,)
        is_of_tensor = first is not None and str(first.type) == "Tensor"
        needs_more = any(not (x.kwarg_only or x.has_default_value()) for x in rest)
        is_declared = any(x.alias_info is not None for x in schema.arguments)
        if schema.name[:6] != "aten::" or not is_of_tensor or needs_more or is_declared:
            continue
        for x in (torch.ones(3, 3), torch.ones(3, 3, dtype=torch.int64)):
            packet = getattr(torch.ops.aten, schema.name[6:], None)
            operator = getattr(packet, schema.overload_name or "default", None)
            try:
                result = operator(x)
            except (RuntimeError, TypeError, NotImplementedError):
                continue
            results = result if isinstance(result, (tuple, list)) else (result,)
            if any(r is x or _has_memory_of(r, x) for r in results):
                found.add(schema.name)
    of_torchs_own_tests = {
        "aten::_foobar",
        "aten::_test_string_default",
        "aten::_test_parallel_materialize",
    }
    assert "aten::conj_physical" in found
    assert found - of_torchs_own_tests <= UNDECLARED


def test_what_is_written_to_an_out_is_told_by_the_schema_also_of_those() -> None:
    aliases = Aliases("""graph(%a : Tensor, %n : int, %zero : int):
  %x : Tensor = aten::neg(%a)
  %o : Tensor = aten::neg(%a)
  %l : Tensor[] = prim::ListConstruct(%a)
  %y : Tensor = aten::dequantize(%x, %o)
  = aten::unsafe_split(%x, %n, %zero, %l)
  return (%y, %l)
""")
    assert aliases.same("y", "o") and not aliases.same("y", "x")
    (split,) = [node for node in aliases.graph.nodes if node.kind == "aten::unsafe_split"]
    written = [n for n in ("x", "o", "l") if aliases.alias.writes_to(split, [aliases.values[n]])]
    assert written == ["l"]


def splits(x: Tensor, parts: list[Tensor]):
    torch.unsafe_split(x, 1, out=parts)


def test_operators_that_return_nothing_are_compiled() -> None:
    parts = [torch.ones(1), torch.ones(1)]
    minits.script(splits)(torch.tensor([2.0, 3.0]), parts)
    assert [part.item() for part in parts] == [2.0, 3.0]
