"""Which calls the overload-and-type table asks about: callee × argument types. What each returns is nvcc's to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

# Short names of the table → C++ spelling.
TYPES: dict[str, str] = {
    "bool": "bool",
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "unsigned": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "llong": "long long",
    "ullong": "unsigned long long",
    "float": "float",
    "double": "double",
    "half": "__half",
    "half2": "__half2",
    "bfloat16": "__nv_bfloat16",
    "bfloat162": "__nv_bfloat162",
    "float2": "float2",
    "float4": "float4",
    "void": "void",
}
POINTERS = tuple(name for name in TYPES if name not in ("bool", "void"))
SMALL = ("bool", "char", "uchar", "short", "ushort")
WIDE = ("int", "unsigned", "long", "ulong", "llong", "ullong")
FLOATS = ("float", "double")
ARITHMETIC = SMALL + WIDE + FLOATS
BINARY = WIDE + FLOATS


def _words(text: str) -> list[str]:
    return text.split()


UNARY_STD = _words(
    "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2"
    " logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc abs isnan isinf isfinite signbit ilogb lround"
    " llround lrint llrint"
)
UNARY_CUDA = _words("rsqrt rcbrt exp10 sinpi cospi normcdf erfinv erfcinv erfcx normcdfinv j0 j1 y0 y1")
BINARY_STD = _words("atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder")
UNARY_F = _words(
    "acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp2f exp10f expm1f fabsf floorf"
    " lgammaf logf log10f log1pf log2f logbf nearbyintf rintf roundf sinf sinhf sqrtf tanf tanhf tgammaf truncf rsqrtf"
    " rcbrtf sinpif cospif normcdff erfinvf erfcinvf erfcxf normcdfinvf ilogbf lroundf llroundf lrintf llrintf __expf"
    " __exp10f __logf __log2f __log10f __sinf __cosf __tanf __saturatef __frcp_rn __fsqrt_rn __frsqrt_rn"
    " __float_as_int __float_as_uint __float2half __float2half_rn __float2half_rz __float2half_rd __float2half_ru"
    " __float2half2_rn __float2bfloat16 __float2bfloat16_rn __float2bfloat16_rz __float2bfloat162_rn"
)
BINARY_F = _words(
    "atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf rhypotf __powf __fdividef fdividef"
    " __fadd_rn __fsub_rn __fmul_rn __fdiv_rn __floats2half2_rn __floats2bfloat162_rn"
)
UNARY_INT = {
    "__popc": ("int", "unsigned"),
    "__popcll": ("llong", "ullong", "ulong"),
    "__clz": ("int", "unsigned"),
    "__clzll": ("llong", "ullong"),
    "__ffs": ("int", "unsigned"),
    "__ffsll": ("llong", "ullong"),
    "__brev": ("int", "unsigned"),
    "__brevll": ("ullong",),
    "__int_as_float": ("int",),
    "__uint_as_float": ("unsigned",),
    "__longlong_as_double": ("llong",),
    "__double_as_longlong": ("double",),
    "__double2hiint": ("double",),
    "__double2loint": ("double",),
    "labs": ("long",),
    "llabs": ("llong",),
    "__ushort_as_half": ("ushort",),
    "__short_as_half": ("short",),
    "__ushort_as_bfloat16": ("ushort",),
    "__int2half_rn": ("int",),
    "__uint2half_rn": ("unsigned",),
    "__short2half_rn": ("short",),
    "__int2bfloat16_rn": ("int",),
    "__uint2bfloat16_rn": ("unsigned",),
    "__double2half": ("double",),
    "__double2bfloat16": ("double",),
    "__drcp_rn": ("double",),
    "__dsqrt_rn": ("double",),
}
MULTI_INT = _words(
    "__mulhi:int,int __umulhi:unsigned,unsigned __mul64hi:llong,llong __umul64hi:ullong,ullong __mul24:int,int"
    " __umul24:unsigned,unsigned __byte_perm:unsigned,unsigned,unsigned __funnelshift_l:unsigned,unsigned,unsigned"
    " __funnelshift_r:unsigned,unsigned,unsigned __funnelshift_lc:unsigned,unsigned,unsigned"
    " __funnelshift_rc:unsigned,unsigned,unsigned __sad:int,int,unsigned __usad:unsigned,unsigned,unsigned"
    " __hadd:int,int __uhadd:unsigned,unsigned __rhadd:int,int __urhadd:unsigned,unsigned __dp4a:int,int,int"
    " __dp4a:unsigned,unsigned,unsigned __hiloint2double:int,int __fmaf_rn:float,float,float fmaf:float,float,float"
    " __fma_rn:double,double,double __dadd_rn:double,double __dsub_rn:double,double __dmul_rn:double,double"
    " __ddiv_rn:double,double norm3df:float,float,float norm3d:double,double,double norm4df:float,float,float,float"
    " ldexpf:float,int scalbnf:float,int"
)
HALF_UNARY = _words(
    "hsqrt hrsqrt hrcp hexp hexp2 hexp10 hlog hlog2 hlog10 hsin hcos htanh hfloor hceil hrint htrunc __hneg __habs"
    " __hisnan __hisinf"
)
HALF_BINARY = _words(
    "__hadd __hsub __hmul __hdiv __hmax __hmin __hmax_nan __hmin_nan __hadd_sat __hsub_sat __hmul_sat __hadd_rn"
    " __hsub_rn __hmul_rn __heq __hne __hgt __hlt __hge __hle __hequ __hneu __hgtu __hltu __hgeu __hleu max min"
)
HALF2_UNARY = _words(
    "h2sqrt h2rsqrt h2rcp h2exp h2exp2 h2exp10 h2log h2log2 h2log10 h2sin h2cos h2floor h2ceil h2rint h2trunc __hneg2"
    " __habs2 __hisnan2 __low2float __high2float __lowhigh2highlow"
)
HALF2_BINARY = _words(
    "__hadd2 __hsub2 __hmul2 __h2div __hmax2 __hmin2 __hadd2_sat __hmul2_sat __heq2 __hne2 __hgt2 __hlt2 __hge2 __hle2"
    " __hbeq2 __hbne2 __hbgt2 __hblt2 __hbge2 __hble2 __lows2half2 __highs2half2"
)
HALF_SPECIFIC = _words(
    "__half2float:half __half2half2:half __halves2half2:half,half __low2half:half2 __high2half:half2"
    " __low2half2:half2 __high2half2:half2 __half22float2:half2 __float22half2_rn:float2 __half_as_ushort:half"
    " __half_as_short:half __half2int_rn:half __half2int_rz:half __half2int_rd:half __half2int_ru:half"
    " __half2uint_rn:half __half2short_rn:half __half2ll_rn:half make_half2:half,half __bfloat162float:bfloat16"
    " __bfloat162bfloat162:bfloat16 __halves2bfloat162:bfloat16,bfloat16 __low2bfloat16:bfloat162"
    " __high2bfloat16:bfloat162 __low2bfloat162:bfloat162 __high2bfloat162:bfloat162 __bfloat1622float2:bfloat162"
    " __float22bfloat162_rn:float2 __bfloat16_as_ushort:bfloat16 __bfloat162int_rn:bfloat16 __bfloat162int_rz:bfloat16"
    " make_bfloat162:bfloat16,bfloat16"
)
OPERATORS = ("+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=")
SHUFFLES = ("__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync")
SHUFFLED: tuple[str, ...] = ("int", "unsigned", "long", "ulong", "llong", "ullong", "float", "double", "half", "half2")
SHUFFLED += ("bfloat16", "bfloat162", "char", "short", "bool")


@dataclass(frozen=True)
class Call:
    """One question: the type of ``callee(arguments)``. Argument names of `TYPES`, a trailing * for a pointer."""

    callee: str
    arguments: tuple[str, ...]

    def expression(self, types: Sequence[str] = ()) -> str:
        """C++ text: a call, or an operator between its operands; ``types`` replaces the arguments' spellings."""
        values = [f"v<{kind}>()" for kind in (types or [spelled(argument) for argument in self.arguments])]
        if not self.callee.startswith("operator"):
            return f"{self.callee}({', '.join(values)})"
        symbol = self.callee.removeprefix("operator")
        return f"({symbol}{values[0]})" if len(values) == 1 else f"({values[0]} {symbol} {values[1]})"


