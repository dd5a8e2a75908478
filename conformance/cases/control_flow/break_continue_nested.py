"""break and continue belong to the innermost loop, under any depth of ifs."""

from typing import List


def program(n: int, m: int) -> List[int]:
    trail: List[int] = []
    for i in range(n):
        if i == 1:
            continue
        for j in range(m):
            if j == i:
                continue
            if j > i + 2:
                if i % 2 == 0:
                    break
                else:
                    trail.append(-1)
            trail.append(i * 10 + j)
        else_count = i
        if else_count > 3:
            break
        trail.append(100 + i)
    return trail


def inputs():
    return [(0, 3), (3, 0), (4, 5), (7, 2)]
