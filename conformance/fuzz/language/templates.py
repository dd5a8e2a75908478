"""The expressions that random programs are made of.

A template names in braces the types of the expressions that it takes. T stands for any one type, A
and B for simple ones; the words of `WORDS` stand for short texts. Two spaces part templates.
"""

from __future__ import annotations

from conformance.fuzz.language.kinds import TEXTS, Kind, kind

_BY_TYPE: dict[str, str] = {
    "int": """
        {int} + {int}  {int} - {int}  {int} * {int}  {int} // {nonzero}
        {int} % {nonzero}  {int} & {int}  {int} | {int}
        {int} ^ {int}  {int} << {small}  {int} >> {small}  -{int}
        ~{int}  abs({int})  min({int}, {int})  max({int}, {int})  int({bool})
        sum({List[int]})
        len({List[A]})  len({Dict[str, A]})  len({str})  len({Tuple[A, B]})  min({List[int]})
        max({List[int]})  {List[A]}.count({A})  {List[int]}.index({int})  {str}.find({str})
        {str}.count({letter})  int({Tensor}.numel())  {Tensor}.dim()  math.gcd({int}, {int})
        math.floor({bounded})  math.ceil({bounded})  int({bounded})  ord({letter})  int({digits})
        int({Tensor}.sum() > {float})  torch.jit.annotate(int, {int})
        divmod({int}, {nonzero})[{bit}]
    """,
    "float": """
        {float} + {float}  {float} - {float}  {float} * {float}  {int} / {int}  {float} / {int}
        {float} + {int}  {int} * {float}  {float} // {nonzero}  {float} % {nonzero}  -{float}
        {float} / {float}  abs({float})  float({int})  float({bool})  min({float}, {float})
        max({float}, {float})  math.sqrt(abs({float}))  sum({List[float]})  {float} ** {bit}
        float({Tensor}.sum())  math.fabs({float})  float({int} ** {bit})  float({digits})
        math.copysign({float}, {float})  round({bounded})  math.pi  max({List[float]})
    """,
    "bool": """
        {int} < {int}  {int} == {int}  {int} != {float}  {float} <= {float}  {float} > {int}
        {str} == {str}  {str} < {str}  {bool} and {bool}  {bool} or {bool}  not {bool}
        {int} < {int} < {int}  {int} <= {int} != {int}  {bool} == {bool}  {bool} != {bool}
        {int} in {List[int]}  {str} in {Dict[str, A]}  {str} in {str}  {str} not in {List[str]}
        bool({int})  bool({float})  {List[int]} == {List[int]}  {List[str]} != {List[str]}
        {Optional[T]} is None  {Optional[T]} is not None  {str}.startswith({str})
        {str}.isdigit()  any({List[bool]})  all({List[bool]})  bool({Tensor}.sum() > {int})
        {bool} is {bool}  isinstance({A}, int)  isinstance({Optional[A]}, str)  {bool} ^ {bool}
        {Tensor} is {Tensor}  torch.jit.is_scripting()  not {Optional[A]} is None
        {Tuple[int, str]} == {Tuple[int, str]}  isinstance({T}, (float, str))  {bool} & {bool}
        {bool} | {bool}  {int} in {Dict[int, A]}  {str} in ({str}, {str})
    """,
    "str": """
        {str} + {str}  str({int})  str({bool})  '%d' % {int}  '%s' % {str}  '{{}}'.format({int})
        '{{}} {{}}'.format({str}, {bool})  f'{{{plain:int}}}'  f'a{{{plain:str}}}b'  {str}.upper()
        {str}.lower()  {str}.strip()  {str}.replace({letter}, {str})  {str}[{small}:]
        {str}[{int}:{int}]  {str}[{int}]  {str} * {small}  {str}.join({List[str]})
        chr({small} + 65)  hex({int})  {str}.title()  {str}.rjust({small})  str({float})
        '%s-%s' % ({int}, {str})  bin({int})  {str}[::2]  {str}[::-1]  {str}.swapcase()
        {str}.capitalize()
    """,
    "Tensor": """
        {Tensor} + {Tensor}  {Tensor} * {float}  {float} - {Tensor}  {Tensor} / {int}  -{Tensor}
        {Tensor}.abs()  {Tensor}.sum()  {Tensor}.clone()  torch.tensor({float})
        torch.relu({Tensor})  torch.tensor([{float}, {float}])  torch.max({Tensor}, {Tensor})
        torch.where({Tensor} > {Tensor}, {Tensor}, {Tensor})  torch.zeros([{bit}])
        torch.add({Tensor}, {Tensor}, alpha={int})  {Tensor}[None]  {Tensor}.to(torch.float32)
        torch.ones(2) * {int}  {Tensor}.clamp(min={float})  {int} + {Tensor}
        {Tensor} ** {bit}  {Tensor}.reshape([-1])[0]  {Tensor} == {Tensor}  {Tensor} & {Tensor}
    """,
    "List[T]": """
        [{T}]  [{T}, {T}]  [{T}, {T}, {T}]  {List[T]} + {List[T]}  {List[T]}[{int}:{int}]
        {List[T]}[{small}:]  {List[T]}[:-1]  {List[T]}[::2]  {List[T]}[::-1]  {List[T]}.copy()
        list({List[T]})  {List[T]} * {small}  list({Dict[str, T]}.values())
        torch.jit.annotate({name:List[T]}, [])
    """,
    "List[int]": "list(range({small}))  sorted({List[int]})",
    "List[float]": "sorted({List[float]})",
    "List[str]": """
        {str}.split()  {str}.split({letter})  list({Dict[str, A]}.keys())  sorted({List[str]})
    """,
    "Dict[A, T]": """
        {{{A}: {T}}}  {{{A}: {T}, {A}: {T}}}  {Dict[A, T]}.copy()
        torch.jit.annotate({name:Dict[A, T]}, {{}})  dict({Dict[A, T]})
    """,
    "Optional[T]": "{T}  {T}  None  {Dict[str, T]}.get({str})",
    "Tuple[T]": "({T},)",
    "Tuple[T, U]": "({T}, {U})",
    "Tuple[T, U, V]": "({T}, {U}, {V})",
}
"""By type, the templates of its expressions."""

