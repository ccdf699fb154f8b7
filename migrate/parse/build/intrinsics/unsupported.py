"""Device functions that are known and refused, each kind with a code of its own."""

from __future__ import annotations

from itertools import product

from migrate.diagnostics import refuse
from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

# code → (what the message says about the function, names)
_REASONS: dict[str, tuple[str, str]] = {
    "TLM302": ("reads a clock, so its result differs from run to run", "clock clock64 __globaltimer"),
    "TLM304": (
        "makes a group of whichever threads happen to be active, or of a cluster",
        "cooperative_groups::coalesced_threads cooperative_groups::binary_partition"
        " cooperative_groups::labeled_partition cooperative_groups::this_cluster cooperative_groups::this_multi_grid"
        " cooperative_groups::multi_grid_group::sync cooperative_groups::cluster_group::sync",
    ),
    "TLM307": (
        "has no reference implementation on a CPU yet",
        "erfinv erfinvf erfcinv erfcinvf erfcx erfcxf normcdfinv normcdfinvf cyl_bessel_i0 cyl_bessel_i0f"
        " cyl_bessel_i1 cyl_bessel_i1f jn jnf yn ynf remquo remquof norm normf rnorm rnormf",
    ),
    "TLM309": (
        "needs the address itself, not what it points to",
        "__isShared __isGlobal __isConstant __isLocal __cvta_generic_to_shared __cvta_generic_to_global"
        " __cvta_shared_to_generic __cvta_global_to_generic __nvvm_get_smem_pointer",
    ),
    "TLM312": (
        "is a scan or an update over a group",
        "cooperative_groups::inclusive_scan cooperative_groups::exclusive_scan"
        " cooperative_groups::reduce_update_async cooperative_groups::reduce_store_async"
        " cooperative_groups::memcpy_async cooperative_groups::wait cooperative_groups::wait_prior",
    ),
}
_SIMD = (
    "abs abs_diff absdiffs absdiffu abs absss add addss addus avgs avgu cmpeq cmpges cmpgeu cmpgts cmpgtu cmples cmpleu"
    " cmplts cmpltu cmpne hadd hadds haddu maxs maxu mins minu neg negss sads sadu seteq setges setgeu setgts setgtu"
    " setles setleu setlts setltu setne sub subss subus"
)


def _refused(code: str, why: str) -> Intrinsic:
    def handler(call: IntrinsicCall) -> Operand | None:
        raise refuse(code, f"{call.name} {why}", call.span)

    return handler


def _directed_names() -> list[str]:
    """Arithmetic that rounds other than to nearest."""
    single = [f"__f{op}_{mode}" for op, mode in product(("add", "sub", "mul", "maf", "div", "rcp", "sqrt"), _MODES)]
    double = [f"__d{op}_{mode}" for op, mode in product(("add", "sub", "mul", "div", "rcp", "sqrt"), _MODES)]
    return single + double + [f"__fma_{mode}" for mode in _MODES]


_MODES = ("rz", "ru", "rd")


def _make_table() -> dict[str, Intrinsic]:
    table = {name: _refused(code, why) for code, (why, names) in _REASONS.items() for name in names.split()}
    simd = _refused("TLM305", "works on parts of one register word")
    table |= {f"__v{operation}{lanes}": simd for operation in dict.fromkeys(_SIMD.split()) for lanes in (2, 4)}
    directed = _refused("TLM306", "rounds other than to nearest")
    return table | dict.fromkeys(_directed_names(), directed)


TABLE: dict[str, Intrinsic] = _make_table()
