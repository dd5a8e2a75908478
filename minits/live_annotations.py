"""Annotations and signatures of users' functions and classes.

From Python 3.14 on annotations are evaluated when they are asked for (PEP 649), which fails where a
name is for type checkers only: `if TYPE_CHECKING: from a import B`. Such a name is a `ForwardRef`
then, and the other annotations are what they are.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

if sys.version_info >= (3, 14):
    from annotationlib import Format, get_annotations

    def annotations_of(owner: Any) -> dict[str, Any]:
        """Return the annotations of a function, or of a class without those of its bases."""
        return get_annotations(owner, format=Format.FORWARDREF)

    def python_signature(function: Any) -> inspect.Signature:
        """Return the signature of a Python callable. Raises `ValueError` where it has none."""
        return inspect.signature(function, annotation_format=Format.FORWARDREF)

else:
    annotations_of, python_signature = inspect.get_annotations, inspect.signature
