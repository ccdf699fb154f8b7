"""Textures that a launching function gets as parameters from other files: asks the callers, then reads again.

A caller may lie in a file without any CUDA, so all sources below the root are searched for the function's name. The
answer counts only if every place that names it was understood and all of them pass the same.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from migrate.ir.launch import HostParameter, TextureFact
from migrate.parse.results import AskedFunction, FileResult, ParseOptions, PassedTexture
from migrate.parse.session import parse_repository
from migrate.parse.sources import HEADER_SUFFIXES, UnreadableSource, header_files, read_source
from migrate.parse.strip import strip_comments_and_literals

_OBJECT = "cudaTextureObject_t"
_FORMAT = "cudaChannelFormatDesc"
_FORMATS = re.compile(rf"\b{_FORMAT}\s+(\w+)\s*=")
_INCLUDES = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)", re.MULTILINE)


def with_callers_asked(root: Path, results: Sequence[FileResult], options: ParseOptions) -> list[FileResult]:
    """``results``, with files read again whose launches use textures that callers in other files create."""
    waiting = {result.path: found for result in results if (found := set(_awaited(result)))}
    if not waiting:
        return list(results)
    names = {parameter.function for found in waiting.values() for parameter in found}
    texts = dict(_texts(root, names))
    own = {r.path: {r.path, *r.included} for r in results if r.path in waiting}
    given: dict[str, tuple[PassedTexture, ...]] = {}
    asked = _ask(root, [path for path in texts if any(path not in files for files in own.values())], names, options)
    for path, parameters in waiting.items():
        others = {name: text for name, text in texts.items() if name not in own[path]}
        answers = [_told(root, own[path], one, others, asked) for one in parameters]
        if any(answers):
            settled = _settled(root, own[path])
            passed = (replace(one, settled=settled) for one in answers if one is not None)
            given[path] = tuple(sorted(passed, key=repr))
    again: dict[str, FileResult] = {}
    for told in set(given.values()) - {()}:
        files = [root / path for path, one in given.items() if one == told]
        again.update((result.path, result) for result in parse_repository(root, files, replace(options, given=told)))
    return [again.get(result.path, result) for result in results]


def _settled(root: Path, own: set[str]) -> tuple[str, ...]:
    """Variables of ``own`` that hold a channel format from the start and that no other file can name."""
    names = {found for name in own for found in _FORMATS.findall(_raw(root, name))}
    return tuple(sorted(name for name in names if _only_here(root, own, name, set(), _FORMAT)))


def _awaited(result: FileResult) -> Iterator[HostParameter]:
    for site in result.launches:
        for argument in site.args:
            if isinstance(argument, TextureFact) and argument.awaits is not None:
                yield argument.awaits


def _texts(root: Path, names: set[str]) -> Iterator[tuple[str, str]]:
    """Sources below the root that mention one of ``names``, without comments and literals."""
    wanted = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, names))) + r")\b")
    for name in header_files(root):
        try:
            text = read_source(root / name, name).text
        except UnreadableSource:
            continue
        if wanted.search(text) and wanted.search(text := strip_comments_and_literals(text)):
            yield name, text


def _ask(
    root: Path, files: Sequence[str], names: set[str], options: ParseOptions
) -> dict[str, dict[str, AskedFunction]]:
    found: dict[str, dict[str, AskedFunction]] = defaultdict(dict)
    # One by one: a header is read here even where another file includes it.
    for name in files:
        for result in parse_repository(root, [root / name], replace(options, asked=tuple(sorted(names)))):
            found[result.path] = {one.name: one for one in result.asked}
    return found


def _told(
    root: Path,
    own: set[str],
    parameter: HostParameter,
    texts: dict[str, str],
    asked: dict[str, dict[str, AskedFunction]],
) -> PassedTexture | None:
    """What all callers pass, or None."""
    passed: set[PassedTexture] = set()
    callers: set[str] = set()
    word = re.compile(rf"\b{re.escape(parameter.function)}\b")
    for name, text in texts.items():
        count = len(word.findall(text))
        if not count:
            continue
        report = asked[name].get(parameter.function)
        if report is None or report.mentions != count or parameter.signature in report.defined:
            return None
        found = {_kept(one) for one in report.passed if one.parameter == parameter}
        passed |= found
        callers |= {name} if found else set()
    if len(passed) != 1:
        return None
    (one,) = passed
    if one.variable:
        return one if _only_here(root, own, one.variable, callers, _OBJECT) else None
    return None if one.fact.missing or one.fact.resource != "array" else one


def _kept(passed: PassedTexture) -> PassedTexture:
    """Without what is named in the caller's words: its array and its sizes."""
    if passed.variable:
        return replace(passed, fact=TextureFact())
    return replace(passed, fact=replace(passed.fact, allocation="", extents=(None, None, None)))


def _only_here(root: Path, own: set[str], variable: str, understood: set[str], c_type: str) -> bool:
    """Whether no file can set the global ``variable`` but ``own`` and the callers that were ``understood``.

    Another file can if it names it and its type, or includes a header that names it.
    """
    mentions = [(name, text) for name, text in _texts(root, {variable}) if name not in understood]
    headers = _including(root, {os.path.basename(name) for name, _ in mentions if _is_header(name)})
    for name, text in mentions:
        if name in own:
            continue
        seen = {os.path.basename(one) for one in _INCLUDES.findall(_raw(root, name))}
        if re.search(rf"\b{c_type}\b", text) or seen & headers or os.path.basename(name) in headers:
            return False
    return True


def _is_header(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in HEADER_SUFFIXES


def _including(root: Path, names: set[str]) -> set[str]:
    """``names`` and the names of all headers that include one of them, on whatever way."""
    included: dict[str, set[str]] = defaultdict(set)
    for name in header_files(root):
        if _is_header(name):
            found = map(os.path.basename, _INCLUDES.findall(_raw(root, name)))
            included[os.path.basename(name)].update(found)
    reached: set[str] = set()
    pending = set(names)
    while pending:
        reached |= pending
        pending = {name for name, inner in included.items() if inner & pending} - reached
    return reached


def _raw(root: Path, name: str) -> str:
    try:
        return read_source(root / name, name).text
    except UnreadableSource:
        return ""
