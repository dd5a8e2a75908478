"""Loops of operators of small tensors: cells, an ODE, a beam search."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import linear


def waves(rows: int, columns: int, step: float) -> Tensor:
    """Return a matrix of numbers that look like weights."""
    return torch.sin(torch.arange(rows * columns) * step).view(rows, columns) * 0.2


def lstm_cells(n: int) -> float:
    """An LSTM's cell for n steps, of one sequence and 64 features."""
    inputs, weight = waves(n, 64, 0.37), waves(256, 128, 0.71)
    h, c = torch.zeros([1, 64]), torch.zeros([1, 64])
    for t in range(n):
        gates = linear(torch.cat([inputs[t : t + 1], h], 1), weight)
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return float(h.sum())


def gru_cells(n: int) -> float:
    """A GRU's cell for n steps, of one sequence and 64 features."""
    inputs, of_inputs, of_state = waves(n, 64, 0.37), waves(192, 64, 0.71), waves(192, 64, 0.53)
    h = torch.zeros([1, 64])
    for t in range(n):
        r, z, fresh = linear(inputs[t : t + 1], of_inputs).chunk(3, 1)
        r_h, z_h, n_h = linear(h, of_state).chunk(3, 1)
        z = torch.sigmoid(z + z_h)
        h = (1.0 - z) * torch.tanh(fresh + torch.sigmoid(r + r_h) * n_h) + z * h
    return float(h.sum())


def slope(y: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """Return the derivative of a state, which a network of two layers tells."""
    return linear(torch.tanh(linear(y, first)), second)


def neural_ode(n: int) -> float:
    """Runge and Kutta's method of order four for n steps of a state of eight numbers."""
    first, second = waves(32, 8, 0.71), waves(8, 32, 0.53)
    y = waves(1, 8, 0.37)
    for _ in range(n):
        k1 = slope(y, first, second)
        k2 = slope(y + 0.005 * k1, first, second)
        k3 = slope(y + 0.005 * k2, first, second)
        k4 = slope(y + 0.01 * k3, first, second)
        y = y + (k1 + 2.0 * k2 + 2.0 * k3 + k4) * (0.01 / 6.0)
    return float(y.sum())


def beam_search(n: int) -> int:
    """The best four sequences of n letters out of 32, by a table of transitions."""
    chances = torch.log_softmax(waves(32, 32, 0.71) * 20.0, 1)
    scores = torch.zeros([4]) - torch.arange(4) * 1.5
    last = torch.arange(4)
    paths = last.view(4, 1)
    for _ in range(n):
        every = scores.view(4, 1) + chances[last]
        scores, places = torch.topk(every.view(-1), 4)
        parents, last = places // 32, places % 32
        paths = torch.cat([paths[parents], last.view(4, 1)], 1)
    return int(paths[0].sum())


SMALL_TENSORS = (
    (lstm_cells, 100, 2.5),
    (gru_cells, 100, 2.5),
    (neural_ode, 50, 1.2),
    (beam_search, 50, 1.2),
)
"""Programs, their argument, and how many times as fast as torch.jit they are to be."""
