"""Shuffles, votes, atomics, barriers, loads and stores with hints, cooperative groups."""

from __future__ import annotations

import pytest
from fake_sink import FLOAT2, FLOAT4, HALF2, buffer, call, operand, record, shown

from migrate.diagnostics import Refusal
from migrate.ir.kernel import Const, ParamRef
from migrate.parse.build.types import CType, PointerType, RecordType, ReferenceType, ScalarType
from migrate.parse.build.values import AggregateValue, ClosureValue, PointerValue, ScalarValue

F, D, I32, U, L, H = "float32", "float64", "int32", "uint32", "int64", "float16"
UINT3 = record("dim3", "uint32", 3)


def pointer(dtype: str) -> PointerType:
    return PointerType(ScalarType(dtype))


def group(name: str, *template_args: str) -> RecordType:
    return RecordType(f"cooperative_groups::{name}", 1, 1, (), template_args, spelling=name)


BLOCK, GRID, ANY_GROUP = group("thread_block"), group("grid_group"), group("thread_group")
WARP = group("thread_block_tile", "32", "cooperative_groups::thread_block")
QUAD = group("thread_block_tile", "4", "cooperative_groups::thread_block_tile<32, cooperative_groups::thread_block>")
EIGHT = group("thread_block_tile", "8", "cooperative_groups::thread_block")
ORPHAN = group("thread_block_tile", "8", "void")


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        (
            "__shfl_xor_sync",
            [U, F, I32],
            F,
            "float32 partner1; partner1 = shuffle_xor(b, c, 32, a); partner1",
        ),
        (
            "__shfl_down_sync",
            [U, D, U, I32],
            D,
            "float64 above1; above1 = shuffle_down(b, c, d, a); above1",
        ),
        (
            "__shfl_sync",
            [U, "int8", I32],
            I32,
            "int32 received1; received1 = shuffle_idx(int32(b), c, 32, a); received1",
        ),
        (
            "__shfl_up_sync",
            [U, HALF2, U],
            HALF2,
            "float16 below1; below1 = shuffle_up(b.x, c, 32, a); float16 below2; "
            "below2 = shuffle_up(b.y, c, 32, a); {below1, below2}",
        ),
        ("__ballot_sync", [U, I32], U, "uint32 votes1; votes1 = ballot((b != 0), a); votes1"),
        ("__any_sync", [U, "bool"], I32, "int32 some1; some1 = any(b, a); some1"),
        ("__match_any_sync", [U, F], U, "uint32 equals1; equals1 = match_any(bits_uint32(b), a); equals1"),
        ("__reduce_add_sync", [U, I32], I32, "int32 total1; total1 = reduce_add(b, a); total1"),
        ("__syncthreads_count", [I32], I32, "int32 count1; count1 = sync_count((a != 0)); count1"),
        ("__syncthreads", [], None, "barrier_block"),
        ("__syncwarp", [], None, "barrier_warp(0xffffffff)"),
        ("__threadfence", [], None, "fence_device"),
        ("__nanosleep", [U], None, ""),
    ],
)
def test_lanes(name: str, kinds: list[CType | str], result: CType | str | None, text: str) -> None:
    assert shown(name, kinds, result) == text


def test_legacy_forms_use_the_full_mask_and_are_noted() -> None:
    _, sink = call("__shfl_down", [F, U], F)
    assert sink.notes == ["TLM320"]
    assert "0xffffffff" in shown("__ballot", [I32], U)
    assert call("__activemask", [], U)[1].notes == ["TLM321"]


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("atomicAdd", [pointer(F), F], F, "float32 old1; old1 = atomic_add(a[a_at], b); old1"),
        ("atomicAdd", [pointer(F), I32], F, "float32 old1; old1 = atomic_add(a[a_at], float32(b)); old1"),
        ("atomicMax_block", [pointer(L), L], L, "int64 old1; old1 = atomic_max(a[a_at], b); old1"),
        ("atomicCAS", [pointer(U), U, U], U, "uint32 old1; old1 = atomic_cas(a[a_at], b, c); old1"),
        ("atomicInc_system", [pointer(U), U], U, "uint32 old1; old1 = atomic_inc(a[a_at], b); old1"),
        (
            "atomicAdd",
            [PointerType(HALF2), HALF2],
            HALF2,
            "float16 old1; old1 = atomic_add(a[a_at], b.x); float16 old2; "
            "old2 = atomic_add(a[(a_at + 1)], b.y); {old1, old2}",
        ),
    ],
)
def test_atomics(name: str, kinds: list[CType | str], result: CType | str, text: str) -> None:
    assert shown(name, kinds, result) == text


