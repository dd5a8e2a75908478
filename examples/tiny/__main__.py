"""Show the graphs of two programs, and a result."""

import torch

from examples.tiny import call, compile
from examples.tiny.programs import halvings, masked

print(compile(masked))
print(call(compile(masked), torch.tensor([-1.0, 2.0]), None))
print(compile(halvings))
print(call(compile(halvings), 20))
