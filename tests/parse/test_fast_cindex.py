"""The faster methods of the libclang binding give what the binding's own give."""

import json
import subprocess
import sys
from pathlib import Path

SOURCE = """
#define TWICE(x) ((x) + (x))
template <typename T> struct Box { T value; __device__ T get() const { return value; } };
__device__ int helper(int a, int b = 3) { return a % b; }
template <int N> __global__ void kernel(float *out, const int *in, Box<float> box) {
    __shared__ float tile[N];
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        auto twice = [&](int k) { return TWICE(k); };
        tile[i] = in[i] > 0 ? box.get() : static_cast<float>(twice(helper(i)));
    }
    __syncthreads();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}
void run(float *out, const int *in) { kernel<64><<<1, 64>>>(out, in, Box<float>{1.f}); }
"""

# Walks everything twice (answers are remembered) and prints what it sees; argument 1: the file, 2: install or not.
PROGRAM = """
import json, sys
from pathlib import Path
from clang import cindex
from migrate.parse.flags import clang_flags
if sys.argv[2] == "fast":
    from migrate.parse.fast_cindex import install
    install()
unit = cindex.Index.create(excludeDecls=True).parse(sys.argv[1], args=clang_flags())

def place(location):
    return [location.file.name if location.file else None, location.line, location.column, location.offset]

def describe(cursor, depth):
    kind = cursor.kind
    other = [cursor.referenced, cursor.get_definition(), cursor.semantic_parent, cursor.lexical_parent]
    return [
        depth, kind.name, cursor.spelling, place(cursor.location), place(cursor.extent.start),
        place(cursor.extent.end), cursor.type.kind.name, cursor.type.get_canonical().spelling,
        [None if one is None else [one.kind.name, one.spelling, one.translation_unit is unit] for one in other],
        [bool(getattr(kind, f"is_{test}")())
         for test in ("expression", "statement", "declaration", "reference", "invalid")],
        cursor.type.get_declaration().kind.name,
        [argument.spelling for argument in cursor.get_arguments()],
    ]

def walk(cursor, depth, found):
    found.append(describe(cursor, depth))
    for child in cursor.get_children():
        walk(child, depth + 1, found)
    return found

own = [cursor for cursor in unit.cursor.get_children()
       if cursor.location.file and cursor.location.file.name == sys.argv[1]]
rounds = [[walk(cursor, 0, []) for cursor in own] for _ in range(2)]
assert rounds[0] == rounds[1]
print(json.dumps(rounds[0]))
"""


def _seen(file: Path, how: str) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(file), how], capture_output=True, text=True, check=True, timeout=60
    )
    found: list[object] = json.loads(done.stdout)
    return found


def test_fast_methods_agree_with_the_binding(tmp_path: Path) -> None:
    file = tmp_path / "sample.cu"
    file.write_text(SOURCE)
    plain, fast = _seen(file, "plain"), _seen(file, "fast")
    assert len(plain) >= 4
    assert fast == plain
