"""What Python names hold while a function is traced."""

from __future__ import annotations

from typing import Any

from tilelang_runtime.ir import operators
from tilelang_runtime.ir.nodes import Buffer, Const, Expr, Load
from tilelang_runtime.ir.operators import fail
from tilelang_runtime.tracer.elements import OPERATORS, Elements
from tilelang_runtime.tracer.regions import LOOPS, Binding
from tilelang_runtime.tracer.values import BufferRegion, Ref, load, store_target


class Names(Elements):
    """Assignments, reads and arguments."""

    def argument(self, name: str, value: Any) -> Any:
        """A parameter on entry: references stay references, values of macros are snapshots."""
        scope = self.scopes[-1]
        if scope.macro and name in scope.references:
            value = self.reference(name, value)
            scope.names[name] = Binding(value, self.region())
            return value
        if scope.macro and isinstance(value, (Expr, Ref)):
            return self.bind(name, value, loop_target=True)
        scope.names[name] = Binding(value, self.region())
        return value

    def reference(self, name: str, value: Any) -> Any:
        """What a T.Ref parameter holds: the variable or element, its indices evaluated now."""
        if isinstance(value, Ref):
            return value
        if isinstance(value, Load):
            if value.buffer.scope == "var":
                return value.buffer
            return Ref(value.buffer, tuple(self.snapshot(index) for index in value.indices))
        if isinstance(value, (Buffer, BufferRegion)):
            return value
        raise fail(f"argument `{name}` is passed by reference: it must be a T.alloc_var or a buffer element")

    def bind(self, name: str, value: Any, loop_target: bool = False) -> Any:
        """``name = value``."""
        scope = self.scopes[-1]
        old = scope.names.get(name)
        live = old is not None and old.frame in self.frames
        if isinstance(value, Ref):
            value = value.as_load()
        if live and not loop_target and isinstance(value, (bool, int, float, Expr)):
            assert old is not None
            target = store_target(old.value)
            if target is not None:
                self.store(*target, value)
                return old.value
        if isinstance(value, Const) and value.dtype == "int32":
            value = int(value.value)
        if old is not None and live and not loop_target:
            self.check_rebinding(name, old, value)
        if isinstance(value, Buffer) and value.name.startswith("?"):
            value.name = name
        if isinstance(value, Expr) and self.launch is not None:
            value = self.snapshot(value, name)
        scope.names[name] = Binding(value, self.region())
        return value

    def check_rebinding(self, name: str, old: Binding, value: Any) -> None:
        """Rejects an assignment that upstream would resolve at compile time although it happens at run time."""
        here = self.region()
        if old.frame is here:
            return
        number = isinstance(value, (bool, int, float))
        inside = self.frames[self.frames.index(old.frame) + 1 :]
        loop = next((frame for frame in inside if frame.kind in LOOPS), None)
        carried = loop is not None and any(id(frame) in old.reads for frame in inside if frame.kind in LOOPS)
        if number and isinstance(old.value, (bool, int, float, Expr)):
            where = "loop" if loop is not None else "branch"
            raise fail(
                f"`{name}` is set to the Python value {value!r} inside a run-time {where}: that happens once, while "
                f"tracing. Make `{name}` a T.alloc_var"
            )
        if carried and isinstance(value, Expr):
            raise fail(
                f"`{name}` is carried from round to round of a run-time loop, but a plain assignment only renames a "
                f"value. Make `{name}` a T.alloc_var"
            )

    def read(self, name: str, value: Any) -> Any:
        """A name is used: variables give their content now."""
        binding = self.scopes[-1].names.get(name)
        if binding is not None:
            if binding.frame not in self.frames and isinstance(binding.value, (bool, int, float, Expr, Buffer, Ref)):
                raise fail(
                    f"`{name}` is used outside the run-time region that defines it. Make `{name}` a T.alloc_var "
                    "declared before that region"
                )
            if binding.frame in self.frames:
                for frame in self.frames[self.frames.index(binding.frame) + 1 :]:
                    if frame.kind in LOOPS:
                        binding.reads.add(id(frame))
        if isinstance(value, Ref):
            return value.as_load()
        if isinstance(value, Buffer) and value.scope == "var":
            return load(value, ())
        return value

    def unpack(self, value: Any, count: int, loop_target: bool) -> tuple[Any, ...]:
        """The elements of a tuple assignment; run-time values are snapshots, so that swaps work."""
        if isinstance(value, (Expr, Buffer)):
            raise fail("a run-time value cannot be unpacked")
        items = tuple(value)
        if len(items) != count:
            raise fail(f"{count} names for {len(items)} values")
        if loop_target:
            return items
        return tuple(
            self.snapshot(item) if isinstance(item, Expr) and operators.reads_memory(item) else item for item in items
        )

    def augment(self, name: str, operator: str, current: Any, value: Any) -> Any:
        """``name op= value``."""
        now = self.read(name, current)
        if isinstance(now, Buffer):
            raise fail(f"augmented assignment to the buffer `{name}`: write {name}[...] op= value")
        return self.bind(name, OPERATORS[operator](now, value))
