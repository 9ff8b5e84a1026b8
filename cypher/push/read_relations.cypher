// Which relations of one type a collection has
MATCH (a)-[r:TYPE {collection: $collection}]->(b)
RETURN a.id AS source, b.id AS target, CASE WHEN $prune THEN elementId(r) END AS element
