"""Tests of the options of `kg build --engine spark` that need no Spark."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.conftest import Kg


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "spark", "-o", "d", "--workers", "2"], "--workers does not go with --engine spark"),
        (["--engine", "spark", "-o", "d", "--no-cache"], "--no-cache does not go with --engine spark"),
        (["--engine", "spark"], "--engine spark writes a folder: name it with -o DIR"),
        (["--engine", "spark", "-o", "-"], "--engine spark writes a folder: name it with -o DIR"),
        (["--engine", "spark", "-", "-o", "d"], "--engine spark reads no standard input"),
        (["--master", "local"], "--master goes with --engine spark"),
        (["--resume"], "--resume goes with --engine spark"),
    ],
)
def test_options_of_the_other_engine_are_wrong_usage(kg: Kg, options: list[str], told: str) -> None:
    done = kg("build", "list.txt", *options)
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_missing_java_is_one_line_with_the_fix(
    kg: Kg, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
    done = kg("build", "list.txt", "--engine", "spark", "-o", "d")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: the engine spark needs Java, which was not found. Install Java 17")


def test_help_and_builds_in_memory_do_not_import_spark() -> None:
    code = "import sys, kg.cli, kg.cli.build, kg.update; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
