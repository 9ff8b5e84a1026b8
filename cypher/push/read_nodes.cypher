// Which nodes of one label a collection has
MATCH (n:LABEL)
WHERE $collection IN n.collections
RETURN n.id AS id
