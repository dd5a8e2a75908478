"""Types are their texts, as torch prints them: `Tensor`, `int`, and `Tensor?` for an Optional.

So a type is a subtype of those whose text begins with its own: `Tensor` of `Tensor?`.
"""

import ast

from examples.tiny.syntax import fault

TYPES = {"Tensor": "Tensor", "Optional[Tensor]": "Tensor?", "int": "int", "bool": "bool"}


def annotation(parameter: ast.arg) -> str:
    """Return the type of a parameter: what is written, or `Tensor`, which is TorchScript's rule."""
    written = ast.unparse(parameter.annotation or ast.Name("Tensor"))
    return TYPES.get(written) or fault(parameter, f"{written} is no type; use {', '.join(TYPES)}")
