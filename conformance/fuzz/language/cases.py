"""Programs on which torch.jit and minits have disagreed, each with what was wrong."""

from __future__ import annotations

import textwrap
from typing import Any

import torch

from conformance.fuzz.language.programs import Program


def _program(text: str, *calls: tuple[Any, ...]) -> Program:
    return Program(textwrap.dedent(text).lstrip(), calls)


CASES: dict[str, Program] = {
    # The entries were taken for pairs to iterate over.
    "dict_of_a_dict_display": _program(
        """
        def program(a: str) -> Optional[List[int]]:
            found: Dict[str, int] = dict({'a': 1}, b=2)
            return dict({'1': [found['b']]}).get(a)
        """,
        ("1",),
        ("a",),
    ),
    # Then torch makes pairs of the entries, and gives the variable the type inside.
    "dict_of_a_display_where_an_optional_is_expected": _program(
        """
        def program(a: int) -> Optional[Dict[str, int]]:
            found: Optional[Dict[str, int]] = dict({'a': a}, b=2)
            if a > 1:
                return dict({'c': 3}, 'ignored')
            return found
        """,
        (1,),
        (2,),
    ),
    # C's NaN has its sign bit set, which the IR shows.
    "nothing_by_nothing": _program("def program() -> float:\n    return 0 / 0\n", ()),
    # What is in a container may be seen by others, so what writes to it stays.
    "list_in_a_tuple_that_nobody_needs": _program(
        """
        def program(a: List[str]) -> int:
            v = (0.0, 0, [7 for x in a])
            return 0
        """,
        (["b"],),
    ),
    # A use of the dict that returns a tensor was taken for one that keeps nothing.
    "item_of_a_dict_that_nobody_needs": _program(
        """
        def program(a: float) -> int:
            v = torch.tensor(a)
            v *= {'b': v}['b']
            return 1
        """,
        (2.0,),
    ),
    # A list that only one branch makes was the same memory as the argument in the other branch.
    "list_assigned_in_one_branch": _program(
        """
        def program(a: List[bool], b: int) -> int:
            if 0:
                return b
            else:
                a = [b > 0 for x in a]
                return 5
        """,
        ([True], 1),
    ),
    # No conversion of a bool was known.
    "bool_where_a_number_is_wanted": _program(
        """
        def f0(a: int, b: Optional[float]) -> float:
            return a + (2.0 if b is None else b)

        def program(a: bool, b: Tensor, c: List[str]) -> Tuple[Tensor, float, str, int]:
            b = b - a
            return b, f0(a, a), c[a], a | 6
        """,
        (True, torch.tensor(1.5), ["a", "b"]),
        (False, torch.tensor([1.0, 2.0]), ["a", "b"]),
    ),
    # In the texts that torch parses itself, -1 is one number; there is one in this operator.
    "text_in_a_text": _program(
        """
        def program(a: str, b: str) -> int:
            return 3 if a[1] in b else 1
        """,
        ("ab", "xb"),
        ("ab", "a"),
    ),
    # The fuser looked for the item, and its IndexError was raised in the place of the program's.
    "item_that_a_list_display_lacks": _program(
        """
        def program() -> Tensor:
            return [[]][1][1]
        """,
        (),
    ),
    # The fuser took the index of the inner list for one of the outer list.
    "item_of_a_list_out_of_a_list": _program(
        """
        def program() -> Tensor:
            return [[]][0][0]
        """,
        (),
    ),
    # Most nodes were of operators that torch writes in Python, so the fault had no line.
    "fault_beside_an_operator_of_python": _program(
        """
        def program() -> Tensor:
            return 100.0 / 3 - (torch.tensor(1.0) & True)
        """,
        (),
    ),
    # torch emits a display in dict() twice where an Optional is expected, and counts the values.
    "dict_of_display_for_an_optional": _program(
        """
        def program() -> Optional[Dict[str, int]]:
            v19 = 1
            for i21 in 'a':
                v19 = 1 - v19
                return dict({'-2': v19})
            return None
        """,
        (),
    ),
    # 0.0 and -0.0 were one constant to pooling, but not where branches are compared.
    "zeros_of_either_sign_in_two_branches": _program(
        """
        def program(a: int) -> Optional[float]:
            b: float = 0.0
            if a:
                b /= -2
            return {'B': b}.copy().get('a')
        """,
        (0,),
        (1,),
    ),
    # In the end the list is asked for its length alone; torch takes its item for kept all the same.
    "item_of_a_list_that_nobody_reads": _program(
        """
        def program() -> List[int]:
            a = torch.zeros(2)
            a.add_(True)
            b = (1, [10 for x in [a]])
            return []
        """,
        (),
    ),
    # Methods were compiled by name alone.
    "faults_of_a_property_and_a_method": _program(
        """
        class C1:

            @property
            def m4(self) -> str:
                pass

            def __lt__(self, a: C1) -> bool:
                pass

        def program() -> int:
            v38 = C1
            return 1
        """,
        (),
    ),
}
