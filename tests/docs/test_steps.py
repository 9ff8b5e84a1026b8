"""Tests of the tests: how commands are found in a page, and outputs are written into it."""

from __future__ import annotations

from pathlib import Path

from tests.docs.__main__ import refreshed
from tests.docs.commands import Step, steps

PAGE = """Text with `kg`.

<!-- test: file rules.toml -->
```toml
drop = ["a"]
```
<!-- test: run cp a b -->
```sh
kg build a -o g.json    # a comment
kg show g.json \\
    BERT
```

1. A list:

   ```python
   import kg

   kg.load("g.json")
   ```

```console
$ echo one
old
$ printf 'two  \\n'
```

```json
{"not": "run"}
```
"""


def test_steps_of_a_page() -> None:
    assert list(steps(PAGE)) == [
        Step("file", 'drop = ["a"]\n', "rules.toml"),
        Step("command", "cp a b"),
        Step("command", "kg build a -o g.json"),
        Step("command", "kg show g.json BERT"),
        Step("python", 'import kg\n\nkg.load("g.json")\n'),
        Step("command", "echo one", shows=True),
        Step("command", "printf 'two  \\n'", shows=True),
    ]


def test_python_goes_by_its_first_line_after_the_imports() -> None:
    step = Step("python", '"""About."""\n\nimport kg\n\ngraph = kg.load("g")\ngraph\n')
    assert step.name == 'graph = kg.load("g")'


def test_outputs_are_written_below_their_commands(tmp_path: Path) -> None:
    page = "```console\n$ echo one\nold\nolder\n$ printf 'two  \\n'\n```\n\n```sh\necho one\n```\n"
    expected = "```console\n$ echo one\none\n$ printf 'two  \\n'\ntwo\n```\n\n```sh\necho one\n```\n"
    assert refreshed(page, folder=tmp_path, cache=tmp_path) == expected
