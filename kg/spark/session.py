"""A Spark session for a build, and what its failures mean.

What `spark-submit` takes works here too: `spark-defaults.conf` (`SPARK_CONF_DIR`), `PYSPARK_SUBMIT_ARGS` and
the other variables of the environment win over every default of this module.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["explained", "java_version", "open_session", "require"]

#: What holds where the user says nothing else.
_DEFAULTS: Mapping[str, str] = {
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16m",  # Python takes long for what Java takes little
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.skewJoin.enabled": "true",
    "spark.sql.autoBroadcastJoinThreshold": "1m",  # as packed; the driver holds many times as much
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.maxConcurrentOutputFileWriters": "32",  # rows go to the folders of their kind unsorted
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.session.timeZone": "UTC",
}
#: Java compiles thoroughly only what is really hot: a build is many short jobs, each with classes of its own,
#: and spent a third of its processor time beside reading on that. Where Java only plans, once is enough.
_COMPILE_LATE = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
_COMPILE_ONCE = "-XX:TieredStopAtLevel=1"
#: Options of executors that stand before what the user gives them, which wins.
_EXECUTOR_OPTIONS = "spark.executor.defaultJavaOptions"
_STATED = re.compile(rf"({re.escape(_EXECUTOR_OPTIONS)})[= ]")
_OLDEST_JAVA = 17
_LOG4J = "log4j2.properties"
_JAVA = f"Install Java {_OLDEST_JAVA} or newer, e.g. the package default-jdk-headless, or set JAVA_HOME."
_PYSPARK = 'Install it: pip install "paperkg[spark]".'
#: Masters whose driver does all the work.
_IN_ONE_PROCESS = re.compile(r"local(?:\[|$)")
_MASTER = re.compile(r"(?:--master[= ]\s*|spark\.master[= ]\s*)(\S+)")
_VERSION = re.compile(r'version "(\d+)(?:\.(\d+))?')
#: In the report of a worker's fault: the line that names it.
_FAULT = re.compile(r"^(?:[A-Za-z_][\w.]*\.)?([A-Za-z]\w*(?:Error|Exception)): (.+)$", re.MULTILINE)
_CONDITION = re.compile(r"^\[([A-Z_.]+)\]\s*")
_LONGEST = 300


def require() -> None:
    """Makes sure that PySpark, pandas and Java are here.

    Raises:
        EngineError: one is missing or too old; the hint says how to get it.
    """
    for package in ("pyspark", "pandas"):
        if find_spec(package) is None:
            raise EngineError(f"the engine spark needs {package}, which is not installed", hint=_PYSPARK)
    if "PYSPARK_GATEWAY_PORT" in os.environ:  # spark-submit runs this process: its Java runs already
        return
    version = java_version()
    if version is None:
        raise EngineError("the engine spark needs Java, which was not found", hint=_JAVA)
    if version < _OLDEST_JAVA:
        raise EngineError(f"the engine spark needs Java {_OLDEST_JAVA}; this is {version}", hint=_JAVA)


def java_version() -> int | None:
    """The major version of the Java that Spark would start, or None where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if not java:
        return None
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    except OSError:
        return None
    found = _VERSION.search(told)
    if not found:
        return None
    return int(found[2] or 0) if found[1] == "1" else int(found[1])


@contextmanager
def open_session(
    master: str | None = None, *, settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """Gives a Spark session, and stops it at the end.

    Args:
        master: where Spark runs; by default what its own configuration says, else all cores of this machine.
        settings: more settings of Spark.

    Raises:
        EngineError: PySpark or Java is missing, or the session cannot be started.
    """
    require()
    _prepare(master or _configured(_MASTER))
    from pyspark.sql import SparkSession

    given: dict[str, Any] = dict(settings or {})
    if not _configured(_STATED):
        given.setdefault(_EXECUTOR_OPTIONS, _COMPILE_LATE)
    builder = SparkSession.builder.appName("paperkg").config(map=given)
    with explained(f"Spark cannot start on {master}" if master else "Spark cannot start"):
        session = (builder.master(master) if master else builder).getOrCreate()
    try:
        _settle(session)
        yield session
    finally:
        session.stop()


def _prepare(master: str | None) -> None:
    """Sets what Spark needs of the environment before it starts, where nobody has set it."""
    if master is None or master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    options = [_COMPILE_LATE if master is None or _IN_ONE_PROCESS.match(master) else _COMPILE_ONCE]
    folder = os.environ.get("SPARK_CONF_DIR")
    if folder is None or not Path(folder, _LOG4J).exists():
        options.append(f"-Dlog4j2.configurationFile={files('kg.spark') / _LOG4J}")
    os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join(options))


def _configured(setting: re.Pattern[str]) -> str | None:
    """What the environment or `spark-defaults.conf` says of a setting: the first group of its pattern."""
    submitted = setting.search(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    if submitted:
        return submitted[1]
    home = os.environ.get("SPARK_HOME")
    folder = os.environ.get("SPARK_CONF_DIR") or (str(Path(home, "conf")) if home else "")
    defaults = Path(folder, "spark-defaults.conf") if folder else None
    if defaults is None or not defaults.is_file():
        return None
    lines = defaults.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [setting.match(line.strip()) for line in lines]
    return next((match[1] for match in found if match), None)


def _settle(session: SparkSession) -> None:
    """Gives the session the defaults that the user has not set."""
    given = session.sparkContext.getConf()
    if not given.contains("spark.log.level"):
        session.sparkContext.setLogLevel("ERROR")
    for name, value in _DEFAULTS.items():
        if not given.contains(name):
            session.conf.set(name, value)


@contextmanager
def explained(what: str = "Spark failed") -> Iterator[None]:
    """Turns what Spark raises into one line.

    Raises:
        EngineError: Spark raised something.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException, RuntimeError) as error:
        raise EngineError(f"{what}: {_told(error)}", hint=_hint(str(error))) from error


def _told(error: Exception) -> str:
    """The line of a long report that names the fault: the last of a Python worker, else the first."""
    java: Any = getattr(error, "java_exception", None)
    text = str(java.getMessage() if java is not None else error)
    faults = _FAULT.findall(text)
    line = faults[-1][1] if faults else next((line for line in text.splitlines() if line.strip()), text)
    return _CONDITION.sub("", line.strip())[:_LONGEST]


def _hint(text: str) -> str:
    if "PATH_NOT_FOUND" in text or "does not exist" in text:
        return "Check the path; executors must see it, too."
    if "All masters are unresponsive" in text or "Could not parse Master URL" in text:
        return "Check --master: local[4], spark://HOST:7077, yarn or k8s://HOST."
    if "JAVA_GATEWAY_EXITED" in text:
        return _JAVA
    if "No module named 'kg'" in text or "No module named 'extractors'" in text:
        return "The executors' Python (PYSPARK_PYTHON) needs paperkg, too."
    return ""
