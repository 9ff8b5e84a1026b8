"""Which names of a corpus are one concept."""

from __future__ import annotations

import pytest

from kg.naming import DOMINANCE, Merge, Name, Naming, name_corpus, paper_groups
from kg.schema import ConceptType, Extraction
from tests.kg.build import Concepts, read


def one(abstract: str, concepts: Concepts, *, title: str | None = None) -> Extraction:
    return read(abstract, concepts, title=title)[1]


def named(*extractions: Extraction) -> Naming:
    return name_corpus([paper_groups(extraction) for extraction in extractions])


def ids(naming: Naming, extraction: Extraction) -> list[str]:
    """The node of each concept of one paper."""
    return [naming.of(group).id for group in paper_groups(extraction)]


GNN_LONG = "graph neural network"


def test_acronym_with_one_long_form_merges_in_every_paper() -> None:
    defining = one("A graph neural network (GNN) is a net.", {GNN_LONG: ("Method", ["GNN"], [])})
    using = one("We train GNNs.", {"GNNs": ("Method", [], [])})
    naming = named(using, defining)
    assert ids(naming, using) == ids(naming, defining)
    name = Name("method:graph-neural-network", GNN_LONG, ConceptType.METHOD, ("GNN", "GNNs"))
    assert list(naming.names.values()) == [name]
    assert naming.merges == (
        Merge("GNN", GNN_LONG, ConceptType.METHOD, "acronym", 1),
        Merge("GNNs", GNN_LONG, ConceptType.METHOD, "acronym", 1),
    )


def test_acronym_with_several_long_forms_belongs_to_each_only_in_its_paper() -> None:  # c2-14
    first = one(
        "We study machine translation (MT). MT is hard.", {"machine translation": ("Task", ["MT"], [])}
    )
    second = one(
        "We use multi-task learning (MT). MT helps.", {"multi-task learning": ("Method", ["MT"], [])}
    )
    undefined = one("MT is old.", {"MT": ("Task", [], [])})
    naming = named(first, second, undefined)
    assert ids(naming, first) == ["task:machine-translation"]
    assert ids(naming, second) == ["method:multi-task-learning"]
    assert ids(naming, undefined) == ["task:mt"]
    assert naming.merges == (
        Merge("MT", "machine translation", ConceptType.TASK, "alias", 1),
        Merge("MT", "multi-task learning", ConceptType.METHOD, "alias", 1),
    )


def test_acronym_follows_a_long_form_that_nearly_all_papers_mean() -> None:
    usual = one("A large language model (LLM).", {"large language model": ("Method", ["LLM"], [])})
    rare = one("A linear latent map (LLM).", {"linear latent map": ("Method", ["LLM"], [])})
    using = one("LLM.", {"LLM": ("Method", [], [])})
    apart = named(*[usual] * (DOMINANCE - 1), rare, using)
    joined = named(*[usual] * DOMINANCE, rare, using)
    assert ids(apart, using) == ["method:llm"]
    assert ids(joined, using) == ids(joined, usual)
    assert "acronym-dominant" in {merge.rule for merge in joined.merges}
    assert ids(joined, rare) == ["method:linear-latent-map"]


def test_case_tells_an_acronym_from_a_word() -> None:  # c2-15
    first = one("Self-play fine-tuning (SPIN) helps.", {"Self-play fine-tuning": ("Method", ["SPIN"], [])})
    second = one("We model the spin of atoms.", {"spin": ("Method", [], [])})
    naming = named(first, second)
    assert ids(naming, second) == ["method:spin"]
    assert ids(naming, first) != ids(naming, second)


