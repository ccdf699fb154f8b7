"""`import tilelang` finds the bundled runtime after `activate`, and what stood there before after `deactivate`."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from runtime_helpers import T

import tilelang_runtime
from tilelang_runtime import kernel as kernel_module


def child(tmp_path, text, **environment):
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(text))
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


PROGRAM = """
    import sys
    import tilelang_runtime
    tilelang_runtime.activate()
    import numpy as np
    import tilelang
    import tilelang.language as T

    @tilelang.jit(out_idx=[-1])
    def make(n, dtype="float32"):
        @T.prim_func
        def double(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype)):
            with T.Kernel(1, threads=n):
                i = T.get_thread_binding(0)
                y[i] = x[i] * 2.0
        return double

    print(tilelang.__version__, tilelang_runtime.active(), make(4)(np.arange(4, dtype="f4")).sum())
    print("torch" in sys.modules, tilelang_runtime.configuration().engine)
    tilelang_runtime.deactivate()
    print("tilelang" in sys.modules)
"""


def test_a_program_of_its_own(tmp_path):
    assert child(tmp_path, PROGRAM) == ["0.1.15", "True", "12.0", "False", "native", "False"]


def test_the_environment_chooses_the_engine(tmp_path):
    assert child(tmp_path, PROGRAM, TILELANG_RUNTIME_ENGINE="reference")[4] == "reference"


def test_modules_come_back():
    before = sys.modules.get("tilelang")
    marker = type(sys)("tilelang")
    sys.modules["tilelang"] = marker
    try:
        tilelang_runtime.activate()
        import tilelang

        assert tilelang is not marker and tilelang.language.float32 == "float32"
        with pytest.raises(AttributeError, match=r"tilelang\.engine is not available"):
            tilelang.engine
        tilelang_runtime.deactivate()
        assert sys.modules["tilelang"] is marker
    finally:
        tilelang_runtime.deactivate()
        sys.modules.pop("tilelang", None)
        if before is not None:
            sys.modules["tilelang"] = before


def test_unknown_choices_are_errors():
    with pytest.raises(ValueError, match="engine 'gpu'"):
        tilelang_runtime.configure(engine="gpu")


def test_tensors_share_their_memory():
    torch = sys.modules.get("torch")
    if torch is None:
        pytest.skip("torch is not loaded")

    @T.prim_func
    def one(x: T.Tensor((4,), "bfloat16")):
        with T.Kernel(1, threads=4):
            x[T.get_thread_binding(0)] = T.bfloat16(1.5)

    x = torch.zeros(4, dtype=torch.bfloat16)
    kernel_module.compile(one)(x)
    assert x.tolist() == [1.5] * 4


def test_arrays_with_an_interface_are_used_in_place():
    class Foreign:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__

    @T.prim_func
    def one(x: T.Tensor((4,), "float32")):
        with T.Kernel(1, threads=4):
            x[T.get_thread_binding(0)] = 7.0

    array = np.zeros(4, "f4")
    kernel_module.compile(one)(Foreign(array))
    assert array.tolist() == [7.0] * 4
