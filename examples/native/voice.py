"""A detector of voice, with weights and a state, for a library in C.

    minits build examples/native/voice.py:detector -o build

It is not trained: what it finds is by chance.
"""

import torch
from torch import Tensor, nn


class Detector(nn.Module):
    """Tells for each part of a sound how likely there is a voice; it remembers those before."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Conv1d(1, 16, 32, stride=16)
        self.cell = nn.GRUCell(16, 24)
        self.decide = nn.Linear(24, 1)
        nn.init.normal_(self.decide.weight)
        self.register_buffer("state", torch.zeros(1, 24))

    def forward(self, samples: Tensor) -> Tensor:
        """Return the chance of a voice, [1], in `samples`: [N], of at least 32, from -1 to 1."""
        if samples.dim() != 1 or samples.size(0) < 32:
            raise ValueError("samples are a vector of at least 32")
        frames = torch.relu(self.filters(samples.view(1, 1, -1)))
        self.state = self.cell(frames.amax(-1), self.state)
        return torch.sigmoid(self.decide(self.state)).view(-1)

    @torch.jit.export
    def reset(self) -> None:
        self.state = torch.zeros_like(self.state)


torch.manual_seed(0)
detector = Detector().eval()
