"""Flow rules: the questions that the emitter asks a dialect about a point of the program.

The emitter follows torch's rules, by which a program point has the types of variables and nothing
else. The extended dialect knows more there (`extended/rules.py`): the types of attributes and
items, what an earlier condition proved, what an empty list will hold. This class is the torch
dialect's: it knows nothing, and only notes where the extended dialect might have, so that an error
can name it.

    if self.bias is not None:        target: what does this test refine?    recognise: a condition
        y = x + self.bias            assume, refine: begin of the branch    merge_branches: its end
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from minits.frontend.values.refinement import Condition, Key, VariableKey, is_test
from minits.frontend.values.simple_value import as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import to_python
from minits.ir.graph import Graph, Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.calls.schema_matching import NamedValue
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.environment import Environment


class FlowRules:
    """The rules of the torch dialect, for one reading of a function."""

    dialect = "torch"

    def __init__(self) -> None:
        self.graph = Graph()
        self.might_accept = False
        """Whether the extended dialect might accept what is refused."""

    # ---- Blocks and variables ------------------------------------------------------------------

    def enter_block(self, outer: Environment) -> None:
        """Begin a block inside that of `outer`."""

    def leave_block(self, outer: Environment, inner: Environment, joins: bool) -> None:
        """End a block that may not have run; if it `joins`, another method tells what is known."""

    def assigned(self, environment: Environment, name: str) -> None:
        """Note that a variable is about to be assigned."""

    def stored(self, environment: Environment, name: str) -> None:
        """Note that a variable has got another value, by an assignment or a refinement."""

    def may_widen(self, environment: Environment, name: str, type: Type) -> bool:
        """Return whether a variable of an outer block may be assigned a type other than its own."""
        return False

    # ---- Assignments ---------------------------------------------------------------------------

    def emit_assigned(
        self, emitter: Emitter, name: str | None, node: tree.expr, hint: Type | None
    ) -> tuple[SugaredValue, Condition | None]:
        """Emit the value that a variable is assigned; return it, and the condition that it is.

        name: of the variable; None in an assignment expression.
        """
        value = emitter.emit_sugared(node, 1, hint)
        self.might_accept = self.might_accept or is_test(node) or is_flag(value)
        return value, None

    def keep(
        self, emitter: Emitter, name: str, node: tree.expr | None, condition: Condition | None
    ) -> None:
        """Note that a variable has been assigned the value of `node`; None is any other value."""

    def place_assigned(self, emitter: Emitter, node: tree.expr, value: Value) -> None:
        """Note that an attribute or an item has been assigned."""
        self.might_accept = True

    def read(self, emitter: Emitter, node: tree.expr) -> SugaredValue | None:
        """Return the value that an attribute or an item is known to have."""
        return None

    # ---- Conditions ----------------------------------------------------------------------------

    def target(self, emitter: Emitter, node: tree.expr, value: Value) -> Key | None:
        """Return the key that a test of `node` refines; `value` is that of the node."""
        if isinstance(node, tree.Name):
            return VariableKey(node.id)
        self.might_accept |= isinstance(node, (tree.Attribute, tree.Subscript))
        return None

    def truth(self, emitter: Emitter, node: tree.expr, value: Value) -> Condition | None:
        """Emit the truth of a value, where it is not that of `bool(value)`."""
        return None

    def refine(self, emitter: Emitter, loc: SourceRange, key: Key, type: Type) -> bool:
        """Apply a refinement; return False to have it applied by torch's rules."""
        return False

    def untold(self, environment: Environment, names: Sequence[str]) -> Iterable[str]:
        """Return variables of which a test with these names may tell something besides."""
        return ()

    # ---- Branches ------------------------------------------------------------------------------

    def recognise(self, emitter: Emitter, test: tree.expr | None) -> Any:
        """Begin an if statement; return its test in the form that the methods below take."""
        return None

    def assume(self, emitter: Emitter, test: Any, truth: bool) -> None:
        """Note that a test is true, or false, from here on."""

    def merge_branches(
        self, emitter: Emitter, environments: Sequence[Environment], exits: Sequence[bool]
    ) -> None:
        """Merge what is known after two branches; `exits` says which of them jump away."""

    def only_in_one(
        self,
        emitter: Emitter,
        test: Any,
        environments: Sequence[Environment],
        name: str,
        branch: int,
    ) -> None:
        """Note a variable that only one branch defines, the first or the second."""

    # ---- Loops ---------------------------------------------------------------------------------

    def begin_loop(self, emitter: Emitter, loop: tree.Node) -> None:
        """Begin a loop, which the node stands for."""

    def begin_iteration(self, environment: Environment, tested: Environment | None = None) -> None:
        """Begin the block of the condition, or that of the body, which comes after `tested`."""

    def end_loop(self, environment: Environment) -> None:
        """End a loop at the end of its body."""

    def jumped(self, emitter: Emitter) -> None:
        """Note that a break or continue follows."""
        self.might_accept = True

    # ---- What containers hold ------------------------------------------------------------------

    def type_of_empty(self, node: tree.expr) -> Type | None:
        """Return the type of an empty list or dict that has no annotation."""
        self.might_accept = True
        return None

    def unsettled(self) -> Iterable[str]:
        """Return the variables whose types depend on what statements behind do with them."""
        return ()

    def expects(self, emitter: Emitter, node: tree.expr, type: Type) -> None:
        """Note that the context of an expression expects this type of it."""

    def put(
        self, emitter: Emitter, holder: tree.expr, key: Type, item: Type | None, node: tree.expr
    ) -> None:
        """Note that `node`, of type `item`, is put into a container at a key of this type."""

    def asked(self, emitter: Emitter, holder: tree.expr, key: Type) -> None:
        """Note that a container is asked by `in` for a key of this type."""

    def called(
        self, emitter: Emitter, call: tree.Call, callee: SugaredValue, args: Sequence[NamedValue]
    ) -> None:
        """Note that a call follows, with these positional arguments."""

    # ---- Modules -------------------------------------------------------------------------------

    def chosen_module(
        self, loc: SourceRange, emitter: Emitter, container: SugaredValue, index: Value
    ) -> SugaredValue | None:
        """Return the module of a container that an index chooses when the program runs."""
        self.might_accept = True
        return None


def is_flag(value: SugaredValue) -> bool:
    """Return whether a value is a bool that is known while compiling."""
    simple = as_simple(value)
    return simple is not None and isinstance(to_python(simple), bool)
