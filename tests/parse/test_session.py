"""Whole repositories through worker processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from parse_fixtures import Parse, Repository

from migrate.parse import FileResult, KernelRecord, ParseOptions, Seen, merge_results, parse_repository, session

SAXPY = """__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
FILL = "template <typename T, int N>\n__global__ void fill(T *x) { x[threadIdx.x] = T(N); }\n"


def merged(results: dict[str, FileResult]) -> dict[str, KernelRecord]:
    return {record.name: record for record in merge_results(results.values())}


def codes(record: KernelRecord) -> list[str]:
    return [item.code for item in record.refusals]


def uses(record: KernelRecord) -> set[str]:
    return {kernel.cpp_name for kernel in record.instantiations} | set(record.refused_names)


def test_a_kernel_is_built(repository: Repository, parse: Parse) -> None:
    results = parse(repository({"src/saxpy.cu": SAXPY}))
    result = results["src/saxpy.cu"]
    assert (result.status, [str(item) for item in result.diagnostics]) == ("parsed", [])
    record = merged(results)["saxpy"]
    assert (record.id, record.line, record.end_line) == ("src/saxpy.cu:1:saxpy", 1, 4)
    assert [kernel.id for kernel in record.instantiations] == ["src/saxpy.cu:1:saxpy"]


WRAPPER = "template <class T> void w(T *p) { fill<T, 3><<<1, 1>>>(p); }\n"
FORMS = {
    "launch": "void f(int *p) { fill<int, 3><<<1, 1>>>(p); }",
    "explicit": "template __global__ void fill<int, 3>(int *);",
    "explicit without the attribute": "template void fill<int, 3>(int *);",
    "explicit by a macro": "#define MAKE(T) template __global__ void fill<T, 3>(T *);\nMAKE(int)",
    "cudaLaunchKernel": "void f() { cudaLaunchKernel((void *)fill<int, 3>, 1, 1, nullptr, 0, 0); }",
    "attribute": "void f() { cudaFuncSetAttribute(fill<int, 3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 9); }",
    "pointer": "auto pointer = &fill<int, 3>;",
    "wrapper": WRAPPER + "void f(int *p) { w(p); }",
    "explicit wrapper": WRAPPER + "template void w<int>(int *);",
    "class": "template <class T> class C { void run(T *p) { fill<T, 3><<<1, 1>>>(p); } };\ntemplate class C<int>;",
    "generic lambda": "void f(int *p) { auto l = [&](auto v) { fill<decltype(v), 3><<<1, 1>>>(p); }; l(1); }",
}


def test_every_way_to_instantiate_is_seen(repository: Repository, parse: Parse) -> None:
    files = {f"f{number}.cu": f"{FILL}{text}\n" for number, text in enumerate(FORMS.values())}
    results = parse(repository(files))
    seen = {form: uses(results[name].kernels[0]) for form, name in zip(FORMS, files, strict=True)}
    assert seen == {form: {"fill<int, 3>"} for form in FORMS}


def test_kernels_in_headers_come_once_with_all_uses(repository: Repository, parse: Parse) -> None:
    root = repository(
        {
            "include/lib/fill.cuh": "#pragma once\n" + FILL,
            "src/a.cu": '#include "lib/fill.cuh"\nvoid f(int *p) { fill<int, 1><<<1, 1>>>(p); }\n',
            "src/b.cu": "#include <lib/fill.cuh>\nvoid f(float *p) { fill<float, 2><<<1, 1>>>(p); }\n",
        }
    )
    results = parse(root)
    record = merged(results)["fill"]
    assert record.file == "include/lib/fill.cuh"
    assert uses(record) == {"fill<int, 1>", "fill<float, 2>"}
    assert set(results) == {"src/a.cu", "src/b.cu"}  # the header itself needed no parse
    assert results["src/a.cu"].included == ("include/lib/fill.cuh",)


def test_fragments_take_the_version_of_the_file_that_includes_them(repository: Repository, parse: Parse) -> None:
    root = repository(
        {
            "kernel.cu": "__global__ void scale(real *x) { x[threadIdx.x] *= FACTOR; }\n",
            "main.cu": 'typedef float real;\n#define FACTOR 2.0f\n#include "kernel.cu"\n',
        }
    )
    results = parse(root)
    assert codes(results["kernel.cu"].kernels[0]) == ["TLM022"]
    assert codes(merged(results)["scale"]) == []
    assert merged(results)["scale"].seen is Seen.USED


