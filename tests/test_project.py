"""Tests of the project itself: what is written about it is true."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MODULES = sorted(path for folder in ("kg", "extractors", "viz") for path in (ROOT / folder).rglob("*.py"))


def requirements(*extras: str) -> list[Requirement]:
    """Everything that pyproject.toml asks for: of all extras, or of those named."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    lines = [line for extra in extras or optional for line in optional[extra]]
    return [Requirement(line) for line in (*project["dependencies"], *lines)]


def pins() -> dict[str, str]:
    """The versions that continuous integration installs."""
    text = (ROOT / "requirements" / "ci.txt").read_text(encoding="utf-8")
    lines = [line.partition("==") for line in text.splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, _, version in lines}


def test_every_dependency_has_a_reason() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| ([a-z0-9-]+) \| .+ \|$", page, re.MULTILINE)) - {"package"}
    assert told == {requirement.name for requirement in requirements()}


@pytest.mark.parametrize("requirement", requirements("dev"), ids=lambda requirement: requirement.name)
def test_the_pinned_version_is_in_the_range(requirement: Requirement) -> None:
    assert requirement.specifier.contains(pins()[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_index_of_the_documentation_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    links = set(re.findall(r"\]\(([^)#\s]+)", (docs / "README.md").read_text(encoding="utf-8")))
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")} - {"README.md"}
    assert sorted(pages - links) == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_all_is_sorted_and_every_module_says_what_it_is(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
            assert names == sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def test_the_readme_has_two_commands_to_set_up_one_to_build_and_one_to_test() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^## (.+?)\n.*?^```sh\n(.+?)^```", readme, re.MULTILINE | re.DOTALL))
    assert {title: block.splitlines() for title, block in blocks.items()} == {
        "Set up": ["python3 -m venv .venv && . .venv/bin/activate", 'pip install -e ".[dev]"'],
        "Build a graph": ["kg build seeds -o graph.json"],
        "Run the tests": ["pytest"],
    }
