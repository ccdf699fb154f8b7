"""What the real tilelang does with float and unsigned operations: the facts behind migrate/emit/forbidden.

One kernel holds every probe; the CUDA of each store is compared. ``KEPT``: the operation must still be there.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.upstream

# expression of a = x[i], b = x[i + n] -> the CUDA that upstream makes of it
CHANGED = {
    "a - a": "0x0p+0f",
    "(a + b) - b": "a",
    "(a + b) - a": "b",
    "a * T.float32(0.0)": "0x0p+0f",
    "T.float32(0.0) / a": "0x0p+0f",
    "a + T.float32(0.0)": "a",
    "a * b + a - a * b": "a",
    "a - (b + a)": "(0x0p+0f - b)",
    "T.if_then_else(a == a, T.float32(1.0), T.float32(2.0))": "0x1p+0f",
    "T.if_then_else(a != a, T.float32(1.0), T.float32(2.0))": "0x1p+1f",
    "T.if_then_else(T.Or(a < b, a >= b), T.float32(1.0), T.float32(2.0))": "0x1p+0f",
    "T.if_then_else(T.And(a < b, a >= b), T.float32(1.0), T.float32(2.0))": "0x1p+1f",
    "T.cast(T.cast(T.float32(0.1), 'float64'), 'float32') * a": "(a * 0x1.999999999999ap-4f)",
}
KEPT = {
    "a / T.float32(3.0)": "(a / 0x1.8p+1f)",
    "a / a": "(a / a)",
    "(a - b) + b": "((a - b) + b)",
    "b + (a - b)": "(b + (a - b))",
    "a * T.float32(2.0) * T.float32(3.0)": "((a * 0x1p+1f) * 0x1.8p+1f)",
    "(a + T.float32(1.0)) + T.float32(2.0)": "((a + 0x1p+0f) + 0x1p+1f)",
    "a * b + a * a": "((a * b) + (a * a))",
    "a / T.float32(0.5)": "(a / 0x1p-1f)",
    "a + (-b)": "(a + (b * -0x1p+0f))",
    "T.ieee_sub(a, a)": "__fsub_rn(a, a)",
    "T.ieee_mul(a, T.float32(0.0))": "__fmul_rn(a, 0x0p+0f)",
    "T.ieee_add(a, b) - b": "(__fadd_rn(a, b) - b)",
    "T.ieee_fdiv(T.float32(0.0), a)": "__fdiv_rn(0x0p+0f, a)",
    "T.cast(T.isnan(a), 'float32')": "((float)(a != a))",
    "T.cast(flag, 'float32')": "((float)((bool)flag))",
    "T.cast(not flag, 'float32')": "((float)!((bool)flag))",
    "T.pow(a, T.float32(2.0))": "powf(a, 0x1p+1f)",
    "T.sqrt(T.float32(2.0)) * a": "(sqrtf(0x1p+1f) * a)",
}

SOURCE = """
import tilelang.language as T

def build(block):
    n = T.dynamic("n", "int64")

    @T.prim_func
    def probe(x: T.Tensor((n,), "float32"), y: T.Tensor((n,), "float32")):
        with T.Kernel(8, threads=block) as bx:
            i = bx * block + T.get_thread_binding(0)
            a = x[i]
            b = x[i + block]
            flag = T.alloc_var("bool", init=a < b)
{stores}

    return probe
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Expression → CUDA of its store."""
    folder = tmp_path_factory.mktemp("folds")
    (folder / "_launch.py").write_text("PASS_CONFIGS = {'tl.disable_safe_memory_legalize': True}\ndef launch(): ...\n")
    (folder / "__init__.py").write_text("")
    expressions = [*CHANGED, *KEPT]
    stores = "\n".join(f"y[i + {1000 + number}] = {text}" for number, text in enumerate(expressions))
    source = SOURCE.replace("import tilelang.language", "from ._launch import launch\nimport tilelang.language")
    port = folder / "probe.py"
    port.write_text(source.replace("{stores}", textwrap.indent(stores, " " * 12)))
    cuda = _lower(port)
    found: dict[str, str] = {}
    for line in re.sub(r"/\*.*?\*/", "", cuda).splitlines():
        match = re.search(r"y\[.*\+ (1\d{3})\)\] = (.*);$", line)
        if match:
            found[expressions[int(match[1]) - 1000]] = match[2]
    return found


def _lower(port: Path) -> str:
    from migrate.emit.port_file import PortEntry
    from migrate.emit.upstream import lower_with_tilelang

    entry = PortEntry("id", "probe", "probe", "build", (), (), (), False, 1, 1)
    result = lower_with_tilelang(port, entry, (128, 1, 1), nvcc=False)
    assert result.ok, result.message
    return result.cuda_source


@pytest.mark.parametrize("text", CHANGED)
def test_upstream_still_changes(text: str, generated: dict[str, str]) -> None:
    assert generated[text] in (
        CHANGED[text],
        CHANGED[text].replace("(a * 0x1.999999999999ap-4f)", "(0x1.999999999999ap-4f * a)"),
    )


@pytest.mark.parametrize("text", KEPT)
def test_upstream_keeps(text: str, generated: dict[str, str]) -> None:
    assert generated[text] == KEPT[text]
