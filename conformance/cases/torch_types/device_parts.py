"""A device has a type, a str, and an index, an Optional[int]; it equals the string that names it."""

from typing import Dict, List, Optional, Tuple

import torch


def place(device: torch.device) -> str:
    index = device.index
    return device.type if index is None else device.type + "/" + str(index)


def program(
    device: torch.device, other: Optional[torch.device]
) -> Tuple[List[str], List[bool], Dict[torch.device, int]]:
    second = torch.device("cpu:0")
    named = [place(device), place(second), str(device), f"{torch.device('cuda:1')}"]
    same = [device == second, device == "cpu", device != torch.device("cpu"), other is None]
    return named, same, {device: 1, torch.device("meta"): 2}


def inputs():
    return [(torch.device("cpu"), None), (torch.device("cpu:0"), torch.device("meta"))]