def spelled(name: str) -> str:
    """C++ spelling of a type name of the table."""
    return TYPES[name[:-1]] + "*" if name.endswith("*") else TYPES[name]


def _listed(entries: list[str]) -> Iterator[Call]:
    for entry in entries:
        callee, _, arguments = entry.partition(":")
        yield Call(callee, tuple(arguments.split(",")))


def _math() -> Iterator[Call]:
    for prefix in ("", "std::"):
        for name in UNARY_STD:
            yield from (Call(prefix + name, (kind,)) for kind in ARITHMETIC)
        for name in BINARY_STD:
            yield from (Call(prefix + name, pair) for pair in product(BINARY, repeat=2))
        for name in ("min", "max"):
            kinds = BINARY if prefix == "" else ()
            yield from (Call(prefix + name, pair) for pair in product(kinds, repeat=2))
            yield from (Call(prefix + name, (kind, kind)) for kind in (ARITHMETIC if prefix else SMALL))
        yield from (Call(prefix + "fma", kinds) for kinds in product(("int", *FLOATS), repeat=3))
        for name in ("ldexp", "scalbn"):
            yield from (Call(prefix + name, (kind, "int")) for kind in ("int", *FLOATS))
    for name in UNARY_CUDA:
        yield from (Call(name, (kind,)) for kind in ("int", *FLOATS))
    yield from (Call(name, ("float",)) for name in UNARY_F)
    yield from (Call(name, (kind, "float")) for name in BINARY_F for kind in ("int", "float", "double"))
    yield from (Call(name, (kind,)) for name, kinds in UNARY_INT.items() for kind in kinds)
    yield from _listed(MULTI_INT)


