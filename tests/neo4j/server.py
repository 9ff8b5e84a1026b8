"""A real Neo4j Community server out of artefacts of Maven Central, on free ports of this machine.

The artefacts are resolved once into a cache below the user's cache folder. The server ends with the process
that started it, however that ends: it reads from a pipe of ours and stops when the pipe closes.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

__all__ = [
    "LINES",
    "PASSWORD",
    "Server",
    "free_ports",
    "import_arguments",
    "java_of",
    "library",
    "run_script",
    "running",
]

HERE = Path(__file__).parent
CACHE = Path.home() / ".cache" / "paperkg-tests"
PASSWORD = "a-password-of-tests"
#: Line of releases -> the version that is tested, and the least Java that runs it.
LINES: Mapping[str, tuple[str, int]] = {"lts": ("5.26.12", 17), "calendar": ("2026.05.0", 21)}
#: The least Java of a line -> the newest that it is known to run on.
_NEWEST = {17: 21, 21: 99}
_OPENS = ("java.nio", "java.lang", "sun.nio.ch", "java.util.concurrent")
_START = 600.0
_SETTINGS: Mapping[str, str] = {
    "dbms.security.auth_enabled": "true",
    "dbms.usage_report.enabled": "false",
    "server.memory.heap.max_size": "1g",
    "server.memory.pagecache.size": "128m",
    "server.bolt.enabled": "true",
    "server.http.enabled": "true",
    "server.https.enabled": "false",
}


@dataclass
class Server:
    """A server that can be stopped, killed and started again on the same ports and data."""

    line: str
    home: Path
    bolt: int
    http: int
    settings: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """The address for drivers."""
        return f"bolt://127.0.0.1:{self.bolt}"

    @property
    def pid(self) -> int | None:
        """The server's process, while there is one."""
        return self._process.pid if self._process else None

    @property
    def environment(self) -> dict[str, str]:
        """What `kg push` reads from the environment."""
        return {"NEO4J_URI": self.uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": PASSWORD}

    def prepare(self) -> None:
        """Writes the configuration and sets the first password."""
        for folder in ("conf", "data", "logs", "import", "plugins"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        ports = {
            f"server.{name}.{kind}_address": f"127.0.0.1:{port}"
            for name, port in (("bolt", self.bolt), ("http", self.http))
            for kind in ("listen", "advertised")
        }
        lines = [f"{name}={value}\n" for name, value in {**_SETTINGS, **ports, **self.settings}.items()]
        (self.home / "conf" / "neo4j.conf").write_text("".join(lines), encoding="utf-8")
        self.admin("dbms", "set-initial-password", PASSWORD)

    def admin(self, *arguments: str, folder: Path | None = None) -> str:
        """Runs the server's own `neo4j-admin`, in a folder; gives what it prints."""
        command = [*_java(self.line), "org.neo4j.cli.AdminTool", *arguments]
        places = {"NEO4J_HOME": str(self.home), "NEO4J_CONF": str(self.home / "conf")}
        done = subprocess.run(
            command,
            env={**os.environ, **places},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def start(self) -> None:
        """Starts the server and waits until it answers on Bolt."""
        command = [*_java(self.line), str(HERE / "Server.java"), str(self.home)]
        with (self.home / "logs" / "console.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + _START
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError((self.home / "logs" / "console.log").read_text(errors="replace")[-4000:])
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            with GraphDatabase.driver(self.uri, auth=("neo4j", PASSWORD)) as driver:
                driver.verify_connectivity()
        except (DriverError, Neo4jError, OSError):
            return False
        return True

    def stop(self) -> None:
        """Stops the server in order; kills it if that takes too long."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """Ends the server at once, as a power cut does."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(timeout=60)
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process = None


@contextmanager
def running(line: str, *, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server of a line with empty data, stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="neo4j-", ignore_cleanup_errors=True) as home:
        bolt, http = free_ports()
        server = Server(line, Path(home), bolt, http, settings or {})
        server.prepare()
        try:
            server.start()
            yield server
        finally:
            server.stop()


def import_arguments(folder: Path) -> list[str]:
    """What the `import.sh` of an export gives to `neo4j-admin`."""
    script = (folder / "import.sh").read_text(encoding="utf-8").partition("exec ")[2]
    words = shlex.split(script.replace("\\\n", " "))[1:]
    known = {"${1:-neo4j}": "neo4j"}
    return [known.get(word, word).replace("${TMPDIR:-/tmp}", str(folder)) for word in words]


def run_script(driver: Driver, path: Path) -> None:
    """Runs a script with one statement a line, as the simplest splitter sees them."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("//"):
            driver.execute_query(line.removesuffix(";"))


def free_ports() -> tuple[int, int]:
    """Two ports that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        return one.getsockname()[1], two.getsockname()[1]


def _java(line: str) -> list[str]:
    opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENS]
    nice = ["nice"] if shutil.which("nice") else []
    return [*nice, str(java_of(line)), "-Xmx1g", "-XX:+UseSerialGC", *opens, "-cp", f"{library(line)}/*"]


def java_of(line: str) -> Path | None:
    """The oldest Java on this machine that runs a line; None where there is none."""
    least = LINES[line][1]
    homes = {release: home for home in _java_homes() if (release := _release(home))}
    fitting = [release for release in homes if least <= release <= _NEWEST[least]]
    return homes[min(fitting)] / "bin" / "java" if fitting else None


def _java_homes() -> list[Path]:
    places = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    if found := shutil.which("java"):
        places.append(Path(found).resolve().parents[1])
    return [*places, *sorted(Path("/usr/lib/jvm").glob("*"))]


def _release(home: Path) -> int | None:
    """The first number of a Java's version, from the file that every JDK has."""
    file = home / "release"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    versions = [line.partition("=")[2].strip('"') for line in lines if line.startswith("JAVA_VERSION=")]
    return int(versions[0].split(".")[0]) if versions else None


def library(line: str) -> Path:
    """The folder of a line's artefacts, resolved when it is first asked for."""
    version = LINES[line][0]
    folder = CACHE / f"neo4j-{version}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=CACHE))
        _resolve(version, part)
        try:
            part.replace(folder)
        except OSError:  # somebody else was quicker
            shutil.rmtree(part)
    return folder


def _resolve(version: str, folder: Path) -> None:
    command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), f"-Dneo4j.version={version}"]
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
    done = subprocess.run([*command, *goal], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
