"""Instructions with what they mean, written a second time: Python integers, numpy floats and exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import ml_dtypes
import numpy as np

Bits = int
NAN = {16: 0x7FFF, 32: 0x7FFFFFFF, 64: 0x7FF8000000000000}
FLOATS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
WIDTH = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16}


@dataclass(frozen=True)
class One:
    """``text`` with ``{d}``, ``{a}``, ``{b}``, ``{c}``; ``types`` of destination and operands; ``meaning`` on bits."""

    text: str
    types: str
    meaning: Callable[..., int]

    @property
    def kinds(self) -> list[str]:
        return self.types.split()


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def real(bits: int, kind: str) -> float:
    return float(np.array([bits], f"uint{WIDTH[kind]}").view(FLOATS[kind])[0])


def encoded(value: float, kind: str) -> int:
    """A double that the type holds exactly (or NaN) as bits."""
    if math.isnan(value):
        return NAN[WIDTH[kind]]
    with np.errstate(all="ignore"):
        return int(np.array([value], FLOATS[kind]).view(f"uint{WIDTH[kind]}")[0])


_FORMAT = {"f16": (10, -14, 15), "bf16": (7, -126, 127), "f32": (23, -126, 127), "f64": (52, -1022, 1023)}


def _exponent(size: Fraction) -> int:
    """The power of two at or below a positive number."""
    e = size.numerator.bit_length() - size.denominator.bit_length()
    return e if size >= Fraction(2) ** e else e - 1


def rounded(value: Fraction, kind: str, mode: str = "rn", negative_zero: bool = False) -> int:
    """An exact value rounded once, by integer arithmetic alone."""
    digits, lowest, highest = _FORMAT[kind]
    top = 1 << (WIDTH[kind] - 1)
    if value == 0:
        return top if negative_zero else 0
    negative, size = value < 0, abs(value)
    exponent = max(_exponent(size), lowest)
    unit = Fraction(2) ** (exponent - digits)
    whole, rest = divmod(size / unit, 1)
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        "rz": False,
        "rm": negative and rest > 0,
        "rp": not negative and rest > 0,
    }[mode]
    whole = int(whole) + up
    result = Fraction(whole) * unit
    sign = top if negative else 0
    if result >= Fraction(2) ** (highest + 1):
        infinite = mode == "rn" or (mode == "rp" and not negative) or (mode == "rm" and negative)
        largest = ((highest - lowest + 1) << digits) | ((1 << digits) - 1)
        return sign | (largest + 1 if infinite else largest)
    if result < Fraction(2) ** lowest:
        return sign | int(result / (Fraction(2) ** (lowest - digits)))
    exponent = _exponent(result)
    mantissa = int(result / (Fraction(2) ** (exponent - digits)))
    return sign | ((exponent - lowest + 1) << digits) + (mantissa - (1 << digits))


def arithmetic(kind: str, mode: str, operation: str) -> Callable[..., int]:
    """+, -, *, / and a * b + c of floats: special values by IEEE 754, the rest exact and then rounded once."""

    def meaning(*operands: int) -> int:
        values = [real(o, kind) for o in operands]
        with np.errstate(all="ignore"):
            v = [np.float64(x) for x in values]
            rough = {
                "add": lambda: v[0] + v[1],
                "sub": lambda: v[0] - v[1],
                "mul": lambda: v[0] * v[1],
                "div": lambda: v[0] / v[1],
                "fma": lambda: _special_fma(*values),
            }[operation]()
        if math.isnan(rough):
            return NAN[WIDTH[kind]]
        if not all(math.isfinite(x) for x in values):
            return encoded(float(rough), kind)
        exact = [Fraction(x) for x in values]
        if operation == "div":
            if exact[1] == 0:
                return encoded(float(rough), kind)
            result, zero_sign = exact[0] / exact[1], math.copysign(1, values[0]) * math.copysign(1, values[1]) < 0
        elif operation == "mul":
            result, zero_sign = exact[0] * exact[1], math.copysign(1, values[0]) * math.copysign(1, values[1]) < 0
        else:
            if operation == "fma":
                product, negative = exact[0] * exact[1], math.copysign(1, values[0]) * math.copysign(1, values[1]) < 0
                other, other_sign = exact[2], math.copysign(1, values[2]) < 0
            else:
                product, negative = exact[0], math.copysign(1, values[0]) < 0
                other = -exact[1] if operation == "sub" else exact[1]
                other_sign = (math.copysign(1, values[1]) < 0) != (operation == "sub")
            result = product + other
            if product == 0 and other == 0 and negative == other_sign:
                zero_sign = negative
            else:
                zero_sign = mode == "rm"
        return rounded(result, kind, mode, zero_sign)

    return meaning


def _special_fma(a: float, b: float, c: float) -> float:
    product = np.float64(a) * np.float64(b)
    if math.isfinite(a) and math.isfinite(b):
        return c if not math.isfinite(c) else 0.0
    return float(product + np.float64(c))


def extreme(kind: str, larger: bool) -> Callable[[int, int], int]:
    def meaning(a: int, b: int) -> int:
        x, y = real(a, kind), real(b, kind)
        if math.isnan(x) or math.isnan(y):
            return NAN[WIDTH[kind]] if math.isnan(x) and math.isnan(y) else b if math.isnan(x) else a
        order = (x, -(a >> (WIDTH[kind] - 1))), (y, -(b >> (WIDTH[kind] - 1)))
        return (a if order[0] >= order[1] else b) if larger else (a if order[0] <= order[1] else b)

    return meaning


def to_integer(kind: str, bits: int, is_signed: bool, how: str) -> Callable[[int], int]:
    def meaning(a: int) -> int:
        x = real(a, kind)
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
        if math.isnan(x):
            return (1 << (bits - 1)) if bits == 64 or kind == "f64" else 0
        if math.isinf(x):
            return (high if x > 0 else low) & ((1 << bits) - 1)
        f = Fraction(x)
        whole = {
            "rzi": math.trunc(f),
            "rmi": math.floor(f),
            "rpi": math.ceil(f),
            "rni": round(f),
        }[how]
        return min(max(whole, low), high) & ((1 << bits) - 1)

    return meaning


def between(source: str, to: str, mode: str) -> Callable[[int], int]:
    def meaning(a: int) -> int:
        x = real(a, source)
        if not math.isfinite(x):
            return encoded(x, to)
        return rounded(Fraction(x), to, mode, math.copysign(1, x) < 0)

    return meaning


def from_integer(to: str, bits: int, is_signed: bool, mode: str) -> Callable[[int], int]:
    return lambda a: rounded(Fraction(signed(a, bits) if is_signed else a & ((1 << bits) - 1)), to, mode)


def compared(kind: str, relation: str) -> Callable[[int, int], int]:
    def meaning(a: int, b: int) -> int:
        if kind in WIDTH:
            x, y = real(a, kind), real(b, kind)
            unordered = math.isnan(x) or math.isnan(y)
        else:
            bits = int(kind[1:])
            x, y = (signed(a, bits), signed(b, bits)) if kind[0] == "s" else (a, b)
            unordered = False
        name = relation.removesuffix("u") if kind in WIDTH and relation not in ("num", "nan") else relation
        if name in ("num", "nan"):
            return int(unordered == (name == "nan"))
        holds = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[name]
        if unordered:
            return int(relation.endswith("u"))
        return int(holds)

    return meaning


def extracted(bits: int, is_signed: bool) -> Callable[[int, int, int], int]:
    def meaning(a: int, b: int, c: int) -> int:
        first, count, top = b & 255, c & 255, bits - 1
        fill = (a >> min(first + count - 1, top)) & 1 if is_signed and count else 0
        return sum(((a >> (first + i)) & 1 if i < count and first + i <= top else fill) << i for i in range(bits))

    return meaning


def inserted(bits: int) -> Callable[[int, int, int, int], int]:
    def meaning(a: int, b: int, c: int, d: int) -> int:
        first, count = c & 255, d & 255
        for i in range(count):
            if first + i < bits:
                b = (b & ~(1 << (first + i))) | (((a >> i) & 1) << (first + i))
        return b

    return meaning


def found_bit(bits: int, is_signed: bool, amount: bool) -> Callable[[int], int]:
    def meaning(a: int) -> int:
        if is_signed and a >> (bits - 1):
            a = ~a & ((1 << bits) - 1)
        if not a:
            return 0xFFFFFFFF
        return bits - a.bit_length() if amount else a.bit_length() - 1

    return meaning


def permuted(a: int, b: int, c: int) -> int:
    source = (b << 32 | a).to_bytes(8, "little")
    out = []
    for i in range(4):
        pick = (c >> (4 * i)) & 15
        byte = source[pick & 7]
        out.append((255 if byte & 128 else 0) if pick & 8 else byte)
    return int.from_bytes(bytes(out), "little")


def halves(kind: str, meaning: Callable[..., int]) -> Callable[..., int]:
    return lambda *o: meaning(*(x & 0xFFFF for x in o)) | meaning(*(x >> 16 for x in o)) << 16


def clipped(value: int, bits: int, is_signed: bool = True) -> int:
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(value, low), high)


def _table() -> list[One]:
    found: list[One] = []

    def add(text: str, types: str, meaning: Callable[..., int]) -> None:
        found.append(One(text, types, meaning))

    for bits in (16, 32, 64):
        for letter in "us":
            t, s = f"{letter}{bits}", letter == "s"

            def n(v: int, bits: int = bits, s: bool = s) -> int:
                return signed(v, bits) if s else v

            add(f"add.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b: a + b)
            add(f"sub.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b: a - b)
            add(f"mul.lo.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b: a * b)
            add(f"mul.hi.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b, n=n, w=bits: n(a) * n(b) >> w)
            add(f"mad.lo.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"{t} {t} {t} {t}", lambda a, b, c: a * b + c)
            add(f"min.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b, n=n: min(n(a), n(b)))
            add(f"max.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} {t}", lambda a, b, n=n: max(n(a), n(b)))
            add(f"sad.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"{t} {t} {t} {t}", lambda a, b, c, n=n: c + abs(n(a) - n(b)))
            add(
                f"shr.{t} {{d}}, {{a}}, {{b}};", f"{t} {t} u32",
                lambda a, b, n=n, w=bits: n(a) >> min(b, w),
            )  # fmt: skip
            for relation in ("eq", "ne", "lt", "le", "gt", "ge"):
                add(f"setp.{relation}.{t} {{d}}, {{a}}, {{b}};", f"pred {t} {t}", compared(t, relation))
            if bits < 64:
                wide = f"{letter}{2 * bits}"
                add(f"mul.wide.{t} {{d}}, {{a}}, {{b}};", f"{wide} {t} {t}", lambda a, b, n=n: n(a) * n(b))
                add(
                    f"mad.wide.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"{wide} {t} {t} {wide}",
                    lambda a, b, c, n=n: n(a) * n(b) + c,
                )  # fmt: skip
            if bits > 16:
                add(f"bfe.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"{t} {t} u32 u32", extracted(bits, s))
                add(f"bfind.{t} {{d}}, {{a}};", f"u32 {t}", found_bit(bits, s, False))
                add(f"bfind.shiftamt.{t} {{d}}, {{a}};", f"u32 {t}", found_bit(bits, s, True))
            for to_bits in (16, 32, 64):
                to = f"{letter}{to_bits}"
                add(f"cvt.{to}.{t} {{d}}, {{a}};", f"{to} {t}", lambda a, n=n: n(a))
                if to_bits < bits:
                    add(
                        f"cvt.sat.{to}.{t} {{d}}, {{a}};", f"{to} {t}",
                        lambda a, n=n, w=to_bits, s=s: clipped(n(a), w, s),
                    )  # fmt: skip
            for to in ("f16", "f32", "f64"):
                for mode in ("rn", "rz", "rm", "rp"):
                    add(f"cvt.{mode}.{to}.{t} {{d}}, {{a}};", f"{to} {t}", from_integer(to, bits, s, mode))
        b = f"b{bits}"
        add(f"and.{b} {{d}}, {{a}}, {{b}};", f"{b} {b} {b}", lambda a, b: a & b)
        add(f"xor.{b} {{d}}, {{a}}, {{b}};", f"{b} {b} {b}", lambda a, b: a ^ b)
        add(f"not.{b} {{d}}, {{a}};", f"{b} {b}", lambda a: ~a)
        add(f"cnot.{b} {{d}}, {{a}};", f"{b} {b}", lambda a: int(a == 0))
        add(f"shl.{b} {{d}}, {{a}}, {{b}};", f"{b} {b} u32", lambda a, b: a << min(b, 64))
        add(f"neg.s{bits} {{d}}, {{a}};", f"s{bits} s{bits}", lambda a: -a)
        add(f"abs.s{bits} {{d}}, {{a}};", f"s{bits} s{bits}", lambda a, w=bits: abs(signed(a, w)))
        if bits > 16:
            add(f"popc.{b} {{d}}, {{a}};", f"u32 {b}", lambda a: a.bit_count())
            add(f"clz.{b} {{d}}, {{a}};", f"u32 {b}", lambda a, w=bits: w - a.bit_length())
            add(f"brev.{b} {{d}}, {{a}};", f"{b} {b}", lambda a, w=bits: int(f"{a:0{w}b}"[::-1], 2))
            add(
                f"bfi.{b} {{d}}, {{a}}, {{b}}, {{c}}, 7;",
                f"{b} {b} {b} u32",
                lambda a, b, c, w=bits: inserted(w)(a, b, c, 7),
            )
    add("add.sat.s32 {d}, {a}, {b};", "s32 s32 s32", lambda a, b: clipped(signed(a, 32) + signed(b, 32), 32))
    add("sub.sat.s32 {d}, {a}, {b};", "s32 s32 s32", lambda a, b: clipped(signed(a, 32) - signed(b, 32), 32))
    add("mul24.lo.s32 {d}, {a}, {b};", "s32 s32 s32", lambda a, b: signed(a, 24) * signed(b, 24))
    add("mul24.lo.u32 {d}, {a}, {b};", "u32 u32 u32", lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF))
    add("mul24.hi.s32 {d}, {a}, {b};", "s32 s32 s32", lambda a, b: signed(a, 24) * signed(b, 24) >> 16)
    add("mad24.lo.u32 {d}, {a}, {b}, {c};", "u32 u32 u32 u32", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c)
    add("prmt.b32 {d}, {a}, {b}, {c};", "b32 b32 b32 b32", permuted)
    add("shf.l.wrap.b32 {d}, {a}, {b}, {c};", "b32 b32 b32 u32", lambda a, b, c: ((b << 32 | a) << (c & 31)) >> 32)
    add("shf.r.wrap.b32 {d}, {a}, {b}, {c};", "b32 b32 b32 u32", lambda a, b, c: (b << 32 | a) >> (c & 31))
    add("shf.l.clamp.b32 {d}, {a}, {b}, {c};", "b32 b32 b32 u32", lambda a, b, c: ((b << 32 | a) << min(c, 32)) >> 32)
    add("shf.r.clamp.b32 {d}, {a}, {b}, {c};", "b32 b32 b32 u32", lambda a, b, c: (b << 32 | a) >> min(c, 32))
    add("lop3.b32 {d}, {a}, {b}, {c}, 0x96;", "b32 b32 b32 b32", lambda a, b, c: a ^ b ^ c)
    add("lop3.b32 {d}, {a}, {b}, {c}, 0xca;", "b32 b32 b32 b32", lambda a, b, c: (a & b) | (~a & c))
    add(
        "dp4a.s32.s32 {d}, {a}, {b}, {c};", "s32 b32 b32 s32",
        lambda a, b, c: c + sum(signed(a >> 8 * i, 8) * signed(b >> 8 * i, 8) for i in range(4)),
    )  # fmt: skip
    add(
        "dp2a.hi.s32.u32 {d}, {a}, {b}, {c};", "s32 b32 b32 s32",
        lambda a, b, c: c + sum(signed(a >> 16 * i, 16) * (b >> (16 + 8 * i) & 255) for i in range(2)),
    )  # fmt: skip
    add("slct.b32.s32 {d}, {a}, {b}, {c};", "b32 b32 b32 s32", lambda a, b, c: a if signed(c, 32) >= 0 else b)
    for kind in ("f32", "f64"):
        for mode in ("rn", "rz", "rm", "rp"):
            for operation in ("add", "sub", "mul", "div"):
                add(
                    f"{operation}.{mode}.{kind} {{d}}, {{a}}, {{b}};",
                    f"{kind} {kind} {kind}",
                    arithmetic(kind, mode, operation),
                )
            add(
                f"fma.{mode}.{kind} {{d}}, {{a}}, {{b}}, {{c}};",
                f"{kind} {kind} {kind} {kind}",
                arithmetic(kind, mode, "fma"),
            )
        for how in ("rni", "rzi", "rmi", "rpi"):
            for letter in "us":
                for bits in (32, 64):
                    add(
                        f"cvt.{how}.{letter}{bits}.{kind} {{d}}, {{a}};", f"{letter}{bits} {kind}",
                        to_integer(kind, bits, letter == "s", how),
                    )  # fmt: skip
        for relation in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            add(f"setp.{relation}.{kind} {{d}}, {{a}}, {{b}};", f"pred {kind} {kind}", compared(kind, relation))
        add(f"min.{kind} {{d}}, {{a}}, {{b}};", f"{kind} {kind} {kind}", extreme(kind, False))
        add(f"max.{kind} {{d}}, {{a}}, {{b}};", f"{kind} {kind} {kind}", extreme(kind, True))
        add(
            f"copysign.{kind} {{d}}, {{a}}, {{b}};", f"{kind} {kind} {kind}",
            lambda a, b, w=WIDTH[kind]: (a & (1 << (w - 1))) | (b & ((1 << (w - 1)) - 1)),
        )  # fmt: skip
    for kind in ("f16", "bf16"):
        pair = f"{kind}x2"
        for operation in ("add", "sub", "mul") if kind == "f16" else ():
            meaning = arithmetic(kind, "rn", operation)
            add(f"{operation}.rn.{kind} {{d}}, {{a}}, {{b}};", f"{kind} {kind} {kind}", meaning)
            add(f"{operation}.rn.{pair} {{d}}, {{a}}, {{b}};", "b32 b32 b32", halves(kind, meaning))
        fused = arithmetic(kind, "rn", "fma")
        add(f"fma.rn.{kind} {{d}}, {{a}}, {{b}}, {{c}};", f"{kind} {kind} {kind} {kind}", fused)
        add(f"fma.rn.{pair} {{d}}, {{a}}, {{b}}, {{c}};", "b32 b32 b32 b32", halves(kind, fused))
        add(f"min.{kind} {{d}}, {{a}}, {{b}};", f"{kind} {kind} {kind}", extreme(kind, False))
        add(f"max.{pair} {{d}}, {{a}}, {{b}};", "b32 b32 b32", halves(kind, extreme(kind, True)))
        for mode in ("rn", "rz"):
            add(f"cvt.{mode}.{kind}.f32 {{d}}, {{a}};", f"{kind} f32", between("f32", kind, mode))
        add(
            f"cvt.rn.{pair}.f32 {{d}}, {{a}}, {{b}};", "b32 f32 f32",
            lambda a, b, k=kind: between("f32", k, "rn")(a) << 16 | between("f32", k, "rn")(b),
        )  # fmt: skip
    for mode in ("rn", "rz", "rm", "rp"):
        add(f"cvt.{mode}.f32.f64 {{d}}, {{a}};", "f32 f64", between("f64", "f32", mode))
    add("cvt.rn.f16.f64 {d}, {a};", "f16 f64", between("f64", "f16", "rn"))
    add("cvt.f32.f16 {d}, {a};", "f32 f16", between("f16", "f32", "rn"))
    add("cvt.f64.f32 {d}, {a};", "f64 f32", between("f32", "f64", "rn"))
    for how in ("rni", "rzi", "rmi", "rpi"):
        add(f"cvt.{how}.f32.f32 {{d}}, {{a}};", "f32 f32", _integral(how))
    add("cvt.rzi.s32.f16 {d}, {a};", "s32 f16", to_integer("f16", 32, True, "rzi"))
    add("cvt.rni.u8.f32 {d}, {a};", "u32 f32", to_integer("f32", 8, False, "rni"))
    add(
        "cvt.sat.f32.f32 {d}, {a};",
        "f32 f32",
        lambda a: encoded(min(max(real(a, "f32"), 0.0), 1.0), "f32") if real(a, "f32") > 0 else 0,
    )
    return found


def _integral(how: str) -> Callable[[int], int]:
    def meaning(a: int) -> int:
        x = real(a, "f32")
        if not math.isfinite(x):
            return encoded(x, "f32")
        whole = {"rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil, "rni": round}[how](Fraction(x))
        return rounded(Fraction(whole), "f32", "rn", math.copysign(1, x) < 0)

    return meaning


INSTRUCTIONS = _table()
