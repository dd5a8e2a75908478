"""What running an operator does besides computing its results.

Source: torch/csrc/jit/ir/ir.cpp (`Node::hasSideEffects`, `Node::isNondeterministic`).
"""

from __future__ import annotations

SIDE_EFFECTS = frozenset(
    {
        "prim::PythonOp", "prim::Print", "prim::RaiseException", "aten::warn", "aten::save",
        "aten::manual_seed", "prim::AddStatValue", "prim::TimePoint", "prim::CallFunction",
        "prim::CallMethod", "prim::rpc_async", "prim::rpc_sync", "prim::rpc_remote", "aten::wait",
        "cuda::set_stream", "cuda::_set_device", "cuda::_current_device", "cuda::synchronize",
        "prim::Enter", "prim::Exit", "prim::SetAttr", "prim::ReturnStmt", "prim::BreakStmt",
        "prim::ContinueStmt", "prim::LoopContinuation", "prim::Store", "aten::_assert_async",
        "aten::_functional_assert_async", "prim::Guard",
    }
)  # fmt: skip
"""Nodes that are kept though nobody uses their results. `prim::SetAttr` writes to an object."""

NONDETERMINISTIC = frozenset(
    "aten::" + name
    for name in (
        "dropout feature_dropout alpha_dropout feature_alpha_dropout native_dropout "
        "_fused_dropout _standard_gamma bernoulli bernoulli_ multinomial normal normal_ poisson "
        "binomial rrelu rrelu_ rrelu_with_noise rand rand_like randint randint_like randn "
        "randn_like randperm exponential_ geometric_ log_normal_ cauchy_ random_ uniform_ "
        "_sample_dirichlet gumbel_softmax empty empty_like empty_strided new_empty "
        "new_empty_strided _reduce_ex_internal"
    ).split()
)
"""Operators whose results differ from call to call, or are not initialised."""
