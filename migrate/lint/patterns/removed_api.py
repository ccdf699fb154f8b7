"""Names and parameters that tilelang 0.1.15 no longer has, or never had though its documentation says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.module import Module

CODE = "TLM928"
NAMES = {
    "T.dyn": 'T.dynamic("n")',
    "T.get_mbarrier": "T.alloc_barrier",
    "T.create_list_of_mbarrier": "T.alloc_barrier",
    "T.gemm_v1": "T.gemm",
    "T.gemm_v2": "T.gemm",
}
KEYWORDS = {
    ("T.Kernel", "is_cpu"): "the target decides",
    ("T.gemm", "wg_wait"): "leave it out",
    ("T.gemm", "k_pack"): "leave it out",
    ("T.Pipelined", "sync"): "leave it out",
    ("T.Pipelined", "group"): "leave it out",
}


def find(module: Module) -> Iterator[LintFinding]:
    """Uses of removed names and keywords, anywhere in the file."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            name = module.canonical(node)
            if name in NAMES:
                yield LintFinding(node, f"tilelang 0.1.15 has no {name}; use {NAMES[name]}")
        elif isinstance(node, ast.Call):
            function = module.function_of(node)
            for keyword in node.keywords:
                if (function, keyword.arg) in KEYWORDS:
                    advice = KEYWORDS[(function, keyword.arg or "")]
                    yield LintFinding(
                        keyword.value, f"{function} of tilelang 0.1.15 has no parameter {keyword.arg}; {advice}"
                    )
