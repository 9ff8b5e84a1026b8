"""An annotated paper for tests: with a title, aliases, roles, relations, code, a name over two lines."""

from __future__ import annotations

from kg.gold import AnnotatedPaper, Annotation, Entity
from kg.schema import ConceptType, Paper, RelationType, Role

METHOD, TASK, DATASET, TERM = ConceptType.METHOD, ConceptType.TASK, ConceptType.DATASET, ConceptType.TERM

ABSTRACT = (
    "We propose UPGNET, a graph neural\nnetwork (GNN) for sparse node classification (SNC).\r\n"
    "UPGNET beats a GNN on Cora. Code: github.com/o/r."
)


def item(
    *entities: Entity, identity: str = "p1", title: str | None = "On UPGNET", abstract: str = ABSTRACT
) -> AnnotatedPaper:
    """A paper of which only entities are annotated."""
    paper = Paper(title=title, abstract=abstract, source_ids=(identity,))
    return AnnotatedPaper(paper, Annotation(id=identity, entities=entities))


def whole(identity: str = "p1") -> AnnotatedPaper:
    """A paper of which everything is annotated, in canonical order."""
    return AnnotatedPaper(
        item(identity=identity).paper,
        Annotation(
            id=identity,
            entities=(
                ("UPGNET", METHOD),
                ("graph neural\nnetwork", METHOD),
                ("GNN", METHOD),
                ("sparse node classification", TASK),
                ("Cora", DATASET),
            ),
            roles={Role.PROPOSES: ("UPGNET",), Role.COMPARES: ("GNN",), Role.DATASETS: ("Cora",)},
            code=("https://github.com/o/r",),
            aliases=(("GNN", "graph neural\nnetwork"), ("SNC", "node classification")),
            relations=(
                ("UPGNET", RelationType.IS_A, "graph neural\nnetwork"),
                ("UPGNET", RelationType.EVALUATED_ON, "Cora"),
            ),
        ),
    )
