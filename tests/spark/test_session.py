from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from kg.errors import EngineError
from kg.spark import session

SAYS = "#!/bin/sh\necho 'openjdk version \"{version}\" 2025-04-15' >&2\n"


def java(folder: Path, version: str) -> None:
    """A stand-in that says which version of Java it is."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text(SAYS.format(version=version), encoding="utf-8")
    (folder / "bin" / "java").chmod(0o755)


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Takes variables away; what the code sets is undone, too."""
    for name in names:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.mark.parametrize(("version", "number"), [("17.0.15", 17), ("1.8.0_392", 8), ("21", 21)])
def test_the_version_of_java_is_its_major_number(
    version: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert session.java_version() == number


def test_an_old_java_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java(tmp_path, "11.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(session, "find_spec", lambda name: object())
    with pytest.raises(EngineError, match=r"needs Java 17; this is 11") as raised:
        session.require()
    assert "Install Java 17 or newer" in raised.value.hint


def test_a_missing_java_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(session, "find_spec", lambda name: object())
    with pytest.raises(EngineError, match="needs Java, which was not found"):
        session.require()


@pytest.mark.parametrize("missing", ["pyspark", "pandas"])
def test_a_missing_package_is_named_with_its_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec("kg")
    monkeypatch.setattr(session, "find_spec", lambda name: None if name == missing else found)
    with pytest.raises(EngineError, match=f"needs {missing}, which is not installed") as raised:
        session.require()
    assert raised.value.hint == 'Install it: pip install "paperkg[spark]".'


def test_a_local_spark_takes_this_python_and_this_address(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "PYSPARK_PYTHON", "SPARK_LOCAL_IP", "SPARK_CONF_DIR", "SPARK_SUBMIT_OPTS")
    session._prepare("local[2]")
    assert os.environ["SPARK_LOCAL_IP"] == "127.0.0.1"
    assert Path(os.environ["PYSPARK_PYTHON"]).exists()


def test_what_the_environment_says_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", "/opt/python")
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.2")
    (tmp_path / "log4j2.properties").touch()
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("SPARK_SUBMIT_OPTS", raising=False)
    session._prepare("local")
    assert [os.environ.get(name) for name in ("PYSPARK_PYTHON", "SPARK_LOCAL_IP")] == [
        "/opt/python",
        "127.0.0.2",
    ]
    assert "log4j2" not in os.environ["SPARK_SUBMIT_OPTS"]
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-Xss2m")
    session._prepare("local")
    assert os.environ["SPARK_SUBMIT_OPTS"] == "-Xss2m"


def test_a_cluster_keeps_its_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "PYSPARK_PYTHON", "SPARK_LOCAL_IP", "SPARK_SUBMIT_OPTS")
    session._prepare("yarn")
    assert "PYSPARK_PYTHON" not in os.environ
    assert "SPARK_LOCAL_IP" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "defaults", "expected"),
    [
        ("--master yarn pyspark-shell", "", "yarn"),
        ("--conf spark.master=local[3] pyspark-shell", "", "local[3]"),
        ("", "# spark.master local\nspark.master  spark://h:7077\n", "spark://h:7077"),
        ("", "spark.executor.cores 2\n", None),
    ],
)
def test_the_master_that_spark_is_told(
    arguments: str, defaults: str, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spark-defaults.conf").write_text(defaults, encoding="utf-8")
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", arguments)
    assert session._configured(session._MASTER) == expected


@pytest.mark.parametrize(
    ("master", "expected"),
    [
        (None, "Tier4"),
        ("local", "Tier4"),
        ("local[2]", "Tier4"),
        ("local-cluster[2,1,1024]", "StopAtLevel=1"),
        ("yarn", "StopAtLevel=1"),
    ],
)
def test_a_driver_that_only_plans_compiles_once(
    master: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, "PYSPARK_PYTHON", "SPARK_LOCAL_IP", "SPARK_SUBMIT_OPTS")
    session._prepare(master)
    assert expected in os.environ["SPARK_SUBMIT_OPTS"]


@pytest.mark.parametrize(
    ("arguments", "stated"),
    [
        ("--conf spark.executor.defaultJavaOptions=-Xss2m pyspark-shell", True),
        ("--conf spark.executor.extraJavaOptions=-Xss2m pyspark-shell", False),
    ],
)
def test_options_of_executors_that_are_stated_stay(
    arguments: str, stated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, "SPARK_HOME", "SPARK_CONF_DIR")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", arguments)
    assert bool(session._configured(session._STATED)) is stated


def test_the_fault_in_a_worker_is_told_in_one_line() -> None:
    pytest.importorskip("pyspark")
    report = (
        "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
        '  File "a.py", line 1, in f\nkg.errors.ModelError: the weights are gone\n'
    )
    with pytest.raises(EngineError, match=r"^Spark failed: the weights are gone$"), session.explained():
        raise RuntimeError(report)
