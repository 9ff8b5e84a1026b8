// Which relations of one type a collection has, with the values of some properties
MATCH (a)-[r:TYPE {collection: $collection}]->(b)
WITH a.id AS source, b.id AS target, elementId(r) AS handle,
  CASE WHEN $columns = [] THEN {} ELSE properties(r) END AS held
RETURN source, target, handle, [name IN $columns | held[name]] AS values
