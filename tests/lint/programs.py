"""Bodies of one kernel: each code's bad forms, and what to write instead. Lines of MARKED end with `# <-`."""

from __future__ import annotations

import textwrap

HEADER = """\
import tilelang
import tilelang.language as T


@T.macro
def twice(v):
    return v * 2


def build(block: int):
    n = T.dynamic("n")

    @T.prim_func
    def kernel(
        x: T.Tensor((n,), "float32"),
        y: T.Tensor((n,), "float32"),
        q: T.Tensor((n,), "int32"),
        w: T.Tensor((n,), "int64"),
        b: T.Tensor((n,), "uint8"),
        u: T.uint32,
        m: T.int32,
    ):
        with T.Kernel(8, threads=128) as bx:
            tx = T.get_thread_binding(0)
            i = bx * 128 + tx
"""


def program(body: str) -> str:
    """A file with one kernel whose body is ``body``."""
    return HEADER + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 12) + "\n\n    return kernel\n"


BAD: dict[str, list[str]] = {
    "TLM900": ["y[i] = x[i] - x[i]  # <-", "d = x[i]\ny[i] = d - x[i]  # <-"],
    "TLM901": ["y[i] = (x[i] + 1.5) - x[i]  # <-"],
    "TLM902": ["y[i] = x[i] * 0.0  # <-", "y[i] = 0.0 / x[i]  # <-", "y[i] = x[i] + T.float32(0)  # <-"],
    "TLM904": ["if x[i] != x[i]:  # <-\n    y[i] = 0.0", "y[i] = T.if_then_else(x[i] == x[i], 1.0, 2.0)  # <-"],
    "TLM905": ["if not (x[i] < y[i]):  # <-\n    y[i] = 0.0", "if x[i] < 0.5:  # <-\n    pass\nelse:\n    y[i] = 1.0"],
    "TLM906": ["if x[i] < y[i] or x[i] >= y[i]:  # <-\n    y[i] = 0.0"],
    "TLM907": [
        "c = 0\nfor j in T.serial(10):\n    c += 1  # <-\nq[i] = c",
        "c = 5\nif x[i] > 0.0:\n    c = 1  # <-\nq[i] = c",
        "c = T.int32(0)\nwhile q[i] > 0:\n    c = c + 1  # <-",
    ],
    "TLM908": ["v = -u  # <-", 'v = T.cast(-1, "uint32")  # <-'],
    "TLM909": ['v = T.cast(tx, "uint32") - T.uint32(5)  # <-'],
    "TLM910": ["q[i] = q[i] / m  # <-"],
    "TLM911": ["while True:  # <-\n    break"],
    "TLM913": [
        "for j in T.serial(tx, 64, 128):  # <-\n    y[j] = 0.0",
        "for j in range(tx, 100, 100):  # <-\n    y[j] = 0.0",
    ],
    "TLM914": [
        's = T.alloc_fragment((128,), "float32")\ns[tx] = x[i]  # <-',
        's = T.alloc_fragment((128,), "float32")\nfor j in T.serial(128):\n    y[j] = s[j]  # <-',
    ],
    "TLM915": [
        's = T.alloc_shared((128,), "float32")\nfor j in T.Parallel(127):\n    s[j] = s[j + 1]  # <-',
        's = T.alloc_shared((1,), "float32")\nfor j in T.Parallel(128):\n    s[0] += x[j]  # <-',
        "for j, k in T.Parallel(4, 8):\n    y[j + 1] = y[j] + x[k]  # <-",
    ],
    "TLM916": ['s = T.alloc_fragment((1,), "float32")\nT.atomic_add(y[0], s[0])  # <-'],
    "TLM917": ['s = T.alloc_shared((256,), "float32")\nT.copy(s, y[bx * 256])  # <-'],
    "TLM918": [
        'a = T.alloc_shared((64, 64), "float32")\nc = T.alloc_fragment((64, 64), "float32")\nT.gemm(a, a, c)  # <-'
    ],
    "TLM919": ['v = T.alloc_var("float32")\nv = 1.0\nkept = [v, v]  # <-\nv = 3.0\ny[i] = kept[0]'],
    "TLM920": ["q[i] = -q[i] // 2  # <-", "q[i] = q[i] % -3  # <-"],
    "TLM921": ["if x[i] > 0.0 and q[i]:  # <-\n    y[i] = 0.0", "if not q[i] & 1:  # <-\n    y[i] = 0.0"],
    "TLM922": ["if i >= m:\n    return  # <-\ny[i] = 0.0"],
    "TLM923": ["y[i] = max(x[i], 0.0)  # <-", "y[i] = abs(x[i])  # <-", "import math\ny[i] = math.exp(x[i])  # <-"],
    "TLM924": [
        "with T.Kernel(8, threads=(64, 32)) as by:  # <-\n    pass",
        "with T.Kernel(8, threads=m) as by:  # <-\n    pass",
    ],
    "TLM925": [
        "T.atomic_max(w[i], w[i + 1])  # <-",
        "T.atomic_add(b[i], T.uint8(1))  # <-",
        "q[i] = T.popcount(q[i])  # <-",
    ],
    "TLM926": ['q[i] = T.cast(b[i] << 4, "int32")  # <-', "q[i] = T.int32(b[i] + b[i + 1])  # <-"],
    "TLM927": ["y[i] = w[i] * 0.5  # <-"],
    "TLM928": ['k = T.dyn["k"]  # <-', "with T.Kernel(8, is_cpu=True) as by:  # <-\n    pass"],
    "TLM929": ["if tx < 64:\n    y[i] = 0.0\n    T.sync_threads()  # <-"],
    "TLM930": ['T.import_source("__device__ int f();")  # <-'],
    "TLM931": [
        'a = T.alloc_shared((8, 64), "float16")\nc = T.alloc_fragment((8, 64), "float32")\nT.gemm(a, a, c)  # <-'
    ],
    "TLM932": ["while q[0] == 0:  # <-\n    pass"],
    "TLM933": [
        "for j in T.serial(4):\n    y[j] = 0.0\nelse:\n    y[5] = 1.0  # <-",
        "if x[i] > 0.0 and twice(x[i]) > 1.0:  # <-\n    y[i] = 0.0",
        "@T.macro\ndef inner(v):  # <-\n    return v\n",
    ],
}

