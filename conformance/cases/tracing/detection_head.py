"""A grid of anchors from sizes, boxes sorted by score, their overlaps, and masks of them."""

import torch


def program(features, scores):
    n, channels, height, width = features.shape
    boxes = features.view(n, -1, 4, height, width).permute(0, 3, 4, 1, 2).reshape(-1, 4)
    rows = torch.arange(height, dtype=torch.float32) + 0.5
    columns = (torch.arange(0, width) * 8).float()
    grid = torch.stack(torch.meshgrid(columns, rows, indexing="xy"), dim=-1).view(-1, 2)
    boxes = torch.cat([grid - boxes[:, :2].abs(), grid + boxes[:, 2:].abs()], dim=1)
    order = scores.argsort(descending=True)
    boxes, kept = boxes[order], scores[order] > 0.2
    low = torch.max(boxes[:, None, :2], boxes[None, :, :2])
    high = torch.min(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = (high - low).clamp(min=0).prod(-1)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    overlap = shared / (area[:, None] + area - shared)
    boxes[~kept] = 0
    return boxes, overlap[kept], torch.where(kept)[0]


def example():
    return torch.linspace(-1.0, 1.0, 24).view(1, 4, 2, 3), torch.linspace(0.0, 1.0, 6)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 24).view(1, 4, 2, 3), torch.linspace(0.0, 1.0, 6)), (torch.linspace(-2.0, 1.0, 16).view(1, 4, 1, 4), torch.linspace(1.0, 0.0, 4))]
