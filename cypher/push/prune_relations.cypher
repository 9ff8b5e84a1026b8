// Takes away relations that were read as no longer in the graph
UNWIND $rows AS element
MATCH ()-[r:TYPE]->()
WHERE elementId(r) = element
DELETE r
