"""What a concept is called: one of its forms, in the spelling that people know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from kg.folding import is_acronym, is_plural
from kg.heads import is_capitalised
from kg.merging import Joins, contradicted
from kg.rules import Rules
from kg.tally import Tally, Usage
from kg.vocabulary import Entry, Vocabulary

__all__ = ["Speller", "count_words", "title_words"]

_WORD = re.compile(r"[^\W\d_]+")
_TITLE_WORD = re.compile(r"(?<!\w)[A-Z][a-z]+(?!\w)")
_ADJECTIVE = re.compile(r"(?:ian|ean)$")
#: How many capitalised places one place without capitals outweighs.
_DEFINED = 3


class Speller:
    """Chooses the display name of each concept.

    The first name of a user's rule comes first, then the vocabulary's spelling, then the form that most
    papers write: first which name, then which spelling of it, singular before plural. Where an acronym and
    its long form stand in as many papers, a concept that a paper proposes is known by the acronym, any other
    by the long form. Capitals that only titles and beginnings of sentences show are taken back where the
    corpus writes the word without.

    Args:
        sums: the sums over the concepts' keys.
        joins: which keys are one.
        vocabulary: known names.
        rules: what the user says.
        words: how often words are written inside sentences (`count_words`): those of the whole corpus, at
            least for the `title_words` of the keys' forms.
    """

    def __init__(
        self, sums: Tally, joins: Joins, vocabulary: Vocabulary, rules: Rules, words: Mapping[str, int]
    ) -> None:
        self._sums = sums
        self._joins = joins
        self._vocabulary = vocabulary
        firsts = {rules.known(names[0], joins.types): names[0] for names in rules.same}
        self._same = {key: name for key, name in firsts.items() if key}
        self._conflicts = rules.conflicts
        self._words = words
        self._entries: dict[str, Entry | None] = {}

    def display(self, root: str) -> str:
        """The name that a concept is shown by."""
        if self._same:
            for member in self._joins.members(root):
                if member in self._same:
                    return self._same[member]
        if entry := self._entry(root):
            return entry.name
        spellings = self._sums.forms[self.key(root)]
        ranked = list(spellings)
        if len(ranked) > 1:
            ranked.sort(key=lambda form: _spelling_rank(form, spellings))
        best = ranked[0]
        shown = best if spellings[best].running or is_acronym(best) else self._lowered(best)
        if len(ranked) == 1 or not is_plural(best):
            return shown
        singulars = [form for form in ranked if spellings[form].mentions and not is_plural(form)]
        return _in_singular(shown, singulars[0]) if singulars else shown

    def key(self, root: str) -> str:
        """The key of the name that a concept is shown by, as far as papers write it."""
        members = self._joins.members(root)
        if len(members) == 1:
            return members[0]
        entry = self._entry(root)
        stated = [key for key in members if key in self._same]
        known = [key for key in members if entry and key == entry.key]
        coined = not self._sums.proposed.isdisjoint(members)
        bare = [key for key in members if not self._joins.headed(key)]
        return [*stated, *known, min(bare, key=lambda key: self._rank(key, coined))][0]

    def stated(self, root: str) -> bool:
        """Whether the user says what a concept is called."""
        return not self._same.keys().isdisjoint(self._joins.members(root))

    def _entry(self, root: str) -> Entry | None:
        if root not in self._entries:
            self._entries[root] = self._find(root)
        return self._entries[root]

    def _find(self, root: str) -> Entry | None:
        """The entry of the vocabulary that names the concept: by its name, else by most papers."""
        found = []
        for key in self._joins.members(root):
            entry = self._vocabulary.find(self._joins.types[root], key)
            if entry is None or entry.key in self._conflicts.get(key, ()):
                continue
            if contradicted(key, entry.key, self._joins, self._sums):
                continue
            by_name = self._vocabulary.is_name(entry, key)
            if by_name or self._joins.root(entry.key) == root or entry.key not in self._joins.types:
                found.append((not by_name, -self._sums.papers[key], entry.name, entry))
        return min(found, key=lambda item: item[:3])[3] if found else None

    def _rank(self, key: str, coined: bool) -> tuple[object, ...]:
        forms = self._sums.forms[key]
        long = not all(is_acronym(form) for form in forms)
        mentions = sum(usage.mentions for usage in forms.values())
        return (-self._sums.papers[key], long == coined, -mentions, key)

    def _lowered(self, form: str) -> str:
        """The form without the capitals that the corpus does not write, if it writes a word of it without."""
        usual = {word: self._usual(word) for word in _TITLE_WORD.findall(form)}
        if max(usual.values(), default=0) <= 0:
            return form
        return _TITLE_WORD.sub(
            lambda match: (
                match[0] if usual[match[0]] < 0 or _ADJECTIVE.search(match[0]) else match[0].lower()
            ),
            form,
        )

    def _usual(self, word: str) -> int:
        """How much more often a word is written without its capital."""
        return self._words.get(word.lower(), 0) - self._words.get(word, 0)


def count_words(sums: Tally, vocabulary: Vocabulary) -> Counter[str]:
    """How often the words of names are written inside sentences, each in its case."""
    found = Counter(word for entry in vocabulary.entries for word in _WORD.findall(entry.name))
    for forms in sums.forms.values():
        for form, usage in forms.items():
            if usage.running:
                for word in _WORD.findall(form):
                    found[word] += usage.running
    return found


def title_words(sums: Tally) -> set[str]:
    """The words whose usual case decides how one of the forms is shown."""
    words = {
        word
        for forms in sums.forms.values()
        for form, usage in forms.items()
        if not usage.running
        for word in _TITLE_WORD.findall(form)
    }
    return words | {word.lower() for word in words}


def _spelling_rank(form: str, spellings: Mapping[str, Usage]) -> tuple[object, ...]:
    """The order of forms: written at all, most often inside sentences, then anywhere.

    Capitals of a name of several words count for less: where it is defined for an acronym, many write
    "Support Vector Machine (SVM)".
    """
    usage = spellings[form]
    broken = "-" in form and form.replace("-", "") in spellings
    capitals = sum(letter.isupper() for letter in form)
    running = usage.running * (1 if " " in form and is_capitalised(form) else _DEFINED)
    return (usage.mentions == 0, -running, is_plural(form), -usage.mentions, broken, capitals, form)


def _in_singular(plural: str, singular: str) -> str:
    """A singular that is written somewhere, with the capitals of the plural that is written most.

    >>> _in_singular("language models", "Language Model")
    'language model'
    """
    *many, last = plural.split()
    *one, noun = singular.split()
    if [word.casefold() for word in many] != [word.casefold() for word in one]:
        return singular
    return " ".join((*many, noun.lower() if last.islower() else noun))
