"""The reference of the Python interface: the public names of minits, from their docstrings."""

from __future__ import annotations

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import minits

URI = "reference/api.md"
GROUPS = {
    "Compiling": "script ScriptFunction ScriptModule script_method CompilationUnit interface",
    "Tracing": "trace trace_module script_if_tracing is_tracing",
    "Archives and libraries": "save load load_native",
    "Inference": "freeze optimize_for_inference run_frozen_optimizations",
    "Marks": "export ignore unused Final Attribute",
    "Forms of programs": "annotate isinstance is_scripting fork wait Future",
    "Fusion": "strict_fusion optimized_execution fuser",
    "torch.jit": "patch_torch_jit RecursiveScriptModule set_fusion_strategy enable_onednn_fusion "
    "onednn_fusion_enabled",
    "Errors and warnings": "CompileError NotSupportedError Error ArchiveError SaveError "
    "FusionError TracingCheckError TracerWarning InternalError",
}

OF_OTHERS = {
    "Final": "`typing.Final`: marks an attribute as a constant of the program.",
    "Future": "`torch.futures.Future`: the result of a call that `fork` has started.",
}
"""Names that are defined elsewhere, which mkdocstrings does not read."""
_PAGE = re.compile(r"\bdocs/([\w/-]+\.md)\b")


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the page."""
    files.append(File.generated(config, URI, content=text_of_page()))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links of the pages that docstrings name."""

    def linked(name: re.Match[str]) -> str:
        file = files.get_file_from_path(name[1])
        return f'<a href="{file.url_relative_to(page.file)}">{name[0]}</a>' if file else name[0]

    return _PAGE.sub(linked, html) if page.file.src_uri == URI else html


def text_of_page() -> str:
    """Return the text of the page, where names that are in no group come last."""
    groups = {title: names.split() for title, names in GROUPS.items()}
    grouped = {name for names in groups.values() for name in names}
    groups["Others"] = [name for name in minits.__all__ if name not in grouped]
    text = "# The Python interface\n\nAll of this is imported from `minits`.\n"
    for title, names in groups.items():
        if names:
            text += f"\n## {title}\n\n" + "".join(map(_entry, names))
    return text


def _entry(name: str) -> str:
    if name in OF_OTHERS:
        return f"### `{name}`\n\n{OF_OTHERS[name]}\n\n"
    return f"::: minits.{name}\n\n"
