"""A PortKernel as text: builder with macros and prim_func, and launcher."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from migrate.emit.statements import STEP, suite
from migrate.ir import port as p
from migrate.ir.texture import Texture

WIDTH = 120


def builder_lines(kernel: p.PortKernel) -> list[str]:
    """``def _symbol(block): …``."""
    params = [f"{name}: int" for name in kernel.block_names]
    if kernel.dynamic_shared:
        params.append("shared: int")
    line = f"def {kernel.builder}({', '.join(params)}):"
    lines = [line]
    if len(line) > WIDTH:
        lines = [f"def {kernel.builder}(", *(f"{STEP}{param}," for param in params), "):"]
    lines += docstring(kernel.doc, STEP)
    lengths = [param.length for param in kernel.params if isinstance(param, p.TensorParam)]
    lines += _length_symbols(lengths)
    for macro in kernel.macros:
        lines += ["", *macro_lines(macro, STEP)]
    lines += ["", f"{STEP}@T.prim_func", *_signature(kernel, STEP), *_body(kernel, STEP + STEP)]
    lines += ["", f"{STEP}return {kernel.symbol}_kernel"]
    return lines


def _length_symbols(lengths: list[str]) -> list[str]:
    """``a_len, b_len = T.dynamic("a_len, b_len", "int64")``, as many a line as fit."""
    lines: list[str] = []
    group: list[str] = []
    for position, length in enumerate(lengths):
        group.append(length)
        line = f'{STEP}{", ".join(group)} = T.dynamic("{", ".join(group)}", "int64")'
        following = lengths[position + 1] if position + 1 < len(lengths) else None
        if following is None or len(line) + 2 * (len(following) + 2) > WIDTH:
            lines.append(line)
            group = []
    return lines


def docstring(doc: str, indent: str) -> list[str]:
    """A docstring of one line or more."""
    if not doc:
        return []
    escaped = doc.replace("\\", "\\\\").replace('"""', "'''")
    room = WIDTH - len(indent) - 6
    lines = [part for line in escaped.splitlines() for part in (_wrapped(line, room) if line else [""])]
    if len(lines) == 1:
        return [f'{indent}"""{lines[0]}"""']
    return [f'{indent}"""{lines[0]}', *(f"{indent}{line}".rstrip() for line in lines[1:]), f'{indent}"""']


def _wrapped(line: str, room: int) -> list[str]:
    return textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False)


def macro_lines(macro: p.Macro, indent: str) -> list[str]:
    """``@T.macro def name(…)``."""
    params = [f"{param.name}: T.Ref" if param.kind == "ref" else param.name for param in macro.params]
    line = f"{indent}def {macro.name}({', '.join(params)}):"
    if len(line) > WIDTH:
        listed = [f"{indent}{STEP}{param}," for param in params]
        lines = [f"{indent}@T.macro", f"{indent}def {macro.name}(", *listed, f"{indent}):"]
    else:
        lines = [f"{indent}@T.macro", line]
    lines += docstring(macro.doc, indent + STEP)
    return lines + suite(macro.body, indent + STEP)


def _signature(kernel: p.PortKernel, indent: str) -> list[str]:
    params = [
        f'{param.name}: T.Tensor(({param.length},), "{param.dtype}")'
        if isinstance(param, p.TensorParam)
        else f"{param.name}: T.{param.dtype}"
        for param in kernel.params
    ]
    params += [f"{name}: T.int32" for name in kernel.grid_names]
    line = f"{indent}def {kernel.symbol}_kernel({', '.join(params)}):"
    if len(line) <= WIDTH:
        return [line]
    return [f"{indent}def {kernel.symbol}_kernel(", *(f"{indent}{STEP}{param}," for param in params), f"{indent}):"]


def _body(kernel: p.PortKernel, indent: str) -> list[str]:
    threads = kernel.block_names[0] if len(kernel.block_names) == 1 else f"({', '.join(kernel.block_names)})"
    blocks = kernel.block_bindings[0] if len(kernel.block_bindings) == 1 else f"({', '.join(kernel.block_bindings)})"
    lines = [f"{indent}with T.Kernel({', '.join(kernel.grid_names)}, threads={threads}) as {blocks}:"]
    inner = indent + STEP
    if kernel.aliased:
        lines.append(f"{inner}T.annotate_restrict_buffers({', '.join(kernel.aliased)})")
    for name, axis in kernel.thread_bindings:
        lines.append(f"{inner}{name} = T.get_thread_binding({axis})")
    return lines + suite(kernel.body, inner)


