"""`while True` ends by break or return only; the value after it comes from the break."""


def program(n: int, limit: int) -> int:
    steps = 0
    while True:
        steps += 1
        if steps > 50:
            return -1
        if n == 1:
            break
        if n % 2 == 0:
            n = n // 2
            continue
        n = 3 * n + 1
        if n > limit:
            steps = -steps
            break
    return steps * 10 + n


def inputs():
    return [(1, 10), (6, 100), (7, 20), (0, 5)]
