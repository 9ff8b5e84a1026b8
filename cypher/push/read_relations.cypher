// Which relations of one type a collection has
MATCH (a)-[r:TYPE {collection: $collection}]->(b)
RETURN a.id AS source, b.id AS target, elementId(r) AS element