@pytest.mark.parametrize(
    ("one_form", "other_form", "nodes"),
    [
        ("BERT", "Bert", 1),
        ("IMAGENET", "ImageNet", 1),
        ("LLaMA", "Llama", 1),
        ("BLEU", "bleu", 2),
        ("C", "C++", 2),
        ("pre-training", "Pretraining", 1),
        ("FPS", "fps", 1),
        ("MixUp", "mixup", 1),
        ("LASSO", "lasso", 1),
        ("BERT", "BERT model", 1),
        ("Adam optimizer", "Adam", 1),
        ("transformer", "Transformer architectures", 1),
        ("gradient descent", "gradient descent algorithm", 1),
        ("language", "language model", 2),
        ("Gaussian", "Gaussian model", 2),
        ("sensor", "Sensor model", 2),
        ("sublinear classical", "sublinear classical algorithm", 2),
        ("LightGBM", "light GBM", 1),
        ("BiLSTM", "bidirectional LSTM", 1),
    ],
)
def test_forms_in_two_papers(one_form: str, other_form: str, nodes: int) -> None:
    papers = [one(f"We use {form} here.", {form: ("Method", [], [])}) for form in (one_form, other_form)]
    assert len(named(*papers).names) == nodes


@pytest.mark.parametrize(
    ("kind", "one_form", "other_form", "nodes"),
    [
        ("Dataset", "ImageNet", "ImageNet dataset", 1),
        ("Dataset", "GLUE", "GLUE benchmark", 1),
        ("Dataset", "MNIST", "MNIST benchmark data set", 1),
        ("Metric", "F1", "F1-score", 1),
        ("Metric", "similarity", "similarity score", 2),
        ("Task", "node classification", "node classification task", 1),
        ("Metric", "mAP", "map", 1),
        ("Metric", "BLEU", "bleu", 1),
    ],
)
def test_heads_that_a_type_implies(kind: str, one_form: str, other_form: str, nodes: int) -> None:
    papers = [one(f"We use {form} here.", {form: (kind, [], [])}) for form in (one_form, other_form)]
    assert len(named(*papers).names) == nodes


def test_a_head_is_not_shown_and_the_ledger_says_so() -> None:
    many = one("We use HST models.", {"HST models": ("Method", [], [])})
    (name,) = named(many, many, one("We use HST.", {"HST": ("Method", [], [])})).names.values()
    assert (name.name, name.aliases) == ("HST", ("HST models",))


def test_near_equal_long_forms_of_one_acronym_are_one() -> None:
    forms = ("deep correlation networks", "deep correlational network")
    papers = [one(f"We use {form} (DCN).", {form: ("Method", ["DCN"], [])}) for form in (*forms, forms[0])]
    naming = named(*papers)
    assert len(naming.names) == 1
    assert {merge.rule for merge in naming.merges} == {"acronym", "long-form+acronym"}


def test_an_undefined_acronym_is_resolved_by_its_company() -> None:
    company: Concepts = {"BLEU": ("Metric", [], []), "WMT14": ("Dataset", [], [])}
    translation = one(
        "Machine text (MT) by BLEU on WMT14.", {"Machine text": ("Task", ["MT"], []), **company}
    )
    other = one(
        "Motion tags (MT) with LoRA.", {"Motion tags": ("Task", ["MT"], []), "LoRA": ("Method", [], [])}
    )
    undefined = one("MT by BLEU on WMT14.", {"MT": ("Task", [], []), **company})
    alone = one("MT by BLEU.", {"MT": ("Task", [], []), "BLEU": ("Metric", [], [])})
    naming = named(translation, other, undefined, alone)
    found = [[name.name for _, name in naming.named(paper_groups(paper))] for paper in (undefined, alone)]
    assert found == [["machine text", "BLEU", "WMT14"], ["MT", "BLEU"]]
    assert Merge("MT", "machine text", ConceptType.TASK, "acronym-context", 1) in naming.merges


def test_names_that_differ_in_an_acronym_are_one() -> None:
    papers = [
        one("On reward shaping nets (RSN).", {"reward shaping nets": ("Method", ["RSN"], [])}),
        one("A deep RSN.", {"deep RSN": ("Method", [], [])}),
        one("A deep reward shaping net.", {"deep reward shaping net": ("Method", [], [])}),
    ]
    assert [name.name for name in named(*papers).names.values()] == [
        "deep reward shaping net",
        "reward shaping nets",
    ]


def test_a_model_that_is_made_by_learning_is_not_the_learning_whatever_its_acronym() -> None:
    defining = one("Machine learning (ML) is old.", {"machine learning": ("Method", ["ML"], [])})
    short = one("We train ML models.", {"ML models": ("Method", [], [])})
    long = one("A machine learning model.", {"machine learning model": ("Method", [], [])})
    naming = named(defining, short, long)
    assert ids(naming, short) == ids(naming, long) == ["method:machine-learning-model"]
    assert ids(naming, defining) == ["method:machine-learning"]