def _conversions() -> Iterator[Call]:
    for rounding, source in product(("rn", "rz", "ru", "rd"), FLOATS):
        yield from (Call(f"__{source}2{kind}_{rounding}", (source,)) for kind in ("int", "uint", "ll", "ull"))
        for kind, argument in (("int", "int"), ("uint", "unsigned"), ("ll", "llong"), ("ull", "ullong")):
            if (kind, source) not in (("int", "double"), ("uint", "double")) or rounding == "rn":
                yield Call(f"__{kind}2{source}_{rounding}", (argument,))
    yield from (Call(f"__double2float_{rounding}", ("double",)) for rounding in ("rn", "rz", "ru", "rd"))


def _half() -> Iterator[Call]:
    for one, two in (("half", "half2"), ("bfloat16", "bfloat162")):
        yield from (Call(name, (one,)) for name in HALF_UNARY)
        yield from (Call(name, (one, one)) for name in HALF_BINARY)
        yield from (Call(name, (two,)) for name in HALF2_UNARY)
        yield from (Call(name, (two, two)) for name in HALF2_BINARY)
        yield from (Call("__hfma", (one,) * 3), Call("__hfma2", (two,) * 3), Call("__hfma_relu", (one,) * 3))
        for kind in (one, two):
            yield from (Call(f"operator{symbol}", (kind, kind)) for symbol in OPERATORS)
            yield from (Call("operator-", (kind,)), Call("operator+", (kind,)))
        for other in ("int", "float", "double"):
            yield from (Call(f"operator{symbol}", (one, other)) for symbol in ("+", "*", "<"))
            yield from (Call(f"operator{symbol}", (other, one)) for symbol in ("+", "*", "<"))
        yield from (Call(name, (one,)) for name in ("expf", "sqrtf", "fabsf", "tanhf"))
    yield from _listed(HALF_SPECIFIC)


def _warp_and_memory() -> Iterator[Call]:
    for name, kind in product(SHUFFLES, SHUFFLED):
        yield Call(name, ("unsigned", kind, "int"))
        yield Call(name, ("unsigned", kind, "int", "int"))
    yield from (Call(name, ("unsigned", "int")) for name in ("__ballot_sync", "__any_sync", "__all_sync"))
    yield from (Call("__match_any_sync", ("unsigned", kind)) for kind in (*WIDE, *FLOATS))
    for name in ("add", "min", "max", "and", "or", "xor"):
        yield from (Call(f"__reduce_{name}_sync", ("unsigned", kind)) for kind in ("int", "unsigned"))
    yield from (Call("__activemask", ()), Call("__syncthreads", ()), Call("__syncwarp", ()))
    yield from (Call(f"__syncthreads_{name}", ("int",)) for name in ("count", "and", "or"))
    yield from (Call(f"__threadfence{name}", ()) for name in ("", "_block", "_system"))
    for scope in ("", "_block", "_system"):
        for name in ("Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exch", "Inc", "Dec"):
            for kind in (*WIDE, *FLOATS, "half", "half2", "bfloat16", "bfloat162"):
                yield Call(f"atomic{name}{scope}", (kind + "*", kind))
            yield from (Call(f"atomic{name}{scope}", (kind + "*", "int")) for kind in ("unsigned", "ullong", "float"))
        yield from (Call(f"atomicCAS{scope}", (k + "*", k, k)) for k in ("ushort", "int", "unsigned", "ullong"))
    for name in ("__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"):
        yield from (Call(name, (kind + "*",)) for kind in (*WIDE, *FLOATS, "char", "uchar", "half", "half2", "float4"))
    for name in ("__stcg", "__stcs", "__stwb", "__stwt"):
        yield from (Call(name, (kind + "*", kind)) for kind in ("int", "float", "double", "float4", "half"))


def all_calls() -> list[Call]:
    """Every question once, in a stable order."""
    return list(dict.fromkeys([*_math(), *_conversions(), *_half(), *_warp_and_memory()]))
