// Takes nodes of one label out of a collection
// A node that another collection has, or that somebody else's relation hangs on, stays.
UNWIND $rows AS id
MATCH (n:LABEL {id: id})
WITH n, [name IN n.collections WHERE name <> $collection] AS others
SET n.collections = CASE WHEN others = [] THEN NULL ELSE others END
WITH n, others
WHERE others = [] AND NOT EXISTS { MATCH (n)--() }
DELETE n
