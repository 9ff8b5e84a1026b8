"""Rules files: what they may hold, and what is said of a bad one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from kg.assemble import assemble, rules_of
from kg.corrections import matches, unmatched
from kg.errors import RulesError
from kg.rules import NO_RULES, PaperRules, Rules, StatedRelation, load_rules, paper_ids, parse_rules
from kg.schema import CodeRole, ConceptType, Extraction, Paper, RelationType, Role
from kg.store import Graph, dumps, loads
from kg.update import remove
from tests.kg.build import Concepts, read

TEXT = """\
same = [["GNN", "graph net"]]
different = [["GPT-4", "GPT4"]]
type = {"ImageNet" = "dataset"}
drop = ["our net"]

[paper."2401.00001"]
roles."Transformer" = ["proposes", "uses"]
roles."BERT" = false
links."https://github.com/o/r" = "official"
links."https://github.com/o/x" = false
relations = [["LoRA", "used-for", "tuning"], ["LoRA", "not is-a", "BERT"]]
"""


def test_a_rules_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(TEXT)
    rules = load_rules(path)
    assert (rules.same, rules.different, rules.drop) == (
        (("GNN", "graph net"),),
        (("GPT-4", "GPT4"),),
        ("our net",),
    )
    assert rules.types == {"ImageNet": ConceptType.DATASET}
    assert rules.papers == {
        "2401.00001": PaperRules(
            roles={"Transformer": (Role.PROPOSES, Role.USES), "BERT": None},
            links={"https://github.com/o/r": CodeRole.OFFICIAL, "https://github.com/o/x": None},
            relations=(
                StatedRelation("LoRA", RelationType.USED_FOR, "tuning", True),
                StatedRelation("LoRA", RelationType.IS_A, "BERT", False),
            ),
        )
    }
    assert parse_rules(rules.record) == rules
    assert rules.place("drop", "our net") == "rules.toml, line 4"
    assert rules.place("roles", "BERT") == "rules.toml, line 8"


@pytest.mark.parametrize(
    ("tables", "message", "hint"),
    [
        ([], "the whole must be a table", "docs/rules.md"),
        ({"sam": []}, "sam is no rule", "Rules are same, different, type, drop, paper."),
        pytest.param(
            {"pattern": [{"TEXT": {"REGEX": "vision transformers?"}}]},
            "pattern is no rule",
            "Rules are same, different, type, drop, paper.",
            id="c3-05-token-pattern",
        ),
        ({"same": ["A", "B"]}, "same must be a list of lists of names", 'same = [["GNN"'),
        ({"same": [["A"]]}, "same needs two different names", "same = "),
        ({"different": [["A", 3]]}, "different must be a list of names", "different = "),
        ({"drop": "x"}, "drop must be a list of names", "drop = "),
        ({"drop": [""]}, "drop must be a list of names", "drop = "),
        ({"type": []}, "type must be a table", "type = {"),
        ({"type": {"A": "Model"}}, "type.\"A\" cannot be 'Model'", "It is one of Method, Task"),
        ({"paper": {"x": 1}}, 'paper."x" must be a table', '[paper."x"]'),
        ({"paper": {"x": {"role": {}}}}, 'paper."x".role is no rule', "Rules are roles, links"),
        ({"paper": {"x": {"roles": {"A": "uses"}}}}, 'roles."A" must be a list of roles', '["uses"]'),
        ({"paper": {"x": {"roles": {"A": ["use"]}}}}, "cannot be 'use'", "one of proposes"),
        ({"paper": {"x": {"links": {"u": True}}}}, "cannot be True", "one of official"),
        ({"paper": {"x": {"relations": [["A", "B"]]}}}, "cannot hold ['A', 'B']", "used-for"),
        ({"paper": {"x": {"relations": [["A", "b", "C"]]}}}, "cannot be 'b'", "one of used-for"),
    ],
)
def test_what_is_no_rule_is_refused_with_file_key_and_fix(tables: Any, message: str, hint: str) -> None:
    with pytest.raises(RulesError) as raised:
        parse_rules(tables, file="my.toml")
    assert raised.value.message.startswith("my.toml: ")
    assert message in raised.value.message
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"same = [", "is not TOML"), (b"\xff\xfe", "cannot read"), (None, "No such file")],
)
def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "rules.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RulesError, match=message):
        load_rules(path)


def test_no_rules_change_nothing() -> None:
    assert not NO_RULES
    assert NO_RULES.key("GPT-4") == "gpt4"
    assert rules_of(built(parse_rules({}), [])) == NO_RULES


def test_a_paper_is_named_by_any_of_its_ids() -> None:
    paper = Paper(abstract="x", doi="10.1/A", arxiv_id="2401.00001", source_ids=("K7",))
    assert paper_ids(paper) == {
        "paper:doi:10.1/a",
        "10.1/a",
        "doi:10.1/a",
        "2401.00001",
        "arxiv:2401.00001",
        "k7",
    }


Pair = tuple[Paper, Extraction]


def built(rules: Rules, pairs: list[Pair]) -> Graph:
    return assemble(
        [paper for paper, _ in pairs],
        [extraction for _, extraction in pairs],
        attributes={"rules": dict(rules.record)} if rules else {},
    )


def concepts(tables: dict[str, Any], *pairs: Pair) -> dict[str, str]:
    """The concepts of a graph: name -> type."""
    graph = built(parse_rules(tables), list(pairs))
    return {
        data["name"]: data["type"]
        for data in graph.nodes.values()
        if data["type"] in set(map(str, ConceptType))
    }


def one(abstract: str, found: Concepts, **fields: object) -> Pair:
    return read(abstract, found, **fields)  # type: ignore[arg-type]


FOO = one("We use Foo nets.", {"Foo nets": ("Method", [], ["uses"])})
BAR = one("We use BarX.", {"BarX": ("Task", [], [])})
GPTS = one("GPT-4 and GPT4.", {"GPT-4": ("Method", ["GPT4"], ["uses"])})
SHORT = one("Graph star net (GSN).", {"Graph star net": ("Method", ["GSN"], ["uses"])})


def test_same_joins_across_types_and_the_first_name_is_shown() -> None:
    assert concepts({}, FOO, BAR) == {"Foo nets": "Method", "BarX": "Task"}
    assert concepts({"same": [["BarX", "foo net"]]}, FOO, BAR) == {"BarX": "Task"}
    graph = built(parse_rules({"same": [["BarX", "foo net"]]}), [FOO, BAR])
    assert graph.graph["merges"] == [
        {"alias": "Foo nets", "canonical": "BarX", "type": "Task", "rule": "same", "support": 1}
    ]


def test_different_parts_an_acronym_and_its_long_form() -> None:
    assert concepts({}, SHORT) == {"graph star net": "Method"}
    parted = concepts({"different": [["GSN", "graph star net"]]}, SHORT)
    assert parted == {"graph star net": "Method", "GSN": "Method"}


def test_different_parts_spellings_of_one_key() -> None:
    assert list(concepts({}, GPTS)) == ["GPT-4"]
    assert list(concepts({"different": [["GPT-4", "GPT4"]]}, GPTS)) == ["GPT-4", "GPT4"]


def test_different_holds_against_the_vocabulary() -> None:
    short = one("We use KD.", {"KD": ("Method", [], ["uses"])})
    assert list(concepts({}, short)) == ["knowledge distillation"]
    assert list(concepts({"different": [["KD", "knowledge distillation"]]}, short)) == ["KD"]


def test_type_and_drop() -> None:
    assert concepts({"type": {"barx": "Dataset"}}, FOO, BAR)["BarX"] == "Dataset"
    assert concepts({"drop": ["foo net"]}, FOO, BAR) == {"BarX": "Task"}
    assert concepts({"drop": ["gsn"]}, SHORT) == {}


@pytest.mark.parametrize("dropped", ["GPT", "gpt"])
def test_a_dropped_name_does_not_come_back_as_the_family_of_its_versions(dropped: str) -> None:
    names: Concepts = {name: ("Method", [], ["uses"]) for name in ("GPT", "GPT-3", "GPT-4")}
    paper = one("We use GPT, GPT-3 and GPT-4.", names)
    assert list(concepts({}, paper)) == ["GPT", "GPT-3", "GPT-4"]
    assert list(concepts({"drop": [dropped]}, paper)) == ["GPT-3", "GPT-4"]


def test_rules_stay_in_the_file_and_hold_when_it_is_built_anew() -> None:
    rules = parse_rules({"drop": ["foo net"]})
    graph = loads(dumps(built(rules, [FOO, BAR])))
    assert rules_of(graph) == rules
    from kg.assemble import records

    papers, extractions = records(graph)
    again = built(rules_of(graph), list(zip(papers, extractions, strict=True)))
    assert dumps(again) == dumps(graph)


def test_papers_that_are_removed_leave_the_rules() -> None:
    rules = parse_rules({"drop": ["foo net"], "type": {"BarX": "Dataset"}})
    left = remove(built(rules, [FOO, BAR]), [FOO[0].id])
    assert dumps(left) == dumps(built(rules, [BAR]))


def test_a_rule_that_matches_nothing_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(
        'same = [\n  ["BarX", "foo net"],\n  ["Nope", "BarX"],\n]\ndrop = ["gone"]\n'
        '[paper."K7"]\nroles."BarX" = []\nroles."Absent" = false\n[paper."K8"]\n'
    )
    pairs = [FOO, one("We use BarX.", {"BarX": ("Task", [], [])}, source_ids=("K7",))]
    rules = load_rules(path)
    assert unmatched(rules, matches(rules, pairs)) == [
        "rules.toml, line 3: same: no paper writes 'Nope'",
        "rules.toml, line 5: drop: no paper writes 'gone'",
        'rules.toml, line 9: paper."K8": no such paper',
        "rules.toml, line 8: roles: the paper does not have 'Absent'",
    ]


@pytest.mark.parametrize(
    "name", [pytest.param("vision transformers? for.*", id="c3-05"), "(vision|image) transformer"]
)
def test_a_regular_expression_never_matches_in_silence(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(f"# What we leave out\ndrop = [\n  '{name}',\n]\n")
    pair = one("We use a vision transformer.", {"vision transformer": ("Method", [], [])})
    rules = load_rules(path)
    told = f"rules.toml, line 3: drop: no paper writes {name!r}"
    assert unmatched(rules, matches(rules, [pair])) == [told]


DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


@pytest.mark.parametrize("block", DOCS.read_text("utf-8").split("```toml\n")[1:])
def test_the_examples_of_the_documentation_are_rules(block: str) -> None:
    assert parse_rules(tomllib.loads(block.partition("```")[0]))
