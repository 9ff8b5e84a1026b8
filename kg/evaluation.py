"""How right an extraction is: precision, recall and F1 against annotated papers.

The conventions, which every figure of this project follows:

- Counts are added up over all papers, then divided (micro-average): a long abstract counts more than a short
  one. A paper that was not read counts as one in which nothing was found.
- A mention is right if its span is, to the character, and its type. Every occurrence counts.
- A concept counts once a paper, by its type and its name. Names are compared without case, plural,
  hyphens and markup, and either side's aliases are resolved (`kg.statements`).
- Roles and relations compare names in the same way; the types of their concepts do not matter. A relation is
  right if head, kind and tail are; "relation pairs" compares the two names alone, in either order.
- Addresses of code are compared without scheme, `www.`, letter case, `.git` and closing slashes. Somebody
  else's code does not count.

`mentions4`, `concepts4` and `names4` leave Terms out; `names4` compares names whatever their type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from kg.gold import Annotation, Reading
from kg.schema import ConceptType, Paper, Role
from kg.statements import Statements, side_by_side, statements

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FIGURES", "Counts", "Difference", "Evaluation", "Interval", "PaperScore", "evaluate"]

#: Lower and upper end, in per cent.
Interval: TypeAlias = "tuple[float, float]"

_ROLES = {f"role:{role}": role for role in Role}
#: The names of the figures, in the order in which they are shown.
FIGURES: tuple[str, ...] = (
    "mentions",
    "mentions4",
    *(f"mentions:{kind}" for kind in ConceptType),
    "concepts",
    "concepts4",
    "names4",
    *(f"concepts:{kind}" for kind in ConceptType),
    *_ROLES,
    "relations",
    "relation pairs",
    "code",
)
#: The figures that say each thing once: what a paper's own score and its differences are made of.
_ONCE = ("mentions", *_ROLES, "relations", "code")
_TOLD = ("mentions", "concepts", *_ROLES, "relations", "code")
_DIGITS = 1
_SAMPLES = 1000
_CONFIDENCE = (2.5, 97.5)


class Counts(NamedTuple):
    """How much of what was found is right or wrong, and how much of the annotation was missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of right ones in what was found; 0 where nothing was."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        """The share of what was annotated that was found; 0 where nothing was annotated."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def to_record(self) -> dict[str, Any]:
        """Per cent with one digit, and the counts; `gold` is how much was annotated."""
        return {
            "P": round(100 * self.precision, _DIGITS),
            "R": round(100 * self.recall, _DIGITS),
            "F1": round(100 * self.f1, _DIGITS),
            "gold": self.right + self.missed,
            **self._asdict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that was found and is not annotated ("wrong"), or the other way round ("missed").

    `type` is empty for what has none, `start` and `end` are given for mentions.
    """

    paper: str
    figure: str
    kind: str
    name: str
    type: str = ""
    start: int | None = None
    end: int | None = None

    def to_record(self) -> dict[str, Any]:
        """As a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class PaperScore:
    """The counts of one paper by figure, and each difference."""

    id: str
    title: str | None
    counts: Mapping[str, Counts]
    differences: tuple[Difference, ...]

    @property
    def total(self) -> Counts:
        """Mentions, roles, relations and code together."""
        return _sum(self.counts[figure] for figure in _ONCE)

    def to_record(self) -> dict[str, Any]:
        """The paper's score over everything, as a JSON object."""
        return {"id": self.id, "title": self.title, **self.total.to_record()}


@dataclass(frozen=True)
class Evaluation:
    """The scores of some papers; `missing` are those of which there was no reading."""

    papers: tuple[PaperScore, ...]
    missing: tuple[str, ...] = ()

    @cached_property
    def scores(self) -> dict[str, Counts]:
        """The counts of all papers together, by figure."""
        return {figure: _sum(paper.counts[figure] for paper in self.papers) for figure in FIGURES}

    def worst(self, number: int) -> list[PaperScore]:
        """The papers of lowest F1 over mentions, roles, relations and code; more mistakes come first."""
        return sorted(self.papers, key=_badness)[:number]

    def intervals(self, *, seed: int = 1, samples: int = _SAMPLES) -> dict[str, dict[str, Interval]]:
        """95 % confidence intervals of P, R and F1 by figure: the percentile bootstrap over papers.

        Papers are drawn anew, with replacement, `samples` times (Efron and Tibshirani 1993, chapter 13);
        draws in which a figure counts nothing say nothing of it.
        """
        import numpy as np

        counts = np.array(
            [[paper.counts[figure] for figure in FIGURES] for paper in self.papers], dtype=float
        )
        number = len(self.papers)
        draws = np.random.default_rng(seed).multinomial(number, [1 / number] * number, size=samples)
        shares = _shares(np.tensordot(draws.astype(float), counts, axes=1))
        ends = np.round(100 * np.nanpercentile(shares, _CONFIDENCE, axis=1), _DIGITS).tolist()
        return {
            figure: {
                name: (ends[0][row][column], ends[1][row][column])
                for row, name in enumerate(("P", "R", "F1"))
            }
            for column, figure in enumerate(FIGURES)
        }


def _shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Precision, recall and F1 of counts whose last axis is right, wrong, missed; NaN where none is."""
    import numpy as np

    right, wrong, missed = np.moveaxis(counts, -1, 0)
    parts = np.stack([right, right, 2 * right])
    wholes = np.stack([right + wrong, right + missed, 2 * right + wrong + missed])
    shares = np.divide(parts, wholes, out=np.full_like(parts, np.nan), where=wholes > 0)
    return np.where(np.isnan(shares).all(axis=1, keepdims=True), 0, shares)


def _sum(counts: Iterable[Counts]) -> Counts:
    right, wrong, missed = (sum(column) for column in zip(Counts(0, 0, 0), *counts, strict=True))
    return Counts(right, wrong, missed)


def _badness(paper: PaperScore) -> tuple[float, int, str]:
    total = paper.total
    return total.f1, -total.wrong - total.missed, paper.id


def evaluate(
    papers: Mapping[str, Paper], gold: Mapping[str, Reading], predicted: Mapping[str, Reading]
) -> Evaluation:
    """Compares what was read out of papers with what was annotated in them.

    Args:
        papers: id -> paper; what is not in `gold` does not count.
        gold: id -> annotation, or an extraction that is taken as right.
        predicted: id -> extraction, or another annotation.

    Raises:
        KeyError: a paper of `gold` is not in `papers`.
    """
    scored = []
    for identity, truth in gold.items():
        paper = papers[identity]
        other = predicted.get(identity, Annotation(id=identity))
        scored.append(_compare(identity, paper, statements(paper, truth), statements(paper, other)))
    return Evaluation(tuple(scored), tuple(identity for identity in gold if identity not in predicted))


def _compare(identity: str, paper: Paper, gold: Statements, found: Statements) -> PaperScore:
    written = {**found.written, **gold.written}
    truth, other = (dict(_figures(side)) for side in side_by_side(gold, found))
    differences = [
        _difference(paper, identity, figure, kind, item, written)
        for figure in _TOLD
        for kind, items in (
            ("missed", truth[figure] - other[figure]),
            ("wrong", other[figure] - truth[figure]),
        )
        for item in items
    ]
    return PaperScore(
        identity,
        paper.title,
        {figure: _counts(truth[figure], other[figure]) for figure in FIGURES},
        tuple(sorted(differences, key=_reading_order)),
    )


def _counts(truth: frozenset[Any], other: frozenset[Any]) -> Counts:
    return Counts(len(truth & other), len(other - truth), len(truth - other))


def _figures(side: Statements) -> Iterator[tuple[str, frozenset[Any]]]:
    """What counts for each figure."""
    yield "mentions", side.mentions
    yield "mentions4", frozenset(item for item in side.mentions if item[2] != ConceptType.TERM)
    yield "concepts", side.concepts
    four = frozenset(item for item in side.concepts if item[0] != ConceptType.TERM)
    yield "concepts4", four
    yield "names4", frozenset(name for _, name in four)
    for kind in ConceptType:
        yield f"mentions:{kind}", frozenset(item for item in side.mentions if item[2] == kind)
        yield f"concepts:{kind}", frozenset(item for item in side.concepts if item[0] == kind)
    for figure, role in _ROLES.items():
        yield figure, side.roles.get(role, frozenset())
    yield "relations", side.relations
    yield "relation pairs", frozenset(frozenset((head, tail)) for head, _, tail in side.relations)
    yield "code", side.code


def _difference(
    paper: Paper, identity: str, figure: str, kind: str, item: Any, written: Mapping[str, str]
) -> Difference:
    def make(name: str, **more: Any) -> Difference:
        return Difference(paper=identity, figure=figure, kind=kind, name=name, **more)

    if figure == "mentions":
        start, end, label = item
        return make(paper.text[start:end], type=str(label), start=start, end=end)
    if figure == "concepts":
        label, name = item
        return make(written.get(name, name), type=str(label))
    if figure == "relations":
        head, relation, tail = item
        return make(f"{written.get(head, head)} {relation} {written.get(tail, tail)}")
    return make(written.get(item, item))


def _reading_order(difference: Difference) -> tuple[int, int, str, str, str]:
    """By figure, place, name; what one side names otherwise than the other stands together."""
    place = -1 if difference.start is None else difference.start
    return _TOLD.index(difference.figure), place, difference.name, difference.type, difference.kind
