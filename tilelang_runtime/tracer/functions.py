"""T.prim_func, T.macro, argument annotations and dynamic sizes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from tilelang_runtime.ir import nodes, types
from tilelang_runtime.ir.nodes import Buffer, Expr, Span, TileLangError, Var
from tilelang_runtime.ir.operators import fail
from tilelang_runtime.tracer.builder import Builder, current_builder, require_builder, tracing
from tilelang_runtime.tracer.rewrite import closure_values, rewrite
from tilelang_runtime.tracer.values import Ref


class TensorType:
    """``T.Tensor(shape, dtype)`` as an annotation."""

    def __init__(self, shape: Any, dtype: Any, strides: Any = None):
        parts = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        self.shape = parts
        self.dtype = types.normalise(dtype)
        self.strides = None if strides is None else tuple(strides)

    def as_buffer(self, name: str, span: Span) -> Buffer:
        """The parameter of that name."""
        return Buffer(name, self.dtype, "global", self.shape, self.strides, False, span)


class TensorFactory:
    """T.Tensor and T.Buffer: called or subscripted."""

    def __call__(self, shape: Any, dtype: Any = "float32", **options: Any) -> TensorType:
        """The annotation of a contiguous tensor."""
        if options.pop("strides", None) is not None or options:
            raise fail("T.Tensor takes a shape and a dtype; strides need T.StridedTensor")
        return TensorType(shape, dtype)

    def __getitem__(self, parts: Any) -> TensorType:
        return TensorType(*parts)


class StridedTensorFactory:
    """T.StridedTensor(shape, strides, dtype)."""

    def __call__(self, shape: Any, strides: Any, dtype: Any = "float32") -> TensorType:
        """The annotation of a tensor with given strides, in elements."""
        return TensorType(shape, dtype, strides)

    def __getitem__(self, parts: Any) -> TensorType:
        shape, strides, dtype = parts
        return TensorType(shape, dtype, strides)


def dynamic(name: str, dtype: Any = "int32") -> Any:
    """Sizes known at the call: one `Var`, or a tuple for ``"m, n"``."""
    normal = types.normalise(dtype)
    if normal not in ("int32", "int64"):
        raise fail(f"a dynamic size must be int32 or int64, not {normal}")
    names = [part.strip() for part in name.replace(",", " ").split()]
    made = tuple(Var(part, normal) for part in names)
    return made[0] if len(made) == 1 and "," not in name else made


symbolic = dynamic


class PrimFunc:
    """A traced program. Compile it with tilelang.compile."""

    def __init__(self, program: nodes.Program, function: Callable[..., Any]):
        self.program = program
        self.function = function
        self.attrs = {"global_symbol": program.name}

    @property
    def __name__(self) -> str:
        return self.program.name

    def __call__(self, *_args: Any, **_options: Any) -> Any:
        """Raises TypeError: programs are compiled first."""
        raise TypeError("a prim_func is not called: compile it with tilelang.compile(f) and call the result")


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    closure = closure_values(function)
    for name, annotation in getattr(function, "__annotations__", {}).items():
        if isinstance(annotation, str) and type(annotation) is str:
            result[name] = _evaluate(annotation, function, closure)
        else:
            result[name] = annotation
    return result


def _evaluate(text: str, function: Callable[..., Any], closure: dict[str, Any]) -> Any:
    if text in types.SCALARS:
        return text
    names = dict(closure)
    frame = inspect.currentframe()
    while frame is not None:  # names of the builder function that only the annotation mentions
        if frame.f_code.co_filename == function.__code__.co_filename:
            names = {**frame.f_locals, **names}
        frame = frame.f_back
    try:
        return eval(text, function.__globals__, names)
    except Exception as error:
        raise TileLangError(f"cannot evaluate the annotation {text!r}: {error}") from None


def prim_func(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Traces ``function`` now and returns its `PrimFunc`.

    Raises TileLangError with file:line for whatever upstream would reject or misread.
    """
    if function is None:
        return lambda inner: prim_func(inner, **options)
    if current_builder() is not None:
        raise fail("T.prim_func inside a T.prim_func")
    make = rewrite(function)
    span = Span(function.__code__.co_filename, function.__code__.co_firstlineno)
    annotations = _annotations(function)
    builder = Builder(function.__name__)
    arguments: list[Buffer | Var] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name not in annotations:
            raise TileLangError(f"argument `{parameter.name}` is not annotated", span)
        arguments.append(_parameter(parameter.name, annotations[parameter.name], span))
    with tracing(builder):
        body = make(builder)
        with builder.activation(macro=False):
            body(*arguments)
    symbols = _symbols(arguments, span)
    program = nodes.Program(function.__name__, tuple(arguments), symbols, builder.launches, builder.attributes, span)
    from tilelang_runtime.ir.verify import verify

    verify(program)
    return PrimFunc(program, function)


def _parameter(name: str, annotation: Any, span: Span) -> Buffer | Var:
    if isinstance(annotation, TensorType):
        return annotation.as_buffer(name, span)
    if isinstance(annotation, str):
        return Var(name, types.normalise(annotation), span)
    if annotation in (int, float, bool):
        return Var(name, types.normalise(annotation), span)
    raise TileLangError(f"argument `{name}`: {annotation!r} is not available in this runtime", span)


def _symbols(arguments: list[Buffer | Var], span: Span) -> tuple[Var, ...]:
    """The dynamic sizes, in order of appearance. A scalar argument cannot name an extent."""
    found: list[Var] = []
    for argument in arguments:
        if not isinstance(argument, Buffer):
            continue
        for part in (*argument.shape, *(argument.strides or ())):
            for var in _variables(part):
                if any(var is scalar for scalar in arguments):
                    raise TileLangError(f"the scalar argument `{var.name}` cannot name an extent", span)
                if not any(var is known for known in found):
                    found.append(var)
    return tuple(found)


def _variables(part: Any) -> list[Var]:
    if isinstance(part, Var):
        return [part]
    if isinstance(part, Expr):
        return [var for child in nodes.children(part) for var in _variables(child)]
    return []


class Macro:
    """A function inlined at each call."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        update_wrapper(self, function)
        self.make: Callable[[Any], Callable[..., Any]] | None = None

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Traces the body here. Raises TileLangError in places where statements cannot stand."""
        builder = require_builder(f"macro {self.function.__name__}")
        if builder.boolean_depth:
            raise fail(
                f"macro `{self.function.__name__}` inside and, or, or a conditional expression: bind it to a name first"
            )
        if self.make is None:
            self.make = rewrite(self.function)
        annotations = _annotations(self.function)
        references = frozenset(
            name for name, annotation in annotations.items() if annotation is Ref or annotation is Var
        )
        body = self.make(builder)
        with builder.activation(macro=True, references=references):
            result = body(*args, **keywords)
            return _returned(result)


def _returned(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_returned(part) for part in value)
    if isinstance(value, Ref):
        return value.as_load()
    return value


def macro(function: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """Marks a function to be inlined where it is called."""
    return Macro(function) if function is not None else Macro
