"""What is sought in a string is a string."""


def program(s: str, n: int) -> int:
    m = s.find("a", n)
    return s.find(m)  # error
