"""Reads papers: from text to mentions, concepts, relations and code links."""