def test_dropped_result_of_an_atomic() -> None:
    assert shown("atomicAdd", [pointer(I32), I32], I32, discarded=True).startswith("atomic_add(a[a_at], b)")


def test_punned_pointer_keeps_the_operations_type() -> None:
    target = PointerValue(buffer("x", ScalarType(F)), ParamRef("at", L), ScalarType(U))
    arguments = [target, ScalarValue(ParamRef("b", U)), ScalarValue(ParamRef("c", U))]
    text = shown("atomicCAS", [pointer(U), U, U], U, args=arguments)
    assert text == "uint32 old1; old1 = atomic_cas(x[at], b, c); old1"


def test_word_over_two_elements_is_refused() -> None:
    target = PointerValue(buffer("x", ScalarType(H)), ParamRef("at", L), ScalarType(U))
    with pytest.raises(Refusal, match="TLM310"):
        call("atomicAdd", [pointer(U), U], U, args=[target, ScalarValue(ParamRef("b", U))])
    with pytest.raises(Refusal, match="TLM310"):
        call("atomicSub", [pointer(F), F], F)


def test_memory_hints() -> None:
    assert shown("__ldg", [pointer(F)], F) == "a[a_at]"
    assert shown("__ldcs", [PointerType(FLOAT2)], FLOAT2) == "{a[a_at], a[(a_at + 1)]}"
    assert shown("__stcs", [pointer(F), F], None) == "a[a_at] = b"


def test_asynchronous_copy() -> None:
    arguments = [
        PointerValue(buffer(name, ScalarType(F)), ParamRef(f"{name}_at", L), ScalarType(F)) for name in ("s", "g")
    ]
    text = shown("__pipeline_memcpy_async", [pointer(F), pointer(F), "uint64"], None, args=[*arguments, _size(8)])
    assert text == "s[s_at] = g[g_at]; s[(s_at + 1)] = g[(g_at + 1)]"
    with pytest.raises(Refusal, match="TLM309"):
        call("__pipeline_memcpy_async", [pointer(F), pointer(F), "uint64"], None, args=[*arguments, _size(6)])


def _size(count: int) -> ScalarValue:
    return ScalarValue(Const("uint64", count))


def test_constructors_and_swap() -> None:
    assert shown("make_float4", [F, D, I32, F], FLOAT4) == "{a, float32(b), float32(c), d}"
    assert shown("dim3::dim3", [I32], UINT3) == "{uint32(a), 1, 1}"
    text = shown("std::swap", [ReferenceType(ScalarType(F)), ReferenceType(ScalarType(F))], None)
    assert text == "float32 kept1 = a[a_at]; float32 kept2 = b[b_at]; a[a_at] = kept2; b[b_at] = kept1"


def test_complex() -> None:
    assert shown("cuCmulf", [FLOAT2, FLOAT2], FLOAT2) == ("{((a.x * b.x) - (a.y * b.y)), ((a.x * b.y) + (a.y * b.x))}")


PREFIX = "cooperative_groups::"


