// Lineage of a method
// What a method is, is part of or improves on, step by step, up to four steps.
// :param method => 'BERT'
// :param steps => 3
MATCH path = (m:Method)-[:IS_A|IMPROVES|PART_OF*1..4]->(c:Concept)
WHERE toLower(m.name) = toLower($method) AND c.id <> m.id AND length(path) <= $steps
RETURN c.name AS ancestor, [label IN labels(c) WHERE label <> 'Concept'][0] AS type,
  min(length(path)) AS steps
ORDER BY steps, ancestor, type
LIMIT 50