def test_versions_are_tied_to_their_family() -> None:
    papers = [one(f"We use {form}.", {form: ("Method", [], [])}) for form in ("GPT-3", "GPT-4", "T5")]
    naming = named(*papers)
    ties = {naming.names[child].name: naming.names[parent].name for child, parent in naming.parents.items()}
    assert ties == {"GPT-3": "GPT", "GPT-4": "GPT"}
    assert naming.families == {"gpt^"}


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("Graph Neural Networks", "graph neural network"),
        ("transformers", "Transformer"),
        ("large language models", "large language model"),
        ("GNNs", "graph neural network"),
        ("GAN", "generative adversarial network"),
    ],
)
def test_the_vocabulary_decides_the_spelling(form: str, expected: str) -> None:
    (name,) = named(one(f"We use {form} here.", {form: ("Method", [], [])})).names.values()
    assert name.name == expected


def test_the_vocabulary_joins_synonyms_unless_the_corpus_says_otherwise() -> None:
    long = one("We use kernel density.", {"knowledge distillation": ("Method", [], [])})
    short = one("We use KD.", {"KD": ("Method", [], [])})
    other = one("Kernel density (KD).", {"Kernel density": ("Method", ["KD"], [])})
    assert [name.name for name in named(long, short).names.values()] == ["knowledge distillation"]
    assert "KD" in {alias for name in named(long, short).names.values() for alias in name.aliases}
    joined = {name.name: name.aliases for name in named(long, short, other).names.values()}
    assert joined["knowledge distillation"] == ()


def test_an_acronym_and_its_long_form_vote_together_where_readings_differ() -> None:
    papers = [
        one("Deep text net (DTN).", {"Deep text net": ("Task", ["DTN"], [])}),
        one("Deep text net is a task.", {"Deep text net": ("Task", [], [])}),
        one("We use DTN.", {"DTN": ("Method", [], [])}),
        one("We use DTN.", {"DTN": ("Method", [], [])}),
    ]
    assert [name.type for name in named(*papers).names.values()] == [ConceptType.TASK]


def test_an_acronym_of_two_letters_is_not_renamed_by_a_few() -> None:
    defining = one("On augmented rooms (AR).", {"augmented rooms": ("Method", ["AR"], [])})
    using = one("We use AR.", {"AR": ("Method", [], [])})
    assert len(named(defining, using).names) == 1
    assert len(named(defining, using, using).names) == 2


def test_the_singular_takes_the_capitals_of_the_usual_plural() -> None:
    papers = [
        one("A Prompt Learning Model (PLM).", {"Prompt Learning Model": ("Method", ["PLM"], [])}),
        *[
            one(f"We use prompt learning models {i}.", {"prompt learning models": ("Method", [], [])})
            for i in range(3)
        ],
    ]
    assert [name.name for name in named(*papers).names.values()] == ["prompt learning model"]


def test_capitals_of_titles_alone_are_taken_back() -> None:
    titled = one(
        "It works.", {"Sparse Bayesian Decoding": ("Method", [], [])}, title="Sparse Bayesian Decoding"
    )
    running = one(
        "We use sparse maps and Bayesian nets.",
        {"sparse maps": ("Term", [], []), "Bayesian nets": ("Term", [], [])},
    )
    names = [name.name for name in named(titled, running).names.values()]
    assert "sparse Bayesian decoding" in names


def test_one_name_has_the_type_that_most_mentions_vote_for() -> None:
    method = one("We use parsing. More parsing.", {"parsing": ("Method", [], [])})
    task = one("Parsing is a task.", {"Parsing": ("Task", [], [])})
    naming = named(method, task)
    assert [name.id for name in naming.names.values()] == ["method:parsing"]