@pytest.mark.parametrize(
    ("name", "kinds", "result", "text"),
    [
        ("sync", [BLOCK], None, "barrier_block"),
        ("thread_block::sync", [BLOCK], None, "barrier_block"),
        ("thread_block_tile::sync", [WARP], None, "barrier_warp(0xffffffff)"),
        ("thread_block_tile::sync", [QUAD], None, "barrier_warp((15 << (laneid & 28)))"),
        ("thread_block_tile::thread_rank", [WARP], U, "laneid"),
        ("thread_block_tile::thread_rank", [QUAD], U, "(laneid & 3)"),
        ("thread_block_tile::size", [QUAD], U, "4"),
        ("thread_block_tile::meta_group_rank", [WARP], U, "warpid"),
        ("thread_block_tile::meta_group_rank", [QUAD], U, "((laneid & 31) / 4)"),
        ("thread_block_tile::meta_group_size", [QUAD], U, "8"),
        (
            "thread_block::thread_rank",
            [BLOCK],
            U,
            "(threadIdx.x + (blockDim.x * (threadIdx.y + (blockDim.y * threadIdx.z))))",
        ),
        ("thread_block::size", [BLOCK], U, "((blockDim.x * blockDim.y) * blockDim.z)"),
        ("thread_block::group_index", [BLOCK], UINT3, "{blockIdx.x, blockIdx.y, blockIdx.z}"),
        (
            "thread_block_tile::shfl_down",
            [WARP, F, I32],
            F,
            "float32 above1; above1 = shuffle_down(b, uint32(c), 32, 0xffffffff); above1",
        ),
        (
            "thread_block_tile::ballot",
            [EIGHT, I32],
            U,
            "uint32 votes1; votes1 = ballot((b != 0), (0xff << (laneid & 24))); (votes1 >> (laneid & 24))",
        ),
        (
            "reduce",
            [QUAD, F, group("plus", "float")],
            F,
            "uint32 mask1 = (15 << (laneid & 28)); float32 partner2; partner2 = shuffle_xor(b, 2, 4, mask1); "
            "float32 total3 = (b + partner2); float32 partner4; partner4 = shuffle_xor(total3, 1, 4, mask1); "
            "float32 total5 = (total3 + partner4); total5",
        ),
    ],
)
def test_groups(name: str, kinds: list[CType | str], result: CType | str | None, text: str) -> None:
    assert shown(PREFIX + name, kinds, result) == text


def test_maximum_of_a_tile_keeps_cudas_comparison() -> None:
    text = shown(PREFIX + "reduce", [group("thread_block_tile", "2", "void"), F, group("greater", "float")], F)
    assert "((b < partner2) ? partner2 : b)" in text


def test_reduction_with_a_function_of_the_program() -> None:
    kinds = [group("thread_block_tile", "2", "void"), FLOAT2, group("function")]
    arguments = [AggregateValue(kinds[0]), operand(FLOAT2, "b"), ClosureValue(None, None, {})]
    text = shown(PREFIX + "reduce", kinds, FLOAT2, args=arguments)
    assert text == (
        "uint32 mask1 = (3 << (laneid & 30)); float32 partner2; partner2 = shuffle_xor(b.x, 1, 2, mask1); "
        "float32 partner3; partner3 = shuffle_xor(b.y, 1, 2, mask1); "
        "float32 total4 = (b.x * partner2); float32 total5 = (b.y * partner3); {total4, total5}"
    )


def test_tiles_shuffle_structs_member_by_member() -> None:
    text = shown(PREFIX + "thread_block_tile::shfl", [WARP, FLOAT2, I32], FLOAT2)
    assert text == (
        "float32 received1; received1 = shuffle_idx(b.x, c, 32, 0xffffffff); "
        "float32 received2; received2 = shuffle_idx(b.y, c, 32, 0xffffffff); {received1, received2}"
    )


@pytest.mark.parametrize(
    ("name", "kinds", "code"),
    [
        ("grid_group::sync", [GRID], "TLM303"),
        ("grid_group::is_valid", [GRID], "TLM303"),
        ("thread_group::sync", [ANY_GROUP], "TLM311"),
        ("thread_block_tile::meta_group_rank", [ORPHAN], "TLM311"),
        ("thread_block_tile::sync", [group("thread_block_tile", "64", "void")], "TLM311"),
        ("coalesced_group::sync", [group("coalesced_group")], "TLM304"),
        ("reduce", [WARP, F, group("own_operation")], "TLM312"),
        ("reduce", [BLOCK, F, group("plus", "float")], "TLM311"),
    ],
)
def test_groups_that_are_refused(name: str, kinds: list[CType | str], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        call(PREFIX + name, kinds, U)


def test_group_objects_have_no_data() -> None:
    value, sink = call(PREFIX + "tiled_partition", [BLOCK], WARP)
    assert value == AggregateValue(WARP)
    assert sink.statements == []
    with pytest.raises(Refusal, match="TLM311"):
        call(PREFIX + "tiled_partition", [ANY_GROUP, U], ANY_GROUP)
