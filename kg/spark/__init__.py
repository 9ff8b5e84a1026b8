"""Apache Spark as the engine of a build: for more papers than one machine reads in a day.

Nothing here decides what a name, a paper or an edge is: those rules are pure functions elsewhere in `kg`, and
this package only brings rows to them. It needs the extra `spark` (PySpark, and Java 17 or newer).
"""
