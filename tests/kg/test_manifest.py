"""The manifest of a folder of tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import GraphFileError
from kg.manifest import MANIFEST, read, write


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    write(tmp_path, counts={"nodes": 2}, extractor="e-1", attributes={"min_score": 0.5})
    found = {"format": 1, "extractor": "e-1", "counts": {"nodes": 2}, "attributes": {"min_score": 0.5}}
    assert read(tmp_path) == found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "is no whole folder of graph tables: it has no manifest.json", id="missing"),
        pytest.param(b"{", "is damaged: ", id="cut"),
        pytest.param(b"[]", "is damaged: it names no format or no counts", id="a list"),
        pytest.param(b'{"format":1}', "is damaged: it names no format or no counts", id="no counts"),
        pytest.param(b'{"format":2,"counts":{}}', "has format 2; this version", id="newer"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(GraphFileError, match=message) as caught:
        read(tmp_path)
    assert caught.value.hint
