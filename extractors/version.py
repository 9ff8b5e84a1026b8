"""Which extractor this is: a name that changes with every change of its code or its weights.

Extractions are kept under this name (`kg.cache`) and carry it, so that what another extractor read is never
taken for this one's. It is found without loading the extractor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import orjson

from kg.errors import ModelError

__all__ = ["extractor_version", "model_path"]

_ROOT = Path(__file__).resolve().parents[1]
#: What the extractor's own modules use of the rest.
_SHARED = ("kg/english.py", "kg/folding.py", "kg/schema.py")
_DIGITS = 10


def model_path() -> Path:
    """The folder of the shipped weights."""
    return Path(str(files("extractors") / "models"))


@lru_cache(maxsize=4)
def extractor_version(weights: Path | None = None) -> str:
    """The version of the extractor with the weights of a folder (by default the shipped ones).

    It is the version that the weights' card states, `+`, and the beginning of a hash over source files and
    weights: equal files give equal versions on every machine.

    Raises:
        ModelError: the weights are missing or their card is damaged.
    """
    folder = weights or model_path()
    try:
        stated = orjson.loads((folder / "card.json").read_bytes())["version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"the extractor's weights in {folder} cannot be read: {error}", hint="install paperkg again"
        ) from error
    sources = [*(_ROOT / "extractors").glob("*.py"), *(_ROOT / name for name in _SHARED)]
    parts = [_digest(_ROOT, sources, text=True), _digest(folder, folder.rglob("*"), text=False)]
    return f"{stated}+{hashlib.blake2b(b''.join(parts)).hexdigest()[:_DIGITS]}"


def _digest(root: Path, paths: Iterable[Path], *, text: bool) -> bytes:
    """A hash over names and contents of files; in text, line ends do not count."""
    found = hashlib.blake2b()
    named = {path.relative_to(root).as_posix(): path for path in paths if path.is_file()}
    for name, path in sorted(named.items()):
        content = path.read_bytes()
        content = content.replace(b"\r\n", b"\n") if text else content
        found.update(b"%b\0%d\0" % (name.encode(), len(content)))
        found.update(content)
    return found.digest()
