"""Draws a graph as an HTML page."""
