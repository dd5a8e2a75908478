"""A number and a string are not even compared for equality."""


def program(n: int, s: str) -> bool:
    if s == "one":
        return True
    return n == s  # error
