"""Variables carried by three levels of loops and ifs, some changed on few paths only."""

from typing import List, Tuple


def program(grid: List[List[int]], limit: int) -> Tuple[int, int, str, List[int]]:
    best, where, path = -1, 0, ""
    counts = [0, 0, 0]
    for i, row in enumerate(grid):
        if len(row) == 0:
            path += "e"
            continue
        j = 0
        while j < len(row):
            item = row[j]
            if item > best:
                if item >= limit:
                    path += "L"
                    break
                best = item
                where = i * 10 + j
            else:
                for k in range(3):
                    if item % (k + 2) == 0:
                        counts[k] += 1
                        if k == 1:
                            j += 1
                            continue
                    elif item < 0:
                        return best, -1, path, counts
            j += 1
        path += str(j)
    return best, where, path, counts


def inputs():
    return [
        ([[1, 6, 2], [], [4, 12, 3, 7]], 10),
        ([[0, 0, 6, 0, 4]], 9),
        ([[3, -1]], 5),
        ([], 0),
    ]
