"""Tests of `kg merges`, and of `kg build --rules`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Kg, json_lines

PAPERS = json_lines(
    [
        {"id": "a", "title": "One", "abstract": "We use VideoBERT and ViLBERTs."},
        {"id": "b", "title": "Two", "abstract": "We use Video-BERT and ViLBERT."},
        {"id": "c", "title": "Three", "abstract": "We use VideosBERT."},
    ]
)


def build(kg: Kg, *options: str) -> None:
    assert kg("build", "-", "-o", "g.json", *options, stdin=PAPERS).exit_code == 0


def test_the_ledger_as_table_json_and_csv(kg: Kg) -> None:
    build(kg)
    assert "ViLBERTs ViLBERT Method spelling 1" in " ".join(kg("merges", "g.json").stdout.split())
    (found,) = json.loads(kg("merges", "g.json", "vilbert", "--format", "json").stdout)
    papers = found.pop("papers")
    assert found == {
        "alias": "ViLBERTs",
        "canonical": "ViLBERT",
        "type": "Method",
        "rule": "spelling",
        "support": 1,
    }
    assert len(papers) == 1
    rows = kg("merges", "g.json", "vilbert", "--format", "csv").stdout.splitlines()
    assert rows == [
        "alias,canonical,type,rule,support,papers",
        f"ViLBERTs,ViLBERT,Method,spelling,1,{papers[0]}",
    ]


def test_suggestions(kg: Kg) -> None:
    build(kg)
    (found,) = json.loads(kg("merges", "g.json", "--suggest", "--format", "json").stdout)
    assert (found["one"], found["other"]) == ("VideoBERT", "VideosBERT")
    assert kg("merges", "g.json", "ViLBERT", "--suggest").exit_code == 2


def test_rules_hold_and_idle_ones_are_named(kg: Kg) -> None:
    Path("r.toml").write_text('same = [["VideoBERT", "VideosBERT"]]\ndrop = ["absent"]\n')
    done = kg("build", "-", "-o", "g.json", "--rules", "r.toml", stdin=PAPERS)
    assert "r.toml, line 2: drop: no paper writes 'absent'" in done.stderr
    found = json.loads(kg("merges", "g.json", "VideoBERT", "--format", "json").stdout)
    assert ("VideosBERT", "same") in {(line["alias"], line["rule"]) for line in found}


def test_a_bad_rules_file_is_one_line_before_anything_is_read(kg: Kg) -> None:
    Path("r.toml").write_text("same = 3\n")
    done = kg("build", "-", "--rules", "r.toml", stdin=PAPERS)
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: r.toml: same must be a list of lists of names. "
        'Write it so: same = [["GNN", "graph neural network"]]\n'
    )
    assert not Path("graph.json").exists()
