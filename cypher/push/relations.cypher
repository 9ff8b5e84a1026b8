// Relations of one type between nodes of two labels, created or brought up to date
// Returns how many that were there before had to change.
UNWIND $rows AS row
MATCH (a:SOURCE {id: row.source})
MATCH (b:TARGET {id: row.target})
MERGE (a)-[r:TYPE {collection: $collection}]->(b)
ON CREATE SET r += row.properties
WITH r, row
WHERE any(key IN keys(row.properties) WHERE coalesce(
  r[key] <> row.properties[key], (r[key] IS NULL) <> (row.properties[key] IS NULL)))
SET r += row.properties
RETURN count(*) AS changed
