"""What is known of a paper's concepts while it is being read: mentions, and concepts grouped out of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kg.folding import name_key
from kg.schema import ConceptType, RelationType, Role

__all__ = ["Draft", "DraftRelation", "Place", "group_mentions"]


@dataclass(frozen=True, slots=True)
class Place:
    """A mention: tokens [start, end), characters of the clean text, surface, type and score."""

    start: int
    end: int
    start_char: int
    end_char: int
    text: str
    type: ConceptType
    score: float = 1.0


@dataclass(slots=True)
class Draft:
    """One concept of a paper.

    `mentions` are indices of the paper's places, `forms` every way the text writes it (the name included),
    `short` an acronym of it that the text defines. `roles` maps a role to its score and to the index of the
    mention that shows it best.
    """

    name: str
    type: ConceptType
    mentions: list[int]
    forms: list[str] = field(default_factory=list)
    short: str = ""
    score: float = 1.0
    roles: dict[Role, tuple[float, int]] = field(default_factory=dict)

    @property
    def aliases(self) -> list[str]:
        """The forms that differ from the name in more than case, number and hyphens."""
        aliases = {name_key(form): form for form in reversed(self.forms)}
        aliases.pop(name_key(self.name), None)
        return [form for form in self.forms if form in aliases.values()]


@dataclass(frozen=True, slots=True)
class DraftRelation:
    """A relation between two concepts (indices), and the tokens [start, end) that state it."""

    head: int
    relation: RelationType
    tail: int
    score: float
    start: int
    end: int


def group_mentions(places: Sequence[Place], pairs: Iterable[tuple[str, str]]) -> list[Draft]:
    """Groups mentions into concepts, in order of first mention.

    Args:
        places: mentions in the order of the text.
        pairs: (short, long) forms that the text itself defines.

    Mentions are one concept when their names fold to one key, or when a pair joins their keys. The type is
    the one that most mentions have. The name is the form that stands most often, the longer one in a tie.
    """
    root = _Roots()
    for short, long in pairs:
        root.join(name_key(long), name_key(short))
    groups: dict[str, list[int]] = {}
    for index, place in enumerate(places):
        groups.setdefault(root.find(name_key(place.text)), []).append(index)
    defined: dict[str, list[tuple[str, str]]] = {}
    for short, long in pairs:
        defined.setdefault(root.find(name_key(long)), []).append((short, long))
    return [_draft(places, indices, defined.get(key, [])) for key, indices in groups.items()]


class _Roots:
    """Disjoint sets of keys."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, key: str) -> str:
        while (parent := self._parent.get(key, key)) != key:
            key = parent
        return key

    def join(self, one: str, other: str) -> None:
        self._parent[self.find(other)] = self.find(one)


def _draft(places: Sequence[Place], indices: list[int], defined: list[tuple[str, str]]) -> Draft:
    surfaces = Counter(places[index].text for index in indices)
    types = Counter(places[index].type for index in indices)
    order = list(ConceptType)
    kind = min(types, key=lambda item: (-types[item], order.index(item)))
    ranked = sorted(surfaces, key=lambda item: (-surfaces[item], -len(item), item))
    forms = dict.fromkeys([*ranked, *(form for pair in defined for form in pair)])
    short = next((short for short, _ in defined), "")
    score = max(places[index].score for index in indices)
    return Draft(ranked[0], kind, indices, list(forms), short, score)
