"""AST of one instantiated kernel to a KernelModule kernel; import `build_kernel` from `migrate.parse.build.kernels`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from migrate.ir.kernel import Kernel


def build_kernel(cursor: Any, context: Any, launched: Any = None) -> Kernel:
    """See `migrate.parse.build.kernels.build_kernel` (imported on the first call, so that this package stays light)."""
    from migrate.parse.build.kernels import build_kernel as build

    return build(cursor, context, launched)
