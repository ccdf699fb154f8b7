"""Loads and stores with cache hints (``__ldg``, ``__stcs`` ...): ordinary accesses, the hint changes no value."""

from __future__ import annotations

from migrate.parse.build.values import Intrinsic, IntrinsicCall, Operand

_LOADS = ("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu")
_STORES = ("__stcg", "__stcs", "__stwb", "__stwt")


def _load(call: IntrinsicCall) -> Operand:
    return call.sink.load(call.args[0])


def _store(call: IntrinsicCall) -> Operand | None:
    call.sink.store(call.args[0], call.sink.value(call.args[1]))
    return None


TABLE: dict[str, Intrinsic] = dict.fromkeys(_LOADS, _load) | dict.fromkeys(_STORES, _store)
