"""The whole reader, with the shipped weights, on short papers of our own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from spacy.tokens import Doc, Span, Token

from extractors import pipeline
from extractors.pipeline import extract, load, read_paper
from extractors.text import plain
from kg.readers import read as kg_read
from kg.schema import CodeStatus, ConceptType, Extraction, Paper, RelationType, Role
from tests.conftest import json_lines

TITLE = "FooNet: Graph Matching with Sparse Attention"
SYSTEMS = {
    "UPGNET", "Kona", "SAFE", "MixBridge", "MemFreezing", "STAMP", "DIS-CO", "RSTIB-MLP", "POROver",
    "SPEX",
    "S²FGL", "Stealix", "WASP", "WAM", "GraphFilter", "Safe Delta", "WAVE", "NETS", "InferenceTimePessimism",
    "EquiLLM", "Causal-PIK", "Cascade", "GPTAQ", "AutoCATE", "PILAF", "Star Attention",
    "KA-Prompt", "DiffMove",
}  # fmt: skip
ABSTRACT = (
    "Graph neural networks (GNNs) are used for graph matching. In this paper, we propose FooNet, a "
    "graph neural network with sparse attention. We evaluate FooNet on CIFAR-10 and ImageNet, where it "
    "outperforms ResNet-50 in accuracy. Our code is available at https://github.com/example-lab/foonet."
)


def read(abstract: str, title: str | None = None) -> Extraction:
    return next(extract([Paper(title=title, abstract=abstract)]))


def names(found: Extraction, *types: str) -> set[str]:
    return {concept.name for concept in found.concepts if concept.type in types}


@pytest.fixture(scope="module")
def foonet() -> Extraction:
    return read(ABSTRACT, TITLE)


def test_the_proposed_method_is_proposed(foonet: Extraction) -> None:
    assert [c.name for c in foonet.concepts if Role.PROPOSES in c.roles] == ["FooNet"]


def test_task_data_and_metric_have_their_roles(foonet: Extraction) -> None:
    roles = {concept.name.lower(): set(concept.roles) for concept in foonet.concepts}
    assert roles["graph matching"] == {Role.TASKS}
    assert roles["cifar-10"] == roles["imagenet"] == {Role.DATASETS}
    assert roles["accuracy"] == {Role.METRICS}


def test_a_role_is_shown_by_a_sentence_that_names_the_concept(foonet: Extraction) -> None:
    (concept,) = [c for c in foonet.concepts if Role.PROPOSES in c.roles]
    _, start, end = concept.roles[Role.PROPOSES]
    assert "FooNet" in foonet.text[start:end]
    assert (start, end) in foonet.sentences


def test_the_text_states_relations(foonet: Extraction) -> None:
    stated = {(r.head, r.relation) for r in foonet.relations}
    assert ("FooNet", RelationType.EVALUATED_ON) in stated
    assert all(foonet.text[r.start : r.end].strip() for r in foonet.relations)


def test_the_paper_s_code_is_official(foonet: Extraction) -> None:
    (link,) = foonet.code_links
    assert (link.url, link.role.value) == ("https://github.com/example-lab/foonet", "official")
    assert foonet.code_status is CodeStatus.LINKED


def test_long_and_short_form_are_one_concept(foonet: Extraction) -> None:
    (concept,) = [c for c in foonet.concepts if "GNNs" in (c.name, *c.aliases)]
    assert {name.lower() for name in (concept.name, *concept.aliases)} == {"graph neural networks", "gnns"}


def test_a_record_comes_back_from_its_json(foonet: Extraction) -> None:
    assert Extraction.from_record(json.loads(json.dumps(foonet.to_record()))) == foonet


@pytest.mark.parametrize(
    "abstract",
    [
        pytest.param("🧪👩🏽‍🔬 We present RocketNet 🛰️ on COCO.", id="c4-29"),
        pytest.param("We use trans\u00adformer lan\u00adguage mod\u00ad\nels on Image\u00adNet.", id="c4-16"),
        pytest.param(r"We propose $S^2$FGL, contr**A**stive \emph{learning} on \textbf{M}NIST.", id="markup"),
        pytest.param("", id="nothing"),
        pytest.param("\x00\x07 \ufffe", id="control"),
    ],
)
def test_every_mention_is_what_stands_at_its_offsets(abstract: str) -> None:
    found = read(abstract)
    assert all(found.text[m.start : m.end] == m.text for m in found.mentions)


@pytest.mark.parametrize(
    ("abstract", "dataset"),
    [
        pytest.param("We train a classifier with \\foobar features on ImageNet.", "ImageNet", id="c4-03"),
        pytest.param("We use BERT on Penn\u00a0Treebank.", "Penn\u00a0Treebank", id="c4-22"),
        pytest.param("We use ＢＥＲＴ on Im\u200bage\u200dNet.", "Im\u200bage\u200dNet", id="c4-19"),
        pytest.param(
            r"Code at \href{https://github.com/x/demo}{GitHub}. We evaluate on MNIST.", "MNIST", id="c1-29"
        ),
        pytest.param(
            "Throughput was 3.4 GB/s and energy 0.7 nJ/op on ImageNet-1k/ReaL.", "ImageNet-1k", id="c3-17"
        ),
    ],
)
def test_data_sets_are_found_through_markup(abstract: str, dataset: str) -> None:
    assert dataset in {m.text for m in read(abstract).mentions if m.type is ConceptType.DATASET}


def test_no_name_is_generic_or_ends_in_a_hyphen() -> None:
    found = read(
        "UK- built corpora and vision- language models were used. Our model beats existing approaches."
    )
    lowered = {concept.name.lower() for concept in found.concepts}
    assert "vision- language models" in {m.text for m in found.mentions}
    assert not lowered & {"our model", "model", "approaches", "existing approaches", "vision-"}
    assert not any(name.endswith("-") for name in lowered)


def test_both_apostrophes_make_one_method() -> None:  # c3-03
    found = read("We compare Newton's method, Newton’s method and Moore-Penrose's inverse.")
    (newton,) = [c for c in found.concepts if c.name.startswith("Newton")]
    assert len(newton.mentions) == 2


def test_a_longer_name_keeps_its_parts_to_itself() -> None:  # c3-06
    found = read(
        "We fine-tune BERT-base-uncased and RoBERTa on the Stanford Question Answering Dataset (SQuAD)."
    )
    assert "BERT-base-uncased" in {m.text for m in found.mentions}
    assert "BERT" not in {m.text for m in found.mentions}


def test_two_adjacent_acronyms_are_two_tasks() -> None:  # c2-13
    found = read(
        "Named entity recognition (NER) and relation extraction (RE) are joint tasks. "
        "Our NER RE system is fast."
    )
    tasks = [c for c in found.concepts if c.type is ConceptType.TASK]
    assert sorted(name for c in tasks for name in (c.name, *c.aliases) if name.isupper()) == ["NER", "RE"]


def test_a_title_alone_is_read() -> None:  # c4-30
    found = read("", "BERT for law")
    assert "BERT" in {concept.name for concept in found.concepts}


def test_a_withdrawn_paper_gives_no_concepts_of_its_notice() -> None:  # c4-25
    notice = "This paper has been withdrawn by the authors due to errors in the ImageNet experiments."
    found = next(extract([Paper(title="GroundAgent", abstract=notice, status="withdrawn")]))
    assert found.text.endswith(notice)
    assert all(mention.end <= len("GroundAgent") for mention in found.mentions)


def test_a_title_is_one_sentence() -> None:  # c3-19
    assert len(read("", "Careful probing of frozen encoders involving the XQZ benchmark").sentences) == 1


def test_records_hold_no_spacy_objects(foonet: Extraction) -> None:  # c3-15
    def parts(value: object) -> list[object]:
        if isinstance(value, dict):
            return [part for item in value.items() for each in item for part in parts(each)]
        return (
            [part for item in value for part in parts(item)] if isinstance(value, list | tuple) else [value]
        )

    assert not any(isinstance(part, Doc | Span | Token) for part in parts(foonet.to_record()))


def test_papers_come_in_order_whatever_the_batch() -> None:
    papers = [
        Paper(abstract=ABSTRACT.replace("FooNet", f"Net{i}Foo"), source_ids=(str(i),)) for i in range(7)
    ]
    one, three = list(extract(papers, batch_size=1)), list(extract(papers, batch_size=3))
    assert one == three
    assert [found.id for found in one] == [str(i) for i in range(7)]


def test_memory_forgets_the_words_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:  # c3-14
    monkeypatch.setattr(pipeline, "KEPT_WORDS", len(load().vocab.strings))

    def strings(count: int, offset: int) -> int:
        list(extract(Paper(abstract=f"We use zq{offset + i}xv nets.") for i in range(count)))
        return len(load().vocab.strings)

    before = strings(64, 0)
    assert strings(256, 1000) <= before + 64


def test_what_is_read_does_not_depend_on_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [Paper(abstract=f"We propose zq{index}net, a network for parsing.") for index in range(9)]
    kept = list(extract(papers))
    monkeypatch.setattr(pipeline, "KEPT_WORDS", 0)
    assert list(extract(papers, batch_size=2)) == kept


def test_no_role_is_surer_than_its_concept_unless_the_text_introduces_it() -> None:
    nlp = load()
    with nlp.select_pipes(disable="paperkg_doubtful"):
        doc = read_paper(Paper(abstract=ABSTRACT), nlp=nlp)
    drafts = [draft for draft in doc._.concepts if not doc._.view.introduces(draft)]
    scores = [row for draft, row in zip(doc._.concepts, doc._.role_scores, strict=True) if draft in drafts]
    assert drafts
    assert all(row.max() <= draft.score for draft, row in zip(drafts, scores, strict=True))


def test_a_document_can_be_looked_at() -> None:
    doc = read_paper(Paper(abstract=ABSTRACT))
    assert {place.text for place in doc._.mentions} >= {"FooNet", "GNNs"}


@pytest.mark.shared
@pytest.mark.slow
def test_papers_kept_apart_are_read_as_well_as_promised(shared: Path, tmp_path: Path) -> None:
    annotated = shared / "data" / "annotated"
    papers = [
        Paper(title=item["title"], abstract=item["abstract"], source_ids=(item["id"],))
        for item in json_lines(annotated / "dev.text.jsonl")
    ]
    predicted = tmp_path / "predicted.jsonl"
    predicted.write_text("".join(json.dumps(found.to_record()) + "\n" for found in extract(papers)))
    command = [sys.executable, str(shared / "tools" / "score.py")]
    command += [
        str(annotated / "dev.text.jsonl"),
        str(annotated / "dev.gold.jsonl"),
        str(predicted),
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    scores = {name: value["F1"] for name, value in json.loads(done.stdout).items() if name != "missing"}
    assert scores["mentions4"] >= 75
    assert scores["code"] == 100
    assert scores["role:proposes"] >= 74
    assert scores["role:metrics"] >= 63
    assert scores["role:uses"] >= 63
    assert scores["relations"] >= 38


@pytest.mark.shared
def test_the_named_systems_of_the_real_lists_are_proposed(shared: Path) -> None:
    found = list(extract(kg_read([shared / "seeds"]).papers))
    proposed = {
        name
        for paper in found
        for concept in paper.concepts
        if Role.PROPOSES in concept.roles
        for name in (plain(concept.name), *map(plain, concept.aliases))
    }
    assert proposed >= SYSTEMS


def test_a_name_that_defines_its_short_form_inside_goes_by_it() -> None:
    (found,) = extract(
        [
            Paper(
                title="",
                abstract="We propose a Weighted Adaptive Varying gatE (WAVE) network. "
                "WAVE improves forecasting.",
            )
        ]
    )
    proposed = [concept for concept in found.concepts if Role.PROPOSES in concept.roles]
    assert "WAVE" in {name for concept in proposed for name in (concept.name, *concept.aliases)}
