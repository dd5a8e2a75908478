"""Magic methods convert an object, negate it, call it and assign its items; += changes the object itself."""

from typing import List, Tuple


class Dial:
    def __init__(self, at: int):
        self.at = at
        self.marks = [0, 0, 0]

    def __int__(self) -> int:
        return self.at

    def __float__(self) -> float:
        return self.at / 2

    def __bool__(self) -> bool:
        return self.at != 0

    def __str__(self) -> str:
        return "dial at " + str(self.at)

    def __neg__(self) -> int:
        return -self.at

    def __call__(self, by: int = 1) -> int:
        self.at += by
        return self.at

    def __setitem__(self, i: int, mark: int):
        self.marks[i] = mark

    def __getitem__(self, i: int) -> int:
        return self.marks[i]

    def __iadd__(self, by: int):
        self.at += by * 10
        return self


def program(n: int) -> Tuple[int, float, bool, str, List[int]]:
    dial = Dial(n)
    same = dial
    dial += 2
    dial[1] = same(5) + same()
    dial[2] = dial[2] + dial[1]
    on = True if dial else False
    return int(dial), float(dial), on and not Dial(0), str(same), [-dial, dial[2]]


def inputs():
    return [(1,), (-26,)]
