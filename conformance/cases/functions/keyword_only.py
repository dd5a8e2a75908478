"""Parameters after a bare star are given by name only, and need no order."""


def weigh(x: int, *, left: int, right: int) -> int:
    return left * x - right


def program(x: int, bias: int = 2) -> int:
    a = weigh(x, left=bias, right=1)
    b = weigh(right=a, left=3, x=x)
    return weigh(b, right=bias, left=a)


def inputs():
    from conformance.case import call

    return [(1,), call(2, bias=5), call(x=-3, bias=0), (1, 2, 3), call(1, bend=2)]