def test_types_are_never_merged_by_an_acronym() -> None:
    task = one("On visual answering (VA).", {"visual answering": ("Task", ["VA"], [])})
    metric = one("We report VA, VA and VA.", {"VA": ("Metric", [], [])})
    naming = named(task, metric)
    assert ids(naming, metric) == ["metric:va"]
    assert ids(naming, task) == ["task:visual-answering"]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [(["proposes"], ("PGNET", "method:pgnet")), ([], ("private graph net", "method:private-graph-net"))],
)
def test_a_proposed_concept_is_known_by_its_short_name(roles: list[str], expected: tuple[str, str]) -> None:
    concepts: Concepts = {"PGNET": ("Method", ["private graph net"], roles)}
    (name,) = named(one("The private graph net (PGNET).", concepts)).names.values()
    assert (name.name, name.id) == expected


def test_running_text_decides_over_titles_and_sentence_starts() -> None:
    extraction = one(
        "Beam search is old. We use beam search.",
        {"beam search": ("Method", ["Beam search", "Beam Search"], [])},
        title="Beam Search and Beam Search",
    )
    (name,) = named(extraction).names.values()
    assert (name.name, name.aliases) == ("beam search", ("Beam Search", "Beam search"))


def test_singular_is_shown_where_it_is_written() -> None:
    extraction = one("Nets, more nets and a net.", {"nets": ("Method", ["net"], [])})
    assert [name.name for name in named(extraction).names.values()] == ["net"]


def test_a_wrong_expansion_does_not_reach_other_papers() -> None:
    wrong = one("A language model (BERT).", {"language model": ("Method", ["BERT"], [])})
    other = one("We use BERT.", {"BERT": ("Method", [], [])})
    naming = named(wrong, other)
    assert ids(naming, wrong) == ["method:language-model"]
    assert ids(naming, other) == ["method:bert"]


def test_one_definition_does_not_rename_what_everybody_writes() -> None:
    defining = one(
        "Attention for drugs and maps (ADM).", {"Attention for drugs and maps": ("Method", ["ADM"], [])}
    )
    using = one("We use ADM.", {"ADM": ("Method", [], [])})
    few = named(defining, *[using] * (DOMINANCE - 1))
    many = named(defining, *[using] * DOMINANCE)
    assert ids(few, using) == ids(few, defining)
    assert ids(many, using) == ["method:adm"]
    assert ids(many, defining) == ["method:attention-for-drugs-and-map"]


def test_an_acronym_with_a_long_form_is_not_a_name_in_other_case() -> None:
    defining = one(
        "Attention for domain maps (ADAM).", {"Attention for domain maps": ("Method", ["ADAM"], [])}
    )
    using = one("We use Adam.", {"Adam": ("Method", [], [])})
    assert ids(named(defining, using), using) != ids(named(defining, using), defining)


def test_acronym_of_the_paper_wins_over_a_concept_that_has_it_as_name() -> None:
    extraction = one(
        "A graph neural network (GNN). GNN wins.",
        {GNN_LONG: ("Method", ["GNN"], []), "GNN": ("Method", [], [])},
    )
    naming = named(extraction)
    assert len(naming.names) == 1
    assert len(set(ids(naming, extraction))) == 1


def test_of_equal_slugs_the_commonest_is_plain() -> None:
    papers = [
        one("We use SAFE.", {"SAFE": ("Method", [], [])}),
        one("It is safe.", {"safe": ("Method", [], [])}),
    ]
    forwards = {name.name: name.id for name in named(*papers).names.values()}
    assert forwards == {name.name: name.id for name in named(*reversed(papers)).names.values()}
    assert forwards == {"SAFE": "method:safe-78987f6b", "safe": "method:safe"}
    again = named(*papers, papers[0]).names.values()
    assert {name.name: name.id for name in again} == {"SAFE": "method:safe", "safe": "method:safe-bf31c52c"}


def test_generic_heads_become_no_concept() -> None:
    extraction = one(
        "Our model is an approach.", {"Our model": ("Method", [], []), "approach": ("Method", [], [])}
    )
    assert named(extraction) == Naming({}, {}, ())


def test_order_of_papers_does_not_matter() -> None:
    papers = [
        one("A graph neural network (GNN).", {GNN_LONG: ("Method", ["GNN"], [])}),
        one("Graph nets, i.e. GNNs.", {"GNNs": ("Method", ["Graph nets"], [])}),
        one("The GNN.", {"GNN": ("Task", [], [])}),
    ]
    assert named(*papers) == named(*reversed(papers))
