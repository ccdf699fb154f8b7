"""Where a library keeps its function-level statics: the static ``__shared__`` variables of a kernel."""

from __future__ import annotations

import struct
from pathlib import Path

_SYMTAB, _NOBITS = 2, 8


def local_statics(library: Path) -> list[tuple[str, int, int]]:
    """(mangled name, address, bytes) of every zero-initialised variable declared inside a function.

    ``__shared__`` variables cannot have initialisers, so they are among these; constant tables are not.
    """
    data = library.read_bytes()
    if data[:4] != b"\x7fELF" or data[4] != 2:
        return []
    sections_at: int = struct.unpack_from("<Q", data, 0x28)[0]
    entry_size, count = struct.unpack_from("<HH", data, 0x3A)
    # Each: name, type, flags, address, offset, size, link, info, align, entry size.
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, sections_at + i * entry_size) for i in range(count)]
    zeroed = {i for i, s in enumerate(sections) if s[1] == _NOBITS}
    found = []
    for section in sections:
        if section[1] != _SYMTAB:
            continue
        names_at = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            name_offset, info, _other, index, address, size = struct.unpack_from("<IBBHQQ", data, at)
            if info & 15 != 1 or index not in zeroed or not size:
                continue
            start = names_at + name_offset
            name = data[start : data.index(b"\0", start)].decode("utf-8", "replace")
            if name.startswith("_ZZ"):
                found.append((name, address, size))
    return found
