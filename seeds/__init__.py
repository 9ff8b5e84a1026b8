"""Seeds: what a newcomer builds first.

`papers.jsonl`, `papers.bib` and `papers.md` together describe about a hundred landmark papers in our own
words, each paper in one of the three formats. `vocabulary.toml` holds names that are facts, with their
synonyms.
"""
