from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from migrate.parse.lexer import lex
from migrate.parse.strip import strip_comments_and_literals

PIECES = [
    "//",
    "/*",
    "*/",
    '"',
    "'",
    "\\",
    "\n",
    "a",
    " ",
    'R"(',
    ')"',
    "1'0",
    "__global__",
    "{",
    "}",
    "#if 0\n",
    "#endif\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_stripping_keeps_every_offset_and_line(text: str) -> None:
    stripped = strip_comments_and_literals(text)
    assert len(stripped) == len(text)
    assert [i for i, c in enumerate(stripped) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_lexing_never_fails(text: str) -> None:
    lex(text, "a.cu")


def names(text: str) -> list[tuple[int, int, str]]:
    return [(kernel.line, kernel.end_line, kernel.name) for kernel in lex(text, "a.cu").kernels]


def test_definitions_count_and_declarations_do_not() -> None:
    text = """__global__ void declared(int *x);
extern "C" __global__ void __launch_bounds__(256, 2)
defined(int *x)
{
  if (x) { x[0] = '}'; }
}
template <typename T> __global__ void instantiated(T *x) { x[0] = 1; }
template __global__ void instantiated<float>(float *);
"""
    assert names(text) == [(3, 6, "defined"), (7, 7, "instantiated")]


def test_comments_strings_and_raw_strings_do_not_count() -> None:
    text = """// __global__ void a() {}
/* __global__ void b() {} */
const char *s = "__global__ void c() {}";
const char *r = R"x(
__global__ void d() {}
)x";
int separated = 1'000'000;
__global__ void e() { char c = '"'; }
"""
    assert names(text) == [(8, 8, "e")]


def test_a_macro_counts_once_a_kernel_that_it_makes() -> None:
    text = r"""#define ONE(name, T) __global__ void name##_kernel(T *x) { x[0] = T(1); }
#define TWO(T) ONE(first_##T, T) ONE(second_##T, T)
TWO(float)
ONE(third, int);
#define KERNEL __global__ void
KERNEL fourth(int *x) { x[0] = 1; }
"""
    assert names(text) == [
        (3, 3, "first_float_kernel"),
        (3, 3, "second_float_kernel"),
        (4, 4, "third_kernel"),
        (6, 6, "fourth"),
    ]


def test_macros_of_included_files_are_known_when_given() -> None:
    outer = lex("#define MAKE(name) __global__ void name(int *x) { x[0] = 1; }\n", "a.h").macros
    assert lex("MAKE(made)\n", "a.cu").kernels == ()
    assert [kernel.name for kernel in lex("MAKE(made)\n", "a.cu", outer).kernels] == ["made"]


def test_conditions_are_told_apart() -> None:
    text = """#ifndef GUARD_H
#define GUARD_H
#if 0
__global__ void off(int *x) { x[0] = 1; }
#else
__global__ void on(int *x) { x[0] = 1; }
#endif
__global__ void plain(int *x) {
#ifdef FAST
  x[0] = 2;
#endif
}
#endif
"""
    found = {kernel.name: (kernel.disabled, kernel.conditional, kernel.branches) for kernel in lex(text, "a.h").kernels}
    assert found == {"off": (True, True, False), "on": (False, True, False), "plain": (False, False, True)}


def test_a_brace_opened_in_two_alternatives_closes_once() -> None:
    text = """#ifdef A
__global__ void f(int *x) {
#else
__global__ void f(float *x) {
#endif
  x[0] = 1;
}
__global__ void after(int *x) { x[0] = 1; }
"""
    assert names(text) == [(2, 7, "f"), (4, 7, "f"), (8, 8, "after")]


def test_template_heads_do_not_hide_the_name() -> None:
    text = """template <typename T, int N>
__global__ typename std::enable_if<(N > 4), void>::type fill(T *x) { x[0] = N; }
template <> __global__ void fill<float, 8>(float *x) { x[0] = 8; }
"""
    assert names(text) == [(2, 2, "fill"), (3, 3, "fill")]


def test_explicit_instantiations_are_found_with_the_offset_after_them() -> None:
    text = """template <class T> void host(T *x);
template void host<float>(float *x);
extern template void host<int>(int *x);
#define MAKE(T) template void host<T>(T *x)
MAKE(double);
template class Solver<float>;
"""
    found = lex(text, "a.cu")
    assert [item.declaration for item in found.instantiations] == [
        "void host<float>(float *x)",
        "void host<double>(double *x)",
    ]
    assert [text[: item.offset].count("\n") for item in found.instantiations] == [1, 4]
    assert [(item.name, item.line) for item in found.classes] == [("Solver<float>", 6)]
