"""What a run reports: events that upstream's semantics tolerate, and errors."""

from __future__ import annotations

from dataclasses import dataclass

from tilelang_runtime.ir.nodes import Span, TileLangError


@dataclass(frozen=True)
class Event:
    """Something that happened ``count`` times at a place.

    kind: out_of_range (a guarded access of an argument: loads gave 0, stores were dropped), inactive_lane (a shuffle
    read a lane that does not take part), barrier_divergence (threads met at different barriers). From the checked
    engine also uninitialised_read and race (``what`` says with which place); out_of_range then includes shared and
    local memory.
    ``first``: indices of the first one (for lanes: lane, source lane).
    """

    kind: str
    span: Span
    what: str
    count: int
    first: tuple[int, ...]


class RunError(TileLangError):
    """A run ended early: out of range, deadlock, division by zero, failed assertion. Outputs are undefined."""

    def __init__(self, message: str, span: Span, kind: int = 0):
        super().__init__(message)
        self.span = span
        self.kind = kind
