"""What is fast, beside whom, measured in one run: `python -m benchmarks`.

`push.py`, `view.py` and `spark.py` measure what needs a Neo4j server, a browser and Spark, and run by
themselves.
"""
