"""What the formats of annotations share: the canonical form, and the way from marked places to strings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from kg.gold import AnnotatedPaper, Annotation, Entity, occurrences
from kg.schema import ConceptType, Paper, Rejected

__all__ = [
    "Annotations",
    "Span",
    "annotated",
    "canonical",
    "locate_address",
    "paper_of_text",
    "spans_of",
    "surface",
]

#: Start, end and type of a marked place.
Span = tuple[int, int, ConceptType]

_RANK = {kind: rank for rank, kind in enumerate(ConceptType)}


@dataclass(slots=True)
class Annotations:
    """What was read: papers, those that were rejected, and warnings for the user."""

    papers: list[AnnotatedPaper] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def paper_of_text(identity: str, text: str) -> Paper:
    """The paper of a text: its first line is the title, the rest the abstract."""
    title, newline, abstract = text.partition("\n")
    if not newline:
        title, abstract = "", text
    return Paper(title=title or None, abstract=abstract, source_ids=(identity,))


def surface(text: str, start: int, end: int) -> str:
    """The words of a marked place, without white space at their edges; raises ValueError outside the text."""
    if not 0 <= start < end <= len(text):
        raise ValueError(f"{start} to {end} is no place in the text of {len(text)} characters")
    return text[start:end].strip()


def spans_of(item: AnnotatedPaper) -> list[Span]:
    """The places to mark, in order."""
    return [(start, end, kind) for (start, end), kind in occurrences(item.text, item.gold.entities).items()]


def canonical(item: AnnotatedPaper) -> AnnotatedPaper:
    """The same in the form that every format holds: names that stand in the text, each once, sorted.

    Entities are sorted by type and then, as roles, aliases and relations, by where they stand first.
    """
    text, gold = item.text, item.gold

    def place(name: str) -> tuple[int, str]:
        return text.find(name), name

    def known(names: Iterable[str]) -> bool:
        return all(name.strip() and name in text for name in names)

    def in_order(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
        kept = dict.fromkeys(tuple(name.strip() for name in row) for row in rows)
        return sorted(filter(known, kept), key=lambda row: [place(name) for name in row])

    roles = {role: tuple(name for (name,) in in_order((n,) for n in gold.roles[role])) for role in gold.roles}
    relations = {
        (head.strip(), tail.strip(), kind) for head, kind, tail in gold.relations if known((head, tail))
    }
    return AnnotatedPaper(
        item.paper,
        Annotation(
            id=gold.id,
            entities=tuple(_canonical_entities(text, gold.entities, place)),
            roles={role: names for role, names in roles.items() if names},
            code=tuple(sorted({url.strip() for url in gold.code if locate_address(text, url.strip())})),
            aliases=tuple((short, long) for short, long in in_order(gold.aliases) if short != long),
            relations=tuple(
                (head, kind, tail)
                for head, tail, kind in sorted(relations, key=lambda r: (place(r[0]), place(r[1]), r[2]))
            ),
        ),
    )


def _canonical_entities(
    text: str, entities: Iterable[Entity], place: Callable[[str], tuple[int, str]]
) -> list[Entity]:
    """Sorted before their places are sought, so that sorting them again changes nothing."""
    types: dict[str, ConceptType] = {}
    for name, kind in entities:
        types.setdefault(name.strip(), kind)
    rows = sorted(types.items(), key=lambda row: (_RANK[row[1]], place(row[0])))
    found = {text[start:end] for start, end in occurrences(text, rows)}
    return [row for row in rows if row[0] in found]


def locate_address(text: str, url: str) -> tuple[int, int] | None:
    """Where an address stands in a text, with its scheme or without it."""
    for form in (url, url.partition("://")[2]):
        if form and (start := text.find(form)) >= 0:
            return start, start + len(form)
    return None


def annotated(text: str, spans: Iterable[Span], gold: Annotation) -> tuple[AnnotatedPaper, list[str]]:
    """The annotation of a text whose places were marked; the entities of `gold` are replaced by them.

    Returns it in canonical form, and warnings: an annotation counts every occurrence of a string and gives it
    one type, so that a string with several types gets the one marked most, and what was marked at some
    places only counts at all. Raises ValueError where a place lies outside the text.
    """
    votes: dict[str, Counter[ConceptType]] = defaultdict(Counter)
    for start, end, kind in spans:
        if name := surface(text, start, end):
            votes[name][kind] += 1
    entities = tuple((name, min(counts, key=_vote(counts))) for name, counts in votes.items())
    given = Annotation(
        id=gold.id,
        entities=entities,
        roles=gold.roles,
        code=gold.code,
        aliases=gold.aliases,
        relations=gold.relations,
    )
    item = canonical(AnnotatedPaper(paper_of_text(gold.id, text), given))
    places = Counter(text[start:end] for start, end in occurrences(text, item.gold.entities))
    return item, [f"paper {gold.id}: {line}" for line in _doubts(item.gold.entities, votes, places)]


def _vote(counts: Counter[ConceptType]) -> Callable[[ConceptType], tuple[int, int]]:
    """Most places first, then the order of the types."""

    def rank(kind: ConceptType) -> tuple[int, int]:
        return -counts[kind], _RANK[kind]

    return rank


def _doubts(
    entities: Sequence[Entity], votes: dict[str, Counter[ConceptType]], places: Counter[str]
) -> Iterable[str]:
    for name, kind in entities:
        if len(votes[name]) > 1:
            types = " and ".join(sorted(votes[name]))
            yield f"{name!r} is marked as {types}; it counts as {kind}"
        marked = votes[name].total()
        if marked < places[name]:
            yield f"{name!r} is marked at {marked} of {places[name]} places; it counts at all"
