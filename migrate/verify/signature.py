"""The oracle's and the parser's view of a kernel's parameters must agree before anything is compared."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.ir.kernel import Kernel


def signature_mismatch(kernel: Kernel, signature: Sequence[tuple[str, int]]) -> str:
    """A sentence about the first disagreement in number, size or pointer-ness of parameters; empty if none."""
    if len(kernel.c_params) != len(signature):
        return f"the parsed kernel has {len(kernel.c_params)} parameters, the compiled original {len(signature)}"
    for position, ((parsed_type, parsed_size), (built_type, built_size)) in enumerate(
        zip(kernel.c_params, signature, strict=True)
    ):
        if parsed_size != built_size:
            return (
                f"parameter {position}: `{parsed_type}` has {parsed_size} bytes for the parser, "
                f"`{built_type}` {built_size} for the compiled original"
            )
        if _is_pointer(parsed_type) != _is_pointer(built_type):
            return f"parameter {position}: `{parsed_type}` for the parser, `{built_type}` for the compiled original"
    return ""


def _is_pointer(spelling: str) -> bool:
    text = spelling.replace("__restrict__", "").replace("__restrict", "").replace("restrict", "").strip()
    while text.endswith(("const", "volatile")):
        text = text.removesuffix("const").removesuffix("volatile").strip()
    return text.endswith(("*", "]"))
