"""Calls on other workers and references to their values, by `torch.distributed.rpc`.

A worker gets the Python function, which it runs as Python: what is compiled does not travel. So the
function has to be one that the worker can import, as with the Python API.

Source: torch/csrc/jit/runtime/register_distributed_ops.cpp.
Differs: torch sends the function's name, and the worker looks it up among those it has compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.compilation_state import STATE
from minits.ops.errors import ScriptError


def _calling(name: str) -> Callable[..., Any]:
    """Return the operation of `rpc_sync`, `rpc_async` or `remote`."""

    def call(
        to: str,
        callee: str,
        args: Any = (),
        kwargs: dict[str, Any] | None = None,
        timeout: float = -1,
    ) -> Any:
        import torch.distributed.rpc as rpc

        function = STATE.remote_functions.get(callee)
        if function is None:
            raise ScriptError(
                f"{name} cannot call {callee}: it was compiled from text, and a worker is sent the "
                "Python function; define it in a module that the worker can import"
            )
        return getattr(rpc, name)(to, function, args, kwargs, timeout)

    return call


TABLE: dict[str, Callable[..., Any]] = {
    "prim::rpc_sync": _calling("rpc_sync"),
    "prim::rpc_async": _calling("rpc_async"),
    "prim::rpc_remote": _calling("remote"),
    "aten::to_here": lambda rref, timeout: rref.to_here(timeout),
    "aten::local_value": lambda rref: rref.local_value(),
    "aten::is_owner": lambda rref: rref.is_owner(),
    "aten::owner": lambda rref: rref.owner(),
    "aten::owner_name": lambda rref: rref.owner_name(),
    "aten::confirmed_by_owner": lambda rref: rref.confirmed_by_owner(),
}
