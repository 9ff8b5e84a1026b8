"""Builds on Spark for the tests: lists of small abstracts, a configuration, and the tables that come out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kg
from kg.exports import parquet
from kg.exports.tables import TABLES
from tests.spark.conftest import CLUSTER, SETTINGS

TOPICS = ("graph neural network", "transformer", "random forest", "diffusion model")
TASKS = ("node classification", "machine translation", "image segmentation")
DATASETS = ("Cora", "WMT14", "Cityscapes", "ImageNet", "CIFAR-10")


def abstracts(count: int) -> list[dict[str, Any]]:
    """Records of small papers, every tenth of them twice."""
    papers = [
        {
            "id": f"p{i}",
            "title": f"NET{i}: A New {TOPICS[i % 4].title()}",
            "abstract": f"We propose NET{i}, a {TOPICS[i % 4]} for {TASKS[i % 3]}. Experiments on "
            f"{DATASETS[i % 5]} show that NET{i} outperforms a {TOPICS[(i + 1) % 4]} in accuracy. "
            f"Code is available at https://github.com/lab{i}/net{i}.",
            "authors": [f"Ann Roe{i % 7}", "Bo Lee"],
            "year": 2015 + i % 9,
        }
        for i in range(count)
    ]
    return [*papers, *({**paper, "id": f"{paper['id']}-again"} for paper in papers[::10])]


def write_list(path: Path, count: int) -> None:
    """Writes a list of so many papers, one record of which is no JSON."""
    lines = [json.dumps(record) for record in abstracts(count)]
    lines.insert(len(lines) // 2, "{broken")
    path.write_text("\n".join(lines), encoding="utf-8")


def rows(folder: Path, name: str) -> list[str]:
    """The rows of a table, sorted, without what is null."""
    from pyarrow import parquet as files

    table = files.read_table(folder / f"{name}.parquet")
    kept = ({key: value for key, value in row.items() if value is not None} for row in table.to_pylist())
    return sorted(json.dumps(row, sort_keys=True) for row in kept)


def tables(folder: Path) -> dict[str, list[str]]:
    """All tables of a graph."""
    return {name: rows(folder, name) for name in TABLES}


def in_memory(path: Path, folder: Path, **given: Any) -> dict[str, list[str]]:
    """The tables of the graph that is built in memory."""
    folder.mkdir()
    parquet.write(kg.build(kg.read(path), **given), folder)
    return tables(folder)


def configured(folder: Path, *, part: int) -> dict[str, str]:
    """An environment whose Spark takes so many papers for a part."""
    folder.mkdir(exist_ok=True)
    settings = {**SETTINGS, "spark.paperkg.partPapers": str(part)}
    lines = [f"{name} {value}\n" for name, value in settings.items()]
    (folder / "spark-defaults.conf").write_text("".join(lines), encoding="utf-8")
    return {**os.environ, "SPARK_CONF_DIR": str(folder)}


def start(path: Path, output: Path, environment: dict[str, str], *more: str) -> subprocess.Popen[str]:
    """Starts `kg build --engine spark`."""
    command = [sys.executable, "-m", "kg", "build", str(path), "--engine", "spark", "--master", CLUSTER]
    return subprocess.Popen(
        [*command, "-o", str(output), *more], env=environment, stderr=subprocess.PIPE, text=True
    )


def wait_for(run: subprocess.Popen[str], text: str) -> list[str]:
    """What a run says up to the line with a text."""
    assert run.stderr is not None
    lines = []
    for line in run.stderr:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError("".join(lines))


def finish(run: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code of a run, and what it says till then; what it started has ended, too."""
    _, said = run.communicate()
    return run.returncode, said


def below(process: int) -> dict[int, str]:
    """All processes below one, with their command lines."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(after[1]), []).append(int(path.parent.name))
    found: dict[int, str] = {}
    waiting = [process]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            waiting.append(child)
            found[child] = _command(child)
    return found


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def kill_executor(process: int) -> None:
    """Kills one executor of a run, at once."""
    name = "CoarseGrainedExecutorBackend"
    executors = [child for child, command in below(process).items() if name in command]
    os.kill(min(executors), signal.SIGKILL)


def gone(processes: dict[int, str], *, seconds: float = 60) -> bool:
    """Whether processes end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(command and _command(process) == command for process, command in processes.items()):
            return True
        time.sleep(0.5)
    return False
