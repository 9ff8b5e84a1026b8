"""Tests of what all commands have in common: help, errors, exit codes, streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner

import kg as library
from kg import store
from kg.cli import main
from kg.errors import ModelError
from tests.cli.conftest import Kg, json_lines, papers
from tests.cli.fake import pipeline

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = sorted(main.commands)


def run(*arguments: str, stdin: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs the command line with the quick extractor in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "tests.cli.fake", *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help_and_every_command_an_example(name: str) -> None:
    command = main.commands[name]
    assert command.help
    assert "Example:\n  kg " in (command.epilog or "")
    silent = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert silent == []


@pytest.mark.parametrize("name", COMMANDS)
def test_short_help_is_not_cut(name: str) -> None:
    assert not main.commands[name].get_short_help_str(limit=60).endswith("...")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag: str) -> None:
    shown = CliRunner().invoke(main, [flag])
    assert shown.exit_code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in shown.output] == []


def test_version_is_that_of_the_package(kg: Kg) -> None:
    assert kg("--version").output == f"kg {library.__version__}\n"


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys\nfrom kg.cli import main\nmain(['--help'], standalone_mode=False)\n"
        "print(sorted({'spacy', 'networkx', 'numpy', 'rich', 'thinc', 'orjson'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def _processor_time(*command: str) -> float:
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, cwd=ROOT) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs to know what a process cost")
def test_help_costs_at_most_five_times_an_import_of_click() -> None:
    costs = [(_processor_time("-m", "kg", "--help"), _processor_time("-c", "import click")) for _ in range(5)]
    helped, imported = (min(column) for column in zip(*costs, strict=True))
    assert helped <= 5 * imported


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["nonsense"], id="command"),
        pytest.param(["build"], id="no-input"),
        pytest.param(["extract"], id="no-input-of-extract"),
        pytest.param(["build", "x.txt", "--format", "docx"], id="format"),
        pytest.param(["build", "x.txt", "--min-score", "7"], id="score"),
        pytest.param(["stats"], id="no-graph"),
        pytest.param(["export", "g.json"], id="no-output"),
    ],
)
def test_wrong_usage_is_exit_code_2(kg: Kg, arguments: list[str]) -> None:
    done = kg(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Error: " in done.stderr


def test_build_without_input_shows_how_to_begin(kg: Kg) -> None:
    assert "kg seeds && kg build seeds -o graph.json" in kg("build").stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["build", "absent.txt"], "absent.txt", id="input"),
        pytest.param(["stats", "absent.json"], "Error: cannot read absent.json: ", id="graph"),
        pytest.param(["show", "torn.json", "x"], "Error: torn.json is not a graph file: ", id="torn-graph"),
    ],
)
def test_bad_data_is_one_line_and_exit_code_1(kg: Kg, arguments: list[str], line: str) -> None:
    Path("torn.json").write_text('{"graph": {', encoding="utf-8")
    done = kg(*arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_fault_of_the_program_is_one_line_and_a_traceback_with_vv(
    kg: Kg, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(graph: object, path: object) -> NoReturn:
        raise ZeroDivisionError("of the writer")

    monkeypatch.setattr(store, "write", fail)
    done = kg("build", "-", stdin=papers(1))
    assert (done.exit_code, "Traceback" in done.stderr) == (1, False)
    assert "this should not happen: ZeroDivisionError: of the writer. Run" in done.stderr
    assert "Traceback" in kg("-vv", "build", "-", stdin=papers(1)).stderr
    assert "Traceback" in kg("build", "-", "-vv", stdin=papers(1)).stderr


def test_an_interruption_is_exit_code_130_and_leaves_no_file(kg: Kg) -> None:
    done = kg("build", "-", stdin=json_lines([{"title": "A", "abstract": "interrupt"}]))
    assert done.exit_code == 130
    assert done.stderr == "Interrupted; no file was written. The same command goes on where it was.\n"
    assert list(Path().iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_is_exit_code_130_without_a_traceback(tmp_path: Path) -> None:
    stdin = json_lines([{"title": "A", "abstract": "signal"}])
    done = run("extract", "-", "-o", str(tmp_path / "records.jsonl"), stdin=stdin, cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == "Interrupted; no file was written. The same command goes on where it was.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("message", [pytest.param("the weights in models are missing", id="c3-20")])
def test_without_its_weights_it_says_so_in_one_line(
    kg: Kg, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    def fail(papers: object) -> NoReturn:
        raise ModelError(message, hint="install paperkg again")

    monkeypatch.setattr(pipeline, "extract", fail)
    done = kg("build", "-", stdin=papers(1))
    assert (done.exit_code, done.stderr) == (1, f"Error: {message}. Install paperkg again\n")


@pytest.mark.parametrize(("flag", "shown"), [("-v", True), ("-vv", True), ("-q", False)])
def test_verbose_tells_what_the_library_does(kg: Kg, flag: str, shown: bool) -> None:
    assert ("2 records read, 0 rejected\n" in kg("build", flag, "-", stdin=papers(2)).stderr) == shown
    assert ("2 records read, 0 rejected\n" in kg(flag, "build", "-", stdin=papers(2)).stderr) == shown
    assert "records read" not in kg("build", "-", stdin=papers(2)).stderr


@pytest.mark.parametrize(
    ("count", "lines"), [pytest.param(3, 3, id="few"), pytest.param(4000, 1, id="c8-13")]
)
def test_a_reader_that_stops_is_no_error(count: int, lines: int, tmp_path: Path) -> None:
    source = tmp_path / "big.jsonl"
    source.write_text(papers(count), encoding="utf-8")
    command = [sys.executable, "-m", "tests.cli.fake", "extract", str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        read = [process.stdout.readline() for _ in range(lines)]
        process.stdout.close()
        told = process.stderr.read()
        process.wait(timeout=60)
    assert all(line.startswith(b'{"id": "p') for line in read)
    assert told == b""


@pytest.mark.parametrize("count", [pytest.param(5000, id="c8-30")])
def test_redirected_output_is_json_and_progress_has_no_carriage_returns(tmp_path: Path, count: int) -> None:
    done = run("extract", "-", stdin=papers(count), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == count
    assert not {"\r", "\x1b"} & {*done.stdout, *done.stderr}


@pytest.mark.parametrize("arguments", [["stats"], ["show", "UPGNET"], ["search", "g"]])
def test_tables_have_no_colour_when_piped_and_fit_80_columns(graph_file: str, arguments: list[str]) -> None:
    command, *rest = arguments
    done = run(command, graph_file, *rest)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert run(command, graph_file, *rest).stdout == done.stdout


def test_quiet_leaves_only_results_and_errors(kg: Kg) -> None:
    done = kg("build", "-q", "-", stdin=papers(2))
    assert (done.exit_code, done.output) == (0, "")
    assert Path("graph.json").exists()