def test_what_is_not_used_counts_as_refused(repository: Repository, parse: Parse) -> None:
    root = repository(
        {
            "a.cu": FILL
            + "#if 0\n__global__ void off(int *x) { x[0] = 1; }\n#endif\n"
            + "#ifdef NOT_DEFINED\n__global__ void other(int *x) { x[0] = 1; }\n#endif\n"
            + "__global__ void broken(int *x) { x[0] = nowhere; }\n"
            + "template <typename T = int> __global__ void defaulted(T *x) { x[0] = 1; }\n"
        }
    )
    found = merged(parse(root))
    assert {name: codes(record) for name, record in found.items()} == {
        "fill": ["TLM025"],
        "off": ["TLM023"],
        "other": ["TLM024"],
        "broken": ["TLM022"],
        "defaulted": [],
    }
    assert found["defaulted"].seen is Seen.DEFAULTED
    assert uses(found["defaulted"]) == {"defaulted<int>"}
    defined = merged(parse(root, defines=("NOT_DEFINED",), instantiate=("fill<int, 7>",)))
    assert codes(defined["other"]) == []
    assert uses(defined["fill"]) == {"fill<int, 7>"}


def test_an_instantiation_that_cannot_be_made_is_told(repository: Repository, parse: Parse) -> None:
    results = parse(repository({"a.cu": FILL}), instantiate=("fill<int, 1>", "fill<int, float>"))
    assert [(item.code, item.message[:16]) for item in results["a.cu"].diagnostics] == [("TLM029", "fill<int, float>")]
    assert uses(merged(results)["fill"]) == {"fill<int, 1>"}


def test_the_result_does_not_depend_on_the_number_of_workers(repository: Repository, parse: Parse) -> None:
    header = "#pragma once\n" + FILL
    files = {f"f{n}.cu": f'#include "h.cuh"\nvoid f(int *p) {{ fill<int, {n % 2}><<<1, 1>>>(p); }}\n' for n in range(4)}
    root = repository({"h.cuh": header, **files})
    one = merge_results(parse(root, use_cache=False).values())
    assert merge_results(parse(root, use_cache=False, jobs=2).values()) == one
    assert [kernel.cpp_name for kernel in one[0].instantiations] == ["fill<int, 0>", "fill<int, 1>"]


def test_kernels_made_by_macros_are_matched(repository: Repository, parse: Parse) -> None:
    text = "#define MAKE(name, T) __global__ void name(T *x) { x[0] = T(1); }\nMAKE(one, int)\nMAKE(two, float);\n"
    found = merged(parse(repository({"a.cu": text})))
    assert {name: (record.line, codes(record)) for name, record in found.items()} == {"one": (2, []), "two": (3, [])}


def test_a_missing_header_refuses_only_what_may_depend_on_it(repository: Repository, parse: Parse) -> None:
    text = (
        '#include "config.h"\n'
        "__global__ void plain(int *x) { x[0] = 1; }\n"
        "__device__ int helper() {\n#ifdef FAST\n  return 1;\n#else\n  return 2;\n#endif\n}\n"
        "__global__ void depends(int *x) { x[0] = helper(); }\n"
    )
    results = parse(repository({"a.cu": text}))
    assert [item.code for item in results["a.cu"].diagnostics] == ["TLM010"]
    assert {name: codes(record) for name, record in merged(results).items()} == {"plain": [], "depends": ["TLM027"]}


def test_errors_in_host_code_do_not_matter(repository: Repository, parse: Parse) -> None:
    results = parse(repository({"a.cu": SAXPY + "int main() { unknown_library_call(3); }\n"}))
    assert [item.code for item in results["a.cu"].diagnostics] == ["TLM012"]
    assert codes(merged(results)["saxpy"]) == []


def test_bad_files_harm_no_other(repository: Repository, parse: Parse) -> None:
    root = repository(
        {
            "good.cu": SAXPY,
            "empty.cu": "",
            "binary.cu": b"\x7fELF\x00\x00",
            "latin.cu": b"// \xe9\n" + SAXPY.replace("saxpy", "latin").encode(),
            "loop.cuh": '#include "loop.cuh"\n',
            "loop.cu": '#include "loop.cuh"\n' + SAXPY.replace("saxpy", "looped"),
            "deep.cu": "__global__ void deep(int *x) { x[0] = " + "(" * 5000 + "1" + ")" * 5000 + "; }\n",
            "syntax.cu": SAXPY.replace("saxpy", "syntax").replace("a * x[i] +", "a * /"),
        }
    )
    results = parse(root, jobs=2)
    found = {name: (result.status, [item.code for item in result.diagnostics]) for name, result in results.items()}
    assert found["good.cu"] == ("parsed", [])
    assert found["empty.cu"] == ("no_kernels", ["TLM002"])
    assert found["binary.cu"] == ("unreadable", ["TLM003"])
    assert found["latin.cu"] == ("parsed", ["TLM008"])
    assert "TLM011" in found["loop.cu"][1]
    assert {name: codes(record) for name, record in merged(results).items()} == {
        "saxpy": [],
        "latin": [],
        "looped": [],
        "deep": ["TLM022"],
        "syntax": ["TLM022"],
    }


