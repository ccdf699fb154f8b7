"""Functions that no handler knows, by the family that a person would look up."""

from __future__ import annotations

import re

from migrate.diagnostics import Refusal
from migrate.parse.build.builder import Builder

# (code, what the message says, pattern over the qualified name); the first that matches counts.
_FAMILIES = tuple(
    (code, says, re.compile(pattern))
    for code, says, pattern in (
        ("TLM340", "reads or writes a texture or surface", r"(tex|surf)([123]D|Cubemap)"),
        ("TLM341", "works on matrix fragments of tensor cores", r"(nvcuda::|::)?wmma::|nvcuda::"),
        ("TLM342", "is a generator of cuRAND", r"_?(curand|skipahead)"),
        ("TLM343", "converts 8-bit or narrower floats", r"__nv_cvt_\w*(fp8|e8m0|fp6|fp4)|__nv_fp(8|6|4)\w*::"),
        (
            "TLM344",
            "belongs to asynchronous copies and barriers",
            r"cuda::(ptx::|device::|experimental::)?\w*(pipeline|barrier|memcpy_async|init\b|arrive|wait|aligned_size)",
        ),
        ("TLM345", "is a block or device algorithm of a library", r"(cub|thrust)::"),
        ("TLM346", "calls the CUDA runtime from a kernel", r"cuda[A-Z]"),
    )
)


def unknown_function(builder: Builder, name: str) -> Refusal:
    """The refusal for a function without a meaning here: its family's code, else TLM301."""
    for code, says, pattern in _FAMILIES:
        if pattern.match(name.removeprefix("::")):
            return builder.refuse(code, f"{name} {says}")
    return builder.refuse("TLM301", f"{name} is not known to the converter")
