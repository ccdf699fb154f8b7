"""Elements and slices of buffers and of Python containers, read and written while a function is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilelang_runtime.ir import nodes
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Load, Var
from tilelang_runtime.ir.operators import LOCATION, as_expr, cast, fail
from tilelang_runtime.tracer.regions import Regions
from tilelang_runtime.tracer.values import BufferRegion, Ref, load, region_of, simple_index

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
    "Pow": lambda a, b: a**b,
    "LShift": lambda a, b: a << b,
    "RShift": lambda a, b: a >> b,
    "BitOr": lambda a, b: a | b,
    "BitXor": lambda a, b: a ^ b,
    "BitAnd": lambda a, b: a & b,
}


class Elements(Regions):
    """Subscripts. Assignments and names build on them."""

    def snapshot(self, value: Expr, name: str = "") -> Expr:
        """``value`` evaluated here, once."""
        if isinstance(value, Const) or (isinstance(value, Var) and value.dtype != "handle"):
            return value
        if value.dtype == "handle":
            raise fail("this call has no value: it cannot be assigned")
        self.counter += 1
        var = Var(name or f"t{self.counter}", value.dtype, LOCATION.span, value)
        self.emit(nodes.Bind(var, value, LOCATION.span))
        return var

    @staticmethod
    def make_slice(start: Any, stop: Any, step: Any) -> slice:
        """``start:stop:step``; steps other than 1 do not exist in TileLang."""
        if step is not None and not (isinstance(step, int) and step == 1):
            raise fail("stepped slices are not supported")
        return slice(start, stop)

    def load_item(self, container: Any, index: Any) -> Any:
        """``container[index]``."""
        if isinstance(container, Load) and container.buffer.scope == "var" and simple_index(index) == 0:
            return container
        if isinstance(container, Buffer):
            if _has_slice(index):
                return region_of(container, index)
            return load(container, index if isinstance(index, tuple) else (index,))
        if isinstance(container, Expr):
            raise fail("a scalar cannot be indexed")
        if isinstance(index, Expr) and not isinstance(index, Const):
            raise fail("a Python container is compile time: it cannot be indexed by a run-time value")
        return container[int(index) if isinstance(index, Const) else index]

    def store_item(self, container: Any, index: Any, value: Any) -> None:
        """``container[index] = value``."""
        if isinstance(value, Ref):
            value = value.as_load()
        if isinstance(container, Load) and container.buffer.scope == "var" and simple_index(index) == 0:
            self.store(container.buffer, (), value)
        elif isinstance(container, Buffer):
            if _has_slice(index):
                self.store_region(region_of(container, index), value)
            else:
                self.store(container, index if isinstance(index, tuple) else (index,), value)
        elif isinstance(container, Expr):
            raise fail("a scalar cannot be indexed")
        else:
            region = self.region()
            if region.kind not in ("program", "kernel"):
                raise fail(
                    "an element of a Python container is set inside a run-time branch or loop: that happens once, "
                    "while tracing. Use T.alloc_local"
                )
            container[index] = value

    def augment_item(self, operator: str, container: Any, index: Any, value: Any) -> None:
        """``container[index] op= value``."""
        if isinstance(container, Buffer):
            parts = index if isinstance(index, tuple) else (index,)
            index = tuple(part if isinstance(part, slice) else self.snapshot(as_expr(part)) for part in parts)
        self.store_item(container, index, OPERATORS[operator](self.load_item(container, index), value))

    def store(self, buffer: Buffer, indices: tuple[Any, ...], value: Any) -> None:
        """Element store with upstream's implicit cast to the buffer's dtype."""
        target = load(buffer, indices)
        self.emit(nodes.Store(buffer, target.indices, cast(value, buffer.dtype), LOCATION.span))

    def store_region(self, target: BufferRegion, value: Any) -> None:
        """``B[i:i+4] = ...``: a wide access, done element by element."""
        if isinstance(value, BufferRegion):
            self.emit(nodes.TileCopy(value.region, target.region, LOCATION.span))
        else:
            self.emit(nodes.TileFill(target.region, cast(value, target.region.buffer.dtype), LOCATION.span))


def _has_slice(index: Any) -> bool:
    return isinstance(index, slice) or (isinstance(index, tuple) and any(isinstance(part, slice) for part in index))
