"""Draws the terminal pictures of the README from a real run: `make pictures`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
_WIDTH = 84

#: Name of a picture -> the command that it shows.
PICTURES = {
    "show": ["show", "graph.json", "Transformer", "--limit", "2"],
    "stats": ["stats", "graph.json", "--limit", "5"],
}


def run(arguments: list[str], folder: str) -> str:
    """What a command prints on a colour terminal."""
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(_WIDTH), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "kg", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def draw(command: str, output: str) -> str:
    """An SVG of a terminal; without fonts from elsewhere."""
    screen = Console(record=True, width=_WIDTH, file=StringIO(), force_terminal=True)
    screen.print(Text.assemble(("$ ", "bold green"), command), soft_wrap=True)
    screen.print(Text.from_ansi(output.rstrip()))
    picture = screen.export_svg(title="kg", theme=MONOKAI, unique_id="kg")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)


def main() -> None:
    """Builds the seeds and draws every picture."""
    with tempfile.TemporaryDirectory() as folder:
        run(["build", str(ROOT / "seeds"), "-q"], folder)
        for name, arguments in PICTURES.items():
            picture = draw(" ".join(["kg", *arguments]), run(arguments, folder))
            (IMAGES / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
