"""The extractor's version follows its weights and its code, and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from extractors import version
from extractors.version import extractor_version
from kg.errors import ModelError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _fresh() -> None:
    extractor_version.cache_clear()


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    (folder / "tagger").mkdir(parents=True)
    (folder / "card.json").write_text('{"version": "7"}', encoding="utf-8")
    (folder / "tagger" / "model").write_bytes(b"weights")
    return folder


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "code"
    for name in ("extractors/roles.py", "kg/folding.py", "kg/schema.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"one = 1\n")
    monkeypatch.setattr(version, "_ROOT", root)
    return root


def _again(weights: Path) -> str:
    extractor_version.cache_clear()
    return extractor_version(weights)


def test_it_states_the_version_of_the_card(weights: Path) -> None:
    stated, plus, digest = extractor_version(weights).partition("+")
    assert (stated, plus, len(digest)) == ("7", "+", 10)


@pytest.mark.parametrize("name", ["tagger/model", "tagger/more"])
def test_other_weights_are_another_version(weights: Path, name: str) -> None:
    before = extractor_version(weights)
    (weights / name).write_bytes(b"trained again")
    assert _again(weights) != before


@pytest.mark.parametrize("name", ["extractors/roles.py", "extractors/new.py", "kg/folding.py"])
def test_other_code_is_another_version(weights: Path, sources: Path, name: str) -> None:
    before = extractor_version(weights)
    (sources / name).write_bytes(b"one = 2\n")
    assert _again(weights) != before


@pytest.mark.parametrize(
    ("name", "content"), [("extractors/roles.py", b"one = 1\r\n"), ("kg/api.py", b"other\n")]
)
def test_line_ends_and_other_modules_are_the_same_version(
    weights: Path, sources: Path, name: str, content: bytes
) -> None:
    before = extractor_version(weights)
    (sources / name).write_bytes(content)
    assert _again(weights) == before


@pytest.mark.parametrize("card", [None, "{", "[]", "{}"])
def test_without_a_card_it_is_one_clear_error(weights: Path, card: str | None) -> None:
    (weights / "card.json").unlink()
    if card is not None:
        (weights / "card.json").write_text(card, encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read"):
        extractor_version(weights)


def test_it_is_found_without_loading_the_extractor() -> None:
    code = "import sys, extractors.version; print(sorted({'spacy', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def _imports(path: Path) -> set[str]:
    """The modules of this project that a module imports, as paths."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {f"{name.replace('.', '/')}.py" for name in names if name.startswith(("kg.", "extractors."))}


def test_every_module_that_the_extractor_uses_counts() -> None:
    used = {f"extractors/{path.name}" for path in (ROOT / "extractors").glob("*.py")}
    while new := {name for path in used for name in _imports(ROOT / path)} - used:
        used |= new
    only_errors = {"kg/errors.py"}
    assert {name for name in used if name.startswith("kg/")} == {*version._SHARED} | only_errors
