"""Operators that end the process with torch alone, for some of the arguments that are drawn.

Each was run in processes of its own: called from Python, where it can be, and by torch.jit. Both
end, but for `prim::PythonOp`, which Python refuses. What ends a process with torch.jit and is not
here is told as a difference, as nobody has looked yet.
"""

from __future__ import annotations

_OF_A_STACK = "takes an argument from the stack, which has none"
_OF_CHUNKS = "takes the last of three or four chunks, of which gates of another shape have fewer"

CRASHES: dict[str, str] = {
    "aten::gather_backward": "keeps indices out of range in a sparse tensor; to_dense follows them",
    "aten::native_batch_norm_backward": "divides by the number of channels, also by zero",
    "aten::_dyn_quant_matmul_4bit": "divides by the size of blocks, also by zero",
    "aten::_stack": "asks the first of no tensors for its shape",
    "aten::_thnn_differentiable_gru_cell_backward": _OF_CHUNKS,
    "aten::_thnn_differentiable_lstm_cell_backward": _OF_CHUNKS,
    "mkldnn::_reorder_mkldnn_rnn_layer_weight": "divides by the size of a layer, also by zero",
    "prim::PythonOp": "is a node without the Python function that it calls",
    "prim::ReductionSizes": "writes before the first of the sizes, for a negative axis",
    "prim::rpc_remote": _OF_A_STACK,
    "prim::rpc_sync": _OF_A_STACK,
}
"""The reason, by the name of an operator."""


def is_known(program: str) -> bool:
    """Return whether torch is known to crash on programs of the operator that a text begins with.

    The text is that of a program, or the operator's schema: `aten::_stack.out(Tensor[] tensors, `.
    """
    return program.partition("(")[0].partition(".")[0] in CRASHES
