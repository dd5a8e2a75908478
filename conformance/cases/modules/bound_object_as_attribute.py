"""An object of a class that torch binds from C++ is an attribute, which operators take."""

import torch


def build():
    module = torch.ao.nn.quantized.dynamic.Linear(2, 3)
    weight = torch.quantize_per_tensor(torch.ones(3, 2), 0.1, 0, torch.qint8)
    module.set_weight_bias(weight, torch.zeros(3))
    return module


def inputs():
    return [(torch.ones(1, 2),)]
