"""What a launch asks of the tensors of a call, on any device.

geometry   where the tensors of one call lie: what a kernel's text leaves open; begin here
launch     the last step on the CPU: generated Python that makes outputs and jumps into the kernel
call_key   the key of a call: all that may be remembered of it depends on
guards     whether tensors are like those of the last call, in a fraction of a microsecond
observers  whether somebody looks at single operators, so that none may be fused
checkpoints   what `torch.utils.checkpoint` runs again is fused as it was, whoever looks
admission  whether kernels are to be bound to the shapes of a call, or eager runs it

`fused_kernel` and `gradients/autograd` launch; the runtime keys plans the same way. How results
lie in memory is `ops/eager_strides`, as the lowering needs it, too.
"""
