"""A class that inherits from ScriptModule."""
import torch


class Net(torch.jit.ScriptModule):
    @torch.jit.script_method
    def forward(self, x):
        return x.nothing()  # E: TS302
