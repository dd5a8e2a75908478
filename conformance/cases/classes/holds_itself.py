"""No attribute of a class holds objects of the class itself."""

from typing import List


class Folder:
    def __init__(self, size: int):
        self.size = size
        self.inner: List[Folder] = []  # error


def program(n: int) -> int:
    return Folder(n).size
