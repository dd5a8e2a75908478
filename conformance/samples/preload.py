"""What all tasks of a sweep need, imported and made once for the processes that are forked."""

from __future__ import annotations

import conformance.minits_implementation  # noqa: F401
from conformance.samples import modules, operators, schemas

SOURCES = {"database": operators, "schemas": schemas, "modules": modules}
"""Where programs come from: modules with `names` and `programs`."""
for _source in SOURCES.values():
    _source.names()
