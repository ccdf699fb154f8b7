"""Host facts about launches, read from the AST of a translation unit inside a parse worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clang import cindex

    from migrate.ir.launch import LaunchSite
    from migrate.parse.context import ParseContext


def slice_launches(unit: cindex.TranslationUnit, context: ParseContext) -> list[LaunchSite]:
    """Every kernel launch in the host code of ``unit``, sliced back to constants and named roots.

    One `LaunchSite` for each launch and each way to reach it from a function without callers (at most a few, equal ones
    merged). Sites whose kernel cannot be resolved are left out.
    """
    from migrate.parse.launches.sites import find_sites

    return find_sites(unit, context)
