"""Every private name of torch that minits uses: what for, since when, and what else would do.

decorators     what users told torch.jit about their functions; begin here
jit_objects    functions and modules that torch.jit has compiled
jit_types      its objects for types
operators      the operators that are registered: schemas, kernels, bindings
cpp_classes    C++ classes that libraries register, and their objects
values         futures, quantized tensors, remote references
tensors        kinds of tensors, their memory and versions
autograd       what its nodes save, hooks, forward-mode differentiation
hooks          those of modules
process_state  transforms, modes, autocast
wrappers       what decorators of torch make of functions
tracing        for the traces that minits records
tracers        for torch's own, which look into calls of minits
cuda           the current device and stream, the driver

All other rooms import the names from here, and torch may move any of them in any release; a new
torch is tried by reading these files beside it (`tests/test_torch_internals.py` holds that no other
file reaches into torch). The releases were looked up in the wheels of 1.13, 2.0, 2.2, 2.4, 2.6, 2.8
and 2.9: "2.4" means 2.4, and not yet 2.2. minits needs 2.9, so only what is younger, or told to be
missing in some builds, has a way around it here.

Not counted as private: `_parameters`, `_buffers`, `_modules`, `_forward_hooks` and
`_forward_pre_hooks` of an nn.Module, which its subclasses have always had to know, and `_fields`,
`_make` and `_replace` of NamedTuples, which are Python's. `kernels/launch/checkpoints.py` also
reads the frames of `torch.utils.checkpoint`, whose attributes are not documented.
"""

from minits.torch_internals.autograd import *
from minits.torch_internals.cpp_classes import *
from minits.torch_internals.cuda import *
from minits.torch_internals.decorators import *
from minits.torch_internals.hooks import *
from minits.torch_internals.jit_objects import *
from minits.torch_internals.jit_types import *
from minits.torch_internals.operators import *
from minits.torch_internals.process_state import *
from minits.torch_internals.tensors import *
from minits.torch_internals.tracers import *
from minits.torch_internals.tracing import *
from minits.torch_internals.values import *
from minits.torch_internals.wrappers import *
