// Nodes of one label, created or brought up to date
// Returns how many that were there before had to change.
UNWIND $rows AS row
MERGE (n:LABEL {id: row.id})
ON CREATE SET n:EXTRA, n += row.properties, n.collections = [$collection]
WITH n, row, coalesce(n.collections, []) AS collections
WHERE NOT $collection IN collections
  OR any(key IN keys(row.properties) WHERE coalesce(
    n[key] <> row.properties[key], (n[key] IS NULL) <> (row.properties[key] IS NULL)))
SET n:EXTRA, n += row.properties, n.collections =
  CASE WHEN $collection IN collections THEN collections ELSE collections + $collection END
RETURN count(*) AS changed
