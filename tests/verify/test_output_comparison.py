"""Comparison is strict on bits, lenient on NaN payloads only, and notices guards and inputs."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from migrate.verify.case import Argument, Case
from migrate.verify.casefiles import GUARD_BYTES, RootSpec, guard_ranges, pack, place, poison, root_view
from migrate.verify.compare import compare_outputs, measure, ordered_bits, same_multisets, same_results


def make_case(*specs: RootSpec) -> Case:
    roots, total = place(specs)
    arguments = tuple(Argument(root=root.name) for root in roots)
    return Case("k", 0, "case", (1, 1, 1), (32, 1, 1), 0, arguments, roots, (), total)


def buffer(raw: bytes) -> np.ndarray:
    return np.frombuffer(bytearray(raw), dtype=np.uint8)


@pytest.fixture
def setting():
    case = make_case(RootSpec("x", "float32", 40, "in"), RootSpec("y", "float32", 36, "out"), RootSpec("e", "int8", 0))
    contents = {
        "x": np.arange(10, dtype=np.float32),
        "y": np.arange(9, dtype=np.float32),
        "e": np.zeros(0, dtype=np.int8),
    }
    return case, pack(case, contents)


def test_regions_do_not_touch_and_are_guarded(setting):
    case, raw = setting
    assert len(raw) == case.total_bytes
    covered = sum(high - low for low, high in guard_ranges(case)) + sum(root.bytes for root in case.roots)
    assert covered == case.total_bytes
    assert all(root.start % 256 == 0 and root.start >= GUARD_BYTES for root in case.roots)
    assert list(root_view(case, buffer(raw), case.roots[0])) == list(range(10))


def test_equal_files_are_equal(setting):
    case, raw = setting
    found = compare_outputs(case, buffer(raw), buffer(raw), buffer(raw))
    assert found.equal and found.metrics.compared == 19 and found.first is None


def test_one_bit_is_a_difference_with_its_place(setting):
    case, raw = setting
    port = buffer(raw)
    root_view(case, port, case.roots[1])[3] = np.nextafter(np.float32(3), np.float32(4))
    found = compare_outputs(case, buffer(raw), buffer(raw), port)
    assert not found.equal and found.differing_roots == ("y",)
    assert found.first is not None and (found.first.root, found.first.index) == ("y", 3)
    assert "0x40400000" in found.first.original and "0x40400001" in found.first.port
    assert found.metrics.max_ulp == 1


def test_negative_zero_differs_from_zero(setting):
    case, raw = setting
    port = buffer(raw)
    root_view(case, port, case.roots[1])[0] = -0.0
    assert not compare_outputs(case, buffer(raw), buffer(raw), port).equal


def test_nan_payloads_are_equal_but_nan_and_number_are_not(setting):
    case, raw = setting
    original, port = buffer(raw), buffer(raw)
    root_view(case, original, case.roots[1]).view(np.uint32)[2] = 0xFFC00000
    root_view(case, port, case.roots[1]).view(np.uint32)[2] = 0x7FFFFFFF
    assert compare_outputs(case, buffer(raw), original, port).equal
    assert not compare_outputs(case, buffer(raw), original, buffer(raw)).equal


def test_damaged_guard_band_is_found(setting):
    case, raw = setting
    port = buffer(raw)
    port[case.roots[1].start + case.roots[1].bytes] ^= 1
    found = compare_outputs(case, buffer(raw), buffer(raw), port)
    assert not found.equal and found.guards == case.roots[1].start + 36


def test_changed_input_is_found_even_when_the_original_changed_it_alike(setting):
    case, raw = setting
    both = buffer(raw)
    root_view(case, both, case.roots[0])[0] = 7
    found = compare_outputs(case, buffer(raw), both, both)
    assert not found.equal and found.inputs_changed == ("x",)


def test_truncated_file_is_an_error(setting):
    case, raw = setting
    with pytest.raises(ValueError, match="port"):
        compare_outputs(case, buffer(raw), buffer(raw), buffer(raw)[:-1])


def test_bytes_after_the_last_whole_element_count():
    case = make_case(RootSpec("y", "float32", 7))
    raw = pack(case, {"y": np.zeros(7, dtype=np.uint8)})
    port = buffer(raw)
    port[case.roots[0].start + 6] = 1
    assert not compare_outputs(case, buffer(raw), buffer(raw), port).equal
    assert not same_results(case, buffer(raw), port)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_ordered_bits_count_representable_values(dtype):
    kind = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    values = np.array([-np.inf, -1.0, -0.0, 0.0, 1.0, np.inf]).astype(kind)
    order = ordered_bits(values, dtype)
    assert list(order) == sorted(order)
    assert order[3] - order[2] == 1


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64", "bool"])
def test_integers_are_exact(dtype):
    left = np.array([0, 1, 1], dtype=dtype)
    right = np.array([0, 1, 0], dtype=dtype)
    assert measure(left, right, dtype).differing == 1
    assert measure(left, left, dtype).differing == 0


def test_multisets_ignore_order_of_integers_only():
    case = make_case(RootSpec("slots", "int32", 16))
    left = buffer(pack(case, {"slots": np.array([1, 2, 2, 3], dtype=np.int32)}))
    right = buffer(pack(case, {"slots": np.array([2, 3, 1, 2], dtype=np.int32)}))
    other = buffer(pack(case, {"slots": np.array([2, 3, 1, 1], dtype=np.int32)}))
    assert same_multisets(case, left, right) and not same_multisets(case, left, other)
    floats = make_case(RootSpec("f", "float32", 8))
    left = buffer(pack(floats, {"f": np.array([1, 2], dtype=np.float32)}))
    right = buffer(pack(floats, {"f": np.array([2, 1], dtype=np.float32)}))
    assert not same_multisets(floats, left, right)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_poison_is_never_nan(dtype):
    case = make_case(RootSpec("y", dtype, 64))
    for which in range(5):
        data = buffer(pack(case, {"y": poison(dtype, 64, which)}))
        assert not np.isnan(root_view(case, data, case.roots[0]).astype(np.float64)).any()
