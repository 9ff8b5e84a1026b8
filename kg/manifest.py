"""The manifest of a folder of graph tables: `manifest.json`, written last, so that its presence says that the
folder is whole.

It holds `format`, the version of the folder's layout; `extractor`, which made the graph; `counts`, the rows
of each table; and `attributes`, what else the graph says of itself (`min_score`, `rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from kg.errors import GraphFileError
from kg.store import plain

__all__ = ["FORMAT", "MANIFEST", "content", "read", "write"]

#: Version of the layout that this release writes.
FORMAT = 1
#: The name of the file.
MANIFEST = "manifest.json"

_REBUILD = "Write the folder again: `kg export GRAPH --format parquet -o DIR`, or the build that made it."


def write(
    folder: Path, *, counts: Mapping[str, int], extractor: str, attributes: Mapping[str, Any] | None = None
) -> None:
    """Writes the manifest of a folder; to be called when every table is there.

    Args:
        folder: the folder.
        counts: the rows of each table.
        extractor: which extractor made the graph.
        attributes: the graph's other attributes.
    """
    given = content(counts=counts, extractor=extractor, attributes=attributes)
    (folder / MANIFEST).write_bytes(given)


def content(
    *, counts: Mapping[str, int], extractor: str, attributes: Mapping[str, Any] | None = None
) -> bytes:
    """The manifest's bytes, for folders that are not on this machine; arguments are those of `write`."""
    told = {"format": FORMAT, "extractor": extractor, "counts": dict(counts)}
    told["attributes"] = dict(attributes or {})
    option = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(plain(told), option=option)


def read(folder: Path) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        GraphFileError: it is missing, damaged, or of a newer format.
    """
    path = folder / MANIFEST
    try:
        found = orjson.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise GraphFileError(
            f"{folder} is no whole folder of graph tables: it has no {MANIFEST}", hint=_REBUILD
        ) from error
    except OSError as error:
        raise GraphFileError(f"cannot read {path}: {error.strerror or error}") from error
    except orjson.JSONDecodeError as error:
        raise GraphFileError(f"{path} is damaged: {error}", hint=_REBUILD) from error
    counts = found.get("counts") if isinstance(found, dict) else None
    if not isinstance(counts, dict) or not isinstance(found.get("format"), int):
        raise GraphFileError(f"{path} is damaged: it names no format or no counts", hint=_REBUILD)
    if found["format"] > FORMAT:
        raise GraphFileError(
            f"{folder} has format {found['format']}; this version of paperkg reads up to {FORMAT}",
            hint="Install a newer paperkg.",
        )
    manifest: dict[str, Any] = found
    return manifest
