"""The content-keyed cache: one folder, safe to delete at any time."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def cache_root() -> Path:
    """$TILELANG_MIGRATE_CACHE, else the user's cache folder. Created on demand."""
    configured = os.environ.get("TILELANG_MIGRATE_CACHE")
    base = (
        Path(configured)
        if configured
        else Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "tilelang-migrate"
    )
    base.mkdir(parents=True, exist_ok=True)
    return base


def key_of(*parts: bytes | str) -> str:
    """Hex sha256 over length-prefixed parts (so that no two part lists collide)."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def read_entry(kind: str, key: str) -> bytes | None:
    """The stored bytes, or None."""
    path = cache_root() / kind / key[:2] / key
    try:
        return path.read_bytes()
    except OSError:
        return None


def write_entry(kind: str, key: str, data: bytes) -> None:
    """Stores ``data`` atomically."""
    folder = cache_root() / kind / key[:2]
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    os.replace(name, folder / key)
