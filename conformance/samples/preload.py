"""torch's databases, imported and looked through once for the processes that are forked."""

from __future__ import annotations

from conformance.samples import modules, operators, schemas

for _source in (operators, schemas, modules):
    _source.names()
