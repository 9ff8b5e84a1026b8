"""A knowledge graph of papers and concepts from lists of abstracts."""
