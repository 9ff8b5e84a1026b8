"""`docker-compose.yml`, by what docker-compose and a real server say of it; no engine is needed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.neo4j.conftest import need_server
from tests.neo4j.server import LINES, running

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docker-compose.yml"


def service(name: str) -> dict[str, Any]:
    """A service of the file."""
    found: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"][name]
    return found


def test_the_image_is_pinned_to_the_line_that_is_tested() -> None:
    assert service("neo4j")["image"] == f"neo4j:{LINES['lts'][0]}-community"


def test_ports_are_for_this_machine_only() -> None:
    assert all(port.startswith("127.0.0.1:") for port in service("neo4j")["ports"])


def test_there_is_no_default_password() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(re.findall(r"\$\{NEO4J_PASSWORD:\?", text)) == text.count("${NEO4J_PASSWORD") == 2
    assert "NEO4J_PASSWORD=\n" in (ROOT / ".env.example").read_text(encoding="utf-8")
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in ignored


@pytest.mark.parametrize("case", [pytest.param("volumes", id="c6-25")])
def test_what_the_server_writes_lies_in_named_volumes(case: str) -> None:
    writable = [volume for volume in service("neo4j")["volumes"] if not volume.endswith(":ro")]
    assert writable == ["neo4j-data:/data", "neo4j-logs:/logs"]


def test_the_seeds_are_pushed_when_the_server_is_healthy() -> None:
    seeds = service("seeds")
    assert seeds["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "kg push" in seeds["command"][-1]
    for name in re.search(r"cp -r (.*) /tmp", seeds["command"][-1])[1].split():  # type: ignore[index]
        assert (ROOT / name).exists()


def test_docker_compose_reads_it(tmp_path: Path) -> None:
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    shutil.copy(FILE, tmp_path)

    def config(**environment: str) -> subprocess.CompletedProcess[str]:
        places = {"PATH": os.environ["PATH"], **environment}
        return subprocess.run(
            ["docker-compose", "config"],
            cwd=tmp_path,
            env=places,
            capture_output=True,
            text=True,
            check=False,
        )

    assert config(NEO4J_PASSWORD="a-long-one").returncode == 0
    refused = config()
    assert refused.returncode != 0
    assert "Set NEO4J_PASSWORD in .env" in refused.stderr


def settings() -> dict[str, str]:
    """The settings of the file as `neo4j.conf` has them."""
    return {
        name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_"): value
        for name, value in service("neo4j")["environment"].items()
        if name != "NEO4J_AUTH"
    }


@pytest.mark.neo4j
@pytest.mark.parametrize("line", LINES)
def test_a_server_starts_with_every_setting(line: str) -> None:
    need_server(line)
    assert len(settings()) == 5
    with running(line, settings=settings()):
        pass


@pytest.mark.neo4j
def test_a_server_refuses_a_setting_that_it_does_not_know() -> None:
    need_server("lts")
    with (
        pytest.raises((AssertionError, RuntimeError), match="no_such"),
        running("lts", settings={"server.memory.no_such": "1g"}),
    ):
        pass