_OF_ANY_TYPE = """
    {T} if {bool} else {T}  {List[T]}[{int}]  {List[T]}[{bit}]  {Dict[str, T]}[{str}]  ({T})
    {Dict[str, T]}.get({str}, {T})  {Tuple[T, A]}[0]  {Tuple[A, T]}[-1]  ({T}, {A})[{zero}]
    torch.jit.annotate({name:T}, {T})
"""

WORDS: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "2", "3", "-1", "-2", "7", "10"),
    "float": ("0.0", "0.5", "1.0", "2.5", "-1.5", "-0.0", "1e2", "3."),
    "bool": ("True", "False"),
    "str": tuple(map(repr, TEXTS)),
    "Tensor": ("torch.tensor(1.0)", "torch.tensor([1.0, -2.0])", "torch.zeros(2)"),
    "nonzero": ("1", "2", "3", "-2", "-3", "5"),
    "small": ("0", "1", "2", "3"),
    "bit": ("0", "1"),
    "zero": ("0", "-2"),
    "bounded": ("0.5", "2.5", "-1.5", "-0.2", "1e3"),
    "letter": ("'a'", "'x'", "'B'"),
    "None": ("None",),
    "digits": ("'1'", "'-20'", "'7'"),
}
"""Literals, and words that are no types."""


Table = tuple[tuple[Kind, tuple[str, ...]], ...]


def _table(by_type: dict[str, str]) -> Table:
    return tuple((kind(name), _separated(text)) for name, text in by_type.items())


def _separated(text: str) -> tuple[str, ...]:
    lines = (line.strip() for line in text.strip().splitlines())
    return tuple(part for line in lines for part in line.split("  "))


TEMPLATES = _table(_BY_TYPE)
OF_ANY_TYPE = _separated(_OF_ANY_TYPE)


UPDATES = _table(
    {
        "int": "$ += {int}  $ -= {int}  $ *= {small}  $ |= {int}",
        "float": "$ += {float}  $ *= {float}  $ -= {int}  $ /= {nonzero}",
        "str": "$ += {str}  $ = $ + {str}",
        "bool": "$ = not $  $ = $ and {bool}",
        "Tensor": "$ += {float}  $ *= {Tensor}  $.add_({int})  $ = $ - {Tensor}",
        "List[T]": """
            $.append({T})  $.append({T})  $.extend({List[T]})  $.insert({int}, {T})
            $ += {List[T]}  $.pop()  $.pop({int})  $.clear()  $.reverse()  $[{int}] = {T}
            $[{bit}] = {T}  del $[{int}]  $ = $[1:]
        """,
        "Dict[A, T]": """
            $[{A}] = {T}  $[{A}] = {T}  $.pop({A})  del $[{A}]  $.update({Dict[A, T]})
            $.clear()  $.setdefault({A}, {T})
        """,
        "List[int]": "$[{bit}] += {int}  $.sort()  $.sort(reverse={bool})  $[{int}] *= {int}",
        "Dict[A, int]": "$[{A}] -= {int}",
    }
)
"""Statements that change a variable, which is `$`, by its type."""
