"""Tests of the library as a notebook uses it."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import extractors
import kg
from extractors import version
from kg.schema import Concept, ConceptType, Extraction, Paper, Relation, RelationType, Role
from tests.cli.fake import extractor_version, pipeline
from tests.graphs import small_graph

ROOT = Path(__file__).resolve().parents[2]
PAPERS = [
    Paper(
        title="One",
        abstract="We use UPGNET and BERT to solve all that can be solved today.",
        source_ids=("a",),
    ),
    Paper(title="Two", abstract="BERT is compared with nothing at all, as is usual.", source_ids=("b",)),
]


@pytest.fixture(autouse=True)
def _fake_extractor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractors, "pipeline", pipeline, raising=False)
    monkeypatch.setattr(version, "extractor_version", extractor_version)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "list.jsonl"
    lines = (f'{{"title": "{p.title}", "abstract": "{p.abstract}"}}\n' for p in PAPERS)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_the_public_names_are_sorted_documented_and_there() -> None:
    assert kg.__all__ == sorted(kg.__all__)
    assert [name for name in kg.__all__ if name != "__version__" and not getattr(kg, name).__doc__] == []
    assert set(kg.__all__) <= set(dir(kg))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'kg' has no attribute 'nonsense'"):
        _ = kg.nonsense


def test_importing_the_library_loads_no_heavy_library() -> None:
    code = "import sys, kg; kg.read; print(sorted({'spacy', 'networkx', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "[]\n"


def test_the_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.+?)^```", readme, re.MULTILINE | re.DOTALL)
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README.md", "exec"), {})
    assert "method:" in capsys.readouterr().out
    assert (tmp_path / "graph.json").exists()


def test_read_takes_one_path_or_several(listed: Path) -> None:
    assert [paper.title for paper in kg.read(listed).papers] == ["One", "Two"]
    assert len(kg.read([listed, str(listed)]).papers) == 4


def test_extract_gives_one_extraction_a_record_in_order() -> None:
    assert [item.id for item in kg.extract([*PAPERS, PAPERS[0]])] == ["a", "b", "a"]


def test_build_is_the_same_from_paths_papers_and_what_was_read(listed: Path) -> None:
    built = [kg.build(source) for source in (listed, str(listed), [listed], kg.read(listed))]
    assert {tuple(graph.nodes) for graph in built} == {tuple(built[0].nodes)}
    assert built[0].nodes["method:bert"]["papers"] == 2


def test_build_makes_one_paper_of_equal_records() -> None:
    graph = kg.build([*PAPERS, *PAPERS])
    assert sum(data["type"] == "Paper" for data in graph.nodes.values()) == 2


def test_build_takes_a_generator_of_papers() -> None:
    assert kg.build(paper for paper in PAPERS).number_of_nodes() == kg.build(PAPERS).number_of_nodes()


def test_papers_and_paths_do_not_mix(listed: Path) -> None:
    with pytest.raises(TypeError, match="either papers or paths"):
        kg.build([PAPERS[0], listed])  # type: ignore[arg-type]


def test_progress_is_told_after_each_paper() -> None:
    told: list[tuple[int, int]] = []
    kg.build(PAPERS, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_rejected_records_of_paths_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text('[1]\n{"title": "One", "abstract": "We use BERT."}\n', encoding="utf-8")
    with caplog.at_level(logging.WARNING, logger="kg"):
        kg.build(path, format="jsonl")
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "line 1: " in caplog.text


def test_a_graph_is_saved_loaded_and_exported(tmp_path: Path) -> None:
    graph = small_graph()
    kg.save(graph, tmp_path / "g.json")
    assert dict(kg.load(tmp_path / "g.json").nodes) == dict(graph.nodes)
    kg.export(graph, tmp_path / "g.graphml")
    assert (tmp_path / "g.graphml").exists()


def test_min_score_leaves_out_concepts_roles_and_relations(monkeypatch: pytest.MonkeyPatch) -> None:
    extraction = Extraction(
        id="a",
        title="One",
        text=PAPERS[0].text,
        concepts=(
            Concept(
                name="BERT",
                type=ConceptType.METHOD,
                score=0.9,
                mentions=(),
                roles={Role.USES: (0.9, 0, 9), Role.COMPARES: (0.2, 0, 9)},
            ),
            Concept(
                name="UPGNET", type=ConceptType.METHOD, score=0.8, mentions=(), roles={Role.USES: (0.7, 0, 9)}
            ),
            Concept(name="nothing", type=ConceptType.TASK, score=0.4, mentions=()),
        ),
        relations=(
            Relation("BERT", RelationType.IMPROVES, "UPGNET", 0.9, 0, 9),
            Relation("UPGNET", RelationType.IMPROVES, "BERT", 0.3, 0, 9),
            Relation("BERT", RelationType.USED_FOR, "nothing", 0.9, 0, 9),
        ),
    )
    monkeypatch.setattr(pipeline, "extract", lambda papers: iter([extraction]))
    graph = kg.build(PAPERS[:1], min_score=0.5)
    paper = PAPERS[0].id
    assert sorted(graph.edges(keys=True)) == [
        ("method:bert", "method:upgnet", "IMPROVES"),
        (paper, "method:bert", "USES"),
        (paper, "method:upgnet", "USES"),
    ]
