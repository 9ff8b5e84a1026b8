"""The wheel: everything that runs is in it, and it runs without the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, in a folder."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")  # nothing to compile
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "content")
    return folder / "content"


def kg(unpacked: Path, folder: Path, *arguments: str) -> str:
    """What the wheel's command prints in an empty folder."""
    code = f"import kg.cli; assert {str(unpacked)!r} in kg.__file__; kg.cli.main(prog_name='kg')"
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_the_packages_and_nothing_of_the_checkout(unpacked: Path) -> None:
    found = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}
    assert found == {"kg", "extractors", "viz", "cypher", "seeds"}
    assert (unpacked / "kg" / "py.typed").exists()
    assert not list(unpacked.rglob("__pycache__"))


@pytest.mark.slow
def test_it_builds_and_shows_the_seeds(unpacked: Path, tmp_path: Path) -> None:
    kg(unpacked, tmp_path, "seeds")
    steps: Sequence[Sequence[str]] = (
        ("build", "seeds/papers.bib", "--no-cache", "--workers", "1", "-o", "graph.json"),
        ("view", "graph.json", "-o", "view.html"),
        ("export", "graph.json", "-o", "graph.ttl"),
    )
    for step in steps:
        kg(unpacked, tmp_path, *step)
    assert "Transformer" in kg(unpacked, tmp_path, "show", "graph.json", "Transformer")
    asked = "MATCH (m:Method) WHERE m.name = 'BERT' RETURN m.id"
    assert "method:bert" in kg(unpacked, tmp_path, "query", "graph.json", asked)
