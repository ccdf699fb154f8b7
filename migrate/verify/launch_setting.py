"""From a concrete launch of a plan to a `Setting`: arguments as bytes, pointers by the allocation they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from migrate.analysis.launch_plan import ConcreteLaunch
from migrate.analysis.vectors import vector_widths
from migrate.ir.host_eval import Number
from migrate.ir.kernel import Kernel, PointerParam, ScalarParam, Scope
from migrate.verify.case import TextureArgument
from migrate.verify.dtypes import numpy_dtype
from migrate.verify.scalars import pack_scalars, scalar_bytes
from migrate.verify.setting import ArgumentSetting, PointerSetting, ScalarSetting, Setting, SymbolSetting


def element_sizes(kernel: Kernel) -> dict[str, int]:
    """Bytes that one access may span, by pointer parameter: what it points to, or what accesses go together.

    The host compiler leaves out loads and stores of members that do not change, so that the last access of the original
    may seem shorter than it is written.
    """
    widths = vector_widths(kernel)
    found: dict[str, int] = {}
    for parameter in kernel.params:
        if isinstance(parameter, PointerParam):
            together = widths.get(parameter.buffer.name, 1) * numpy_dtype(parameter.buffer.dtype).itemsize
            found[parameter.buffer.name] = max(parameter.element_bytes, together)
    return found


def texture_arguments(kernel: Kernel, scalars: Mapping[str, Number]) -> dict[str, TextureArgument]:
    """The texture and surface objects of ``kernel`` with these extents, by buffer name."""
    found: dict[str, TextureArgument] = {}
    for item in kernel.params:
        if not isinstance(item, PointerParam) or item.texture is None:
            continue
        extents = [one for one in kernel.params if isinstance(one, ScalarParam) and one.position == item.position]
        state = item.texture.sampling
        found[item.buffer.name] = TextureArgument(
            item.buffer.dtype,
            item.texture.channels,
            tuple(int(scalars[one.name]) for one in extents),
            state is not None and state.linear,
            state is not None and state.normalized,
            item.texture.scaled,
            () if state is None else state.address,
        )
    return found


def symbol_settings(kernel: Kernel, symbols: Sequence[tuple[str, int]]) -> tuple[SymbolSetting, ...]:
    """Device variables of the compiled original that the kernel model knows, with its dtypes and initial values."""
    known = {buffer.name: buffer for buffer in kernel.buffers if buffer.scope in (Scope.CONSTANT, Scope.DEVICE)}
    found: list[SymbolSetting] = []
    for cpp_name, size in symbols:
        buffer = known.get(cpp_name) or known.get(cpp_name.rsplit("::", 1)[-1])
        if buffer is None:
            continue
        initial = None
        if buffer.initial is not None:
            raw = b"".join(scalar_bytes(value, buffer.dtype) for value in buffer.initial)
            initial = (raw + bytes(size))[:size]
        found.append(SymbolSetting(buffer.name, cpp_name, buffer.dtype, size, initial))
    return tuple(found)


def setting_of_launch(
    kernel: Kernel,
    launch: ConcreteLaunch,
    symbols: tuple[SymbolSetting, ...],
    overrides: Mapping[str, Number],
    site: int,
    tuned: Mapping[str, float],
    *,
    base: bool,
) -> Setting:
    """The launch as a `Setting`: arguments as bytes or roots. ``tuned``: scalars that are given other values.

    ``overrides`` and ``site`` only name it.
    """
    scalars = {**launch.scalars, **tuned}
    arguments: dict[int, ArgumentSetting] = {
        position: ScalarSetting(position, raw) for position, raw in pack_scalars(kernel, scalars).items()
    }
    names: dict[str, str] = {}
    notes: list[str] = []
    elements = element_sizes(kernel)
    holes = {item.buffer.name: item.padding for item in kernel.params if isinstance(item, PointerParam)}
    textures = texture_arguments(kernel, scalars)
    for pointer in launch.pointers:
        if pointer.allocation is None:
            notes.append(f"{pointer.name}: host code passes null; a buffer is used")
        # The root is called after the first parameter that points to it.
        root = names.setdefault(pointer.allocation or f"null {pointer.name}", pointer.name)
        arguments[pointer.position] = PointerSetting(
            pointer.position,
            root,
            pointer.dtype,
            pointer.offset_bytes,
            pointer.bytes,
            pointer.contents,
            elements.get(pointer.name, 0),
            holes.get(pointer.name, ()),
            textures.get(pointer.name),
        )
    for position, (_, size) in enumerate(kernel.c_params):
        # A parameter without leaves is a tag type such as `std::bool_constant<true>`: its bytes mean nothing.
        arguments.setdefault(position, ScalarSetting(position, bytes(size)))
    changed = ", ".join(f"{name}={value:g}" for name, value in {**overrides, **tuned}.items())
    label = ("plan" if site == 0 else f"launch {site + 1}") + (f" with {changed}" if changed else "")
    return Setting(
        label,
        launch.grid,
        launch.block,
        launch.shared_bytes,
        tuple(arguments[position] for position in sorted(arguments)),
        symbols,
        scalars,
        base,
        (*launch.provenance, *notes),
    )
