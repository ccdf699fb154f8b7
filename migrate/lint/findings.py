"""What a pattern gives back."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class LintFinding:
    """Where, and a person's sentence about this very place."""

    node: ast.AST
    message: str
