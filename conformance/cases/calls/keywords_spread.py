"""** spreads no dict into keyword arguments."""

from typing import Dict


def area(width: int, height: int) -> int:
    return width * height


def program(sizes: Dict[str, int]) -> int:
    return area(**sizes)  # error
