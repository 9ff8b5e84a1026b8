// Relations of one type between nodes of two labels, created or brought up to date
UNWIND $rows AS row
MATCH (a:SOURCE {id: row.source})
MATCH (b:TARGET {id: row.target})
MERGE (a)-[r:TYPE {collection: $collection}]->(b)
SET r += row.properties
