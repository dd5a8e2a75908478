"""The public names of `torch.jit` that minits does not have, each with the reason.

`docs/torch-jit-names.md` lists all of them; a test compares the page with torch.
"""

from __future__ import annotations

_TRACED = "has no counterpart: what is traced of a module is a `minits.ScriptModule`"
_PHONES = "serves builds of torch for phones"

ABSENT = {
    "ONNXTracedModule": "belongs to torch.onnx",
    "RecursiveScriptClass": "has no counterpart: objects of script classes stay Python's own",
    "ScriptWarning": "is a warning that minits does not give",
    "TopLevelTracedModule": _TRACED,
    "TracedModule": _TRACED,
    "export_opnames": f"{_PHONES}; `fn.inlined_graph` shows the operators",
    "jit_module_from_flatbuffer": _PHONES,
    "last_executed_optimized_graph": "is `fn.plan_for(*args).graph`, of a function and a call",
    "save_jit_module_to_flatbuffer": _PHONES,
}
"""The rest of a sentence that begins with `torch.jit.NAME`."""
