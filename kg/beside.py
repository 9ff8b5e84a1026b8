"""Files that are made once and kept beside what they were made of, as `.NAME.HASH.KIND`.

The hash is that of what the file depends on: it is made anew when that changes, and older ones are removed.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

__all__ = ["make", "place"]


def place(of: Path, parts: Iterable[bytes], kind: str) -> Path:
    """Where the file of a kind lies that is made of `of` and depends on some bytes."""
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    whole = of.resolve()
    return whole.with_name(f".{whole.name}.{digest.hexdigest()}.{kind}")


def make(path: Path, fill: Callable[[Path], object], *, failures: tuple[type[Exception], ...]) -> bool:
    """Makes a file whole or not at all, and removes older ones; False where none can be written.

    Args:
        path: what `place` gave.
        fill: makes the file at the path that it gets.
        failures: what it raises where the disk is full.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{path.name[:40]}.", suffix=".part", dir=path.parent))
    except OSError:
        return False
    try:
        made = folder / f"made{path.suffix}"
        fill(made)
        made.replace(path)
    except OSError:
        return False
    except failures:
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    stem, kind = re.escape(path.name.rsplit(".", 2)[0]), re.escape(path.suffix)
    for other in path.parent.iterdir():
        if re.fullmatch(rf"{stem}\.[0-9a-f]{{16}}{kind}", other.name) and other != path:
            with suppress(OSError):  # somebody else reads it
                other.unlink()
    return True