def launcher_lines(
    kernel: p.PortKernel, default_block: tuple[int, int, int] | None, aliases: Mapping[str, str] | None = None
) -> list[str]:
    """``def symbol(…original parameters…, *, grid, block, shared=0)``.

    ``aliases``: what the helpers of ``_launch.py`` are called here, where a parameter has the helper's name.
    """
    helper = aliases or {}
    ordinary = [param for param in kernel.launcher if param.kind != "global"]
    extra = [param for param in kernel.launcher if param.kind == "global"]
    keywords = ["grid: Grid", "block: Grid" + (f" = {default_block}" if default_block else ""), "shared: int = 0"]
    required = [param.name for param in extra if param.default is None]
    if default_block and required:
        keywords[1] = "block: Grid" + f" = {default_block}"
    optional = [f"{param.name}=None" for param in extra if param.default is not None]
    params = [*(param.name for param in ordinary), "*", *required, *keywords, *optional]
    line = f"def {kernel.symbol}({', '.join(params)}) -> None:"
    lines = (
        [line]
        if len(line) <= WIDTH
        else [f"def {kernel.symbol}(", *(f"    {param}," for param in params), ") -> None:"]
    )
    lines += docstring(_launcher_doc(kernel), STEP)
    args = [_argument(param, helper) for param in kernel.launcher]
    options = [f"ranks=({len(kernel.grid_names)}, {len(kernel.block_names)})"]
    if kernel.dynamic_shared:
        options.append("dynamic_shared=True")
    if kernel.grid_rules:
        rules = ", ".join(f"({rule.axis}, {rule.factor}, {rule.per_block})" for rule in kernel.grid_rules)
        options.append(f"limits=[{rules}]")
    parts = [kernel.builder, "(grid, block, shared)", f"[{', '.join(args)}]", *options]
    launch = helper.get("launch", "launch")
    call = f"{STEP}{launch}({', '.join(parts)})"
    if len(call) <= WIDTH:
        return [*lines, call]
    inner = STEP + STEP
    if len(inner + parts[2]) >= WIDTH:
        parts[2] = f"[\n{inner}{STEP}" + f",\n{inner}{STEP}".join(args) + f",\n{inner}]"
    return [*lines, f"{STEP}{launch}(", *(f"{inner}{part}," for part in parts), f"{STEP})"]


def _texture_doc(param: p.LauncherParam, texture: Texture) -> str:
    """What the caller passes for a texture or surface object."""
    shape = [*("depth", "height", "width")[3 - texture.rank :], *([str(texture.channels)] * (texture.channels > 1))]
    text = (
        f"{param.name}: the {texture.kind}'s {param.leaves[0][1][1:]} array of shape ({', '.join(shape)}), contiguous"
    )
    if texture.sampling is not None:
        state = texture.sampling
        modes = ", ".join(dict.fromkeys(state.address))
        text += f"; sampled {'linearly' if state.linear else 'at points'}, address mode {modes}"
        text += ", normalised coordinates" if state.normalized else ""
    text += "; integers are read as floats" if texture.scaled else ""
    return f"{text}{'; may change in place' if param.written else ''}."


def _argument(param: p.LauncherParam, helper: Mapping[str, str]) -> str:
    def named(name: str) -> str:
        return helper.get(name, name)

    if param.kind == "scalar":
        return f'{named("value")}({param.name}, "{param.leaves[0][1]}")'
    if param.kind == "pointer":
        return f'{named("tensor")}({param.name}, "{param.leaves[0][1][1:]}")'
    if param.kind == "texture" and param.texture is not None:
        sizes = f'{param.texture.rank}, {param.texture.channels}, "{param.leaves[0][1][1:]}"'
        return f"*{named('texels')}({param.name}, {sizes})"
    if param.kind == "struct":
        leaves = ", ".join(f'({offset}, "{dtype}")' for offset, dtype, _ in param.leaves)
        return f"*{named('fields')}({param.name}, [{leaves}])"
    if param.default is None:
        return f'{named("tensor")}({param.name}, "{param.leaves[0][1]}")'
    values = f'{param.name}, {_table(param.default)}, "{param.leaves[0][1]}"'
    if param.variable:
        return f'{named("variable")}({values}, f"{{__name__}}.{param.symbol}")'
    return f"{named('table')}({values})"


def _table(values: tuple[int | float | bool, ...]) -> str:
    shown = ", ".join(repr(value) for value in values).replace("inf", 'float("inf")').replace("nan", 'float("nan")')
    return f"({shown},)" if len(values) == 1 else f"({shown})"


def _launcher_doc(kernel: p.PortKernel) -> str:
    where = f"{kernel.span.file}:{kernel.span.line}" if kernel.span else ""
    lines = [f"Launches the port of `{kernel.cpp_name}` ({where})."]
    groups: dict[tuple[str, bool], list[str]] = {}
    for param in kernel.launcher:
        if param.kind in ("pointer", "global") and param.leaves:
            groups.setdefault((param.leaves[0][1].lstrip("*"), param.written), []).append(param.name)
    if groups:
        lines.append("")
    for param in kernel.launcher:
        if param.texture is not None:
            lines += ["", _texture_doc(param, param.texture)]
    for (dtype, written), names in groups.items():
        changed = "; may change in place" if written else ""
        lines.append(f"{', '.join(names)}: {dtype} (numpy, torch or `(array, offset)`){changed}.")
    return "\n".join(lines)
