"""After all files are read: launches in other files must use textures as the file that built the kernel saw them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from migrate.diagnostics import Diagnostic, Refusal, make
from migrate.ir.kernel import Kernel, PointerParam
from migrate.ir.launch import LaunchSite
from migrate.parse.build.textures import (
    LaunchedTexture,
    TextureParameter,
    launched_textures,
    sampling_of,
    texel_of,
)
from migrate.parse.results import KernelRecord


def with_textures_checked(records: Iterable[KernelRecord], launches: Iterable[LaunchSite]) -> list[KernelRecord]:
    """The records without instantiations that some launch gives a texture of another state; those are refused."""
    sites: dict[tuple[str, str], list[LaunchSite]] = defaultdict(list)
    for site in launches:
        sites[(site.kernel_id, site.cpp_name)].append(site)
    return [_checked(record, sites) for record in records]


def _checked(record: KernelRecord, sites: dict[tuple[str, str], list[LaunchSite]]) -> KernelRecord:
    problems: dict[str, Diagnostic] = {}
    for kernel in record.instantiations:
        found = _problem(kernel, sites.get((record.id, kernel.cpp_name), ()))
        if found is not None:
            problems[kernel.cpp_name] = found
    if not problems:
        return record
    return replace(
        record,
        instantiations=tuple(kernel for kernel in record.instantiations if kernel.cpp_name not in problems),
        refusals=(*record.refusals, *problems.values()),
        refused_names=(*record.refused_names, *problems),
    )


def _problem(kernel: Kernel, sites: Sequence[LaunchSite]) -> Diagnostic | None:
    objects = {item.position: item for item in kernel.params if isinstance(item, PointerParam) and item.texture}
    if not objects or not sites:
        return None
    by_position = next(iter(launched_textures([replace(s, kernel_id="", cpp_name="") for s in sites]).values()), {})
    for position, item in objects.items():
        launched = by_position.get(position, [])
        try:
            same = _same(item, launched)
        except Refusal as refusal:
            return refusal.diagnostic
        if not same:
            message = f"launches in several files give `{item.buffer.name}` textures of different states"
            return make("TLM340", message, item.span or kernel.span)
        for one in launched:
            other = objects.get(one.shared_with)
            kinds = {o.texture.kind for o in (item, other) if o is not None and o.texture is not None}
            if other is not None and "surface" in kinds:
                message = f"`{item.buffer.name}` and `{other.buffer.name}` may be the same memory, and one is a surface"
                return make("TLM340", message, item.span or kernel.span)
    return None


def _same(item: PointerParam, launched: Sequence[LaunchedTexture]) -> bool:
    """Whether all launches use the object as the kernel was built for. Raises Refusal where one is not known."""
    texture = item.texture
    if texture is None or texture.kind != "texture" or not launched:
        return True
    result = ("float32" if texture.scaled else item.buffer.dtype, texture.channels)
    texel = (item.buffer.dtype, texture.channels)
    span = item.span
    if span is None:
        return False
    parameter = TextureParameter(item.buffer.name, "texture", item.position, item.c_type, span, launched)
    if texture.sampling is None:
        return result[0] != "float32" or all(texel_of(parameter, one.fact, result, span) == texel for one in launched)
    return sampling_of(parameter, texture.rank, result, span) == (texture.sampling, texel)
