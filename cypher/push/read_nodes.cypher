// Which nodes of one label a collection has, with the values of some properties
MATCH (n:LABEL)
WHERE $collection IN n.collections
WITH n.id AS id, CASE WHEN $columns = [] THEN {} ELSE properties(n) END AS held
RETURN id, id AS handle, [name IN $columns | held[name]] AS values
