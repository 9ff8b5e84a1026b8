// Nodes of one label, created or brought up to date
UNWIND $rows AS row
MERGE (n:LABEL {id: row.id})
SET n:EXTRA, n += row.properties, n.collections = CASE
  WHEN $collection IN n.collections THEN n.collections
  ELSE coalesce(n.collections, []) + $collection END
