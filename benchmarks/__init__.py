"""What is fast, beside whom, measured in one run: `python -m benchmarks`.

`push.py` and `view.py` measure what needs a Neo4j server and a browser, and run by themselves.
"""
