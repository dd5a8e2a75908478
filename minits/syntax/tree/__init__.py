"""The syntax tree: CPython's `ast`, as classes with slots that carry their source range.

node         what nodes have in common, and functions that walk and change a tree
expressions  the nodes of expressions
patterns     those of patterns
statements   those of statements; begin here

Classes and fields are those of the standard library's `ast` (Python 3.12; `default_value` of type
parameters is 3.13's), so that whoever knows one knows the other, with three simplifications:
sequences are tuples, operators are their symbols (`BinOp.op == "+"`, `Compare.ops == ("is not",)`),
and names carry no `ctx`.

Source: https://docs.python.org/3/library/ast.html, the abstract grammar.
"""

from minits.syntax.tree.expressions import *
from minits.syntax.tree.node import Node as Node
from minits.syntax.tree.node import children as children
from minits.syntax.tree.node import relocated as relocated
from minits.syntax.tree.node import replaced as replaced
from minits.syntax.tree.node import walk as walk
from minits.syntax.tree.patterns import *
from minits.syntax.tree.statements import *
