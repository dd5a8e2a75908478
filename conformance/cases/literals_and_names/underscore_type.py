"""Within an outer block _ keeps its type, too."""


def program(n: int) -> int:
    _ = n
    for i in range(n):
        _ = "text"  # error
    return n
