"""What the Python binding of libclang 18.1.1 hides, through ctypes: operators, constants, pretty printing, validity.

The shared library has these functions; the binding of that release has no wrappers for them. Every function here takes
`clang.cindex` cursors and returns plain Python values.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from clang import cindex

RECOVERY_MARK: Final = "<recovery-expr>"

# Numbers of CXBinaryOperatorKind (clang-c/Index.h of release 18).
_BINARY_SPELLINGS: Final = {
    1: ".*",
    2: "->*",
    3: "*",
    4: "/",
    5: "%",
    6: "+",
    7: "-",
    8: "<<",
    9: ">>",
    10: "<=>",
    11: "<",
    12: ">",
    13: "<=",
    14: ">=",
    15: "==",
    16: "!=",
    17: "&",
    18: "^",
    19: "|",
    20: "&&",
    21: "||",
    22: "=",
    23: "*=",
    24: "/=",
    25: "%=",
    26: "+=",
    27: "-=",
    28: "<<=",
    29: ">>=",
    30: "&=",
    31: "^=",
    32: "|=",
    33: ",",
}

# Numbers of CXUnaryOperatorKind.
_UNARY_SPELLINGS: Final = {
    1: "x++",
    2: "x--",
    3: "++x",
    4: "--x",
    5: "&",
    6: "*",
    7: "+",
    8: "-",
    9: "~",
    10: "!",
    11: "__real",
    12: "__imag",
    13: "__extension__",
    14: "co_await",
}

_EVALUATED_INTEGER: Final = 1
_EVALUATED_FLOAT: Final = 2


@cache
def _library() -> Any:
    """The loaded library with the signatures of the hidden functions declared once."""
    library = cindex.conf.lib
    cursor = cindex.Cursor
    handle = ctypes.c_void_p
    declarations: list[tuple[str, list[Any], Any]] = [
        ("clang_getCursorBinaryOperatorKind", [cursor], ctypes.c_int),
        ("clang_getCursorUnaryOperatorKind", [cursor], ctypes.c_int),
        ("clang_Cursor_Evaluate", [cursor], handle),
        ("clang_EvalResult_getKind", [handle], ctypes.c_int),
        ("clang_EvalResult_isUnsignedInt", [handle], ctypes.c_uint),
        ("clang_EvalResult_getAsLongLong", [handle], ctypes.c_longlong),
        ("clang_EvalResult_getAsUnsigned", [handle], ctypes.c_ulonglong),
        ("clang_EvalResult_getAsDouble", [handle], ctypes.c_double),
        ("clang_EvalResult_dispose", [handle], None),
        ("clang_isInvalidDeclaration", [cursor], ctypes.c_uint),
        ("clang_Cursor_hasVarDeclGlobalStorage", [cursor], ctypes.c_int),
        ("clang_getCursorPrettyPrinted", [cursor, handle], cindex._CXString),
    ]
    for name, arguments, result in declarations:
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = result
    library.clang_getCursorPrettyPrinted.errcheck = cindex._CXString.from_result
    return library


def binary_operator(cursor: cindex.Cursor) -> str | None:
    """C spelling (``+``, ``<<=``, ``,`` ...) of a binary or compound assignment operator; None if it is neither."""
    return _BINARY_SPELLINGS.get(_library().clang_getCursorBinaryOperatorKind(cursor))


def unary_operator(cursor: cindex.Cursor) -> str | None:
    """Spelling of a unary operator (``x++ x-- ++x --x & * + - ~ !``); None if the cursor is no unary operator."""
    return _UNARY_SPELLINGS.get(_library().clang_getCursorUnaryOperatorKind(cursor))


def evaluate(cursor: cindex.Cursor) -> int | float | None:
    """Value of a constant expression or of a variable with a constant initialiser; None if it is not constant.

    Integers keep the sign of their C type (unsigned values are not negative). Strings and other kinds give None.
    """
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = library.clang_EvalResult_getKind(result)
        if kind == _EVALUATED_INTEGER:
            if library.clang_EvalResult_isUnsignedInt(result):
                return int(library.clang_EvalResult_getAsUnsigned(result))
            return int(library.clang_EvalResult_getAsLongLong(result))
        if kind == _EVALUATED_FLOAT:
            return float(library.clang_EvalResult_getAsDouble(result))
        return None
    finally:
        library.clang_EvalResult_dispose(result)


def pretty_print(cursor: cindex.Cursor) -> str:
    """C++ text of a cursor after macros and template substitution, fully parenthesised."""
    return str(_library().clang_getCursorPrettyPrinted(cursor, None))


def is_invalid(cursor: cindex.Cursor) -> bool:
    """True for a declaration that clang marked invalid while recovering from an error."""
    return bool(_library().clang_isInvalidDeclaration(cursor))


def has_global_storage(cursor: cindex.Cursor) -> bool:
    """True for a variable with static storage (globals, static locals, ``__shared__`` locals)."""
    return bool(_library().clang_Cursor_hasVarDeclGlobalStorage(cursor) == 1)


def has_recovery(cursor: cindex.Cursor) -> bool:
    """True if the AST under the cursor holds expressions that clang could not understand."""
    return RECOVERY_MARK in pretty_print(cursor)


def visit(cursor: cindex.Cursor, kinds: frozenset[int], action: Callable[[cindex.Cursor], None]) -> None:
    """Calls ``action`` on every descendant whose ``_kind_id`` is in ``kinds``, depth first, several times faster than
    `Cursor.walk_preorder`. An exception in ``action`` ends the walk and is raised here.
    """
    failures: list[BaseException] = []
    unit = cursor._tu

    def callback(child: cindex.Cursor, _parent: cindex.Cursor, _data: object) -> int:
        if child._kind_id in kinds:
            child._tu = unit
            try:
                action(child)
            except BaseException as error:  # must not cross the C frames
                failures.append(error)
                return 0  # CXChildVisit_Break
        return 2  # CXChildVisit_Recurse

    cindex.conf.lib.clang_visitChildren(cursor, _visit_type()(callback), None)
    if failures:
        raise failures[0]


@cache
def _visit_type() -> Any:
    """The callback type that the binding registered for clang_visitChildren."""
    return cindex.conf.lib.clang_visitChildren.argtypes[1]
