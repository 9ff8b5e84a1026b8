"""A Spark cluster on this machine: two executor processes of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import required

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Where the tests run: two executors of one core and 1,024 MiB each, or what the environment names.
CLUSTER = os.environ.get("KG_TEST_SPARK_MASTER", "local-cluster[2,1,1024]")
#: Few rows want few tasks, and code that is interpreted rather than compiled.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.default.parallelism": "2",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests of one cluster in one process."""
    for item in items:
        if item.get_closest_marker("spark"):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def java() -> None:
    """Java and PySpark; the test is skipped where one is absent."""
    if shutil.which("java") is None:
        if required("spark"):
            pytest.fail("there is no Java, and KG_TEST_REQUIRE asks for Spark")
        pytest.skip("there is no Java")
    if not required("spark"):
        pytest.importorskip("pyspark")


@pytest.fixture(scope="session")
def spark(java: None) -> Iterator[SparkSession]:
    """A session on a cluster of two executors."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master(CLUSTER).appName("tests")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
