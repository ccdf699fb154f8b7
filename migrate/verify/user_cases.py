"""Cases that users bring: a folder with case.json and case.bin, run like generated ones."""

from __future__ import annotations

import shutil
from pathlib import Path

from migrate.verify.case import Case
from migrate.verify.generator import Recipe
from migrate.verify.setting import ArgumentSetting, PointerSetting, ScalarSetting, Setting
from migrate.verify.trial import Accepted, Dropped, OracleSession, accept_case


def try_user_case(session: OracleSession, folder: Path) -> Accepted | Dropped:
    """Runs the case in ``folder`` as it is: sizes and data are the user's, so nothing is cured."""
    try:
        case = Case.from_json((folder / "case.json").read_text(encoding="utf-8"))
        data = (folder / "case.bin").read_bytes()
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Dropped("unreadable case", f"{folder}: {error}")
    if len(data) != case.total_bytes:
        return Dropped(
            "unreadable case", f"{folder}: case.bin has {len(data)} bytes, case.json says {case.total_bytes}"
        )
    place = session.scratch / f"user{session.serial}"
    session.serial += 1
    place.mkdir(parents=True)
    for name in ("case.json", "case.bin"):
        shutil.copyfile(folder / name, place / name)
    return accept_case(session, Recipe(_setting(case), "ordinary", case.seed, 0), case, place, data)


def _setting(case: Case) -> Setting:
    dtypes = {root.name: root for root in case.roots}
    arguments: list[ArgumentSetting] = []
    for position, argument in enumerate(case.arguments):
        if argument.root is None:
            arguments.append(ScalarSetting(position, bytes.fromhex(argument.raw or "")))
        else:
            root = dtypes[argument.root]
            arguments.append(
                PointerSetting(position, root.name, root.dtype, argument.offset, root.bytes, texture=argument.texture)
            )
    return Setting(case.label, case.grid, case.block, case.shared_bytes, tuple(arguments), stated=True)
