"""Gradients: a fused kernel as one node of autograd's graph, and the kernel of its gradient.

autograd         begin here: `differentiable` makes a fused kernel a node with a backward
recorded_call, graph_node   calls that record gradients, and the node that they make
training_kernel  the kernel of calls that record: what it saves, and its backward group
gradient         from a kernel to the kernel of its derivative, scalar by scalar
reduction_gradients, scan_gradients   the derivatives of what sweeps over rows
backward_group   that kernel as a group of its own, with inputs, outputs and geometry
eager_saves      tensors that eager saves for its gradients, and so must not change
smallest_cut     the fewest bytes to save so that inputs need not be read again
input_gradients, partial_sums, column_sums   from a kernel's gradients to those of its inputs
unfused_gradients, results_instead   gradients by torch's own operators, in grad mode
dropped_inputs   large inputs that are not kept: the operators run again without them
group_again, operator_saves   that run, and what must be known for it
after_changes, evaluated_gradients   the same where inputs have been changed in place

`codegen/group_kernels.py` asks for `differentiable` when a call wants gradients.
Torch's counterpart: torch/csrc/jit/runtime/autodiff.cpp and symbolic_script.cpp.
"""