# Overload resolution that doubles with every level: clang needs minutes for it.
ENDLESS = (
    "template <int N, int M> struct S { static constexpr int v = S<N - 1, 2 * M>::v + S<N - 1, 2 * M + 1>::v; };\n"
    "template <int M> struct S<0, M> { static constexpr int v = M; };\n"
    "__global__ void slow(int *x) { x[0] = S<28, 1>::v; }\n"
)


def test_a_file_that_takes_too_long_is_stopped(repository: Repository, parse: Parse) -> None:
    results = parse(repository({"a.cu": ENDLESS, "b.cu": SAXPY}), timeout_s=6.0)
    assert (results["a.cu"].status, [item.code for item in results["a.cu"].diagnostics]) == ("failed", ["TLM020"])
    assert codes(merged(results)["slow"]) == ["TLM026"]
    assert results["b.cu"].status == "parsed"


def test_a_worker_that_dies_gives_a_diagnostic(repository: Repository, parse: Parse) -> None:
    results = parse(repository({"a.cu": SAXPY}), memory_mb=40)  # too little to load libclang
    assert (results["a.cu"].status, [item.code for item in results["a.cu"].diagnostics]) == ("failed", ["TLM021"])
    assert codes(merged(results)["saxpy"]) == ["TLM026"]


def test_unchanged_files_do_not_start_a_worker(
    repository: Repository, parse: Parse, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository({"a.cu": '#include "value.h"\n' + SAXPY, "value.h": "#define VALUE 1\n"})
    first = parse(root)["a.cu"]
    started: list[str] = []
    original = session.run_jobs

    def spy(jobs: list[object], *rest: object, **options: object) -> object:
        started.extend(job.path for job in jobs)  # type: ignore[attr-defined]
        return original(jobs, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "run_jobs", spy)
    again = parse(root)["a.cu"]
    assert started == [] and again.cached and again.kernels == first.kernels
    (root / "value.h").write_text("#define VALUE 2\n")
    assert not parse(root)["a.cu"].cached
    assert started == ["a.cu"]
    assert not parse(root, defines=("X",))["a.cu"].cached


def test_ending_early_leaves_no_worker(repository: Repository) -> None:
    root = repository({f"f{number}.cu": SAXPY for number in range(4)})
    files = sorted(root.glob("*.cu"))
    stream = parse_repository(root, files, ParseOptions(jobs=2, use_cache=False))
    first = next(stream)
    stream.close()
    assert first.status == "parsed"
    assert not [line for line in children() if "migrate.parse.worker" in line]


def children() -> list[str]:
    """Command lines of the live children of this process."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            try:
                found.append(Path(f"/proc/{child}/cmdline").read_text().replace("\0", " "))
            except OSError:
                continue
    return found


def test_progress_counts_files(repository: Repository) -> None:
    root = repository({"a.cu": SAXPY, "b.cu": SAXPY})
    seen: list[tuple[str, int, int]] = []
    list(parse_repository(root, sorted(root.glob("*.cu")), ParseOptions(), lambda *item: seen.append(item)))
    assert sorted((done, total) for _, done, total in seen) == [(1, 2), (2, 2)]


def test_device_launches_have_their_own_code(repository: Repository, parse: Parse) -> None:
    text = SAXPY + "__global__ void parent(float *y) { saxpy<<<1, 1>>>(1, 1.0f, y, y); }\n"
    assert codes(merged(parse(repository({"a.cu": text})))["parent"]) == ["TLM030"]


def test_errors_inside_the_shim_are_laid_at_the_kernel(repository: Repository, parse: Parse) -> None:
    text = (
        "struct P { int a; };\n"
        "__global__ void wrong(P *p) { p[0] = std::max(p[1], p[2]); }\n"
        "__global__ void right(int *p) { p[0] = std::max(p[1], p[2]); }\n"
    )
    found = merged(parse(repository({"a.cu": text})))
    assert {name: codes(record) for name, record in found.items()} == {"wrong": ["TLM022"], "right": []}
