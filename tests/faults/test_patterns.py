"""No regular expression takes time that grows faster than its input, whatever the input is.

Every compiled pattern of `kg` and `extractors` is found by walking their modules, and runs as its module runs
it (search or match) over long runs of what makes patterns go back.
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIECES = [
    *" \n()[]{<aA1./\\$-,\"':_*#&%@|=`~",
    *("a ", "A b ", "a-", "a.", "$a", "\\a", "{a", "a/", "ab, ", "<a ", "(a", ". ", "http://", " \n", "and "),
]
#: Patterns that are slow on long inputs, and what they get.
SHORT_INPUTS = {"extractors.sentences": {"_LAST_WORD": "thirty characters"}}
_USES = "search|sub|subn|finditer|findall|split|match|fullmatch"
_ANCHORED = {"match", "fullmatch"}
#: Characters of the short run and of the long one; seconds from which a long run is judged.
_SHORT, _LONG, _SECONDS = 5_000, 20_000, 0.1
#: Four times the characters may take so many times as long.
_GROWTH = 8.0


def modules() -> Iterator[str]:
    for package in ("kg", "extractors"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            if not name.endswith("__main__"):
                yield name.removesuffix(".__init__")


def patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value of a module: itself, or in a table, a list or an object of ours."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, dict):
        for item in value.values():
            yield from patterns(item, depth + 1)
    elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from patterns(item, depth + 1)


def named_patterns(module: str) -> dict[tuple[str, str], tuple[re.Pattern[Any], bool]]:
    """The patterns of a module by its own name for them, and whether it only ever matches at a beginning."""
    loaded = importlib.import_module(module)
    source = Path(str(loaded.__file__)).read_text(encoding="utf-8")
    found = {}
    for name, value in vars(loaded).items():
        uses = set(re.findall(rf"\b{re.escape(name)}\.({_USES})\b", source))
        for pattern in patterns(value):
            found[name, str(pattern.pattern)] = pattern, bool(uses) and uses <= _ANCHORED
    return found


def seconds(pattern: re.Pattern[Any], piece: str, length: int, *, anchored: bool) -> float:
    text: Any = piece * (length // len(piece)) + "!"
    text = text if isinstance(pattern.pattern, str) else text.encode()
    start = time.process_time()
    if anchored:
        pattern.match(text)
    else:
        for _ in pattern.finditer(text):
            pass
    return time.process_time() - start


def slow(pattern: re.Pattern[Any], *, anchored: bool) -> list[str]:
    """The pieces whose long runs take more than their share."""
    found = []
    for piece in PIECES:
        short = seconds(pattern, piece, _SHORT, anchored=anchored)
        if short * _GROWTH < _SECONDS / 4:
            continue
        long = seconds(pattern, piece, _LONG, anchored=anchored)
        if long > max(_SECONDS, _GROWTH * short):
            found.append(piece)
    return found


def test_what_is_quadratic_is_seen() -> None:
    assert slow(re.compile(r"\s+$"), anchored=False) == [" ", "\n", " \n"]
    assert slow(re.compile(r"\s+$"), anchored=True) == []


@pytest.mark.parametrize("module", list(modules()))
def test_patterns_take_linear_time(module: str) -> None:
    found = {
        name: pieces
        for (name, _), (pattern, anchored) in named_patterns(module).items()
        if name not in SHORT_INPUTS.get(module, ()) and (pieces := slow(pattern, anchored=anchored))
    }
    assert found == {}
