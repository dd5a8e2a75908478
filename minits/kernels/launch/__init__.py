"""Launching kernels on any device: the questions about the tensors of a call, and their geometry.

geometry   sizes and strides of the tensors of one call, which no text of a kernel has; begin here
launch     the last step on the CPU: generated Python that makes outputs and jumps into the kernel
profiled   the names under which torch.profiler shows these steps
properties everything that launches and plans of a call depend on, a row each
call_key   the key of a call, made of these rows
guards     tests that tensors are like those of the last call, in a fraction of a microsecond
observers  observers of single operators, for whom none may be fused
checkpoints   calls that `torch.utils.checkpoint` runs again: fused if they were the first time
admission  the decision to bind kernels to the shapes of a call, or to run it by eager

`fused_kernel` and `gradients/autograd` launch; the runtime keys plans the same way. How results
lie in memory is `ops/eager_strides`, as the lowering needs it, too.
"""