GOOD: list[str] = [
    "y[i] = T.ieee_sub(x[i], x[i])",
    "y[i] = x[i] - y[i]",
    "old = y[i]\ny[i] = x[i]\nx[i] = old - y[i]",  # the snapshot is older than the store
    "y[i] = x[i] * 2.0 + 0.5",
    "scale = 1.0 / 3.0\ny[i] = x[i] * scale",
    "if T.isnan(x[i]):\n    y[i] = 0.0",
    'less = T.alloc_var("bool", init=x[i] < y[i])\nif not less:\n    y[i] = 0.0',
    "if x[i] < y[i]:\n    y[i] = 0.0\nelse:\n    y[i] = 1.0",
    "if x[i] < 1.0 and y[i] < 1.0:\n    y[i] = 0.0",
    'c = T.alloc_var("int32", init=0)\nfor j in T.serial(10):\n    c += 1\nq[i] = c',
    "c = 0\nfor j in [1, 2, 3]:\n    c += j\nq[i] = c",  # Python's own loop
    "c = 0\nif block > 64:\n    c = 1\nq[i] = c",  # Python's own condition
    "v = T.uint32(0) - u",
    "q[i] = q[i] // 2 + q[i] % m",
    "q[i] = T.truncdiv(q[i], m)",
    "q[i] = -(-m // 4)",
    "for j in T.serial(tx, m, 128):\n    y[j] = 0.0",
    "for j in T.serial(tx, 256, 128):\n    y[j] = 0.0",
    "for j in T.serial(0, 64, 128):\n    y[j] = 0.0",
    's = T.alloc_fragment((128,), "float32")\nfor j in T.Parallel(128):\n    s[j] = x[j]',
    's = T.alloc_local((4,), "float32")\nfor j in T.serial(4):\n    s[j] = x[j]',
    's = T.alloc_fragment((8,), "float32")\nfor k in T.serial(8):\n    for j in T.Parallel(8):\n        s[k] = x[j]',
    's = T.alloc_shared((128,), "float32")\nfor j in T.serial(127):\n    s[j] = s[j + 1]',
    's = T.alloc_shared((2, 64), "float32")\nfor j in T.Parallel(64):\n    s[0, j] = s[1, j]',
    's = T.alloc_shared((128,), "float32")\nfor j in T.Parallel(64):\n    s[j] = s[j + 64]',
    's = T.alloc_fragment((1,), "float32")\nfor j in T.Parallel(1):\n    T.atomic_add(y[j], s[j])',
    's = T.alloc_shared((1,), "float32")\nif tx == 0:\n    T.atomic_add(y[0], s[0])',
    "T.atomic_add(y[0], x[i])",
    's = T.alloc_shared((256,), "float32")\nT.copy(x[bx * 256], s)',
    's = T.alloc_shared((256,), "float32")\nfor j in T.Parallel(256):\n    if j < m:\n        y[j] = s[j]',
    'v = T.alloc_var("float32")\nv = 1.0\nkept = [v, v]\ny[i] = kept[0]',
    "if q[i] & 1:\n    y[i] = 0.0",
    "if x[i] > 0.0 and q[i] != 0:\n    y[i] = 0.0",
    "if i >= m:\n    T.thread_return()\ny[i] = 0.0",
    "y[i] = T.max(x[i], T.abs(y[i]))",
    "k = max(block, 4)\ny[i] = x[i] * min(k, 8)",
    "q[i] = max(x.shape[0], 4)",
    's = T.alloc_shared((8,), "uint64")\nT.atomic_add(w, s, use_tma=True)',
    "T.atomic_add(q[i], 1)\nT.atomic_add(w[i], T.int64(1))",
    'q[i] = T.cast(b[i], "int32") << 4',
    'y[i] = T.cast(w[i], "float64") * T.float64(0.5)',
    "y[i] = q[i] * 0.5",
    "if m > 3:\n    y[i] = 0.0\n    T.sync_threads()",
    'T.import_source("__device__ int f();\\n")',
    'a = T.alloc_shared((64, 64), "float16")\nc = T.alloc_fragment((64, 64), "float32")\nT.gemm(a, a, c)',
    "while T.atomic_load(q[0]) == 0:\n    pass",
    "while q[i] > 0:\n    q[i] = q[i] - 1",
    "t = twice(x[i])\nif t > 1.0:\n    y[i] = 0.0",
    "for j in T.serial(4):\n    y[j] = 0.0",
]
